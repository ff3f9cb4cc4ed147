"""`meeple study`: how complex is a game?"""

from __future__ import annotations

from typing import Annotated

import typer

from meeple.agents.registry import labels
from meeple.arena.match import use_code
from meeple.cli.options import Code, Game, Json, Plot, Seed, counted
from meeple.cli.show import console, interval, print_json, progress, table
from meeple.core.registry import find_variant
from meeple.lab import study as lab


def study(
    game: Game,
    agents: Annotated[list[str] | None, typer.Option(help="Who plays: one agent for all seats, or repeated for each.")] = None,
    games: Annotated[int, counted("How many games.")] = 2000,
    seed: Seed = 1,
    plot: Plot = None,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Decisions with a real choice, branching, lengths and how games ended, the worth of the first seat."""
    use_code(code or [])
    variant = find_variant(game)
    with progress(f"study of {variant.spec}", games) as tick:
        result = lab.study(variant, agents or ["random"], games, seed, tick)
    if plot is not None:
        lab.draw(result, plot)
    if as_json:
        print_json(result)
        return
    who = ", ".join(dict.fromkeys(labels(result)))
    columns = ("turns with a choice", "decisions a turn", "with a choice", "actions", "at most")
    shown = table(f"{games:,} games of {variant.spec} ({who}), seed {seed}", "phase", *columns, right=columns)
    for name, f in result["phases"].items():
        cells = (f"{f['turns_with_choice']:.1%}", f"{f['decisions_per_turn']:.2f}", f"{f['choices_share']:.1%}")
        shown.add_row(name, *cells, f"{f['branching']:.1f}", str(f["widest"]))
    console.print(shown)
    turns = result["turns"]
    console.print(
        f"{turns['mean']:.1f} turns a game ({turns['low']:.1f} to {turns['high']:.1f}), {result['plies']['mean']:.0f} decisions "
        f"with {result['branching']:.1f} actions each, a choice in {result['choices_share']:.1%}.",
        highlight=False,
    )
    ends = ", ".join(f"{reason} {e['share']:.2%}{' (truncated)' if e['truncated'] else ''}" for reason, e in result["ends"].items())
    console.print(f"Ended by: {ends}.", highlight=False)
    if seat := result["first_seat"]:
        console.print(f"The first seat wins {seat['share']:.1%} ({interval(seat['ci'], '.1%')}).", highlight=False)
