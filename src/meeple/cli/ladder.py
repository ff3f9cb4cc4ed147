"""`meeple ladder`: the same agent with doubling budgets."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from meeple.agents.registry import labelled
from meeple.arena.fair import check_strangers
from meeple.arena.match import use_code
from meeple.arena.store import Store, default_path
from meeple.cli.interrupt import resumable
from meeple.cli.options import Code, Game, Json, Plot, Processes, Ray, Seed, StorePath, cores, counted, measured
from meeple.cli.show import console, interval, print_json, progress, table
from meeple.lab import ladder as lab


def ladder(
    game: Game,
    agent: Annotated[str, typer.Argument(help="The agent, such as mcts:c=0.7.")],
    first: Annotated[float, measured("Budget of the lowest rung; each further one has twice as much.", "--from")] = 16,
    rungs: Annotated[int, counted("How many.", least=2, most=lab.MOST_RUNGS)] = 7,
    games: Annotated[int, counted("Games of each match; alone, of each rung.")] = 200,
    seed: Seed = 1,
    param: Annotated[str, typer.Option(help="The agent's parameter that is doubled.")] = "iterations",
    plot: Plot = None,
    processes: Processes = 0,
    ray: Ray = "",
    store: StorePath = None,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Does thinking longer help? Each rung plays the one below it; alone, each plays the same deals. Every game is kept."""
    use_code(code or [])
    planned = lab.plan_ladder(game, agent, param, first, rungs, games, seed)
    check_strangers(planned.variant, [planned.player], seed)
    total = games * len(planned.plans)
    with resumable(), progress(f"{planned.variant.spec}: ladder of {planned.player.spec}", total) as tick:
        result = lab.climb(planned, Store(store or default_path()), cores(processes), tick, ray)
    if plot is not None:
        lab.draw(result, plot)
    if as_json:
        print_json(result)
    else:
        show(result)


def show(r: dict[str, Any]) -> None:
    name = labelled(r["agent"], r["clairvoyant"])
    title = f"{name} at {r['variant']}, {r['games']:,} games a rung, seed {r['seed']}, {r['seconds']:.1f} s"
    columns = COLUMNS[r["measure"]]
    shown = table(title, r["param"], *columns, right=(r["param"], columns[0], columns[2]))
    for rung in r["rungs"]:
        shown.add_row(f"{rung['budget']:g}", *_cells(rung, r["measure"]))
    console.print(shown)
    console.print(verdict(r), highlight=False)


ALONE = ("95% interval", "above the rung below", "95% interval of that")
COLUMNS = {
    "elo": ("wins against the rung below", "95% interval", "Elo", "95% interval of that"),
    "win_rate": ("won", *ALONE),
    "score": ("score", *ALONE),
}


def _cells(rung: dict[str, Any], measure: str) -> list[str]:
    if measure == "elo":
        step = [f"{rung['win_rate']:.1%}", interval(rung["win_rate_ci"], ".1%")] if rung["step"] is not None else ["", ""]
        return [*step, f"{rung['value']:+.0f}", interval(rung["ci"], "+.0f") if rung["step"] is not None else ""]
    form = ".1%" if measure == "win_rate" else ".2f"
    step = [f"{rung['step']:+{form}}", interval(rung["step_ci"], f"+{form}")] if rung["step"] is not None else ["", ""]
    return [f"{rung['value']:{form}}", interval(rung["ci"], form), *step]


def verdict(r: dict[str, Any]) -> str:
    """Does it rise?"""
    pairs = list(zip(r["rungs"], r["rungs"][1:], strict=False))
    up = f"{r['rises']} of {len(pairs)} steps up beyond their interval"
    if r["monotonic"]:
        return f"Monotonic within its intervals: {up}, none down beyond it."
    down = ", ".join(f"{lower['budget']:g} to {upper['budget']:g}" for lower, upper in pairs if upper["step_ci"][1] < 0)
    return f"Not monotonic: down from {down}, beyond the interval; {up}."
