"""`meeple solve`: the exact value of optimal play, and the regret of agents against it; or an evaluation fitted to a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.registry import labelled
from meeple.arena.match import use_code
from meeple.cli.interrupt import resumable
from meeple.cli.options import Code, Game, Json, Processes, Seed, cores, counted, written
from meeple.cli.show import console, interval, print_json, progress, table
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.lab import solve as lab


def solve(
    game: Game,
    agents: Annotated[list[str] | None, typer.Option("--agent", help="Measure this agent's regret; may be repeated.")] = None,
    games: Annotated[int, counted("Games for each agent.")] = 2000,
    seed: Seed = 1,
    out: Annotated[Path | None, written("The file of the solution.", folders=True)] = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Not exactly: fit the game's evaluation backwards from the end, into --out.")
    ] = False,
    rounds: Annotated[int, counted("With --fit: how often games are played by what was fitted before, and fitted to.")] = 3,
    processes: Processes = 0,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Solve a game exactly, where that is possible, at once when it has been solved before; or fit an evaluation (--fit)."""
    use_code(code or [])
    variant = find_variant(game)
    if fit:
        fit_tables(variant, agents, out, games, rounds, seed, as_json)
        return
    lab.solver_for(variant)
    for agent in agents or []:  # before minutes of work: a name may be wrong
        lab.check_player(variant, agent, out)
    with resumable(), progress(f"solving {variant.spec}", variant.shape.max_plies, "layers") as tick:
        result = lab.solve(variant, out, cores(processes), tick)
    measured = []
    with progress("regret", len(agents or []) * games) as tick:
        for agent in agents or []:
            measured.append(lab.regret(variant, agent, games, seed, out, cores(processes), tick))
    if as_json:
        print_json(result | ({"regret": measured} if measured else {}))
        return
    console.print(f"Optimal play of {variant.spec} scores {result['optimum']:.3f} on average.", highlight=False)
    where = f"The solution is in {result['file']} ({result['bytes'] / 1e9:.2f} GB)."
    console.print(where, highlight=False, soft_wrap=True, markup=False)
    if measured:
        shown = table(
            f"{games:,} games, seed {seed}: what agents give away",
            *("agent", "a move", "a game", "95% interval", "best moves"),
            right=("a move", "a game", "best moves"),
            agents=[r["agent"] for r in measured],
        )
        for r in measured:
            lost = interval(r["regret_per_game_ci"], ".2f")
            shown.add_row(
                labelled(r["agent"], r["clairvoyant"]),
                f"{r['regret_per_move']:.3f}",
                f"{r['regret_per_game']:.2f}",
                lost,
                f"{r['best_moves']:.1%}",
            )
        console.print(shown)


def fit_tables(
    variant: Variant, agents: list[str] | None, out: Path | None, games: int, rounds: int, seed: int, as_json: bool
) -> None:
    """What --fit does."""
    fitter = lab.fitter_for(variant)
    if agents:
        raise MeepleError("--agent measures regret against an exact solution, which --fit does not give; leave one of the two out.")
    if out is None:
        raise MeepleError("--fit writes tables; name their file with --out.")
    with progress(f"fitting {variant.spec}", fitter.work(variant, rounds), "units of time") as tick:
        found = lab.fit(variant, out, games, rounds, seed, tick)
    if as_json:
        print_json(found)
        return
    shown = f"{found['score']:.2f} ({interval(found['ci'], '.2f')})"
    console.print(f"Who plays {variant.spec} by these tables scores {shown}, {games:,} fresh games.", highlight=False)
    console.print(f"They are in {out}.", highlight=False, soft_wrap=True, markup=False)
