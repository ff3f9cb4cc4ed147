"""The pictures of `meeple style`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.registry import labels
from meeple.lab.plots import new_figure, save

MOST = 12  # names of counts in the middle picture


def draw(result: dict[str, Any], path: Path) -> None:
    """Three pictures: sorts of action by stage, what was counted in a game, points from turn to turn."""
    figure, (kinds, counts, points) = new_figure(3)
    names, styles = labels(result), result["styles"]
    _draw_kinds(kinds, result, names)
    _draw_counts(counts, styles, names)
    for style, name in zip(styles, names, strict=True):
        turns = style["points_by_turn"]
        points.plot([each["turn"] for each in turns], [each["points"] for each in turns], marker=".", label=name)
    points.set_xlabel("own turn")
    points.set_title("points", loc="left")
    _legend(points)
    figure.suptitle(f"{result['variant']} ({', '.join(names)}), {result['games']:,} games, seed {result['seed']}")
    save(figure, path)


def _draw_kinds(axes: Any, result: dict[str, Any], names: list[str]) -> None:
    """A stacked bar for each agent and stage."""
    styles, stages = result["styles"], result["stages"]
    bars = [f"{stage}\n{name}" for stage in stages for name in names]
    bottom = np.zeros(len(bars))
    for kind in dict.fromkeys(kind for style in styles for kind in style["kinds"]):
        shares = [(style["kinds"].get(kind, {}).get("by_stage", {}).get(stage) or 0.0) for stage in stages for style in styles]
        axes.bar(range(len(bars)), shares, bottom=bottom, label=kind)
        bottom += shares
    axes.set_xticks(range(len(bars)), bars, fontsize="small")
    axes.set_ylim(0, 1)
    _legend(axes)
    axes.set_title("share of decisions by stage", loc="left")


def _legend(axes: Any) -> None:
    """Below the picture, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.15), ncols=4, fontsize="small", frameon=False)


def _draw_counts(axes: Any, styles: list[dict[str, Any]], names: list[str]) -> None:
    """Bars with intervals: sums a game of what was noted, and what the game reports at the end."""
    rows = list(dict.fromkeys(name for style in styles for group in ("noted", "facts") for name in style[group]))[:MOST]
    height = 0.8 / len(styles)
    for number, (style, agent) in enumerate(zip(styles, names, strict=True)):
        found = [{**style["noted"], **style["facts"]}.get(row) for row in rows]
        means = [each["mean"] if each else 0.0 for each in found]
        errors = [each["ci"][1] - each["mean"] if each and each["ci"][1] is not None else 0.0 for each in found]
        axes.barh([i + number * height for i in range(len(rows))], means, height, xerr=errors, label=agent)
    axes.set_yticks([i + height * (len(styles) - 1) / 2 for i in range(len(rows))], rows)
    axes.invert_yaxis()
    if rows:
        _legend(axes)
    axes.set_title("a game", loc="left")
