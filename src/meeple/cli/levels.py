"""`meeple levels`: the champion's levels, measured."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from meeple.arena.store import Store, default_path
from meeple.cli.options import Json, Processes, Seed, StorePath, cores, counted
from meeple.cli.show import console, print_json, progress, table
from meeple.lab import levels as lab


def levels(
    game: Annotated[str, typer.Argument(help="The variant, such as jaipur:round.", show_default=False)],
    top: Annotated[str, typer.Option(help="How long level 10 thinks: ms=200, or iterations=1024.")] = "iterations=1024",
    games: Annotated[int, counted("Games of each match; of beginners five times as many.", least=8)] = 200,
    seed: Seed = 1,
    write: Annotated[bool, typer.Option("--write", help="Make these the champion's levels.")] = False,
    store: StorePath = None,
    processes: Processes = 0,
    as_json: Json = False,
) -> None:
    """Find ten levels of a game's champion, as evenly spaced in strength as they can be, by matches."""
    wanted = lab.plan_levels(game, top, games, seed)
    with progress("levels", None, unit="games") as tick:
        found = lab.measure_levels(wanted, Store(store or default_path()), cores(processes), tick)
    if write:
        lab.write_levels(found)
    if as_json:
        print_json(found)
        return
    show(found)
    console.print("These are the champion's levels now." if write else "Nothing was changed; --write makes these its levels.")


def show(found: dict[str, Any]) -> None:
    title = f"Levels of {found['variant']}, each against the one below it, seed {found['seed']}"
    made = table(
        title, "level", "agent", found["unit"], "against the one below", "95%", "games", right=("level", found["unit"], "games")
    )
    for number, line in enumerate(found["levels"], 1):
        match = line.get("match")
        beats = (
            (f"{match['mean']:.3f}", f"{match['ci'][0]:.3f} to {match['ci'][1]:.3f}", str(match["games"]))
            if match
            else ("", "", "")
        )
        made.add_row(str(number), line["agent"], f"{line['rating']:.1f}", *beats)
    console.print(made)
