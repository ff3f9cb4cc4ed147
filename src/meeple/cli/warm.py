"""`meeple warm`: compile ahead."""

from __future__ import annotations

from typing import Annotated

import typer

from meeple.cli.options import Json, Processes, cores
from meeple.cli.show import console, print_json, progress, table
from meeple.core.registry import find_variant, game_names
from meeple.lab import warm as lab


def warm(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games or variants; none: all games.")] = None,
    search: Annotated[bool, typer.Option(help="The search too, which takes longest.")] = True,
    processes: Processes = 0,
    as_json: Json = False,
) -> None:
    """Compile the kernels of games ahead, on all cores, so that no first move has to wait for it."""
    specs = list(dict.fromkeys(find_variant(game).spec for game in games or game_names()))
    with progress("compiling, only this once", len(specs), unit="games") as tick:
        result = lab.warm(specs, search, cores(processes), tick)
    if as_json:
        print_json(result)
        return
    shown = table("Compiled kernels", "variant", "compiled now", "seconds", right=("compiled now", "seconds"))
    for spec, row in result.items():
        shown.add_row(spec, f"{row['compiled']:,}", f"{row['seconds']:.1f}")
    console.print(shown)
