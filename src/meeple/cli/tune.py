"""`meeple tune`: better numbers for an agent, by evolution on paired deals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.match import use_code
from meeple.cli.match import Code, Game, Processes, cores
from meeple.cli.show import Json, Seed, console, print_json, progress, table
from meeple.lab import tune as lab


def tune(
    game: Game,
    agent: Annotated[str, typer.Argument(help="The agent, with the numbers to start from; such as heuristic.")],
    out: Annotated[Path, typer.Option(help="JSON file, written after every generation and gone on from if it is there.")],
    against: Annotated[
        list[str] | None, typer.Option(help="An opponent, at all other seats; may be repeated. Default: the agent as it is now.")
    ] = None,
    only: Annotated[str, typer.Option(help="The parameters to tune, with commas; default: all that are numbers.")] = "",
    games: Annotated[int, typer.Option(help="Games of each candidate in each generation.")] = 400,
    generations: Annotated[int, typer.Option(help="How many in all.")] = 50,
    step: Annotated[float, typer.Option(help="First step, as a share of each number.")] = 0.3,
    seed: Seed = 1,
    processes: Processes = 0,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Tune the numbers of an agent. What comes out has to be measured by a match with another seed."""
    use_code(code or [])
    names = [name.strip() for name in only.split(",") if name.strip()]
    tuning = lab.plan_tuning(game, agent, against or [], names, games, generations, seed, step)
    with progress(f"{tuning.variant.spec}: tuning {tuning.player.spec}", generations) as advance:
        shown = [0]

        def tick(generation: int, _: float) -> None:
            advance(generation - shown[0])
            shown[0] = generation

        result = lab.tune(tuning, out, cores(processes), tick)
    tuned = replace(tuning.player, settings=tuning.player.settings | {name: round(w, 4) for name, w in result["weights"].items()})
    if as_json:
        print_json(result | {"tuned": tuned.spec})
        return
    made = table(
        f"{tuning.player.label} at {tuning.variant.spec}, {result['generations']} generations",
        "number",
        "before",
        "now",
        right=("before", "now"),
    )
    for name, weight in result["weights"].items():
        made.add_row(name, f"{tuning.player.settings[name]:g}", f"{weight:.4g}")
    console.print(made)
    console.print(f"Mean of the last generation: {result['shares'][-1]:.3f}. Measure it with another seed:", highlight=False)
    others = " ".join(player.spec for player in tuning.opponents[:1] * (tuning.variant.shape.seats - 1))
    console.print(f"meeple match {tuning.variant.spec} {tuned.spec} {others} --seed {seed + 1}", soft_wrap=True, highlight=False)
