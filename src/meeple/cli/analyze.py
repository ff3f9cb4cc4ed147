"""`meeple analyze`: what a search thinks of a position of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meeple.agents import analyze as analyst
from meeple.arena.match import use_code
from meeple.cli.options import Code, Json, Seed, counted, measured
from meeple.cli.show import console, print_json, status, table
from meeple.core.errors import MeepleError
from meeple.core.record import Record, read_record
from meeple.core.state import State
from meeple.play.hint import ESTIMATED, line_text, value_text
from meeple.search.analysis import Analysis

DEFAULT = "mcts"


def analyze(
    record: Annotated[Path, typer.Argument(help="A record file.")],
    ply: Annotated[
        int | None, typer.Option(help="The position after this many moves; 0 is the deal. Default: the last with a decision.")
    ] = None,
    ms: Annotated[float | None, measured("Milliseconds to think (default: 1000).")] = None,
    iterations: Annotated[int | None, counted("Iterations to think, instead: the same figures every time.")] = None,
    agent: Annotated[str, typer.Option(help="The search that looks, such as mcts:select=ucb1,c=0.7.")] = DEFAULT,
    seed: Seed = 1,
    top: Annotated[int, counted("Moves to show in the table; 0 is all. JSON has all of them.", least=0)] = 20,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Value every legal move of a position by search, knowing what the seat to move may know."""
    use_code(code or [])
    state = position(read_record(record), ply)
    player = analyst.find_analyst(agent, state.variant, ms, iterations)
    with status(f"{player.spec} is thinking"):
        found = analyst.analyze(player.make(state.variant), state, seed)
    if as_json:
        print_json({"agent": player.spec, "seed": seed, **found.as_json()})
        return
    console.print(f"After {state.ply} moves, as seat {state.seat} sees it:", highlight=False)
    console.print(state.board(state.seat), highlight=False, markup=False)
    show(found, player.spec, top, alone=state.variant.shape.seats == 1)


def position(record: Record, ply: int | None) -> State:
    """After so many moves, or the last before the end."""
    states = [state for state in record.states() if not state.over]
    if ply is None:
        return states[-1]
    if not 0 <= ply < len(states):
        raise MeepleError(f"--ply must be from 0 to {len(states) - 1}, where there is a move to make, not {ply}.")
    return states[ply]


def show(found: Analysis, agent: str, top: int, alone: bool) -> None:
    shown = table(
        f"{agent}, {found.iterations:,} iterations: seat {found.seat}'s moves, best first",
        *("move", "visits", "points" if found.points else "wins", *([] if found.estimated else ["95% interval"]), "and then"),
        right=("visits", "points" if found.points else "wins"),
        prose=("and then",),
    )
    for move in found.moves[: top or None]:
        value, interval = value_text(move, found.points)
        line = line_text(move, lambda seat: "" if alone else f"seat {seat}")
        shown.add_row(move.move, f"{move.visits:,}", value, *([] if found.estimated else [interval]), line)
    console.print(shown, highlight=False)
    if found.estimated:
        console.print(f"{'Points' if found.points else 'Wins'} {ESTIMATED}.", highlight=False)
    if top and len(found.moves) > top:
        console.print(f"{len(found.moves) - top} more; --top 0 shows all {len(found.moves)} moves.", highlight=False)
