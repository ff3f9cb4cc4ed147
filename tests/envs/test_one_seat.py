"""One seat at a table, through Gymnasium: seats, opponents, rewards, and what happens to mistakes."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

import meeple
import meeple.envs
from meeple.agents.random import Random
from meeple.core.agent import choose
from meeple.core.errors import MeepleError
from meeple.core.rng import child
from meeple.rollout.rewards import rewards_of

ROUND = "meeple/JaipurRound-v1"


def make(name: str = ROUND, **arguments: Any) -> Any:
    return gymnasium.make(name, **arguments).unwrapped


def play(env: Any, seed: int | None = None) -> tuple[float, dict[str, Any]]:
    """First legal actions to the end; the sum of the rewards, and the last info."""
    env.reset(seed=seed)
    total, over, info = 0.0, False, {}
    while not over:
        _, reward, terminated, truncated, info = env.step(env.legal_actions()[0])
        total, over = total + reward, terminated or truncated
    return total, info


def test_a_seed_deals_the_game_that_the_engine_deals() -> None:
    env = make()
    seen, info = env.reset(seed=7)
    assert np.array_equal(seen, meeple.new("jaipur:round", seed=7).observe(0))
    assert info == {"seat": 0}
    assert env.legal_actions().tolist() == meeple.new("jaipur:round", seed=7).legal()


def test_seats_alternate_and_a_seed_begins_with_the_first() -> None:
    env = make(seat="alternate")
    assert [env.reset(seed=1)[1]["seat"], env.reset()[1]["seat"], env.reset()[1]["seat"]] == [0, 1, 0]
    env.reset()
    assert env.reset(seed=1)[1]["seat"] == 0
    assert make(seat=1).reset(seed=1)[1]["seat"] == 1


def test_later_games_follow_from_the_first_seed() -> None:
    one, other = make(), make()
    assert np.array_equal(one.reset(seed=4)[0], other.reset(seed=4)[0])
    assert np.array_equal(one.reset()[0], other.reset()[0])


@pytest.mark.parametrize("opponent", ["random", "basic3"])
def test_the_game_against_an_opponent_is_won_or_lost(opponent: str) -> None:
    total, info = play(make(opponent=opponent, reward="win"), seed=3)
    assert total == 2 * info["outcome"][0] - 1


@pytest.mark.xdist_group("splendor")
def test_different_opponents_sit_in_turn_order() -> None:
    env = make("meeple/Splendor3-v1", opponent=["greedy", "random"], seat=1)
    assert env._batch.outside is not None
    _, info = play(env, seed=2)
    assert len(info["scores"]) == 3
    alike = make("meeple/Splendor3-v1", opponent=["random", "random"])
    assert alike._batch.outside is None  # the same one everywhere is played inside


def test_masks_tell_the_legal_actions() -> None:
    env = make(mask=True)
    seen, _ = env.reset(seed=1)
    assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(env.legal_actions())
    assert np.array_equal(env.action_masks(), seen["action_mask"].astype(bool))
    assert env.action_masks().dtype == np.bool_


def test_an_illegal_action_forfeits_the_game() -> None:
    env = make(reward="points")
    seen, _ = env.reset(seed=1)
    wrong = next(a for a in range(25_499) if a not in set(env.legal_actions()))
    last, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info) == (-1.0, True, False, {"illegal_action": wrong})
    assert np.array_equal(last, seen)
    with pytest.raises(MeepleError, match="reset"):
        env.step(0)


def test_or_is_refused_and_nothing_changes() -> None:
    env = make(illegal="raise")
    env.reset(seed=1)
    before = env._batch.arrays.states.copy()
    for wrong in (25_000, -5, 10**6):
        with pytest.raises(MeepleError, match="not legal at ply 0; legal: "):
            env.step(wrong)
    with pytest.raises(MeepleError, match="whole number from 0 to 25498"):
        env.step("take camels")
    assert before.tobytes() == env._batch.arrays.states.tobytes()
    env.step(env.legal_actions()[0])


@pytest.mark.parametrize("illegal", ["forfeit", "raise"])
@pytest.mark.parametrize("given", [1.7, 2**40, "x", None, np.float32(3), np.array([0.0])])
def test_what_is_no_whole_number_is_no_action(given: Any, illegal: str) -> None:
    env = make(illegal=illegal)
    env.reset(seed=1)
    before = env._batch.arrays.states.copy()
    with pytest.raises(MeepleError, match="An action is a whole number from 0 to 25498, not "):
        env.step(given)
    assert before.tobytes() == env._batch.arrays.states.tobytes()
    env.step(np.asarray(env.legal_actions()[0]))  # as a model predicts it


def test_a_step_before_the_deal_is_refused() -> None:
    env = make()
    for call in (lambda: env.step(0), env.render, lambda: env.ask("random")):
        with pytest.raises(MeepleError, match="reset"):
            call()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"opponent": "nobody"}, "nobody"),
        ({"opponent": ["random", "random"]}, "one opponent for all other seats, or 1, not 2"),
        ({"seat": 2}, "'alternate' or from 0 to 1, not 2"),
        ({"seat": "left"}, "'alternate' or from 0 to 1, not 'left'"),
        ({"seat": 0.5}, "'alternate' or from 0 to 1, not 0.5"),
        ({"reward": "fame"}, "fame"),
        ({"reward": {"fame": 1}}, "fame"),
        ({"observation": "everything"}, "everything"),
        ({"actions": "12"}, "12"),
        ({"colour": "red"}, "colour"),
        ({"illegal": "ignore"}, "ignore"),
        ({"render_mode": "oil"}, "oil"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(MeepleError, match=says) as refused:
        meeple.envs.single("jaipur:round", **arguments)
    assert "\n" not in str(refused.value)


def test_alone_there_is_no_opponent_and_no_win() -> None:
    with pytest.raises(MeepleError, match="played alone"):
        meeple.envs.single("rake:simple", opponent="random")
    with pytest.raises(MeepleError, match="'alternate' or 0, since rake:complete is played alone, not 3"):
        meeple.envs.single("rake:complete", seat=3)
    with pytest.raises(MeepleError, match="only points count"):
        meeple.envs.single("rake:simple", reward="win")
    assert next(iter(rewards_of(meeple.find_variant("rake:simple")))) == "points"


def test_rewards_can_be_mixed() -> None:
    pure, info = play(make(reward="win"), seed=5)
    points, _ = play(make(reward="points"), seed=5)
    mixed, _ = play(make(reward={"win": 10, "points": 0.5}), seed=5)
    assert points == info["scores"][0]
    assert mixed == pytest.approx(10 * pure + 0.5 * points)


@pytest.mark.parametrize(("spec", "same_as"), [("jaipur:round", "points"), ("rake:simple", "points"), ("lotr:hard", "win")])
def test_the_rewards_of_the_theses_have_a_name(spec: str, same_as: str) -> None:
    totals = [play(meeple.envs.single(spec, reward=reward), seed=6)[0] for reward in ("thesis", same_as)]
    assert totals[0] == totals[1]


@pytest.mark.xdist_group("splendor")
def test_the_reward_of_the_splendor_thesis_fines_single_tokens() -> None:
    env = meeple.envs.single("splendor:thesis", reward="thesis", illegal="raise")
    variant = meeple.find_variant("splendor:thesis")
    env.reset(seed=1)
    names = {variant.format_action(a): a for a in env.legal_actions()}
    single = next(a for name, a in names.items() if name.startswith("take") and len(name.split()) == 2)
    assert env.step(single)[1] == -1.0
    names = {variant.format_action(a): a for a in env.legal_actions()}
    three = next(a for name, a in names.items() if name.startswith("take") and len(name.split()) == 4)
    assert env.step(three)[1] == 0.0
    back = next(a for a in env.legal_actions() if variant.format_action(int(a)).startswith("return"))
    assert env.step(back)[1] == -1.0


def test_the_hierarchical_actions_take_two_steps_a_turn() -> None:
    two_steps = meeple.envs.single("jaipur:round", actions="25502", illegal="raise")
    two_steps.reset(seed=1)
    assert two_steps.action_space == gymnasium.spaces.Discrete(25_502)
    kinds = [a for a in two_steps.legal_actions() if a >= 25_499]
    assert len(kinds) >= 2
    seat = two_steps.seat
    two_steps.step(kinds[0])
    assert two_steps.seat == seat and max(two_steps.legal_actions()) < 25_499


@pytest.mark.xdist_group("lotr")
def test_a_macro_action_of_lotr_stands_for_many_cards() -> None:
    steps = {}
    for decisions in ("small", "macro"):
        env = meeple.envs.single("lotr:hard", decisions=decisions)
        env.reset(seed=3)
        steps[decisions] = 0
        while env.legal_actions().size:
            env.step(env.legal_actions()[-1])
            steps[decisions] += 1
    assert steps["macro"] < steps["small"]


@pytest.mark.xdist_group("lotr")
def test_a_learner_may_decide_one_phase_and_an_agent_the_others() -> None:
    """As in the thesis on LOTR: only the quest is learnt. Beside the engine, with the agent's luck as the environment gives it."""
    env = meeple.envs.single(
        "lotr:hard", phases="questing", others="random", observation="questing0", reward="thesis", illegal="raise"
    )
    state, luck, room = meeple.new("lotr:hard", seed=5), np.array([child(5, 101)], np.uint64), np.zeros(200, np.int32)
    questing = state.variant.game.phases.index("questing")

    def others_play() -> None:
        while not state.over and state.variant.game.phase(state.data) != questing:  # type: ignore[misc]
            shown = state.redealt(0, child(int(luck[0]), 7))
            state.play(int(choose(Random(), shown.data, luck, room)))

    others_play()
    seen, _ = env.reset(seed=5)
    decisions = 0
    while not state.over:
        assert np.array_equal(seen, state.observe(0, "questing0"))
        assert env.legal_actions().tolist() == state.legal()
        action = state.legal()[-1]
        state.play(action)
        others_play()
        seen, reward, terminated, _, _ = env.step(action)
        decisions += 1
    assert terminated and reward == 2 * state.outcome()[0] - 1
    assert decisions > 2


