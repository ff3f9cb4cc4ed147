"""Tables 6.1, 6.2 and 6.3 of the thesis on The Lord of the Rings beside ours, honest and clairvoyant.

    python benchmarks/lotr_mcts_tables.py --games 1000 --seed 1 --store tables.sqlite

Every cell is an ordinary match: `meeple match lotr:hard SPEC --games 1000 --seed 1` makes it again (`spec`). Finished ones are
kept in the store, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path
from typing import Any, NamedTuple

from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store

PUBLISHED = Path(__file__).parent / "lotr_thesis_mcts.csv"
PHASES = ("planning", "questing", "defence")
MODES = ("mcts-clairvoyant", "mcts")  # as published: the true cards and the luck to come; and without looking


class Cell(NamedTuple):
    """A row of the file of published figures."""

    table: str
    setup: str  # who decides planning, questing, defence
    variant: str
    reduce: int
    budget: int
    playouts: int  # from a node; for budget 40 the thesis does not say, and a tenth of the budget is what it found best
    published: float
    published_ci: float


def cells() -> list[Cell]:
    with PUBLISHED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    whole = ("reduce", "budget", "playouts")
    return [
        Cell(**{k: int(v) if k in whole else float(v) if k.startswith("published") else v for k, v in row.items()})  # type: ignore[arg-type]
        for row in rows
    ]


def spec(cell: Cell, mode: str) -> str:
    """Travel and attack are random in all of its tables, as are playouts."""
    search = f"{mode}(iterations={cell.budget},playouts={cell.playouts},policy=random-listings,c=1,reduce={cell.reduce})"
    parts = [f"{phase}={search}" for phase, who in zip(PHASES, cell.setup.split("-"), strict=True) if who == "mcts"]
    return ",".join(["phases:other=random-listings", *parts])


def measure(cell: Cell, mode: str, games: int, seed: int, store: Store) -> dict[str, Any]:
    plan = make_plan(f"lotr:{cell.variant}", [spec(cell, mode)], games, seed)
    return play_match(plan, store, os.cpu_count() or 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, default=Path("tables.sqlite"))
    parser.add_argument("--table", default="", help="only this one, such as 6.3")
    given = parser.parse_args()
    store = Store(given.store)
    print("| table | planning-questing-defence | variant | reduced | budget, playouts | published | clairvoyant | honest |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for cell in cells():
        if given.table and cell.table != given.table:
            continue
        found = []
        for mode in MODES:
            result = measure(cell, mode, given.games, given.seed, store)
            low, high = result["win_rate_ci"]
            found.append(f"{result['win_rate']:.1%} ({low:.1%} to {high:.1%})")
        published = f"{cell.published} ± {cell.published_ci}"
        words = (cell.table, cell.setup, cell.variant, "yes" if cell.reduce else "no", f"{cell.budget}, {cell.playouts}", published)
        print("| " + " | ".join((*words, *found)) + " |", flush=True)


if __name__ == "__main__":
    main()
