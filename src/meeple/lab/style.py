"""How do agents play? What they do at which stage of a game, what comes of it, and how fast they score.

Figures come from games that are gone through again, move by move. What is special about a game it says itself: sorts of action
(`Game.kind`), what of an action to count (`Game.noted`), what to report at the end (`Game.facts`). Means are over deals, since the
games of a deal are alike; so are their intervals.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.arena.match import executor_for, played
from meeple.arena.plan import Plan, make_plan
from meeple.arena.records import checked_rules
from meeple.arena.stats import mean_interval
from meeple.arena.store import Store
from meeple.core.game import Variant
from meeple.core.registry import find_variant
from meeple.core.state import State, new

STAGES = ("opening", "middle", "end")  # thirds of a game's decisions
Tick = Callable[[int], None]


class StoredGame(NamedTuple):
    """A game as it was played."""

    number: int
    seed: int
    seating: list[int]  # seat -> agent
    actions: list[int]


@dataclass
class OneGame:
    """What one agent did in one game, over all its seats."""

    kinds: dict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))  # (kind, stage) -> decisions
    noted: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # every number noted of a name
    points: list[list[float]] = field(default_factory=list)  # of a seat, after each of its turns
    facts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # by seat
    scores: list[float] = field(default_factory=list)
    outcomes: list[float] = field(default_factory=list)


def plan_style(game: str, agents: list[str], games: int, seed: int) -> Plan:
    """One agent sits in every seat; of two, every second seat is the second's, and all seatings are played."""
    variant = find_variant(game)
    seats = variant.shape.seats
    return make_plan(variant, [agents[seat % len(agents)] for seat in range(seats)] if seats > 1 else agents, games, seed)


def plan_of(store: Store, match: int) -> Plan:
    """A match of a results file as it was planned."""
    about = store.match(match)
    checked_rules(about)
    return make_plan(about["variant"], store.specs(match), about["games"], about["seed"])


