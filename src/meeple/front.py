"""The front door's functions: what `import meeple` offers, each a few lines around the room that does the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from meeple.agents import analyze as analyst
from meeple.agents.own import Adviser, AgentGiven, seat
from meeple.agents.registry import AgentSpec
from meeple.arena.fair import check_strangers
from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.arena.tournament import plan_tournament, play_tournament
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.state import State
from meeple.results import MatchResult, TournamentResult, match_result, tournament_result
from meeple.search.analysis import Analysis

IN_MEMORY = Path(":memory:")  # SQLite's own word


def match(
    game: str | Variant,
    *agents: AgentGiven,
    games: int = 100,
    seed: int = 1,
    processes: int = 1,
    store: str | Path | None = None,
) -> MatchResult:
    """Play agents against each other on the same deals with seats exchanged. Each is a text, "mcts:ms=50", or an object of yours.

    More than one process needs `if __name__ == "__main__":` around the script, as always in Python. Without a `store` nothing is
    written anywhere.
    """
    plan = make_plan(game, agents, games, seed)
    _check_here(plan.players, processes, store)
    check_strangers(plan.variant, plan.players, seed)
    keeper = Store(IN_MEMORY if store is None else Path(store))
    figures = play_match(plan, keeper, processes)
    return match_result(plan.variant, figures, keeper.games(figures["match"]))


def tournament(
    game: str | Variant,
    *agents: AgentGiven,
    games: int = 100,
    seed: int = 1,
    processes: int = 1,
    store: str | Path | None = None,
) -> TournamentResult:
    """Everybody against everybody, `games` for each pair, and a rating for each."""
    plans = plan_tournament(game, agents, games, seed)
    players = [player for plan in plans for player in plan.players]
    _check_here(players, processes, store)
    check_strangers(plans[0].variant, players, seed)
    keeper = Store(IN_MEMORY if store is None else Path(store))
    figures = play_tournament(plans, keeper, processes)
    matches = (match_result(plans[0].variant, found, keeper.games(found["match"])) for found in figures["matches"])
    return tournament_result(figures, tuple(matches))


def _check_here(players: Sequence[AgentSpec], processes: int, store: str | Path | None) -> None:
    """An object of this process cannot be sent to another, nor be made again by whoever goes on with a match in a results file."""
    for player in players:
        if player.here and processes > 1:
            raise MeepleError(
                f"{player.spec} is an object of this program, which other processes do not have; leave processes at 1, "
                "or put the agent into a file and use meeple match --code."
            )
        if player.here and store is not None:
            raise MeepleError(
                f"{player.spec} is an object of this program, and a results file keeps games of agents that can be made again; "
                "leave store away, or put the agent into a file and use meeple match --code."
            )
    if processes < 1:
        raise MeepleError(f"processes must be at least 1, not {processes}.")


def agent(spec: AgentGiven, game: str | Variant, seed: int = 0) -> Adviser:
    """An agent at hand: `agent("mcts:ms=100", "jaipur").choose(state)` is its move."""
    variant = find_variant(game) if isinstance(game, str) else game
    return Adviser(seat(spec, variant.game), variant, seed)


def analyze(state: State, search: str = "mcts", seed: int = 1) -> Analysis:
    """What a search thinks of every legal move (`.moves`, best first; `.best`), knowing what the seat to move may know."""
    player = analyst.find_analyst(search, state.variant)
    return analyst.analyze(player.make(state.variant), state, seed)


def train(
    game: str | Variant,
    algorithm: str,
    out: str | Path,
    settings: Mapping[str, Any] | None = None,
    *,
    resume: bool = False,
    report: Callable[[dict[str, Any]], None] = lambda _: None,
    tensorboard: bool = False,
    **plan: Any,
) -> dict[str, Any]:
    """Train a network in a folder: `train("jaipur:round", "ppo", "runs/j1", {"lr": 3e-4}, minutes=30)`; then
    "net:runs/j1/best.safetensors" is an agent. `report` is called with every line of metrics; what else can be set (steps, seed,
    opponents, evaluate, games) is in meeple.learn.train.Plan. Returns the results of the last and of the best network.
    """
    try:
        from meeple.learn import train as loop
    except ImportError as error:
        raise MeepleError(f"Training needs PyTorch ({error.name} is missing): pip install 'meeple[learn]'.") from None
    if resume:
        return loop.resume(out, report=report, tensorboard=tensorboard, **plan)
    spec = game if isinstance(game, str) else game.spec
    return loop.train(spec, algorithm, out, settings, report=report, tensorboard=tensorboard, **plan)
