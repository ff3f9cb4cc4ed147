"""`meeple check`: does a game keep the contract?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from meeple.cli.options import Json, Seed, counted
from meeple.cli.show import console, print_json, status
from meeple.core.check import Report
from meeple.core.game import Game
from meeple.core.registry import all_games, find_game
from meeple.lab import check as lab


def check(
    game: Annotated[str, typer.Argument(help="A game, the folder of one, or nothing for all games.")] = "",
    games: Annotated[int, counted("Games a variant, with every rule looked at in every position.")] = 20,
    audit: Annotated[int, counted("Compiled random games a variant, with the game's own invariants.", least=0)] = 2000,
    envs: Annotated[int, counted("Games a variant through each environment, beside the engine.", least=0)] = 5,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Check that a game fulfils the contract; also for games of your own."""
    chosen = [find_game(game)] if game else all_games()
    reports = [_check(each, games, audit, envs, seed) for each in chosen]
    if as_json:
        print_json({report.game: asdict(report) for report in reports})
    else:
        for report in reports:
            _show(report)
    if any(report.problems for report in reports):
        raise typer.Exit(1)


def _check(game: Game, games: int, audit: int, envs: int, seed: int) -> Report:
    with status(f"checking {game.name}") as tick:
        return lab.check(game, games, audit, envs, seed, tick)


def _redealt(report: Report) -> list[str]:
    """What a redeal changes for each seat; variants alike in one line."""
    alike: dict[str, list[str]] = {}
    for spec, seats in report.redealt.items():
        same = all(fields == seats[0] for fields in seats)
        parts = ["every seat: " + _names(seats[0])] if same else [f"seat {i}: {_names(fields)}" for i, fields in enumerate(seats)]
        alike.setdefault("; ".join(parts), []).append(spec)
    return [f"  {', '.join(specs)}  a redeal changes for {text}" for text, specs in alike.items()]


def _names(fields: list[str]) -> str:
    return ", ".join(fields) or "nothing"


def _show(report: Report) -> None:
    looked = f"{len(report.variants)} variants, {report.games:,} games, {report.positions:,} positions"
    looked += f", {report.environments} environments" if report.environments else ", environments not looked at"
    for line in _redealt(report):
        console.print(line, soft_wrap=True, highlight=False)
    if not report.problems:
        console.print(f"[green]{report.game}: keeps the contract[/green] ({looked})")
        return
    console.print(f"[red]{report.game}: {len(report.problems)} problems[/red] ({looked})")
    for problem in report.problems:
        console.print(f"  {problem.variant}  [bold]{problem.rule}[/bold]: {problem.message}", soft_wrap=True, highlight=False)