def stored(store: Store, match: int, seatings: int) -> list[StoredGame]:
    """Its games so far, of deals that were played in all seatings."""
    games = [StoredGame(game.number, game.seed, game.seating, game.actions.tolist()) for game in store.games(match)]
    whole = Counter(game.number // seatings for game in games)
    return [game for game in games if whole[game.number // seatings] == seatings]


def play(plan: Plan, processes: int, tick: Tick = lambda _: None) -> list[StoredGame]:
    """All games of the plan, in their order."""
    found: list[StoredGame] = []
    with executor_for([plan], processes) as workers:
        for piece in played(plan, [range(plan.games)], workers):
            seeds, seating = plan.tables(piece.numbers)
            actions = [each.tolist() for each in piece.finished.actions]
            found += map(StoredGame, piece.numbers, seeds, seating.tolist(), actions)
            tick(len(piece.numbers))
    return sorted(found)


def kind_of(state: State, action: int) -> str:
    """The sort of an action: the game's word for it, else the first word of the move."""
    game = state.variant.game
    if game.kind is not None and game.kinds:
        return game.kinds[int(game.kind(state.data, action))]
    return state.variant.format_action(action).split()[0]


def go_through(variant: Variant, game: StoredGame, owners: list[int]) -> list[OneGame]:
    """A game again, move by move; one of each agent. `owners`: which agent each player of the match is; several may be one."""
    found = [OneGame() for _ in range(max(owners) + 1)]
    points: list[list[float]] = [[] for _ in range(variant.shape.seats)]
    state = new(variant, game.seed)
    for ply, action in enumerate(game.actions):
        seat, turn = state.seat, state.turn
        mine = found[owners[game.seating[seat]]]
        mine.kinds[kind_of(state, action), ply * len(STAGES) // len(game.actions)] += 1
        for name, number in (variant.game.noted(state.data, action) if variant.game.noted else {}).items():
            mine.noted[name].append(number)
        state.play(action)
        if state.turn != turn or state.over:
            points[seat].append(state.scores()[seat])
    _at_the_end(state, points, [found[owners[player]] for player in game.seating])
    return found


def _at_the_end(state: State, points: list[list[float]], by_seat: list[OneGame]) -> None:
    scores, outcomes = state.scores(), state.outcome()
    for seat, mine in enumerate(by_seat):
        mine.points.append(points[seat])
        mine.scores.append(scores[seat])
        mine.outcomes.append(outcomes[seat])
        for name, place in state.variant.game.facts.items():
            mine.facts[name].append(float(np.ravel(state.data[place])[seat]))


def figures(variant: Variant, games: list[StoredGame], players: list[str]) -> list[dict[str, Any]]:
    """The style of each agent. `players`: those of the match; games of a deal, one for each, stand together."""
    agents = list(dict.fromkeys(players))
    owners = [agents.index(player) for player in players]
    rows = [go_through(variant, game, owners) for game in games]
    deals = [game.number // len(players) for game in games]
    solitaire = variant.shape.seats == 1
    found = []
    for agent, name in enumerate(agents):
        chosen = [i for i, game in enumerate(games) if not solitaire or owners[game.seating[0]] == agent]
        found.append({"agent": name, **_figures_of([rows[i][agent] for i in chosen], [deals[i] for i in chosen], variant)})
    return found


def _figures_of(rows: list[OneGame], deals: list[int], variant: Variant) -> dict[str, Any]:
    def mean(value: Callable[[OneGame], float]) -> dict[str, Any]:
        return over_deals([value(row) for row in rows], deals)

    names = sorted({name for row in rows for name in row.noted})
    shares = {"win_share": mean(lambda row: float(np.mean(row.outcomes)))} if variant.shape.winnable else {}
    return {
        "games": len(rows),
        "score": mean(lambda row: float(np.mean(row.scores))),
        **shares,
        "kinds": _kinds(rows, deals),
        "noted": {name: _noted(name, rows, deals) for name in names},
        "facts": {name: over_deals([float(np.mean(row.facts[name])) for row in rows], deals) for name in variant.game.facts},
        "points_by_turn": points_by_turn(rows),
    }


def _kinds(rows: list[OneGame], deals: list[int]) -> dict[str, Any]:
    """Of each sort its share of the decisions, in all and at each stage."""
    found = {}
    stages = range(len(STAGES))
    for kind in dict.fromkeys(kind for row in rows for kind, _ in row.kinds):
        shares = [sum(row.kinds.get((kind, i), 0) for i in stages) / sum(row.kinds.values()) for row in rows]
        by_stage = {}
        for i, stage in enumerate(STAGES):
            decisions = sum(number for row in rows for (_, at), number in row.kinds.items() if at == i)
            by_stage[stage] = sum(row.kinds.get((kind, i), 0) for row in rows) / decisions if decisions else None
        found[kind] = {**over_deals(shares, deals), "by_stage": by_stage}
    return found


def _noted(name: str, rows: list[OneGame], deals: list[int]) -> dict[str, Any]:
    """What was noted under one name: its sum a game and seat, how often that was, and how often each number."""
    seats = [max(1, len(row.scores)) for row in rows]
    values = [number for row in rows for number in row.noted.get(name, [])]
    sums = over_deals([sum(row.noted.get(name, [])) / n for row, n in zip(rows, seats, strict=True)], deals)
    counts = {f"{value:g}": values.count(value) / len(values) for value in sorted(set(values))}
    return {**sums, "times": len(values) / sum(seats), "each": float(np.mean(values)), "shares": counts}


def over_deals(values: list[float], deals: list[int]) -> dict[str, Any]:
    """Mean, its 95% interval and the standard deviation, over deals."""
    by_deal: dict[int, list[float]] = defaultdict(list)
    for deal, value in zip(deals, values, strict=True):
        by_deal[deal].append(value)
    means: NDArray[np.float64] = np.array([np.mean(each) for each in by_deal.values()])
    low, high = mean_interval(means) if len(means) > 1 else (None, None)
    return {"mean": float(means.mean()), "ci": [low, high], "sd": float(np.std(values))}


def points_by_turn(rows: list[OneGame]) -> list[dict[str, float]]:
    """The points after the first, second, ... own turn, while at least half of the games last so long."""
    seats = [seat for row in rows for seat in row.points]
    found: list[dict[str, float]] = []
    while 2 * sum(len(seat) > len(found) for seat in seats) >= len(seats):
        reached = [seat[len(found)] for seat in seats if len(seat) > len(found)]
        found.append({"turn": len(found) + 1, "points": float(np.mean(reached)), "seats": len(reached)})
    return found


def style(plan: Plan, games: list[StoredGame]) -> dict[str, Any]:
    """How each agent of a match played in its games."""
    started = time.perf_counter()
    specs = {player.spec: player.clairvoyant for player in plan.players}
    return {
        "game": plan.variant.game.name,
        "variant": plan.variant.spec,
        "agents": list(specs),
        "clairvoyant": list(specs.values()),
        "games": len(games),
        "seed": plan.seed,
        "stages": list(STAGES),
        "styles": figures(plan.variant, games, [player.spec for player in plan.players]),
        "seconds": time.perf_counter() - started,
    }
