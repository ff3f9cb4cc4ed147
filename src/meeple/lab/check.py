"""All that is looked at before a game is trusted: the contract, its invariants in many random games, its environments."""

from __future__ import annotations

from collections.abc import Callable

from meeple.agents.registry import agents_of
from meeple.core.check import Problem, Report, check_game
from meeple.core.game import Game
from meeple.core.registry import part_of_game
from meeple.lab import simulate


def check(game: Game, games: int, audit: int, envs: int, seed: int, tick: Callable[[str], None]) -> Report:
    """`games` of every variant with every rule looked at, `audit` compiled ones, `envs` through each environment."""
    agents_of(game)  # refuses a bots.py that cannot be used
    part_of_game(game, "solver")
    report = check_game(game, games, seed, tick=lambda spec: tick(f"checking {spec}"))
    if audit and game.audit and not report.problems:
        _audit(game, audit, seed, report, tick)
    from meeple.envs.check import can_check, check_envs  # only now: it loads Gymnasium and every game

    if envs and not report.problems and can_check():
        check_envs(game, envs, seed, report, tick=lambda what: tick(f"checking {what}"))
        report.environments = len(report.variants)
    return report


def _audit(game: Game, games: int, seed: int, report: Report, tick: Callable[[str], None]) -> None:
    for name in game.variants.values:
        variant = game.variant(name)
        tick(f"auditing {games:,} games of {variant.spec}")
        found = simulate.simulate(variant, games, seed, audited=True)
        report.games += games
        for broken, times in found["broken"].items():
            report.problems.append(Problem("invariant", variant.spec, f"'{broken}' does not hold in {times} games"))
