"""`meeple train`: networks that learn to play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.options import Game, Json, Seed, counted, within
from meeple.cli.show import console, print_json, status, table
from meeple.core.errors import MeepleError

MOST_MINUTES = 525_600  # a year
MOST_STEPS = 10**15


def train(
    game: Game,
    algorithm: Annotated[str, typer.Argument(help="The learner, such as ppo.")],
    out: Annotated[Path, typer.Option(help="Folder of the run: configuration, metrics, checkpoint, networks.")],
    minutes: Annotated[float, typer.Option(help="How long to learn.", callback=within(0, MOST_MINUTES))] = 0.0,
    steps: Annotated[int, counted("How many decisions to learn from.", least=0, most=MOST_STEPS)] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=VALUE of the learner's settings; may be repeated. --set help lists them."),
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="An opponent to be measured against; may be repeated. Default: random.")
    ] = None,
    evaluate: Annotated[int, counted("Updates between two evaluations; 0: only at the end.", least=0)] = 20,
    games: Annotated[int, counted("Games of an evaluation against each opponent.")] = 200,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write curves for TensorBoard too.")] = False,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Train a network by self-play; `net:OUT/best.safetensors` is then an agent for every command."""
    try:
        from meeple.learn import train as loop
        from meeple.learn.config import read_settings
    except ImportError as error:
        raise MeepleError(f"Training needs PyTorch ({error.name} is missing): pip install 'meeple[learn]'.") from None
    if "help" in (settings or []):
        show_settings(algorithm)
        return
    given = read_settings(settings or [])
    with status(f"{game}: {algorithm} begins") as show:

        def report(line: dict[str, Any]) -> None:
            show(live(line))
            if not as_json and "evaluation" in line:
                console.print(live(line), highlight=False)

        if resume:
            longer = {name: value for name, value in (("minutes", minutes), ("steps", steps)) if value}
            result = loop.resume(out, report=report, tensorboard=tensorboard, **longer)
        else:
            result = loop.train(
                game,
                algorithm,
                out,
                given,
                report=report,
                tensorboard=tensorboard,
                minutes=minutes,
                steps=steps,
                seed=seed,
                opponents=tuple(against or ["random"]),
                evaluate=evaluate,
                games=games,
            )
    if as_json:
        print_json(result)
    else:
        show_result(result, out)


def live(line: dict[str, Any]) -> str:
    """A line of the display."""
    text = f"{line['decisions']:>12,} decisions, {line['rate']:,.0f} a second"
    for name in ("entropy", "kl", "explained", "return"):
        if name in line:
            text += f", {name} {line[name]:.3f}"
    for spec, result in line.get("evaluation", {}).get("against", {}).items():
        text += f"; {spec} {result['mean']:.3f}"
    return text


def show_result(result: dict[str, Any], out: Path) -> None:
    best = result["best"]
    made = table(
        f"{result['decisions']:,} decisions in {result['seconds']:.0f} s; the best network, on fresh deals",
        "against",
        "result",
        "95%",
        "points",
        "games",
        right=("result", "points", "games"),
    )
    for spec, one in best["against"].items():
        made.add_row(
            spec, f"{one['mean']:.3f}", f"{one['ci'][0]:.3f} to {one['ci'][1]:.3f}", f"{one['points']:.1f}", str(one["games"])
        )
    console.print(made)
    console.print(f"It is the agent net:{out / 'best.safetensors'}", soft_wrap=True, highlight=False)


def show_settings(algorithm: str) -> None:
    from meeple.learn.config import help_of
    from meeple.learn.train import find_learner

    made = table(f"settings of {algorithm}", "name", "default", "meaning")
    for name, (default, meaning) in help_of(find_learner(algorithm).config_class).items():
        made.add_row(name, ",".join(map(str, default)) if isinstance(default, tuple) else str(default), meaning)
    console.print(made)
