"""`meeple replay`: a record, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.arena.records import stored_record
from meeple.arena.store import Store, default_path
from meeple.cli.options import Json, StoreToRead, written
from meeple.cli.show import console, print_json
from meeple.core.errors import MeepleError
from meeple.core.record import Record, read_record, write_record
from meeple.core.state import State


def replay(
    record: Annotated[Path | None, typer.Argument(help="A record file; or give --match and --game.")] = None,
    ply: Annotated[int, typer.Option(help="Show the table after this many moves; -1 is the end.")] = -1,
    seat: Annotated[int, typer.Option(help="As this seat sees it.")] = 0,
    moves: Annotated[bool, typer.Option(help="List the moves before it.")] = True,
    match: Annotated[int | None, typer.Option(help="A match of the results file; meeple results lists them.")] = None,
    number: Annotated[int, typer.Option("--game", help="Which game of that match, from 0.")] = 0,
    store: StoreToRead = None,
    save: Annotated[Path | None, written("Write the record to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Replay a record: every move is checked, and the table is shown as one seat sees it."""
    if (record is None) == (match is None):
        raise MeepleError("Give either a record file or --match NUMBER.")
    game = read_record(record) if record else stored_record(Store.to_read(store or default_path()), match or 0, number)
    if save is not None:
        write_record(game, save)
    if not -1 <= ply <= len(game.moves):
        raise MeepleError(f"--ply must be from 0 to {len(game.moves)}, or -1 for the end, not {ply}.")
    states = list(game.states())
    state = states[ply]
    upto = moves_told(game, states, state, seat)
    if as_json:
        print_json(_data(state, seat, upto))
        return
    board = state.board(seat)
    if moves:
        for number, (before, move) in enumerate(zip(states, upto, strict=False), 1):
            console.print(f"{number}. seat {before.seat}: {move}", highlight=False, markup=False)
    console.print(board, highlight=False, markup=False)  # `[buy]` is a move, and no style of Rich's
    scores = ", ".join(f"{score:g}" for score in state.scores()) if state.over else "hidden until the end"
    console.print(f"After {state.ply} moves: {state.end.reason}; scores: {scores}", highlight=False)


def moves_told(game: Record, states: list[State], state: State, seat: int) -> list[str]:
    """The moves before a position, as a seat may know them there."""
    variant = state.variant
    plies = [(before.seat, variant.parse_action(move)) for before, move in zip(states, game.moves[: state.ply], strict=False)]
    return [variant.format_action(action) for _, action in state.told(seat, plies)]


def _data(state: State, seat: int, moves: list[str]) -> dict[str, Any]:
    return {
        "game": state.variant.game.name,
        "variant": state.variant.spec,
        "ply": state.ply,
        "moves": moves,
        "over": state.over,
        "end": state.end.reason,
        "truncated": state.end.truncated,
        "scores": state.scores() if state.over else None,
        "outcome": state.outcome() if state.over else None,
        "legal": state.moves() if state.seat == seat else [],  # another seat's would tell of its hand
        "view": state.view(seat),
    }
