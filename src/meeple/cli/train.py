"""`meeple train`: networks that learn to play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.options import Json, RayToTrain, counted, within
from meeple.cli.show import console, print_json, status, table
from meeple.core.errors import MeepleError
from meeple.core.registry import find_variant

MOST_MINUTES = 525_600  # a year
MOST_STEPS = 10**15


def train(
    game: Annotated[str, typer.Argument(help="The game, such as jaipur:round; may stand in --config.", show_default=False)] = "",
    algorithm: Annotated[str, typer.Argument(help="The learner, such as ppo; may stand in --config.", show_default=False)] = "",
    out: Annotated[Path | None, typer.Option(help="Folder of the run: configuration, metrics, checkpoint, networks.")] = None,
    minutes: Annotated[float | None, typer.Option(help="How long to learn.", callback=within(0, MOST_MINUTES))] = None,
    processor: Annotated[
        bool, typer.Option("--processor", help="Count --minutes by the processor, not by the clock: fair beside other work.")
    ] = False,
    steps: Annotated[int | None, counted("How many decisions to learn from.", least=0, most=MOST_STEPS)] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=VALUE of the learner's settings; may be repeated. --set help lists them."),
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="An opponent to be measured against; may be repeated. Default: random.")
    ] = None,
    evaluate: Annotated[int | None, counted("Updates between two evaluations; 0: only at the end. Default: 20.", least=0)] = None,
    games: Annotated[int | None, counted("Games of an evaluation against each opponent. Default: 200.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with all of this; what is typed here goes before it.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    ray: RayToTrain = "",
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write curves for TensorBoard too.")] = False,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same run. Default: 1.")] = None,
    as_json: Json = False,
) -> None:
    """Train a network by self-play; `net:OUT/best.safetensors` is then an agent for every command."""
    try:
        from meeple.learn import train as loop
        from meeple.learn.config import read_settings
        from meeple.learn.toml import read_toml
    except ImportError as error:
        raise MeepleError(f"Training needs PyTorch ({error.name} is missing): pip install 'meeple[learn]'.") from None
    given = read_toml(config) if config else {}
    typed = {"game": game, "algorithm": algorithm, "out": out, "minutes": minutes, "steps": steps, "against": against}
    typed |= {"evaluate": evaluate, "games": games, "seed": seed, "processor": processor or None}
    given |= {name: value for name, value in typed.items() if value not in (None, "")}
    if "help" in (settings or []):
        show_settings(needed(given, "algorithm"))
        return
    given["set"] = {**given.get("set", {}), **read_settings(settings or [])}
    folder = Path(needed(given, "out"))
    with status(f"{folder}: the run begins") as show:

        def report(line: dict[str, Any]) -> None:
            show(live(line))
            if not as_json and "evaluation" in line:
                console.print(live(line), highlight=False, markup=False)

        common: dict[str, Any] = {"report": report, "tensorboard": tensorboard, "cluster": ray}
        if resume:
            if given.get("game"):
                find_variant(given["game"])  # a folder's game is known by having been named
            longer = {name: given[name] for name in ("minutes", "steps") if given.get(name)}
            result = loop.resume(folder, **common, **longer)
        else:
            result = loop.train(needed(given, "game"), needed(given, "algorithm"), folder, given["set"], **common, **rest_of(given))
    if as_json:
        print_json(result)
    else:
        show_result(result, folder)


def needed(given: dict[str, Any], name: str) -> Any:
    """What a run cannot do without."""
    if name not in given:
        how = "--out FOLDER" if name == "out" else name.upper()
        raise MeepleError(f"A run needs its {name}: meeple train GAME ALGORITHM --out FOLDER; {how} is missing.")
    return given[name]


def rest_of(given: dict[str, Any]) -> dict[str, Any]:
    """The other parts of the plan, as they were given."""
    found = {name: value for name, value in given.items() if name not in ("game", "algorithm", "out", "set", "against")}
    return found | ({"opponents": tuple(given["against"])} if given.get("against") else {})


def live(line: dict[str, Any]) -> str:
    """A line of the display."""
    text = f"{line['decisions']:>12,} decisions"
    if "rate" in line:
        text += f", {line['rate']:,.0f} a second"
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
    console.print(f"It is the agent net:{out / 'best.safetensors'}", soft_wrap=True, highlight=False, markup=False)


def show_settings(algorithm: str) -> None:
    from meeple.learn.config import help_of
    from meeple.learn.train import find_learner

    made = table(f"settings of {algorithm}", "name", "default", "meaning")
    for name, (default, meaning) in help_of(find_learner(algorithm).config_class).items():
        made.add_row(name, ",".join(map(str, default)) if isinstance(default, tuple) else str(default), meaning)
    console.print(made)
