"""The kind of experiment that trains a network, perhaps phase after phase, and measures what it has become.

A folder holds the run (meeple/learn/train.py), so an interrupted one goes on; `result.json` in it says that it is finished.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from meeple.core import sources
from meeple.core.errors import MeepleError
from meeple.core.record import write_atomically
from meeple.core.registry import find_variant
from meeple.lab.play_kinds import Config, Figure, Outcome, box, seat_figures
from meeple.lab.simulate import simulate_agents
from meeple.nets.file import read_net

RESULT, SOURCES = "result.json", "sources"
PAID, GAMES, MADE = "seat {} paid", "seat {} games", "seat {} decisions"  # what a policy a seat tells of an update
POINTS = 60  # of a curve, at most


def run_train(config: Config, seed: int, work: Path) -> Outcome:
    """Train (every stage begins where the one before it ended), test the best network on fresh deals, play its seats against each
    other."""
    try:
        from meeple.learn import train as loop
    except ImportError as error:
        raise MeepleError(f"Training needs PyTorch ({error.name} is missing): pip install 'meeple[learn]'.") from None
    variant = find_variant(config["variant"])
    commands, result, others = [], {}, ""
    for number, stage in enumerate(stages_of(config)):
        folder = work if number == len(stages_of(config)) - 1 else work / f"stage{number}"
        settings = stage["set"] | ({"others": others} if others else {})
        every = updates_between(loop, config, settings)
        commands.append(train_command(config, settings, seed, folder, every))
        result = finished(folder) or learn(loop, config, settings, seed, folder, every)
        others = with_phase(others or settings.get("others", "random"), stage, folder)
    figures = training_figures(result, 100 if variant.shape.winnable else 1)
    more: dict[str, Any] = {"curve": curve(work), "decisions": result["decisions"]}
    if own := config.get("own"):
        net = f"net:{work / loop.BEST}"
        # A policy is drawn from; of values the best is played, but for the few that were explored at random.
        drawn = net if read_net(work / loop.BEST)[0].layout.q else f"{net},temperature=1"
        for name, agent in (("", net), ("drawn ", drawn)):
            found = simulate_agents(variant, [agent], own, seed)
            figures |= {name + key: value for key, value in seat_figures(found).items()}
            more[f"{name}scores"] = [box(spread) for spread in found["scores"]]
    figures["games"] = Figure(float(games_of(work)))
    return Outcome(figures, more, "; ".join(commands), result[SOURCES], _clairvoyant(config))


def _clairvoyant(config: Config) -> bool:
    """Does the network observe what its seat may not know?"""
    variant = find_variant(config["variant"])
    level = config.get("set", {}).get("level", "")
    return bool(level) and variant.shape.levels[variant.level(level)].clairvoyant


def stages_of(config: Config) -> list[Config]:
    """Usually one; a network a phase has one stage for each."""
    common = config.get("set", {})
    return [{**stage, "set": common | stage.get("set", {})} for stage in config.get("stages", [{}])]


def with_phase(others: str, stage: Config, folder: Path) -> str:
    """The agent that plays what was learnt so far: `phases:planning=net(FILE),other=random`."""
    phase = stage["set"].get("phases", "")
    if not phase:
        return others
    before = others.removeprefix("phases:") if others.startswith("phases:") else f"other={others}"
    return f"phases:{phase}=net({folder / 'best.safetensors'}),{before}"


def updates_between(loop: Any, config: Config, settings: Config) -> int:
    """Two evaluations."""
    points = config.get("points", 0)
    return max(1, round(config["steps"] / decisions_of(loop, config, settings) / points)) if points else 0


def learn(loop: Any, config: Config, settings: Config, seed: int, folder: Path, every: int) -> dict[str, Any]:
    """A run, or the rest of one that was interrupted."""
    if (folder / loop.CONFIG).exists():
        result = loop.resume(folder)
    else:
        wanted = {"opponents": tuple(config.get("against", ["random"])), "games": config["test"]}
        plan = {**wanted, "steps": config["steps"], "evaluate": every, "seed": seed, "beside": False}
        result = loop.train(config["variant"], config["algorithm"], folder, settings, **plan)
    learnt_by = sources.digest(
        [find_variant(config["variant"]).game.shape.__module__, loop.find_learner(config["algorithm"]).__module__]
    )
    result = {**result, SOURCES: learnt_by}  # a line that is written later still tells what the network was trained by
    write_atomically(folder / RESULT, json.dumps(result))
    return result


def decisions_of(loop: Any, config: Config, settings: Config) -> int:
    """Of one update, as nearly as it can be said before."""
    from meeple.learn.config import read_config

    made = read_config(loop.find_learner(config["algorithm"]).config_class, settings)
    if config["algorithm"] == "reinforce":
        return int(made.games * config.get("length", 30))
    seats = find_variant(config["variant"]).shape.seats if made.policies == "seat" else 1
    return int(made.games * made.steps * getattr(made, "moves", 1) * seats)


def finished(folder: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads((folder / RESULT).read_text())
        return found if SOURCES in found and (folder / "best.safetensors").exists() else None
    except (OSError, ValueError):
        return None


def training_figures(result: dict[str, Any], scale: int) -> dict[str, Figure]:
    """What the best and the last network make of each opponent, on deals they were not chosen by: wins in percent, or points."""
    figures = {"decisions": Figure(float(result["decisions"])), "seconds": Figure(result["seconds"])}
    for name, which in (("", "best"), ("last ", "last")):
        for spec, found in result[which]["against"].items():
            low, high = (x if x is not None else found["mean"] for x in (found["ci"] or (None, None)))
            figures[f"{name}{spec}"] = Figure(scale * found["mean"], scale * low, scale * high)
            figures[f"{name}{spec} points"] = Figure(found["points"])
    return figures


def metrics_of(work: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in (work / "metrics.jsonl").read_text().splitlines()]
    except OSError:
        return []


def games_of(work: Path) -> int:
    return int(sum(line.get("games", 0) for line in metrics_of(work)))


def curve(work: Path) -> dict[str, list[list[float]]]:
    """Evaluations, and what was paid while it learnt, thinned out."""
    found: dict[str, list[list[float]]] = {}
    for line in metrics_of(work):
        for spec, result in line.get("evaluation", {}).get("against", {}).items():
            found.setdefault(spec, []).append([line["decisions"], round(result["mean"], 4)])
        if "return" in line:
            found.setdefault("return", []).append([line["decisions"], round(line["return"], 3)])
    return {name: thinned(points) for name, points in found.items()} | paid_curves(metrics_of(work))


def paid_curves(lines: list[dict[str, Any]]) -> dict[str, list[list[float]]]:
    """What each seat was paid a game while a policy a seat learnt, and how long games were: means over parts of the run."""
    lines = [line for line in lines if PAID.format(0) in line]
    seats = sum(name.endswith(" paid") for name in lines[0]) if lines else 0
    least, found = max(1, -(-len(lines) // POINTS)), dict[str, list[list[float]]]()
    sums, added = np.zeros((3, seats)), 0
    for line in lines:
        sums += [[line[name.format(seat)] for seat in range(seats)] for name in (PAID, GAMES, MADE)]
        added += 1
        paid, games, made = sums
        if added >= least and games.min() > 0:
            values = {f"P{seat + 1}": points for seat, points in enumerate(paid / games)} | {"length": (made / games).sum()}
            for name, value in values.items():
                found.setdefault(name, []).append([line["decisions"], round(float(value), 2)])
            sums, added = np.zeros((3, seats)), 0
    return found


def thinned(points: list[list[float]]) -> list[list[float]]:
    step = max(1, -(-len(points) // POINTS))
    return points[::step]


def train_command(config: Config, settings: Config, seed: int, folder: Path, every: int) -> str:
    words = ["meeple train", config["variant"], config["algorithm"], f"--steps {config['steps']} --seed {seed} --out {folder}"]
    words += [f"--set {name}={_plain(value)}" for name, value in settings.items()]
    words += [f"--against {agent}" for agent in config.get("against", [])]
    return " ".join([*words, f"--games {config['test']} --evaluate {every}"])


def _plain(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}'" if any(letter in text for letter in "(; ") else text


KINDS = {"train": run_train}
