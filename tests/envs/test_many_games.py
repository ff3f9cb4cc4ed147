"""Many games at once: our own interface and gymnasium.vector's."""

from __future__ import annotations

import tracemalloc
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import meeple
import meeple.envs
from meeple.agents.registry import lent
from meeple.core.agent import AgentKind, kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.rng import stream
from meeple.core.verbs import legal
from meeple.rollout.batch import choose_uniformly, make_arrays
from meeple.rollout.stepper import Batch

ROUND = meeple.find_variant("jaipur:round")


def random_steps(games: Any, steps: int, seed: int = 1) -> tuple[float, int]:
    """Sum of what those who acted were paid, and how many games ended."""
    actions, luck, paid, ended = np.zeros(games.orders.size, np.int32), stream(seed), 0.0, 0
    for _ in range(steps):
        choose_uniformly(games.arrays, luck, actions)
        games.step(actions)
        paid += games.reward.sum()
        ended += int((games.ended != 0).sum())
    return paid, ended


def test_a_batch_writes_into_somebodys_own_arrays() -> None:
    """Such as a row of a learner's buffer."""
    buffer = np.zeros((2, 64, ROUND.shape.levels[0].size), np.float32)
    mine = make_arrays(ROUND, 64)._replace(observations=buffer[1])
    games = meeple.envs.batch("jaipur:round", 64, seed=1, opponent="random", arrays=mine)
    random_steps(games, 3)
    assert buffer[1].any() and not buffer[0].any()
    assert np.shares_memory(games.observations, buffer)
    games.write_into(observations=buffer[0])
    random_steps(games, 1)
    assert buffer[0].any()


def test_writing_elsewhere_makes_no_arrays() -> None:
    """A learner asks for it at every step."""
    games = meeple.envs.batch("jaipur:round", 64)
    buffer = np.zeros((64, ROUND.shape.levels[0].size), np.float32)
    games.write_into(observations=buffer)
    tracemalloc.start()
    games.write_into(observations=buffer)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < buffer.nbytes
    with pytest.raises(MeepleError, match="Unknown array of a batch 'observation'; did you mean 'observations'"):
        games.write_into(observation=buffer)


def test_every_seat_keeps_what_it_saw_last_where_all_are_stepped() -> None:
    games = meeple.envs.batch("jaipur:round", 20, seed=1)
    actions, luck, compared = np.zeros(20, np.int32), stream(2), 0
    while compared < 10:
        choose_uniformly(games.arrays, luck, actions)
        before = [games.state(i).copy() for i in range(20)]
        games.step(actions)
        for i in np.flatnonzero(games.ended):
            before[i].play(int(actions[i]))
            seen = [before[i].observe(seat) for seat in range(2)]
            assert (games.final[i] == seen).all() and (seen[0] != seen[1]).any()
            compared += 1


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(MeepleError, match=r"legal must be int32 of shape \(8, "):
        meeple.envs.batch("jaipur:round", 8, arrays=make_arrays(ROUND, 8)._replace(legal=np.zeros((8, 3), np.int32)))
    with pytest.raises(MeepleError, match="in one piece"):
        meeple.envs.batch("jaipur:round", 8).write_into(observations=np.zeros((25, 8), np.float32).T)
    with pytest.raises(MeepleError, match="at least 1 game"):
        meeple.envs.batch("jaipur:round", 0)


def test_an_illegal_action_is_refused_for_all_games() -> None:
    games = meeple.envs.batch("jaipur:round", 5, seed=1)
    actions = games.legal[:, 0].copy()
    before = games.arrays.states.copy()
    actions[3] = 25_000
    with pytest.raises(MeepleError, match="in game 3; legal: "):
        games.step(actions)
    assert before.tobytes() == games.arrays.states.tobytes()
    actions[3] = games.legal[3, 0]
    games.step(actions)


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    sums = [random_steps(meeple.envs.batch("jaipur:round", 50, seed=seed, opponent="random"), 100) for seed in (1, 1, 2)]
    assert sums[0] == sums[1] != sums[2]


def test_wins_and_defeats_of_random_players_balance() -> None:
    """Win rewards of 4,000 games of random against random, seats exchanged: within four standard errors of nothing."""
    games = meeple.envs.batch("jaipur:round", 200, seed=3, opponent="random", reward="win")
    paid, ended = 0.0, 0
    while ended < 4000:
        more, ends = random_steps(games, 10, seed=ended)
        paid, ended = paid + more, ended + ends
    assert abs(paid) < 4 * ended**0.5


def test_an_opponent_is_shown_a_redealt_copy() -> None:
    """Where opponents answer in Python, what they are shown can be looked at: never the learner's true hand for sure."""
    shown: list[bytes] = []
    true: list[bytes] = []

    class Spy:
        def choose(self, seen: Any) -> int:
            shown.append(seen.sample(5).data.hand[1 - seen.seat].tobytes())
            return int(seen.legal[0])

    with lent([AgentKind("spy", "looks", lambda _: Spy())]):
        env = meeple.envs.single("jaipur:round", opponent="spy")
    for seed in range(40):
        env.reset(seed=seed)
        env.step(env.legal_actions()[0])
        true.append(env._batch.arrays.states[0].hand[0].tobytes())
    assert len(shown) == 40
    assert sum(a == b for a, b in zip(shown, true, strict=True)) < 20


