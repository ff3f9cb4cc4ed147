"""`meeple crown`: a network against the champion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.agents.champion import measured_levels
from meeple.arena.store import Store, default_path
from meeple.cli.options import Json, Processes, Seed, StorePath, cores, counted
from meeple.cli.show import console, print_json, progress, table
from meeple.core.errors import MeepleError
from meeple.lab import crown as lab


def crown(
    game: Annotated[str, typer.Argument(help="The variant, such as jaipur:round.", show_default=False)],
    network: Annotated[Path, typer.Argument(help="The candidate: a network's file.", show_default=False)],
    budget: Annotated[str, typer.Option(help="How long both sides think: ms=200, or iterations=400.")] = "iterations=400",
    pool: Annotated[list[str] | None, typer.Option(help="An agent of another style; may be repeated. Default: mcts.")] = None,
    search: Annotated[
        list[str] | None, typer.Option(help="c=NUMBER, temperature=NUMBER, memory=1 or bank=1 of its search; may be repeated.")
    ] = None,
    games: Annotated[int, counted("Games against the champion, at most.")] = 400,
    pool_games: Annotated[int, counted("Games against each agent of the pool; 0: as many.", least=0)] = 0,
    seed: Seed = 1,
    dry: Annotated[bool, typer.Option("--dry", help="Only say who would be champion.")] = False,
    store: StorePath = None,
    processes: Processes = 0,
    as_json: Json = False,
) -> None:
    """Let a network challenge the champion of a game; it takes its place only by winning on fresh paired deals."""
    trial = lab.plan_trial(game, network, budget, pool or ["mcts:iterations=400"], games, seed, settings(search or []), pool_games)
    with progress("the trial", None, unit="games") as tick:
        found = lab.hold_trial(trial, Store(store or default_path()), cores(processes), tick)
    crowned = "" if dry or not found["won"] else str(lab.crown(trial, found))
    if as_json:
        print_json({**found, "crowned": crowned})
        return
    show(found)
    console.print(verdict(found, crowned))


def verdict(found: dict[str, Any], crowned: str) -> str:
    if not crowned:
        return "It would win." if found["won"] else "The champion stays."
    levels = f"Its levels were found with the champion before it: meeple levels {found['variant']} --write finds its own."
    return f"It is the champion now: {crowned}\n{levels if found['variant'] in measured_levels() else ''}".rstrip()


def settings(pairs: list[str]) -> dict[str, float]:
    """`c=0.5` as the command line gives it."""
    found = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            raise MeepleError(f"--search takes c=NUMBER, temperature=NUMBER, memory=1 or bank=1, not '{pair}'.") from None
    return found


def show(found: dict[str, Any]) -> None:
    made = table("The trial", "match", "result", "95%", "games", "seed", right=("result", "games", "seed"))
    rows = [("candidate v champion", found["duel"])]
    for one in found["pool"]:
        rows += [(f"{who} v {one['opponent']}", one[who]) for who in ("candidate", "champion")]
    for name, row in rows:
        made.add_row(name, f"{row['mean']:.3f}", f"{row['ci'][0]:.3f} to {row['ci'][1]:.3f}", str(row["games"]), str(row["seed"]))
    console.print(made)
