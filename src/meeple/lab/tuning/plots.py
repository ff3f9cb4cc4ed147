"""Pictures of a tuning: how it went, what each setting was worth, and two of them against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from meeple.lab.plots import new_figure, save
from meeple.lab.tuning.space import Published, Space

HISTORY, PARALLEL, HEAT = "history.png", "parallel.png", "heat.png"
Rows = Sequence[dict[str, Any]]


def draw_history(rows: Rows, title: str, path: Path) -> None:
    """The value of every trial, those given up hollow, and the best so far."""
    whole = [row for row in rows if row["value"] is not None]
    if not whole:
        return
    figure, (axes,) = new_figure()
    for pruned, face in ((False, "C0"), (True, "none")):
        some = [row for row in whole if row["pruned"] == pruned]
        if some:
            label = "given up early" if pruned else "measured whole"
            numbers, values = [row["trial"] for row in some], [row["value"] for row in some]
            axes.scatter(numbers, values, facecolors=face, edgecolors="C0", label=label)
    counted = [row for row in whole if not row["pruned"]]
    if counted:
        axes.step(
            [row["trial"] for row in counted], list(accumulate((row["value"] for row in counted), max)), where="post", color="C1"
        )
    axes.set_xlabel("trial")
    axes.set_ylabel("value")
    axes.legend()
    axes.set_title(title, loc="left")
    save(figure, path)


def draw_members(looks: Rows, perturbed: Rows, title: str, path: Path) -> None:
    """The value of every member over its decisions."""
    figure, (axes,) = new_figure()
    for name in sorted({look["member"] for look in looks}):
        mine = [look for look in looks if look["member"] == name]
        axes.plot([look["seconds"] / 60 for look in mine], [look["value"] for look in mine], marker=".", label=name)
    axes.set_xlabel(f"minutes; {len(perturbed)} perturbations")
    axes.set_ylabel("value")
    axes.legend()
    axes.set_title(title, loc="left")
    save(figure, path)


def draw_parallel(space: Space, rows: Rows, title: str, path: Path) -> None:
    """A line for every trial through the values of its settings, the brighter the better."""
    from matplotlib import colormaps

    whole = [row for row in rows if row["value"] is not None]
    if not whole:
        return
    figure, (axes,) = new_figure()
    values = np.array([row["value"] for row in whole])
    spread = (values - values.min()) / (np.ptp(values) or 1)
    for row, bright in sorted(zip(whole, spread, strict=True), key=lambda pair: float(pair[1])):
        heights = [axis.place(row["point"][axis.name]) for axis in space.axes]
        axes.plot(range(len(heights) + 1), [*heights, bright], color=colormaps["viridis"](bright), alpha=0.3 + 0.7 * bright)
    axes.set_xticks(range(len(space.axes) + 1), [*space.names, "value"])
    axes.set_yticks([])
    for place, axis in enumerate(space.axes):
        ends = (axis.values[0], axis.values[-1]) if axis.values else (axis.low, axis.high)
        for height, end in zip((0, 1), ends, strict=True):
            axes.annotate(str(end), (place, height), ha="center", va="top" if height == 0 else "bottom", fontsize=8)
    for height, end in ((0, values.min()), (1, values.max())):
        axes.annotate(f"{end:.4g}", (len(space.axes), height), ha="center", va="top" if height == 0 else "bottom", fontsize=8)
    axes.set_title(title, loc="left")
    save(figure, path)


def draw_heat(space: Space, rows: Rows, title: str, path: Path) -> None:
    """A grid of two settings as colours and numbers, and what a thesis published beside it, on the same scale."""
    wide = [axis for axis in space.axes if len(axis.values) > 1]
    if len(wide) != 2 or any(not axis.values for axis in space.axes):
        return
    down, across = wide
    ours = np.full((len(down.values), len(across.values)), np.nan)
    theirs = ours.copy()
    for row in rows:
        place = down.values.index(row["point"][down.name]), across.values.index(row["point"][across.name])
        ours[place] = row["value"]
        found = space.published.at(space.full(row["point"])) if space.published else None
        theirs[place] = np.nan if found is None else found
    panels = [("measured", ours)]
    if space.published and not np.isnan(theirs).all():
        panels.append((_figure(space, space.published), theirs))
    figure, places = new_figure(len(panels))
    scale = {"vmin": np.nanmin([p for _, p in panels]), "vmax": np.nanmax([p for _, p in panels]), "cmap": "viridis"}
    for axes, (name, values) in zip(places, panels, strict=True):
        image = axes.imshow(values, **scale, aspect="auto")
        axes.set_xticks(range(len(across.values)), [str(value) for value in across.values])
        axes.set_yticks(range(len(down.values)), [str(value) for value in down.values])
        axes.set_xlabel(across.name)
        axes.set_ylabel(down.name)
        for (i, j), value in np.ndenumerate(values):
            dark = value < (scale["vmin"] + scale["vmax"]) / 2
            axes.text(
                j, i, f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}", ha="center", va="center", color="w" if dark else "k"
            )
        axes.set_title(f"{title}: {name}" if axes is places[0] else name, loc="left", fontsize=9)
        figure.colorbar(image, ax=axes)
    save(figure, path)


def _figure(space: Space, published: Published) -> str:
    fixed = ", ".join(f"{axis.name} = {axis.values[0]}" for axis in space.axes if len(axis.values) == 1)
    return f"{published.figure} of the thesis{', ' + fixed if fixed else ''}"
