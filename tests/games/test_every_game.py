"""What every game must keep, whichever games there are: the checker, golden playthroughs, properties over all seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meeple
from meeple.cli.simulate import random_record
from meeple.core.check import check_game, specimens
from meeple.core.game import Game
from meeple.core.kernel import JIT
from meeple.core.record import parse_record
from meeple.core.rng import child, draw, stream
from meeple.rollout.batch import choose_uniformly
from meeple.rollout.playout import play_random_games
from meeple.rollout.stepper import Batch
from tests.conftest import games

GAMES = [meeple.find_game(name) for name in meeple.game_names()]
SPECIMENS = [variant.spec for game in GAMES for variant in specimens(game)]
GOLDEN = Path(__file__).parent.parent / "golden"
seeds = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_keeps_the_contract(game: Game) -> None:
    report = check_game(game, games=3 if JIT else 1, seed=3)
    assert report.problems == []
    assert report.positions > 0


def golden_path(spec: str) -> Path:
    return GOLDEN / (spec.replace(":", "_").replace(",", "_").replace("=", "-") + ".txt")


# Without the compiler the variants themselves are enough: options only choose among kernels that all of them have.
@pytest.mark.parametrize("spec", [spec for spec in SPECIMENS if JIT or "," not in spec])
def test_golden_playthroughs_replay_to_the_letter(spec: str) -> None:
    """Regenerate with `make golden` when a rule is meant to change, and raise the game's version."""
    path = golden_path(spec)
    assert path.is_file(), f"{spec} has no golden playthrough; make golden writes one"
    text = path.read_text()
    assert parse_record(text).text() == text
    variant = meeple.find_variant(spec)
    assert random_record(variant, seed=7).text() == text


@given(seed=seeds)
@pytest.mark.parametrize("spec", SPECIMENS)
def test_any_seed_gives_a_game_that_ends_in_bounds_and_keeps_its_invariants(spec: str, seed: int) -> None:
    variant = meeple.find_variant(spec)
    (result,) = play_random_games(variant, 1, seed, audited=True)
    assert result["broken"] == 0
    assert 0 < result["end"] < len(variant.game.ends)
    assert result["plies"] <= variant.shape.max_plies
    assert result["legal_most"] <= variant.shape.max_legal


@given(seed=seeds, data=st.data())
@pytest.mark.parametrize("spec", SPECIMENS)
def test_every_listed_action_applies_and_no_other_does(spec: str, seed: int, data: st.DataObject) -> None:
    state = meeple.new(spec, seed)
    for _ in range(data.draw(st.integers(0, 30))):
        if state.over:
            return
        legal = state.legal()
        action = data.draw(st.integers(0, state.variant.shape.actions - 1))
        if action not in legal:
            before = state.array.tobytes()
            with pytest.raises(meeple.IllegalMove):
                state.play(action)
            assert state.array.tobytes() == before
            action = legal[action % len(legal)]
        state.play(action)


@pytest.mark.parametrize("spec", SPECIMENS)
def test_the_compiled_loop_plays_the_same_games_as_the_shell(spec: str) -> None:
    variant = meeple.find_variant(spec)
    results = play_random_games(variant, 3, seed=5)
    for number, result in enumerate(results):
        record = random_record(variant, 5, number)
        *_, last = record.states()
        assert (last.ply, last.turn) == (result["plies"], result["turns"])
        assert last.scores() == result["scores"][: variant.shape.seats].tolist()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_batch_steps_every_game_as_if_it_were_alone(game: Game) -> None:
    variant = game.variant(game.bench)
    batch = Batch(variant, 3, seed=11)
    batch.reset()
    alone = [meeple.new(variant, child(11, i)) for i in range(3)]
    dealt = [1] * 3
    chooser, actions = stream(2), np.zeros(3, np.int32)
    for _ in range(200 if JIT else 20):
        for i, state in enumerate(alone):
            n = batch.counts[i]
            assert batch.legal[i, :n].tolist() == state.legal()
            assert batch.seats[i] == state.seat
            assert np.array_equal(batch.observations[i], state.observe(state.seat))
        choose_uniformly(batch.arrays, chooser, actions)
        batch.step(actions)
        for i, state in enumerate(alone):
            state.play(int(actions[i]))
            assert batch.ended[i] == state.data.end
            if state.over:
                assert batch.scores[i].tolist() == state.scores()
                assert batch.outcomes[i].tolist() == state.outcome()
                alone[i] = meeple.new(variant, child(11, dealt[i] * 3 + i))
                dealt[i] += 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_many_random_games_break_no_invariant(game: Game) -> None:
    """Two hundred thousand of the variant that is benchmarked; `meeple check GAME --audit N` plays as many as you like."""
    results = play_random_games(game.variant(game.bench), games(200_000), seed=1, audited=True)
    assert set(results["broken"].tolist()) == {0}


def test_the_choice_among_legal_actions_is_uniform() -> None:
    counts = np.bincount([draw(s, 7) for s in [stream(1)] for _ in range(70_000)], minlength=7)
    assert (abs(counts - 10_000) < 5 * 100).all()
