"""Which setting is the best? The best of many noisy measurements is mostly lucky, so a few of the best play on fresh deals; whoever
is best there plays again on other fresh deals, beside the agent as it was, and only that is reported."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from meeple.arena.executor import Executor, each
from meeple.core.errors import MeepleError
from meeple.core.record import write_atomically
from meeple.lab.tuning.candidate import AgentSubject
from meeple.lab.tuning.keep import network_of
from meeple.lab.tuning.space import Space
from meeple.lab.tuning.trained import LearnerSubject, judge_network

FINALISTS = 5
TIMES = 4  # as many games in the last measurement as in a trial
BEST, NETWORK = "best.toml", "best.safetensors"


def finalists(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The settings with the best values, those that were given up left out."""
    whole = [row for row in rows if not row["pruned"] and row["value"] is not None]
    if not whole:
        raise MeepleError("No trial could be measured: not a game of theirs has ended; give them more --steps.")
    return sorted(whole, key=lambda row: -row["value"])[:FINALISTS]


def choose_agent(subject: AgentSubject, space: Space, rows: list[dict[str, Any]], executor: Executor) -> dict[str, Any]:
    """The best setting of an agent, measured beside where it started, on the same fresh deals."""
    few = [space.full(row["point"]) for row in finalists(rows)]
    again = _play(subject, few, 1, subject.deals, executor)
    results = [subject.fresh(part) for part in again]
    best = few[max(range(len(few)), key=lambda i: results[i]["value"])]
    mine, start = _play(subject, [best, {}], 2, TIMES * subject.deals, executor)
    return {
        "settings": best,
        "agent": subject.spec(best),
        "finalists": [{"settings": one, "fresh": result} for one, result in zip(few, results, strict=True)],
        "fresh": subject.fresh(mine),
        "start": subject.fresh(start),
        "gain": subject.gain(mine, start),
    }


def _play(subject: AgentSubject, settings: list[dict[str, Any]], number: int, deals: int, executor: Executor) -> list[Any]:
    pieces = [subject.fresh_words(one, number, deals) for one in settings]
    found = {id(words): part for words, part in each(executor, subject.function, pieces)}
    return [found[id(words)] for words in pieces]


def choose_learner(
    subject: LearnerSubject, space: Space, rows: list[dict[str, Any]], out: Path, executor: Executor
) -> dict[str, Any]:
    """The best setting of a learner, by the networks that its trials have made."""
    few = [space.full(row["point"]) for row in finalists(rows)]
    judged = _judge(subject, [(network_of(out, one), 1, subject.games) for one in few], executor)
    place = max(range(len(few)), key=lambda i: judged[i]["value"])
    network = network_of(out, few[place])
    write_atomically(out / NETWORK, network)
    return {
        "settings": few[place],
        "agent": f"net:{out / NETWORK}",
        "finalists": [{"settings": one, "fresh": result} for one, result in zip(few, judged, strict=True)],
        "fresh": _judge(subject, [(network, 2, TIMES * subject.games)], executor)[0],
    }


def _judge(subject: LearnerSubject, asked: list[tuple[bytes, int, int]], executor: Executor) -> list[dict[str, Any]]:
    pieces = [(subject, *one) for one in asked]
    found = {id(words): result for words, result in each(executor, judge_network, pieces)}
    return [found[id(words)] for words in pieces]


def write_best(out: Path, subject: AgentSubject | LearnerSubject, best: Mapping[str, Any], told: Callable[[], str]) -> None:
    """As TOML: of a learner what `meeple train --config` reads; an agent is then `@FILE` for every match."""
    lines = [f"# {line}" for line in told().splitlines()]
    if isinstance(subject, LearnerSubject):
        lines += [f"game = {json.dumps(subject.variant.spec)}", f"algorithm = {json.dumps(subject.algorithm)}"]
        lines += [f"steps = {subject.steps}", f"seed = {subject.seed}"]
        lines += [f"against = {json.dumps(list(subject.opponents))}"] if subject.opponents else []
        lines += ["", "[set]"]
    else:
        lines += [f"agent = {json.dumps(subject.player.kind.name)}", "", "[settings]"]
    lines += [f"{name} = {toml(value)}" for name, value in best["settings"].items()]
    write_atomically(out / BEST, ("\n".join(lines) + "\n").encode())


def toml(value: Any) -> str:
    """A number, a word, or a list of them."""
    return json.dumps(list(value)) if isinstance(value, (tuple, list)) else json.dumps(value)
