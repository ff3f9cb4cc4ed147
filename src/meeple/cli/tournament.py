"""`meeple tournament`."""

from __future__ import annotations

from typing import Annotated, Any

from meeple.agents.registry import labelled
from meeple.arena.fair import check_strangers
from meeple.arena.match import use_code
from meeple.arena.store import Store, default_path
from meeple.arena.tournament import plan_tournament, play_tournament
from meeple.cli.interrupt import resumable
from meeple.cli.options import Agents, Code, Game, Json, Processes, Ray, Seed, StorePath, cores, counted
from meeple.cli.show import console, interval, print_json, progress, table

HEADS = {"win_rate": "won", "score": "score"}


def tournament(
    game: Game,
    agents: Agents,
    games: Annotated[int, counted("Games of each match; alone, of each agent.")] = 1000,
    seed: Seed = 1,
    processes: Processes = 0,
    ray: Ray = "",
    store: StorePath = None,
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Everybody against everybody: a table of win rates, and ratings with intervals."""
    use_code(code or [])
    plans = plan_tournament(game, agents, games, seed)
    check_strangers(plans[0].variant, [player for plan in plans for player in plan.players], seed)
    keeper = Store(store or default_path())
    total = sum(plan.games for plan in plans)
    with resumable(), progress(f"tournament of {len(agents)} at {plans[0].variant.spec}", total) as tick:
        result = play_tournament(plans, keeper, cores(processes), tick, ray)
    if as_json:
        print_json(result)
    else:
        show_tournament(result)


def show_tournament(r: dict[str, Any]) -> None:
    title = f"{r['games']:,} games of {r['variant']}, seed {r['seed']}"
    names = {row["agent"]: labelled(row["agent"], row["clairvoyant"]) for row in r["ratings"]}
    if r["measure"] != "elo":
        form = ".2%" if r["measure"] == "win_rate" else ".2f"
        shown = table(
            f"{title}, all agents on the same deals", "agent", HEADS[r["measure"]], "95% interval", right=("score", "won")
        )
        for row in r["ratings"]:
            shown.add_row(names[row["agent"]], f"{row[r['measure']]:{form}}", interval(row["ci"], form))
        console.print(shown)
        return
    rates, columns = _rates(r)
    heads = tuple(names.get(other, "wins") for other in columns)
    against = "rows against columns, wins in %" if len(columns) > 1 else "wins in %"
    columns_shown = ("agent", "Elo", "95% interval", *heads)
    shown = table(f"{title}: {against}", *columns_shown, right=("Elo", *heads), agents=tuple(names.values()))
    for row in r["ratings"]:
        cells = [f"{rates[row['agent'], other]:.1%}" if (row["agent"], other) in rates else "" for other in columns]
        shown.add_row(names[row["agent"]], f"{row['elo']:+.0f}", interval(row["ci"], "+.0f"), *cells)
    console.print(shown)
    seat = r["first_seat"]
    console.print(f"The first seat is worth {seat['elo']:+.0f} Elo ({interval(seat['ci'], '+.0f')}).", highlight=False)


def _rates(r: dict[str, Any]) -> tuple[dict[tuple[str, str], float], list[str]]:
    """Of two seats what each wins against each; of more what each wins of all its games."""
    rates: dict[tuple[str, str], float] = {}
    order = [row["agent"] for row in r["ratings"]]
    if "win_rate" in r["matches"][0]:
        for m in r["matches"]:
            a, b = m["agents"]
            rates[a, b], rates[b, a] = m["win_rate"], 1 - m["win_rate"]
        return rates, order
    for agent in order:
        own = [m["win_shares"][m["agents"].index(agent)] for m in r["matches"] if agent in m["agents"]]
        rates[agent, ""] = sum(own) / len(own)
    return rates, [""]
