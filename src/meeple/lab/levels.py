"""Levels of a champion, by matches: players from a child's first game to a long search, as evenly spaced in strength as can be.

First a ladder of rungs is measured, each against the one below it; then levels 1 to 9 are put between them, at equal distances;
then these are measured as they will be played, each against the one below. Where a game has one seat, strength is its points, or
wins.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.agents.champion import MEASURED, TOP, Level, measured_levels, sightless
from meeple.agents.registry import find_agent
from meeple.arena.executor import make_executor
from meeple.arena.match import Tick
from meeple.arena.store import Store
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.record import write_atomically
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.lab.meet import Meetings

SIGHTS = (0.01, 0.08, 0.16, 0.24, 0.32, 0.42, 0.55, 0.7, 0.85, 1.0)
NEAR = 8.0  # of a player without sight; one that sees everything needs no points at hand
THOUGHTS = (4, 16, 64, 256)
RUNGS = (*(Level(sight, NEAR * (1 - sight) ** 2, 0) for sight in SIGHTS), *(Level(1.0, 0.0, thought) for thought in THOUGHTS))
BEGINNERS = 5  # times as many games are played where nobody thinks
HALF = 0.5  # a game added to either side, so that a match without a defeat has a rating too
STEPS = 64  # between two rungs: how finely a level is placed
APART = 8  # steps between two levels, at least
LEAST = 2  # iterations: no search makes fewer


@dataclass(frozen=True)
class Wanted:
    """Whose levels, and how they are measured."""

    variant: Variant
    top: str  # how long the tenth level thinks while it is measured: ms=200, or iterations=1024
    games: int  # of each match; of beginners some times as many
    seed: int

    def spec(self, level: Level | None) -> str:
        """An agent as matches name it; none: the tenth level."""
        if level is None:
            return f"champion:{self.top}"
        if level.iterations:
            return f"champion:iterations={level.iterations}"
        return f"novice:sight={level.sight:g},near={level.near:g}"


def plan_levels(game: str, top: str, games: int, seed: int) -> Wanted:
    variant = find_variant(game)
    if sightless(variant):
        raise MeepleError(f"{variant.spec} has neither a network nor a guide, so its levels are searches of doubled length.")
    wanted = Wanted(variant, top, games, seed)
    find_agent(wanted.spec(None), variant.game)  # a slip in `top` should not wait for the last match
    return wanted


def measure_levels(wanted: Wanted, store: Store, processes: int, tick: Tick = lambda _: None) -> dict[str, Any]:
    """Rungs, levels, and what they are worth; nothing is written."""
    with make_executor(processes) as workers:  # one for all: processes take seconds to start, and there are two dozen matches
        meetings = Meetings(wanted.variant, store, processes, tick, workers)
        rungs = climb(wanted, meetings, [*RUNGS, None], 0)
        levels = climb(wanted, meetings, [*place([rung["rating"] for rung in rungs]), None], 1000)
    return {
        "variant": wanted.variant.spec,
        "top": wanted.top,
        "games": wanted.games,
        "seed": wanted.seed,
        "unit": "Elo" if wanted.variant.shape.seats > 1 else rungs[1]["match"]["unit"],
        "rungs": rungs,
        "levels": levels,
    }


def climb(wanted: Wanted, meetings: Meetings, players: list[Level | None], first: int) -> list[dict[str, Any]]:
    """Each against the one below it, on deals of its own; ratings add up from 0."""
    found: list[dict[str, Any]] = []
    for number, player in enumerate(players):
        line: dict[str, Any] = {"agent": wanted.spec(player), "rating": 0.0}
        if player is not None:
            line |= player._asdict()
        if number:
            seed = child(wanted.seed, first + number) % 2**31
            pair = (player, players[number - 1])
            match = meetings.meet(wanted.spec(pair[0]), wanted.spec(pair[1]), wanted.games * patience(*pair), seed)
            line |= {"match": match, "rating": found[-1]["rating"] + distance(match, wanted.variant.shape.seats)}
        found.append(line)
    return found


def patience(*players: Level | None) -> int:
    """How many times as many games a match of these has: beginners answer at once, so their games cost next to nothing."""
    return 1 if any(player is None or player.iterations for player in players) else BEGINNERS


def distance(match: dict[str, Any], seats: int) -> float:
    """By how much the first is stronger: in Elo, or in what a solitaire is measured by."""
    if seats == 1:
        return float(match["mean"])
    games = match["games"]
    share = (match["mean"] * games + HALF) / (games + seats * HALF)
    return float(400 * np.log10(share * (seats - 1) / (1 - share)))


def place(ratings: list[float]) -> list[Level]:
    """Nine levels at equal distances of rating between the first rung and the tenth level, whose rating is the last."""
    worth = np.maximum.accumulate(np.array(ratings))  # a rung that came out weaker than the one below it is as strong, but for luck
    goals = np.linspace(worth[0], worth[-1], TOP)[:-1]
    ends = np.arange(len(worth))
    fine = np.linspace(0, len(RUNGS) - 1, STEPS * (len(RUNGS) - 1) + 1)  # no level lies between the last rung and the clock
    told = np.interp(fine, ends, worth)
    spots: list[int] = []
    for goal in goals:  # no two alike, even where the rungs between them could not be told apart
        spot = int(np.argmin(np.abs(told - goal)))
        spot = max(spot, spots[-1] + APART) if spots else spot
        while spots and spot < len(fine) - 1 and between(float(fine[spot])) == between(float(fine[spots[-1]])):
            spot += 1
        spots.append(spot)
    late = np.arange(len(spots))[::-1] * APART  # and all of them on the ladder
    return [between(float(fine[spot])) for spot in np.minimum(spots, len(fine) - 1 - late)]


def between(spot: float) -> Level:
    """The player at a spot of the ladder, between two rungs."""
    low = min(int(spot), len(RUNGS) - 2)
    part, (a, b) = spot - low, (RUNGS[low], RUNGS[low + 1])
    if not b.iterations:
        return Level(round(a.sight + part * (b.sight - a.sight), 3), round(a.near + part * (b.near - a.near), 2), 0)
    least = max(LEAST, a.iterations)
    thought = round(least * (b.iterations / least) ** part)
    return Level(1.0, 0.0, thought if part or a.iterations else 0)


def write_levels(found: dict[str, Any]) -> None:
    """Put them where the champion finds its levels."""
    MEASURED.parent.mkdir(exist_ok=True)
    write_atomically(MEASURED, json.dumps(dict(sorted({**measured_levels(), found["variant"]: found}.items())), indent=1) + "\n")
    measured_levels.cache_clear()
