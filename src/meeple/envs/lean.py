"""Our own interface to many games at once: arrays in, arrays out, no masks or copies unless asked for."""

from __future__ import annotations

from collections.abc import Sequence

from meeple.agents.own import remembers
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.envs.setup import OpponentsGiven, RewardGiven, Setup, against, read_setup, with_helper
from meeple.rollout.batch import Arrays
from meeple.rollout.stepper import Batch


def batch(
    game: str | Variant,
    games: int = 1024,
    *,
    seed: int = 0,
    observation: str = "",
    reward: RewardGiven = "",
    opponent: OpponentsGiven = None,
    seat: int | str | None = None,
    phases: str | Sequence[str] = (),
    others: str = "",
    arrays: Arrays | None = None,
    **options: object,
) -> Batch:
    """Games side by side, dealt and ready: read `observations`, `legal` and `counts`, `step(actions)`, read `reward` and `ended`.

    Without an opponent the caller decides for every seat; with one, only for the learner's seat (by default another seat each
    game), or only for some `phases` of it while `others` decides the rest. `arrays` are your own, made by
    `meeple.rollout.batch.make_arrays`: parts of them may lie in a buffer of yours.
    """
    setup = read_setup(game, observation, reward, options)
    if opponent is not None or seat is not None or phases:
        setup = with_helper(against(setup, opponent, "alternate" if seat is None else seat), phases, others)
    made = make_batch(setup, games, seed, arrays=arrays)
    made.reset()
    return made


def make_batch(
    setup: Setup, games: int, seed: int = 0, *, again: bool = True, lenient: bool = False, arrays: Arrays | None = None
) -> Batch:
    """The compiled games of a setup, not yet dealt."""
    if games > 1 and (name := remembers(setup.opponents)):
        raise MeepleError(f"{name} remembers its game (it has a begin), so it cannot play {games} at once; give its class instead.")
    return Batch(
        setup.variant,
        games,
        seed,
        setup.level,
        reward=setup.reward,
        seat=setup.seat,
        opponents=[player.make for player in setup.opponents],
        phases=setup.phases,
        helper=setup.helper.make if setup.helper else None,
        clairvoyant=[player.clairvoyant for player in setup.others],
        again=again,
        lenient=lenient,
        arrays=arrays,
    )
