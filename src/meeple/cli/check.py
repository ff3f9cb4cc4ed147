"""`meeple check`: does a game keep the contract?"""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from meeple.cli.options import Json, Seed, counted
from meeple.cli.show import console, print_json, progress, status
from meeple.core.check import Problem, Report, check_game
from meeple.core.errors import MeepleError
from meeple.core.game import Game
from meeple.core.registry import find_game, game_names
from meeple.lab.simulate import simulate


def check(
    game: Annotated[str, typer.Argument(help="A game, the folder of one, or nothing for all games.")] = "",
    games: Annotated[int, counted("Games a variant, with every rule looked at in every position.")] = 20,
    audit: Annotated[int, counted("Compiled random games a variant, with the game's own invariants.", least=0)] = 2000,
    envs: Annotated[int, counted("Games a variant through each environment, beside the engine.", least=0)] = 5,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Check that a game fulfils the contract; also for games of your own."""
    if os.sep in game or Path(game, "__init__.py").is_file():
        _check_folder(Path(game))
    reports = [_check(find_game(name), games, audit, envs, seed) for name in ([game] if game else game_names())]
    if as_json:
        print_json({report.game: asdict(report) for report in reports})
    else:
        for report in reports:
            _show(report)
    if any(report.problems for report in reports):
        raise typer.Exit(1)


def _check_folder(folder: Path) -> None:
    """Compiled code is cached by the sources known at the start, so a folder from outside needs a start of its own."""
    if not (folder / "__init__.py").is_file():
        raise MeepleError(f"There is no game in {folder}: a game is a folder with an __init__.py that has GAME = Game(...).")
    arguments = [folder.resolve().name if word == str(folder) or word == f"{folder}/" else word for word in sys.argv[1:]]
    known = os.environ.get("MEEPLE_GAMES", "")
    path = os.pathsep.join(filter(None, [known, str(folder.resolve())]))
    os.execve(sys.executable, [sys.executable, "-m", "meeple", *arguments], {**os.environ, "MEEPLE_GAMES": path})


def _check(game: Game, games: int, audit: int, envs: int, seed: int) -> Report:
    with status(f"checking {game.name}") as tick:
        report = check_game(game, games, seed, tick=lambda spec: tick(f"checking {spec}"))
    if audit and game.audit and not report.problems:
        for name in game.variants.values:
            variant = game.variant(name)
            with progress(f"auditing {variant.spec}", audit) as advance:
                found = simulate(variant, audit, seed, audited=True, tick=advance)
            report.games += audit
            for broken, times in found["broken"].items():
                report.problems.append(Problem("invariant", variant.spec, f"'{broken}' does not hold in {times} games"))
    from meeple.envs.check import can_check, check_envs  # only now: it loads Gymnasium and every game

    if envs and not report.problems and can_check():
        with status(f"checking the environments of {game.name}") as tick:
            check_envs(game, envs, seed, report, tick=lambda what: tick(f"checking {what}"))
        report.environments = len(report.variants)
    return report


def _show(report: Report) -> None:
    looked = f"{len(report.variants)} variants, {report.games:,} games, {report.positions:,} positions"
    looked += f", {report.environments} environments" if report.environments else ", environments not looked at"
    if not report.problems:
        console.print(f"[green]{report.game}: keeps the contract[/green] ({looked})")
        return
    console.print(f"[red]{report.game}: {len(report.problems)} problems[/red] ({looked})")
    for problem in report.problems:
        console.print(f"  {problem.variant}  [bold]{problem.rule}[/bold]: {problem.message}", soft_wrap=True, highlight=False)