@pytest.mark.skipif(JIT, reason="only without the compiler can one look on")
def test_so_is_one_who_answers_inside_the_step() -> None:
    shown: list[bytes] = []
    true: list[bytes] = []

    class Peeker(NamedTuple):
        nothing: int = 0

    def peek(me: Any, s: Any, stream: Any, out: Any) -> int:  # noqa: ARG001
        shown.append(s.hand[1 - s.seat].tobytes())
        legal(s, out)
        return int(out[0])

    Peeker.__module__ = "meeple.agents.peeker"  # only agents of the package are asked inside
    kernel_agent(Peeker, peek)
    games = Batch(ROUND, 1, seat=0, opponents=[lambda _: Peeker()])
    assert games.outside is None
    for seed in range(40):
        games.reset(seed)
        games.step(games.legal[:, 0])
        true.append(games.arrays.states[0].hand[0].tobytes())
    assert len(shown) == 40
    assert sum(a == b for a, b in zip(shown, true, strict=True)) < 20


def test_a_row_of_legal_actions_never_holds_an_opponents() -> None:
    """Not even behind the learner's own: what an opponent may do tells of its hand."""
    games = meeple.envs.batch(ROUND, 1, opponent="random", seat=0, seed=3)
    own: set[int] = {0}  # a row never used
    for _ in range(12):
        own |= set(games.legal[0, : games.counts[0] + 1].tolist())  # a kernel may write one more before it counts
        assert set(games.legal[0].tolist()) <= own
        games.step(games.legal[:, 0])


def test_a_vector_environment_keeps_gymnasiums_words() -> None:
    env: Any = gymnasium.make_vec("meeple/JaipurRound-v1", num_envs=32, opponent="basic3", reward="points")
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, infos = env.reset(seed=1)
    assert seen.shape == (32, 25) and env.observation_space.contains(seen)
    luck, ends = np.random.default_rng(1), 0
    for _ in range(60):
        masks = env.action_masks()
        counts = infos["legal_counts"]
        assert (masks.sum(axis=1) == counts).all()
        actions = infos["legal"][np.arange(32), (luck.random(32) * counts).astype(int)]
        assert masks[np.arange(32), actions].all()
        seen, rewards, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        assert rewards.shape == (32,) and seen.shape == (32, 25)
        if over.any():
            ends += int(over.sum())
            assert (infos["_final_obs"] == over).all()
            assert all(last is not None for last in infos["final_obs"][over])
            assert infos["final_info"]["scores"].shape == (32, 2)
    assert ends > 10


@pytest.mark.xdist_group("rake")
def test_a_vector_environment_forfeits_or_refuses() -> None:
    env = meeple.envs.vector("rake:simple", 3)
    env.reset(seed=1)
    wrong = np.array([env.batch.legal[0, 0], 99, env.batch.legal[2, 0]])
    _, rewards, terminated, _, infos = env.step(wrong)
    assert rewards[1] == -1.0 and terminated.tolist() == [False, True, False]
    assert infos["final_info"]["illegal_action"].tolist() == [False, True, False]
    strict = meeple.envs.vector("rake:simple", 3, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(MeepleError, match="game 1"):
        strict.step(wrong)
    with pytest.raises(MeepleError, match="one whole number"):
        strict.reset(seed=[1, 2, 3])


def test_a_forfeited_game_is_told_as_it_stood_and_not_as_the_one_before_it() -> None:
    env = meeple.envs.vector("jaipur:round", 1, opponent="random", reward="points")
    _, infos = env.reset(seed=1)
    while "final_info" not in infos:
        *_, infos = env.step(infos["legal"][:, 0])
    for _ in range(8):
        *_, infos = env.step(infos["legal"][:, 0])
    stood, seat = env.batch.state(0).scores(), int(env.batch.learners[0])
    wrong = next(action for action in range(25_499) if not env.action_masks()[0, action])
    *_, infos = env.step(np.array([wrong]))
    assert infos["final_info"]["illegal_action"].all()
    assert infos["final_info"]["scores"][0].tolist() == stood
    assert infos["final_info"]["outcome"][0].tolist() == [float(other != seat) for other in (0, 1)]


@pytest.mark.xdist_group("rake")
@pytest.mark.parametrize(
    ("actions", "not_an_action"),
    [
        (np.array([0.0, 1.7]), "one of an array of float64"),
        (np.array([True, False]), "one of an array of bool"),
        (["0", "1"], "one of an array of <U1"),
        (np.array([5, 2**32 + 5]), "4294967301"),
        (np.array([-(2**31) - 1, 0]), "-2147483649"),
        ([0, 2**70], "one of an array of object"),
    ],
)
def test_actions_that_no_order_could_hold_are_refused(actions: Any, not_an_action: str) -> None:
    games = meeple.envs.batch("rake:simple", 2)
    before = games.arrays.states.copy()
    with pytest.raises(MeepleError, match=f"An action is a whole number from 0 to .*, not {not_an_action}"):
        games.step(actions)
    assert before.tobytes() == games.arrays.states.tobytes()
    games.step(games.legal[:, 0].astype(np.uint8))


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from meeple.envs import needs

    monkeypatch.setattr(needs, "installed", lambda _: False)
    for make in (lambda: meeple.envs.aec("rake:simple"), lambda: meeple.envs.single("rake:simple")):
        with pytest.raises(MeepleError, match=r"pip install 'meeple\[envs\]'"):
            make()
