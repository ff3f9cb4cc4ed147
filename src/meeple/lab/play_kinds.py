"""Kinds of experiment that play games: matches, simulations, studies, tournaments, exploits, grids, exact solutions.

Each is a function of a frozen configuration, a seed and a folder to work in; it returns figures, each with its 95% interval.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from meeple.arena.executor import Here
from meeple.arena.luck import Meter, without_luck
from meeple.arena.match import play_match
from meeple.arena.plan import Plan, make_plan, sources_of
from meeple.arena.stats import share_interval
from meeple.arena.store import Store
from meeple.arena.tournament import plan_tournament, play_tournament
from meeple.core.registry import find_variant
from meeple.core.rng import child
from meeple.lab import simulate, solve, study
from meeple.lab.exploit import exploit, plan_exploit

Config = dict[str, Any]
STORE = "games.sqlite"  # in the folder of a run
FRESH = 1_000_000  # of a seed: deals on which the best of many is measured again


class Figure(NamedTuple):
    """A number with its 95% interval, where there is one."""

    value: float
    low: float | None = None
    high: float | None = None


class Outcome(NamedTuple):
    """What came of a run."""

    figures: dict[str, Figure]
    more: dict[str, Any]  # curves and counts, for plots
    command: str  # makes the same again
    sources: str  # digest of all that decided how it went
    clairvoyant: bool = False


Kind = Callable[[Config, int, Path], Outcome]


def quoted(agent: str) -> str:
    return f"'{agent}'" if any(letter in agent for letter in "(;* ") else agent


def play_command(verb: str, config: Config, seed: int) -> str:
    words = [quoted(agent) for agent in config["agents"]]
    words = [word for agent in words for word in ("--agents", agent)] if verb in ("simulate", "study") else words
    return " ".join(["meeple", verb, config["variant"], *words, "--games", str(config["games"]), "--seed", str(seed)])


def played(plan: Plan, work: Path) -> dict[str, Any]:
    """A match in a store of its own, which a run that was interrupted finds again, even if only what comes after it is missing."""
    work.mkdir(parents=True, exist_ok=True)
    return play_match(plan, Store(work / STORE), executor=Here(), kept=True)


def match_figures(found: dict[str, Any]) -> dict[str, Figure]:
    """Of the first agent."""
    figures = {"turns": Figure(found["turns"]), "score": Figure(found["scores"][0])}
    if "win_rate" in found:
        figures["wins"] = Figure(*(100 * x for x in (found["win_rate"], *found["win_rate_ci"])))
    elif "win_shares" in found:  # three and more at a table
        figures["wins"] = Figure(*(100 * x for x in (found["win_shares"][0], *found["win_shares_ci"][0])))
    if "score_ci" in found:
        figures["score"] = Figure(found["scores"][0], *found["score_ci"])
        figures["median"] = Figure(found["quantiles"]["0.5"], *found["median_ci"])
    if "score_diff" in found:
        figures["difference"] = Figure(found["score_diff"], *found["score_diff_ci"])
        if found["turns_to_win"][0] is not None:
            figures["turns_to_win"] = Figure(found["turns_to_win"][0])
    elif len(found.get("differences", ())) > 1:  # of a game for one: the second agent played the same deals
        figures["difference"] = Figure(found["differences"][1], *found["differences_ci"][1])
    return figures


def luck_figures(plan: Plan, work: Path, match: int) -> dict[str, Figure]:
    """Of the first agent, with luck taken out: percent of the wins, or points."""
    found = without_luck(Meter(plan.variant), plan, Store(work / STORE), match)
    scale = 1.0 if found["unit"] == "points" else 100.0
    return {"fair": Figure(*(scale * x for x in (found["means"][0], *found["ci"][0])))}


def run_match(config: Config, seed: int, work: Path) -> Outcome:
    """Agents on paired deals; with `luck`, also the result without it."""
    plan = make_plan(config["variant"], config["agents"], config["games"], seed)
    found = played(plan, work)
    figures, command = match_figures(found), play_command("match", config, seed)
    if config.get("luck"):
        figures |= luck_figures(plan, work, found["match"])
        command += " --luck"
    more = {"games": found["games"], "ends": found["ends"]}
    if "quantiles" in found:
        more["quantiles"] = found["quantiles"]
    clairvoyant = any(player.clairvoyant for player in plan.players)
    return Outcome(figures, more, command, sources_of([plan]), clairvoyant)


def run_simulate(config: Config, seed: int, work: Path) -> Outcome:  # noqa: ARG001
    """Agents at their own seats: what is measured is the game, or a pair that learnt together."""
    variant = find_variant(config["variant"])
    found = simulate.simulate_agents(variant, config["agents"], config["games"], seed)
    plan = Plan(variant, tuple(simulate.players_at(variant, config["agents"])), config["games"], seed)
    more = {"games": found["games"], "scores": [box(spread) for spread in found["scores"]], "ends": found["ends"]}
    command = play_command("simulate", config, seed)
    return Outcome(seat_figures(found), more, command, sources_of([plan]), any(found["clairvoyant"]))


def seat_figures(found: dict[str, Any]) -> dict[str, Figure]:
    """Points of every seat and of all together, and the length."""
    spreads = {f"p{seat + 1}": spread for seat, spread in enumerate(found["scores"])} | {"length": found["turns"]}
    figures = {name: Figure(spread["mean"], spread["low"], spread["high"]) for name, spread in spreads.items()}
    if len(found["scores"]) == 1:
        figures["median"] = Figure(*(found["scores"][0][name] for name in ("median", "median_low", "median_high")))
        figures["score"] = figures["p1"]
    else:
        figures["joint"] = Figure(*(found["total"][name] for name in ("mean", "low", "high")))
        low, high = found["win_shares_ci"][0]
        figures["first_seat"] = Figure(100 * found["win_shares"][0], 100 * low, 100 * high)
    return figures


def box(spread: dict[str, float]) -> list[float]:
    """Least, quartiles, most."""
    return [round(spread[name], 2) for name in ("least", "q1", "median", "q3", "most")]


def run_study(config: Config, seed: int, work: Path) -> Outcome:  # noqa: ARG001
    """Decisions with a real choice, lengths."""
    variant = find_variant(config["variant"])
    found = study.study(variant, config["agents"], config["games"], seed)
    figures = {name: Figure(100 * phase["turns_with_choice"]) for name, phase in found["phases"].items()}
    turns = found["turns"]
    figures["length"] = Figure(turns["mean"], turns["low"], turns["high"])
    figures["mode"] = Figure(float(_most_often(found["lengths"])))
    figures["legal"] = Figure(found["branching"])
    plan = Plan(variant, tuple(simulate.players_at(variant, config["agents"])), config["games"], seed)
    more = {"games": found["games"], "lengths": found["lengths"]}
    return Outcome(figures, more, play_command("study", config, seed), sources_of([plan]), any(found["clairvoyant"]))


def _most_often(lengths: dict[str, dict[int, int]]) -> int:
    total: dict[int, int] = {}
    for counts in lengths.values():
        for turns, games in counts.items():
            total[turns] = total.get(turns, 0) + games
    return max(total, key=lambda turns: total[turns])


def run_tournament(config: Config, seed: int, work: Path) -> Outcome:
    """Everybody against everybody; `names` stand for long specs in tables."""
    plans = plan_tournament(config["variant"], config["agents"], config["games"], seed)
    work.mkdir(parents=True, exist_ok=True)
    found = play_tournament(plans, Store(work / STORE))
    shown: list[str] = config.get("names") or config["agents"]
    names = dict(zip([player.spec for player in _players(plans)], shown, strict=True))
    figures = {names[row["agent"]]: Figure(row[found["measure"]], *row["ci"]) for row in found["ratings"]}
    pairs = {"|".join(names[who] for who in match["agents"]): _share(match) for match in found["matches"]}
    more = {"games": found["games"], "pairs": pairs, "measure": found["measure"]}
    command = play_command("tournament", config, seed)
    clairvoyant = any(row["clairvoyant"] for row in found["ratings"])
    return Outcome(figures, more, command, sources_of(plans), clairvoyant)


def _players(plans: list[Plan]) -> list[Any]:
    return list({player.spec: player for plan in plans for player in plan.players}.values())


def _share(match: dict[str, Any]) -> float:
    return round(float(match.get("win_rate", match["scores"][0])), 4)


def run_exploit(config: Config, seed: int, work: Path) -> Outcome:
    """What a search takes from an agent that it knows: percent of the wins, or points a game."""
    plan = plan_exploit(config["variant"], config["agent"], f"ms={config['ms']:g}", config["games"], seed)
    work.mkdir(parents=True, exist_ok=True)
    found = exploit(plan, Store(work / STORE))
    scale = 1.0 if found["unit"] == "points" else 100.0
    figures = {"taken": Figure(*(scale * x for x in (found["taken"], *found["taken_ci"])))}
    more = {"games": found["games"], "unit": found["unit"], "even": scale * found["even"]}
    words = [config["variant"], quoted(config["agent"]), "--ms", f"{config['ms']:g}", "--games", str(config["games"])]
    command = " ".join(["meeple", "exploit", *words, "--seed", str(seed)])
    return Outcome(figures, more, command, sources_of([plan]), found["clairvoyant"])


def run_grid(config: Config, seed: int, work: Path) -> Outcome:
    """A match for every setting of an agent's parameters, all on the same number of deals of their own; then the best setting once
    more on fresh deals, since the best of many measurements is partly lucky."""
    axes: dict[str, list[float]] = config["axes"]
    cells = list(itertools.product(*axes.values()))
    values, halves = [], []
    for number, cell in enumerate(cells):
        value, low, high = _cell(config, cell, child(seed, number), config["games"], work / str(number))
        values.append(round(value, 3))
        halves.append(round((high - low) / 2, 3))
    best = int(np.argmax(values))
    again = _cell(config, cells[best], child(seed, FRESH), config["again"], work / "again")
    plan = make_plan(config["variant"], [_agent(config, cells[best]), config["against"]], 2, seed)
    mean, half = float(np.mean(values)), float(np.sqrt(np.sum(np.square(halves)))) / len(cells)  # the settings are no sample
    figures = {"mean": Figure(mean, mean - half, mean + half), "best": Figure(values[best]), "best_again": Figure(*again)}
    if theirs := config.get("theirs"):
        published = np.array(theirs, float).ravel()
        figures["correlation"] = Figure(float(np.corrcoef(published, values)[0, 1]))
        figures["gap"] = Figure(float(np.mean(np.array(values) - published)))
    more = {"values": values, "halves": halves, "best": list(cells[best]), "axes": axes, "games": config["games"] * len(cells)}
    command = f"meeple match {config['variant']} {_agent(config, cells[best])} {config['against']} --games {config['again']}"
    return Outcome(figures, more, f"{command} --seed {child(seed, FRESH)}", sources_of([plan]))


def _agent(config: Config, cell: tuple[float, ...]) -> str:
    settings = ",".join(f"{name}={value:g}" for name, value in zip(config["axes"], cell, strict=True))
    return f"{config['agent']}{',' if ':' in config['agent'] else ':'}{settings}"


def _cell(config: Config, cell: tuple[float, ...], seed: int, games: int, work: Path) -> tuple[float, float, float]:
    found = played(make_plan(config["variant"], [_agent(config, cell), config["against"]], games, seed), work)
    low, high = found["score_diff_ci"]
    return found["score_diff"], low, high


def run_solve(config: Config, seed: int, work: Path) -> Outcome:  # noqa: ARG001
    """The value of optimal play, and what agents give away."""
    variant = find_variant(config["variant"])
    found = solve.solve(variant, None, 1, lambda _: None)
    figures = {"optimum": Figure(found["optimum"])}
    for agent in config.get("agents", []):
        lost = solve.regret(variant, agent, config["games"], seed)
        figures[f"{agent} gives away"] = Figure(lost["regret_per_game"], *lost["regret_per_game_ci"])
        figures[f"{agent} best moves"] = Figure(100 * lost["best_moves"])
    agents = " ".join(f"--agent {agent}" for agent in config.get("agents", []))
    plan = make_plan(variant, config.get("agents") or ["random"], len(config.get("agents") or [1]), seed)
    command = f"meeple solve {config['variant']} {agents} --games {config['games']} --seed {seed}"
    return Outcome(figures, {"games": config["games"]}, command, sources_of([plan]))


def of_share(wins: np.ndarray[Any, np.dtype[np.float64]]) -> Figure:
    """Percent of games won."""
    low, high = share_interval(wins, 1)
    return Figure(100 * float(wins.mean()), 100 * low, 100 * high)


KINDS: dict[str, Kind] = {
    "match": run_match,
    "simulate": run_simulate,
    "study": run_study,
    "tournament": run_tournament,
    "exploit": run_exploit,
    "grid": run_grid,
    "solve": run_solve,
}