@pytest.mark.xdist_group("splendor")
def test_opponents_and_whoever_decides_the_other_phases_may_differ() -> None:
    env = meeple.envs.single("splendor:2", phases=["main"], others="greedy", opponent="random", seat="alternate")
    variant = meeple.find_variant("splendor:2")
    for seed in range(3):
        env.reset(seed=seed)
        while env.legal_actions().size:
            assert variant.game.phases[variant.game.phase(env._batch.arrays.states[0])] == "main"  # type: ignore[misc]
            env.step(env.legal_actions()[0])
    inside = meeple.envs.single("splendor:2", phases="main", others="random", opponent="random")
    assert inside._batch.outside is None


@pytest.mark.parametrize(
    ("spec", "arguments", "says"),
    [
        ("lotr:hard", {"phases": "questing", "others": "nobody"}, "nobody"),
        ("lotr:hard", {"phases": "sleeping"}, "sleeping"),
        ("lotr:hard", {"others": "expert"}, "phases="),
        ("jaipur:round", {"phases": "main"}, "has no phases"),
    ],
)
def test_phases_that_cannot_be_are_refused(spec: str, arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(MeepleError, match=says):
        meeple.envs.single(spec, **arguments)


@pytest.mark.parametrize("spec", ["jaipur:round", "rake:complete", "lotr:hard", "splendor:2"])
def test_boards_are_text_or_a_picture_of_it(spec: str) -> None:
    text = meeple.envs.single(spec, render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == meeple.new(spec, seed=1).board(0)
    picture = meeple.envs.single(spec, render_mode="rgb_array")
    picture.reset(seed=1)
    drawn = picture.render()
    assert drawn.dtype == np.uint8
    assert drawn.ndim == 3 and drawn.shape[2] == 3
    assert len(np.unique(drawn)) > 2  # there is ink on it
    blank = meeple.envs.single(spec)
    blank.reset(seed=1)
    assert blank.render() is None


@pytest.mark.xdist_group("splendor")
@pytest.mark.parametrize("opponent", ["random", ["random", "greedy"]])
def test_a_copy_goes_its_own_way(opponent: Any) -> None:
    env = make("meeple/Splendor3-v1", opponent=opponent, illegal="raise")
    env.reset(seed=4)
    env.step(env.legal_actions()[0])
    twin = copy.deepcopy(env)
    first = env.legal_actions()
    before = env._seen.copy()
    one = [twin.step(twin.legal_actions()[-1])[0] for _ in range(3)]
    assert np.array_equal(env.legal_actions(), first) and np.array_equal(env._seen, before)
    two = [env.step(env.legal_actions()[-1])[0] for _ in range(3)]
    assert np.array_equal(one, two)


def test_an_agent_of_ours_can_be_asked_in_the_learners_place() -> None:
    env = make(opponent="basic3")
    env.reset(seed=1)
    assert env.ask("advanced1") in env.legal_actions()
