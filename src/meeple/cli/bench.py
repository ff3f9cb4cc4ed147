"""`meeple bench`: how fast?"""

from __future__ import annotations

from typing import Annotated

import typer

from meeple.bench.playouts import bench_game
from meeple.bench.search import bench_search
from meeple.cli.options import Json, Seed
from meeple.cli.show import console, print_json, status, table
from meeple.core.errors import MeepleError
from meeple.core.game import Game
from meeple.core.registry import all_games, find_game

SEARCH, ENVS = "search", "envs"  # words that ask for the speed of the search, of the environments


def bench(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[search|envs] [GAME]", help="A game, or none for all; `search` or `envs` before it measures those."
        ),
    ] = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure playouts, batches and start-up on one core; search; or environments.

    Playouts beside a reference in C++ where there is one, search beside plain Python, environments beside each other and beside
    PettingZoo's own games."""
    words = list(what or [])
    part = words[0] if words and words[0] in (SEARCH, ENVS) else ""
    games = words[1:] if part else words
    if len(games) > 1:
        raise MeepleError(f"Name one game, or none for all of them, not {len(games)}: {', '.join(games)}.")
    chosen = [find_game(name) for name in games] if games else all_games()
    if part == SEARCH:
        _search(chosen, seed, as_json)
    elif part == ENVS:
        _envs(chosen, seed, as_json)
    else:
        _playouts(chosen, seed, as_json)


def _search(chosen: list[Game], seed: int, as_json: bool) -> None:
    with status("measuring") as tick:
        figures = {each.name: bench_search(each, seed, tick) for each in chosen}
    if as_json:
        print_json(figures)
        return
    columns = ("compiled", "plain Python", "ratio", "with the game's guide")
    shown = table("Iterations a second of tree search on one core, playouts to the end", "variant", *columns, right=columns)
    for f in figures.values():
        rates = (f["iterations_per_s"], f["python_iterations_per_s"], f["ratio"], f["guided_iterations_per_s"])
        shown.add_row(f["variant"], *("-" if rate is None else f"{rate:,.0f}" for rate in rates))
    console.print(shown)


def _envs(chosen: list[Game], seed: int, as_json: bool) -> None:
    from meeple.bench.envs import bench_envs  # only now: it loads Gymnasium and PettingZoo

    with status("measuring") as tick:
        figures = bench_envs(chosen, seed, tick)
    if as_json:
        print_json(figures)
        return
    columns = ("batch", "vector", "gymnasium", "gymnasium_masked", "pettingzoo")
    heads = ("batch", "vector", "one", "masked", "aec", "vector/aec")
    shown = table("Environments: thousand steps a second on one core", "variant", *heads, right=heads)
    for f in (figures[game.name] for game in chosen):
        rates = (f"{f[f'{name}_steps_per_s'] / 1000:,.1f}" for name in columns)
        shown.add_row(f["variant"], *rates, f"{f['vector_to_pettingzoo']:,.0f}")
    console.print(shown)
    for name, rate in figures["pettingzoo"].items():
        told = f"{rate / 1000:,.1f} thousand" if rate else "not installed (pip install 'pettingzoo[classic]')"
        console.print(f"PettingZoo's own {name.removesuffix('_steps_per_s')}: {told}", highlight=False)


def _playouts(chosen: list[Game], seed: int, as_json: bool) -> None:
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
