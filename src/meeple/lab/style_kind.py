"""The kind of experiment that tells how two agents play, by games against each other: a figure of style each, beside the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meeple.arena.plan import sources_of
from meeple.arena.store import Store
from meeple.lab.play_kinds import STORE, Config, Outcome, match_figures, play_command, played
from meeple.lab.style import plan_style, stored, style

TURNS = (8, 16, 24)  # own turns after which points are told
REACHED = "points at own turn"  # of these, where enough games last so long


def run_style(config: Config, seed: int, work: Path) -> Outcome:
    """Two agents; in a game for one each plays the same deals."""
    plan = plan_style(config["variant"], config["agents"], config["games"], seed)
    found = played(plan, work)
    told = style(plan, stored(Store(work / STORE), found["match"], len(plan.players)))
    styles = {one["agent"]: styled(one) for one in told["styles"]}
    command = play_command("style", config, seed) + " --positions 0"
    more = {"games": found["games"], "styles": styles}
    return Outcome(match_figures(found), more, command, sources_of([plan]), any(told["clairvoyant"]))


def styled(one: dict[str, Any]) -> dict[str, list[float]]:
    """Means with their intervals: shares of decisions in percent, counts, points after some of its turns."""
    figures = {f"{kind} (% of decisions)": scaled(share, 100) for kind, share in one["kinds"].items()}
    figures |= {name: scaled(each, 1) for group in ("noted", "facts") for name, each in one[group].items()}
    reached = {each["turn"]: each["points"] for each in one["points_by_turn"]}
    figures |= {f"{REACHED} {turn}": [round(reached[turn], 2)] for turn in TURNS if turn in reached}
    return figures


def scaled(found: dict[str, Any], factor: float) -> list[float]:
    return [round(factor * each, 3) for each in (found["mean"], *found["ci"]) if each is not None]


KINDS = {"style": run_style}
