"""`meeple style`: how do agents play?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from meeple.agents.registry import AgentSpec, labels
from meeple.arena.fair import check_strangers
from meeple.arena.match import use_code
from meeple.arena.plan import Plan
from meeple.arena.store import Store, default_path
from meeple.cli.options import Code, Json, Plot, Processes, Seed, StoreToRead, cores, counted
from meeple.cli.show import console, interval, print_json, progress, table
from meeple.core.errors import MeepleError
from meeple.lab import style as lab
from meeple.lab.style_compare import compare, differences, sample, sentences
from meeple.lab.style_plot import draw

TURNS = 8  # own turns from one row of points to the next


def style(
    game: Annotated[str, typer.Argument(help="GAME[:VARIANT][,OPTION=VALUE…]; or give --match.")] = "",
    agents: Annotated[
        list[str] | None, typer.Argument(help="One agent, or two that play each other; alone each plays the same deals.")
    ] = None,
    games: Annotated[int, counted("Games in all; a multiple of the number of seats.")] = 120,
    positions: Annotated[int, counted("Decisions at which two agents are asked what they would do.", least=0)] = 200,
    judge: Annotated[
        str, typer.Option(help="The search that values moves of agents that are no tree search.")
    ] = "mcts:iterations=1000",
    seed: Seed = 1,
    match: Annotated[int | None, typer.Option(help="Instead: a match of the results file; meeple results lists them.")] = None,
    store: StoreToRead = None,
    processes: Processes = 0,
    plot: Plot = None,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """How agents play: sorts of action by stage, sizes and counts, points by turn; of two also where they differ most."""
    use_code(code or [])
    if bool(game) == (match is not None):
        raise MeepleError("Give either a game with one agent or two, or --match NUMBER.")
    if match is not None:
        plan, played = of_match(Store.to_read(store or default_path()), match)
    else:
        plan = lab.plan_style(game, one_or_two(agents or []), games, seed)
        check_strangers(plan.variant, plan.players, seed)
        with progress(f"{plan.variant.spec}: {' and '.join(dict.fromkeys(p.label for p in plan.players))}", plan.games) as tick:
            played = lab.play(plan, cores(processes), tick)
    result = lab.style(plan, played)
    if len(result["agents"]) == 2:
        chosen = sample(plan.variant, played, positions, seed)
        with progress("asking both", len(chosen), unit="positions") as tick:
            result["agreement"] = compare(distinct(plan), chosen, judge, seed, tick)
        result["differences"] = differences(result["styles"])
    result["sentences"] = sentences(result, labels(result))
    if plot is not None:
        draw(result, plot)
    if as_json:
        print_json(result)
    else:
        show(result)


def one_or_two(agents: list[str]) -> list[str]:
    if not 1 <= len(agents) <= 2:
        raise MeepleError(f"meeple style takes one agent or two, not {len(agents)}.")
    return agents


def of_match(store: Store, match: int) -> tuple[Plan, list[lab.StoredGame]]:
    """A stored match of one agent or two."""
    plan = lab.plan_of(store, match)
    one_or_two([player.spec for player in distinct(plan)])
    played = lab.stored(store, match, len(plan.players))
    if not played:
        raise MeepleError(f"Match {match} has no deal yet that was played in all seatings.")
    return plan, played


def distinct(plan: Plan) -> list[AgentSpec]:
    return list({player.spec: player for player in plan.players}.values())


def show(r: dict[str, Any]) -> None:
    names = labels(r)
    title = f"{r['games']:,} games of {r['variant']}, seed {r['seed']}"
    kinds = table(f"{title}: share of decisions", "action", "agent", "all", *r["stages"], right=("all", *r["stages"]), agents=names)
    for kind in dict.fromkeys(kind for style in r["styles"] for kind in style["kinds"]):
        for name, style in zip(names, r["styles"], strict=True):
            if found := style["kinds"].get(kind):
                by_stage = [found["by_stage"][stage] for stage in r["stages"]]
                kinds.add_row(kind, name, f"{found['mean']:.1%}", *("-" if part is None else f"{part:.1%}" for part in by_stage))
    console.print(kinds)
    counts = table("In a game", "", *names, right=tuple(names), agents=names)
    for row, cells in _counts(r["styles"]):
        counts.add_row(row, *cells)
    console.print(counts)
    if sizes := _sizes(r["styles"], names):
        shown = table("How often each number", "", "agent", "number: share", agents=names, prose=("number: share",))
        for each in sizes:
            shown.add_row(*each)
        console.print(shown)
    for sentence in r["sentences"]:
        console.print(sentence, highlight=False)
    for one in (r.get("agreement") or {}).get("differences", []):
        _show_position(one, names)


def _counts(styles: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Rows of the second table: counts with intervals, points by turn, score and wins."""
    rows = []
    for group in ("noted", "facts"):
        for name in dict.fromkeys(name for style in styles for name in style[group]):
            rows.append((name, [_mean(style[group].get(name)) for style in styles]))
    longest = max(len(style["points_by_turn"]) for style in styles)
    for turn in range(TURNS, longest + 1, TURNS):
        reached = [style["points_by_turn"][turn - 1 : turn] for style in styles]
        rows.append((f"points at own turn {turn}", [f"{each[0]['points']:.1f}" if each else "-" for each in reached]))
    rows.append(("score", [_mean(style["score"]) for style in styles]))
    if "win_share" in styles[0]:
        rows.append(("won", [f"{style['win_share']['mean']:.1%}" for style in styles]))
    return rows


def _mean(found: dict[str, Any] | None) -> str:
    if found is None:
        return "0"
    known = found["ci"][0] is not None
    return f"{found['mean']:.2f}" + (f" ({interval(found['ci'], '.2f')})" if known else "")


def _sizes(styles: list[dict[str, Any]], names: list[str]) -> list[tuple[str, str, str]]:
    """Rows of the third table: what was not always the same number. What is taken back as -1 is a sum and has no sizes."""
    found = []
    for what in dict.fromkeys(what for style in styles for what in style["noted"]):
        shares = [style["noted"].get(what, {}).get("shares", {}) for style in styles]
        if max(map(len, shares)) > 1 and not any(n.startswith("-") for each in shares for n in each):
            found += [
                (what, name, ", ".join(f"{n}: {part:.0%}" for n, part in each.items()))
                for name, each in zip(names, shares, strict=True)
            ]
    return found


def _show_position(one: dict[str, Any], names: list[str]) -> None:
    console.print(f"\nGame {one['game']}, move {one['ply'] + 1}, seat {one['seat']}:", highlight=False)
    console.print(one["board"], highlight=False, markup=False)
    for name, move in zip(names, one["moves"], strict=True):
        console.print(f"{name} plays: {move}", highlight=False, markup=False)
    for judge, values in one["expected"].items():
        told = ["nothing (never tried)" if value is None else f"{value:.3f}" for value in values]
        line = f"{judge} expects {told[0]} of the first and {told[1]} of the second for the seat to move."
        console.print(line, highlight=False, markup=False)
