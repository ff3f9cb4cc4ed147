"""`meeple match`, `meeple results`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from meeple.agents.registry import LABEL, labels
from meeple.arena.fair import check_strangers
from meeple.arena.luck import Meter, without_luck
from meeple.arena.match import play_match, use_code
from meeple.arena.plan import make_plan
from meeple.arena.store import Store, default_path
from meeple.cli.interrupt import resumable
from meeple.cli.options import (
    Agents,
    Code,
    Game,
    Games,
    Json,
    Plot,
    Processes,
    Ray,
    Seed,
    StorePath,
    StoreToRead,
    command,
    cores,
)
from meeple.cli.show import console, interval, print_json, progress, suggest, table
from meeple.core.errors import MeepleError
from meeple.lab.plots import draw_scores

SUM = 1e-6  # shares of the win that sum to 1 up to this belong to one table


def match(
    game: Game,
    agents: Agents,
    games: Games = 1000,
    seed: Seed = 1,
    processes: Processes = 0,
    ray: Ray = "",
    sprt: Annotated[str, typer.Option(help="P0,P1: stop as soon as one of two win rates is accepted (5% errors).")] = "",
    luck: Annotated[
        bool, typer.Option("--luck", help="Also tell the result with luck taken out, which has a smaller interval.")
    ] = False,
    store: StorePath = None,
    plot: Plot = None,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Play agents against each other: the same deals with seats exchanged, intervals, every game kept."""
    use_code(code or [])
    plan = make_plan(game, agents, games, seed)
    check_strangers(plan.variant, plan.players, seed)
    hypotheses = _hypotheses(sprt, plan.variant.shape.seats)
    meter = Meter(plan.variant) if luck else None  # refused before anything is played
    keeper = Store(store or default_path())
    with resumable(), progress(f"{plan.variant.spec}: {' v '.join(p.label for p in plan.players)}", plan.games) as tick:
        result = play_match(plan, keeper, cores(processes), hypotheses, tick, cluster=ray)
    if meter:
        with progress("taking luck out", result["games"]) as tick:
            result["without_luck"] = without_luck(meter, plan, keeper, result["match"], tick, result["games"])
    if plot is not None:
        draw_scores(result, keeper.blocks(result["match"], len(agents), result["games"]), plot)
    if as_json:
        print_json(result)
    else:
        show_match(result)
        shown = command("replay", match=result["match"], game=0, store=store)
        suggest(f"Match {result['match']} in {keeper.path}; a game of it:", shown)


def results(store: StoreToRead = None, as_json: Json = False) -> None:
    """List the matches that are kept."""
    path = store or default_path()
    matches = Store.to_read(path).matches()
    if as_json:
        print_json([match | {"clairvoyant": [name.endswith(LABEL) for name in match["agents"]]} for match in matches])
        return
    shown = table(
        str(path), "match", "played", "variant", "agents", "seed", "games", right=("match", "seed", "games"), prose=("agents",)
    )
    for m in matches:
        games = f"{m['finished']:,}" if m["finished"] == m["games"] else f"{m['finished']:,} of {m['games']:,}"
        shown.add_row(str(m["id"]), m["started"], m["variant"], " v ".join(m["agents"]), str(m["seed"]), games)
    console.print(shown)


def _hypotheses(text: str, seats: int) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        p0, p1 = (float(part) for part in text.split(","))
    except ValueError:
        raise MeepleError(f"--sprt takes two win rates, such as 0.5,0.55, not '{text}'.") from None
    if not 0 < p0 < p1 < 1:
        raise MeepleError(f"--sprt needs 0 < P0 < P1 < 1, not {p0:g},{p1:g}.")
    if seats != 2:
        raise MeepleError("--sprt is for games of two seats.")
    return p0, p1


