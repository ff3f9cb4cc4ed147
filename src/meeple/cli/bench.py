"""`meeple bench`: how fast?"""

from __future__ import annotations

from typing import Annotated

import typer

from meeple.bench.playouts import bench_game
from meeple.bench.search import bench_search
from meeple.cli.options import HERE, Json, Seed, clustered
from meeple.cli.show import console, print_json, status, table
from meeple.core.errors import MeepleError
from meeple.core.game import Game
from meeple.core.registry import all_games, find_game

SEARCH, ENVS, LEARN, CLUSTER = "search", "envs", "learn", "cluster"  # words that ask for the speed of these


def bench(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[search|envs|learn|cluster] [GAME]",
            help="A game, or none for all; `search`, `envs`, `learn` or `cluster` before it measures those.",
        ),
    ] = None,
    seed: Seed = 1,
    ray: Annotated[str, clustered("For `cluster` alone.")] = "",
    as_json: Json = False,
) -> None:
    """Measure playouts, batches and start-up on one core; search; environments; learning; or a cluster.

    Playouts beside a reference in C++ where there is one, search beside plain Python, environments beside each other and beside
    PettingZoo's own games, learning (of Jaipur, if no game is named) beside sb3-contrib's MaskablePPO, a cluster (at
    Jaipur) with two workers beside one."""
    words = list(what or [])
    part = words[0] if words and words[0] in (SEARCH, ENVS, LEARN, CLUSTER) else ""
    games = words[1:] if part else words
    if len(games) > 1:
        raise MeepleError(f"Name one game, or none for all of them, not {len(games)}: {', '.join(games)}.")
    chosen = [find_game(name.partition(":")[0] if part == CLUSTER else name) for name in games] if games else all_games()
    if part == CLUSTER:
        _cluster(games[0] if games else "jaipur:round", seed, ray or HERE, as_json)
    elif part == SEARCH:
        _search(chosen, seed, as_json)
    elif part == LEARN:
        _learn(find_game(games[0] if games else "jaipur"), seed, as_json)
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


def _learn(game: Game, seed: int, as_json: bool) -> None:
    from meeple.bench.learn import bench_learn  # only now: it loads PyTorch

    with status("measuring") as tick:
        figures = bench_learn(game, seed, tick)
    if as_json:
        print_json({game.name: figures})
        return
    columns = ("PPO", "MaskablePPO", "ratio")
    shown = table(
        f"{figures['variant']}, {figures['actions']:,} actions: decisions a second with learning, one core",
        "by",
        *columns,
        right=columns,
    )
    for name, kind in (("the clock", ""), ("the processor", "_cpu")):
        rates = (figures.get(f"{who}_decisions_per{kind}_s") for who in ("ppo", "maskable_ppo"))
        shown.add_row(name, *("-" if rate is None else f"{rate:,.0f}" for rate in (*rates, figures[f"ratio{kind}"])))
    console.print(shown)
    if figures["ratio"] is None:
        console.print("MaskablePPO is not installed: pip install 'meeple[envs,sb3]'", highlight=False)
    for tables, one in figures["inference"].items():
        text = f"{tables} at a time: {one['kernel_us']:.1f} µs a table in the kernel, {one['pytorch_us']:.1f} in PyTorch"
        console.print(f"Inference, {text} ({one['ratio']:.1f} times)", highlight=False)


def _cluster(spec: str, seed: int, address: str, as_json: bool) -> None:
    from meeple.bench.cluster import bench_cluster  # only now: it needs Ray

    with status("measuring") as tick:
        figures = bench_cluster(spec, seed, address, tick)
    if as_json:
        print_json(figures)
        return
    columns = ("1 worker", "2 workers", "ratio")
    title = f"{figures['variant']}: a second on a cluster of {figures['cores']} cores, load {figures['load']:.1f}"
    shown = table(title, "what", *columns, right=columns)
    for name, unit in (("matches", "games"), ("self_play", "decisions")):
        rates = figures[name][f"{unit}_per_s"]
        shown.add_row(
            f"{unit} of {name.replace('_', '-')}", f"{rates['1']:,.0f}", f"{rates['2']:,.0f}", f"{figures[name]['ratio']:.2f}"
        )
    console.print(shown)
    console.print(
        f"A second of one core plays {figures['played_per_cpu_s']:,.0f} decisions, or learns from "
        f"{figures['learnt_per_cpu_s']:,.0f}; a decision is sent in {figures['bytes_per_decision']:,.0f} bytes, the weights are "
        f"{figures['weights_bytes']:,.0f}. It plays {figures['games_per_cpu_s']:,.0f} games of a match, or keeps "
        f"{figures['stored_per_cpu_s']:,.0f}, of {figures['bytes_per_game']:,.0f} bytes.",
        highlight=False,
    )


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
