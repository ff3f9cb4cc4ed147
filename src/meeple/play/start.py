"""A game in the terminal, begun from Python: `meeple.play("jaipur", opponent="mcts")`."""

from __future__ import annotations

import secrets
from pathlib import Path

from rich.console import Console

from meeple.agents.own import AgentsGiven, listed, read_agents
from meeple.agents.registry import find_agent, lent
from meeple.core.game import Variant
from meeple.core.record import Record
from meeple.core.registry import find_variant
from meeple.play.saves import claim, fresh_path
from meeple.play.session import DEFAULT_ADVISER, Session, begin
from meeple.play.terminal import Terminal


def play(
    game: str | Variant,
    opponent: AgentsGiven = None,
    *,
    seat: int = 0,
    seed: int | None = None,
    hint: str = DEFAULT_ADVISER,
    save: str | Path | None = None,
) -> Record:
    """Sit down at the terminal against an agent, by text or an object of yours, or one for each other seat; returns the game."""
    variant = find_variant(game) if isinstance(game, str) else game
    players = read_agents(listed(opponent), variant.game)
    with lent(player.kind for player in players if player.here):
        seed = secrets.randbelow(2**32) if seed is None else seed
        path = fresh_path(variant) if save is None else Path(save)
        claim(path)
        session = begin(variant, [player.spec for player in players], seat, seed, path)
        session.save()
        console = Console()
        Terminal(session, find_agent(hint, variant.game), console, console.status).run()
    return _record(session)


def _record(session: Session) -> Record:
    moves = [played.move for played in session.history]
    return Record(session.variant.spec, session.seed, moves, session.names, session.variant.game.version)