def show_match(r: dict[str, Any]) -> None:
    title = f"{r['games']:,} games of {r['variant']}, seed {r['seed']}, {r['seconds']:.1f} s"
    if "wins" in r:
        _show_two(r, title)
    elif "win_shares" in r:
        numbers = ("wins", "95% interval", "score", "turns to win")
        shown = table(title, "agent", *numbers, right=numbers, agents=labels(r))
        for i, agent in enumerate(labels(r)):
            to_win = "-" if r["turns_to_win"][i] is None else f"{r['turns_to_win'][i]:.1f}"
            shares = interval(r["win_shares_ci"][i], ".1%")
            shown.add_row(agent, f"{r['win_shares'][i]:.1%}", shares, f"{r['scores'][i]:.2f}", to_win)
        console.print(shown)
    else:
        _show_alone(r, title)
    if r["truncated"]:
        console.print(f"{r['truncated']} games were truncated.")
    if "without_luck" in r:
        _show_without_luck(r["without_luck"], labels(r))


def _show_without_luck(found: dict[str, Any], names: list[str]) -> None:
    """A line an agent; of two at one table the first says it all."""
    points = found["unit"] == "points"
    form = ".2f" if points else ".1%"
    two = len(names) == 2 and not points and abs(sum(found["means"]) - 1) < SUM
    for i, name in enumerate(names[:1] if two else names):
        told = f"{found['means'][i]:{form}} ({interval(found['ci'][i], form)})"
        behind = f"; behind the first {found['behind'][i]:{form}} ({interval(found['behind_ci'][i], form)})" if i else ""
        console.print(f"Luck taken out: {name} {'scores' if points else 'wins'} {told}{behind}.", highlight=False)


def _show_alone(r: dict[str, Any], title: str) -> None:
    """A game for one: each agent's score and, on the same deals, how far it is behind the first."""
    won = "win_rates" in r
    quantiles = [] if won else list(r["all_quantiles"][0])  # of wins and losses they tell nothing
    several = ["behind the first"] if len(r["agents"]) > 1 else []
    numbers = ["won" if won else "score", *quantiles]
    shown = table(title, "agent", *numbers, "95% interval", *several, right=tuple(numbers), agents=labels(r))
    for i, agent in enumerate(labels(r)):
        mean = f"{r['win_rates'][i]:.2%}" if won else f"{r['scores'][i]:.2f}"
        cells = [f"{r['all_quantiles'][i][q]:g}" for q in quantiles]
        cells.append(interval(r["win_rates_ci"][i], ".2%") if won else interval(r["scores_ci"][i], ".2f"))
        if several:
            cells.append(f"{r['differences'][i]:.2f} ({interval(r['differences_ci'][i], '.2f')})" if i else "")
        shown.add_row(agent, mean, *cells)
    console.print(shown)


def _show_two(r: dict[str, Any], title: str) -> None:
    names = labels(r)
    shown = table(title, "", *names, right=tuple(names), agents=names)
    shown.add_row("won", f"{r['wins']:,}", f"{r['losses']:,}")
    shown.add_row("score", *(f"{score:.2f}" for score in r["scores"]))
    to_win = ("-" if turns is None else f"{turns:.1f}" for turns in r["turns_to_win"])
    shown.add_row("own turns to win", *to_win)
    console.print(shown)
    first = names[0]
    console.print(
        f"{first} wins {r['win_rate']:.1%} ({interval(r['win_rate_ci'], '.1%')}), draws ({r['draws']}) as halves.", highlight=False
    )
    console.print(f"Score difference {r['score_diff']:+.2f} ({interval(r['score_diff_ci'], '+.2f')}).", highlight=False)
    seat = r["first_seat"]
    console.print(
        f"{r['turns']:.1f} turns a game; the first seat wins {seat['share']:.1%} ({interval(seat['ci'], '.1%')}).", highlight=False
    )
    if "sprt" in r:
        accepted = r["sprt"]["accepted"]
        verdict = f"accepts {accepted} = {r['sprt'][accepted]:g}" if accepted else "is still open"
        console.print(f"The sequential test {verdict}.", highlight=False)
