"""The kind of experiment that plays The Lord of the Rings by the thesis's own search, which chooses its luck (clairvoyant)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from meeple.core import sources
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.games.lotr.search_2022 import Setup, play_game
from meeple.lab.play_kinds import Config, Figure, Outcome, of_share


def run_search_2022(config: Config, seed: int, work: Path) -> Outcome:  # noqa: ARG001
    """`setup` says who decides planning, questing and defence: m-r-m."""
    variant = find_variant(config["variant"])
    planning, questing, defence = (who == "m" for who in config["setup"].split("-"))
    setup = Setup(planning, questing, defence, config["budget"], config["playouts"], bool(config["reduce"]))
    found = [play_game(variant, setup, child(seed, number)) for number in range(config["games"])]
    wins = np.array([float(won) for won, _ in found])
    rounds, counts = np.unique([turns for _, turns in found], return_counts=True)
    figures = {"wins": of_share(wins), "turns": Figure(float(np.mean([turns for _, turns in found])))}
    more = {"games": len(found), "lengths": {int(turns): int(games) for turns, games in zip(rounds, counts, strict=True)}}
    return Outcome(figures, more, "", sources.digest([variant.game.shape.__module__]), clairvoyant=True)


KINDS = {"search-2022": run_search_2022}
