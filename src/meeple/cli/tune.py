"""`meeple tune`: better numbers for an agent, by evolution on paired deals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.match import use_code
from meeple.cli.interrupt import resumable
from meeple.cli.options import MOST_SEED, Code, Game, Json, Processes, Seed, command, cores, counted, measured, written
from meeple.cli.show import console, print_json, progress, suggest, table
from meeple.lab import tune as lab


def tune(
    game: Game,
    agent: Annotated[str, typer.Argument(help="The agent, with the numbers to start from; such as heuristic.")],
    out: Annotated[Path, written("JSON file, written after every generation and continued if it exists.")],
    against: Annotated[
        list[str] | None, typer.Option(help="An opponent, at all other seats; may be repeated. Default: the agent as it is now.")
    ] = None,
    only: Annotated[str, typer.Option(help="The parameters to tune, with commas; default: all that are numbers.")] = "",
    games: Annotated[int, counted("Games of each candidate in each generation.")] = 400,
    generations: Annotated[int, counted("How many in all.")] = 50,
    step: Annotated[float, measured("First step, as a share of each number.", most=1.0)] = 0.3,
    seed: Seed = 1,
    processes: Processes = 0,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Tune the numbers of an agent. What comes out has to be measured by a match with another seed."""
    use_code(code or [])
    names = [name.strip() for name in only.split(",") if name.strip()]
    tuning = lab.plan_tuning(game, agent, against or [], names, games, generations, seed, step)
    with resumable(), progress(f"{tuning.variant.spec}: tuning {tuning.player.spec}", generations, "generations") as advance:
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
    others = [player.spec for player in tuning.opponents[:1] * (tuning.variant.shape.seats - 1)]
    next_seed = (seed + 1) % (MOST_SEED + 1)
    size = 1000 // tuning.variant.shape.seats * tuning.variant.shape.seats
    suggest(
        f"Mean of the last generation: {result['shares'][-1]:.3f}. Measure it with another seed:",
        command("match", tuning.variant.spec, tuned.spec, *others, games=size, seed=next_seed, code=code),
    )
