"""`meeple simulate`: random play, summarised."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from meeple.agents.registry import labels
from meeple.arena.match import use_code
from meeple.arena.table import Piece
from meeple.cli.options import Code, Game, Json, Seed, counted, written
from meeple.cli.show import console, print_json, progress, table
from meeple.core.game import Variant
from meeple.core.record import Record, write_record
from meeple.core.registry import find_variant
from meeple.core.rng import RANDOM_PLAY, child, draw
from meeple.core.state import new
from meeple.lab import simulate as lab


def simulate(
    game: Game,
    games: Annotated[int, counted("How many games.")] = 10_000,
    seed: Seed = 1,
    agents: Annotated[
        list[str] | None, typer.Option(help="Agents instead of random play: one for all seats, or repeated for each.")
    ] = None,
    code: Code = None,
    save: Annotated[Path | None, written("Write the first game to this file as a record.")] = None,
    as_json: Json = False,
) -> None:
    """Play at random, or by agents: lengths, scores, branching, ends."""
    use_code(code or [])
    variant = find_variant(game)
    first: list[Record] = []

    def look(played: Piece) -> None:
        if not first:
            first.append(first_record(played))

    with progress(f"games of {variant.spec}", games) as advance:
        if agents:
            figures = lab.simulate_agents(variant, agents, games, seed, advance, look)
        else:
            figures = lab.simulate(variant, games, seed, tick=advance)
    if save is not None:
        write_record(first[0] if first else random_record(variant, seed), save)
    if as_json:
        print_json(figures)
    else:
        _show(variant, figures)


def random_record(variant: Variant, seed: int, number: int = 0) -> Record:
    """The record of game `number` of a simulation, played again move by move."""
    game_seed = child(seed, number)
    state = new(variant, game_seed)
    stream = np.array([child(game_seed, RANDOM_PLAY)], np.uint64)
    moves = []
    while not state.over:
        legal = state.legal()
        action = state.play(legal[draw(stream, len(legal))])
        moves.append(variant.format_action(action))
    return Record(variant.spec, game_seed, moves, ("random",) * variant.shape.seats, variant.game.version)


def first_record(played: Piece) -> Record:
    """The record of the first game of a piece. An agent limited by time might not play it again in the same way."""
    variant = played.variant
    moves = [variant.format_action(int(action)) for action in played.finished.actions[0]]
    agents = tuple(played.players[who].label for who in played.tables.players[0])
    return Record(variant.spec, played.seeds[0], moves, agents, variant.game.version)


def _show(variant: Variant, figures: dict[str, Any]) -> None:
    who = ", ".join(dict.fromkeys(labels(figures) if "agents" in figures else ["random"]))
    shown = table(
        f"{figures['games']:,} games of {figures['variant']} ({who}), seed {figures['seed']}",
        *("", "mean", "95% interval", "sd", "least", "median", "most"),
        right=("mean", "sd", "least", "median", "most"),
    )
    rows = {"turns": figures["turns"], "decisions": figures["plies"]}
    rows |= {f"score of seat {seat}": spread for seat, spread in enumerate(figures["scores"])}
    for fact, spreads in figures.get("facts", {}).items():
        rows |= {f"{fact} of seat {seat}": spread for seat, spread in enumerate(spreads)}
    for name, x in rows.items():
        interval = f"{x['low']:.2f} to {x['high']:.2f}"
        shown.add_row(name, f"{x['mean']:.2f}", interval, f"{x['sd']:.2f}", *(f"{x[k]:g}" for k in ("least", "median", "most")))
    console.print(shown)
    if "legal_mean" in figures:
        console.print(
            f"Legal actions: {figures['legal_mean']:.1f} on average, {figures['legal_most']} at most, "
            f"a choice in {figures['choices_share']:.1%} of decisions.",
            highlight=False,
        )
    if variant.shape.winnable:
        shares = ", ".join(f"seat {seat} {share:.1%}" for seat, share in enumerate(figures["win_shares"]))
        console.print(f"Won by: {shares} (a draw is half each).", highlight=False)
    ends = ", ".join(
        f"{reason} {e['share']:.2%}{' (truncated)' if e['truncated'] else ''}" for reason, e in figures["ends"].items()
    )
    console.print(f"Ended by: {ends}.", highlight=False)
