"""`meeple bench`: how fast?"""

from __future__ import annotations

from typing import Annotated

import typer

from meeple.cli.show import Json, Seed, console, print_json, status, table
from meeple.core.registry import find_game, game_names
from meeple.lab.bench import bench_game


def bench(
    game: Annotated[str, typer.Argument(help="A game, or nothing for all games.")] = "",
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure playouts, batches and start-up on one core, beside a reference where there is one."""
    chosen = [find_game(name) for name in ([game] if game else game_names())]
    with status("measuring") as tick:
        figures = {each.name: bench_game(each, seed, tick) for each in chosen}
    if as_json:
        print_json(figures)
        return
    shown = table(
        "One core; M steps/s unless said otherwise",
        *("game", "playouts", "games/s", "batch of 1,024", "copy", "reference", "ratio", "first start", "next start"),
        right=("playouts", "games/s", "batch of 1,024", "copy", "reference", "ratio", "first start", "next start"),
    )
    for name, f in figures.items():
        reference = f["reference"]
        shown.add_row(
            name,
            f"{f['playout_steps_per_s'] / 1e6:.2f}",
            f"{f['playout_games_per_s']:,.0f}",
            f"{f['batch_steps_per_s'] / 1e6:.2f}",
            f"{f['copy_ns']:.0f} ns",
            f"{reference['name']} {reference['playout_steps_per_s'] / 1e6:.2f}" if reference else "-",
            f"{f['ratio']:.2f}" if reference else "-",
            f"{f['cold_compile_s']:.1f} s",
            f"{f['warm_start_s']:.1f} s",
        )
        if reference and not reference["checksums_equal"]:
            console.print(f"[red]{name}: the reference played other games (checksums differ)[/red]")
    console.print(shown)
    for f in figures.values():
        rows = {f["variant"]: f, **f["also"]}
        for spec, row in rows.items():
            beside = f", {row['python_ratio']:,.0f} times the plain Python engine of the tests" if "python_ratio" in row else ""
            if beside or spec != f["variant"]:
                console.print(f"{spec}: {row['playout_games_per_s']:,.0f} games/s{beside}.", highlight=False)
    if any(f["reference"] and not f["reference"]["checksums_equal"] for f in figures.values()):
        raise typer.Exit(1)
