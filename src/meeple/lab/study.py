"""How complex is a game? Decisions with a real choice, branching, lengths and how games ended, the worth of the first seat."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import labels
from meeple.arena.pieces import timed
from meeple.arena.stats import share_interval
from meeple.arena.table import Finished, Lineup
from meeple.core.game import Variant
from meeple.lab.plots import new_figure, save
from meeple.lab.simulate import check_size, end_shares, played_at_own_seats, players_at, spread
from meeple.rollout.widths import MOST_TURNS, Widths, go_through, no_widths


def study(
    variant: Variant, agents: list[str], games: int, seed: int, tick: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """Play with an agent at each seat (one: at all of them) and look at every decision."""
    check_size(games, seed)
    seats, players = variant.shape.seats, players_at(variant, agents)
    started = time.perf_counter()
    widths, room, out = no_widths(variant), variant.empty(), np.zeros(variant.shape.room, np.int32)
    made = Lineup(variant, players)
    parts: list[Finished] = []
    for played in timed(range(games), lambda piece: played_at_own_seats(variant, players, seed, piece, made), tick):
        parts.append(played.finished)
        for dealt, actions in zip(played.seeds, played.finished.actions, strict=True):
            go_through(room, variant.config, np.uint64(dealt), actions, out, widths)
    turns, ends = (np.concatenate([getattr(part, name) for part in parts]) for name in ("turns", "ends"))
    return {
        "game": variant.game.name,
        "variant": variant.spec,
        "agents": [player.spec for player in players],
        "clairvoyant": [player.clairvoyant for player in players],
        "games": games,
        "seed": seed,
        "turns": spread(turns),
        "plies": spread(np.array([len(actions) for part in parts for actions in part.actions])),
        "phases": phase_figures(variant, widths),
        "branching": float(widths.actions.sum() / widths.decisions.sum()),
        "choices_share": float(widths.choices.sum() / widths.decisions.sum()),
        "branching_by_turn": by_turn(widths),
        "lengths": lengths(variant, turns, ends),
        "ends": end_shares(variant, ends),
        "first_seat": first_seat(np.concatenate([part.outcomes for part in parts])) if seats > 1 else None,
        "seconds": time.perf_counter() - started,
    }


def phase_figures(variant: Variant, widths: Widths) -> dict[str, dict[str, float]]:
    """For each phase that occurred."""
    names = variant.game.phases or ("turn",)
    return {
        name: {
            "turns_with_choice": float(widths.turns_with_choice[i] / widths.turns[0]),
            "decisions_per_turn": float(widths.decisions[i] / widths.turns[0]),
            "choices_share": float(widths.choices[i] / widths.decisions[i]),
            "branching": float(widths.actions[i] / widths.decisions[i]),
            "widest": int(widths.widest[i]),
        }
        for i, name in enumerate(names)
        if widths.decisions[i]
    }


def by_turn(widths: Widths) -> list[float]:
    """Legal actions of a decision in the first, second, ... turn of a game, as far as any game got."""
    reached = int(np.flatnonzero(widths.by_turn[:, 0]).max()) + 1
    return [float(actions / max(1, decisions)) for decisions, actions in widths.by_turn[: min(reached, MOST_TURNS - 1)]]


def lengths(variant: Variant, turns: NDArray[np.int32], ends: NDArray[np.int8]) -> dict[str, dict[int, int]]:
    """How many games of each length ended in each way."""
    found = {}
    for number, end in enumerate(variant.game.ends):
        if (ends == number).any():
            values, counts = np.unique(turns[ends == number], return_counts=True)
            found[end.reason] = {int(value): int(count) for value, count in zip(values, counts, strict=True)}
    return found


def first_seat(outcomes: NDArray[np.float64]) -> dict[str, Any]:
    return {"share": float(outcomes[:, 0].mean()), "ci": list(share_interval(outcomes[:, 0], 1))}


def draw(result: dict[str, Any], path: Path) -> None:
    """Three pictures: turns with a choice by phase, lengths by how the games ended, branching from turn to turn."""
    figure, (choices, length, width) = new_figure(3)
    names = list(result["phases"])
    choices.bar(names, [result["phases"][name]["turns_with_choice"] for name in names])
    choices.set_ylim(0, 1)
    choices.set_title("share of turns with a real choice", loc="left")
    bottom: dict[int, int] = {}
    for reason, counts in result["lengths"].items():
        lows = [bottom.get(turns, 0) for turns in counts]
        shares = [count / result["games"] for count in counts.values()]
        length.bar(list(counts), shares, bottom=[low / result["games"] for low in lows], label=reason, width=1.0)
        bottom |= {turns: bottom.get(turns, 0) + count for turns, count in counts.items()}
    length.legend()
    length.set_xlabel("turns")
    length.set_title("share of games by length", loc="left")
    width.plot(range(1, len(result["branching_by_turn"]) + 1), result["branching_by_turn"])
    width.set_ylim(bottom=0)
    width.set_xlabel("turn")
    width.set_title("legal actions of a decision", loc="left")
    who = ", ".join(dict.fromkeys(labels(result)))
    figure.suptitle(f"{result['variant']} ({who}), {result['games']:,} games, seed {result['seed']}")
    save(figure, path)
