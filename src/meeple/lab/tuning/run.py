"""A tuning over a search space, from what was asked to what is reported. Its folder holds everything, and the same call goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meeple.agents.own import read_agent
from meeple.agents.registry import agents_of
from meeple.agents.saved import MARK
from meeple.arena.executor import Executor, make_executor
from meeple.core.errors import MeepleError, UnknownName, check_seed
from meeple.core.record import write_atomically
from meeple.core.registry import find_variant
from meeple.lab.tuning import plots
from meeple.lab.tuning.best import BEST, NETWORK, TIMES, choose_agent, choose_learner, write_best
from meeple.lab.tuning.candidate import AgentSubject, agent_subject
from meeple.lab.tuning.search import Search
from meeple.lab.tuning.space import METHODS, METRICS, Space, read_space
from meeple.lab.tuning.trained import LearnerSubject, judge_network, learner_subject

RESULT, START = "result.json", "start.toml"
Tick = Callable[[float, str], None]


@dataclass(frozen=True)
class Tuning:
    """Checked, before the first game."""

    space: Space
    subject: AgentSubject | LearnerSubject
    out: Path
    seed: int

    @property
    def about(self) -> dict[str, Any]:
        """What a tuning must have in common with the folder that it goes on in. More trials and minutes may be asked for."""
        subject, space = self.subject, self.space
        axes = {axis.name: list(axis.values) or [axis.low, axis.high, axis.log, axis.whole] for axis in space.axes}
        told: dict[str, Any] = {
            "variant": subject.variant.spec,
            "tunes": subject.name,
            "method": space.method,
            "metric": subject.metric,
        }
        told |= {"against": list(subject.opponents), "space": axes, "settings": dict(space.settings), "seed": self.seed}
        if isinstance(subject, LearnerSubject):
            return told | {"steps": 0 if space.method == "pbt" else subject.steps, "games": subject.games}
        return told | {"deals": subject.deals}

    @property
    def total(self) -> float:
        """Trials, or minutes of a population."""
        if self.space.method == "pbt":
            return self.space.minutes
        return len(self.space.grid()) if self.space.method == "grid" else self.space.trials

    @property
    def title(self) -> str:
        subject = self.subject
        games = f", {subject.deals * subject.variant.shape.seats} games a trial" if isinstance(subject, AgentSubject) else ""
        return f"{subject.variant.spec}, {subject.name}, {subject.metric}{games}, seed {self.seed}"


def plan_search(game: str, tunes: str, space: str, out: Path, seed: int, given: Mapping[str, Any]) -> Tuning:
    """Read and check everything. `given` goes before what the space says: any of its keys, and `set` for settings."""
    check_seed(seed)
    found = read_space(space)
    changed = {name: value for name, value in given.items() if name != "set" and value not in (None, (), "")}
    if changed.get("method", "tpe") not in METHODS:
        raise UnknownName("method of tuning", str(changed["method"]), METHODS)
    if changed.get("metric", "win") not in METRICS:
        raise UnknownName("metric of tuning", str(changed["metric"]), METRICS)
    found = replace(found, **changed).fixed(given.get("set") or {})
    if not found.axes:
        raise MeepleError("Every setting of the space is fixed, so nothing is left to tune.")
    variant = find_variant(found.game if found.game.partition(":")[0] == game else game)
    subject = _subject(found, tunes, variant, seed)
    for point in found.grid() if found.method == "grid" else _corners(found):
        subject.check(found.full(point))
    return Tuning(found, subject, out, seed)


def _subject(space: Space, tunes: str, variant: Any, seed: int) -> AgentSubject | LearnerSubject:
    name = tunes.partition(":")[0]
    if name in agents_of(variant.game) or tunes.startswith(MARK):
        if space.method == "pbt":
            raise MeepleError(
                f"Population based training is for learners, such as ppo; {name} is an agent, for which tpe would do."
            )
        player = read_agent(tunes, variant.game)
        return agent_subject(variant, player, space.against, space.metric, space.games, seed)
    try:
        from meeple.learn.train import algorithms
    except ImportError as error:
        raise MeepleError(f"{tunes} is no agent, and learners need PyTorch ({error.name}): pip install 'meeple[learn]'.") from None
    if tunes not in algorithms():
        raise UnknownName(f"agent for {variant.game.name}, nor a learner", tunes, [*agents_of(variant.game), *algorithms()])
    steps = space.steps or (10**12 if space.method == "pbt" else 0)
    if space.method == "pbt" and (space.minutes <= 0 or space.population < 2):
        raise MeepleError("Population based training needs --minutes and a population of at least 2.")
    return learner_subject(variant, tunes, space.against, space.metric, steps, space.games, space.window, seed)


def _corners(space: Space) -> list[dict[str, Any]]:
    """The least and the greatest of everything: if these can be, all between can."""
    ends = [(axis.values[0], axis.values[-1]) if axis.values else (axis.low, axis.high) for axis in space.axes]
    whole = [[int(end) if axis.whole else end for end in pair] for axis, pair in zip(space.axes, ends, strict=True)]
    return [{axis.name: pair[side] for axis, pair in zip(space.axes, whole, strict=True)} for side in (0, 1)]


def run_tuning(tuning: Tuning, processes: int, cluster: str = "", tick: Tick = lambda *_: None) -> dict[str, Any]:
    """Search, choose, measure again, draw, and write everything down."""
    tuning.out.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    made = _population(tuning, cluster, tick) if tuning.space.method == "pbt" else _search(tuning, processes, cluster, tick)
    result = {"name": tuning.space.name, **tuning.about, **made, "seconds": time.perf_counter() - started}
    write_best(tuning.out, tuning.subject, made["best"], lambda: _told(tuning, made["best"]))
    result["best"]["file"] = str(tuning.out / BEST)
    write_atomically(tuning.out / RESULT, json.dumps(result, indent=2, default=str).encode())
    return result


def _told(tuning: Tuning, best: Mapping[str, Any]) -> str:
    fresh = best["fresh"]
    low, high = fresh["ci"] or (float("nan"),) * 2
    return (
        f"Found by meeple tune ({tuning.space.method}, space {tuning.space.name}): {tuning.title}.\n"
        f"On fresh deals: {fresh['value']:.4g} ({low:.4g} to {high:.4g}), {fresh['games']} games."
    )


def _search(tuning: Tuning, processes: int, cluster: str, tick: Tick) -> dict[str, Any]:
    space, subject, out = tuning.space, tuning.subject, tuning.out
    search = Search(space, subject, tuning.about, out, tuning.seed)
    tick(len(search.ended()), "")
    with make_executor(processes, cluster) as executor:
        search.run(executor, lambda n: tick(n, ""))
        rows = search.rows()
        best = _choose(tuning, rows, executor)
    for row in rows:
        row["published"] = space.published.at(space.full(row["point"])) if space.published else None
    drawn = [out / name for name in (plots.HISTORY, plots.PARALLEL, plots.HEAT)]
    plots.draw_history(rows, tuning.title, drawn[0])
    plots.draw_parallel(space, rows, tuning.title, drawn[1])
    plots.draw_heat(space, rows, tuning.title, drawn[2])
    return {"trials": rows, "best": best, "plots": [str(path) for path in drawn if path.exists()]}


def _choose(tuning: Tuning, rows: list[dict[str, Any]], executor: Executor) -> dict[str, Any]:
    if isinstance(tuning.subject, AgentSubject):
        return choose_agent(tuning.subject, tuning.space, rows, executor)
    return choose_learner(tuning.subject, tuning.space, rows, tuning.out, executor)


def _population(tuning: Tuning, cluster: str, tick: Tick) -> dict[str, Any]:
    from meeple.lab.tuning import population as pbt  # only now: it needs PyTorch

    space, subject, out = tuning.space, tuning.subject, tuning.out
    assert isinstance(subject, LearnerSubject)
    members = pbt.train_population(space, subject, tuning.about, out, cluster, tick)
    if not members:
        raise MeepleError(f"No member has finished its first {space.part:,} decisions; go on with more --minutes.")
    for one in members:
        one["fresh"] = judge_network(subject, one["network"].read_bytes(), 1, subject.games)
    best = max(members, key=lambda one: one["fresh"]["value"])
    network = best["network"].read_bytes()
    write_atomically(out / NETWORK, network)
    chosen = {name: best[name] for name in ("member", "settings", "decisions")} | {"agent": f"net:{out / NETWORK}"}
    chosen["fresh"] = judge_network(subject, network, 2, TIMES * subject.games)
    start = pbt.best_start(out, space)
    trained = replace(subject, steps=best["decisions"])
    write_best(out, trained, {"settings": space.full(start["point"])}, lambda: "The best member before the first perturbation.")
    (out / BEST).rename(out / START)
    drawn = [out / plots.HISTORY, out / plots.PARALLEL]
    looks, perturbed = pbt.looks(out), pbt.perturbations(out)
    plots.draw_members(looks, perturbed, tuning.title, drawn[0])
    plots.draw_parallel(space, looks, tuning.title, drawn[1])
    for one in members:
        del one["network"]
    told = {"members": members, "perturbations": perturbed, "start": start, "best": chosen}
    return told | {"plots": [str(path) for path in drawn]}
