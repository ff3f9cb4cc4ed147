"""Plots of results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple.agents.registry import LABEL, labels
from meeple.arena.store import Block
from meeple.core.errors import MeepleError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 8.0, 4.5  # inches
LONGEST_NAME = 28  # letters of an agent below its box


def new_figure(panels: int = 1) -> tuple[Figure, list[Axes]]:
    """Drawn into a file, never onto a screen; matplotlib is slow to load, so it is imported only when a plot is drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure((WIDTH * panels, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, [figure.add_subplot(1, panels, panel + 1) for panel in range(panels)]


def kinds() -> list[str]:
    """Endings of the files that can be drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    return sorted(FigureCanvasAgg.get_supported_filetypes())


def save(figure: Figure, path: Path) -> None:
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MeepleError(f"The plot {path} cannot be written: {reason}; a name such as box.png would do.") from None


def draw_scores(result: dict[str, Any], blocks: Iterable[Block], path: Path) -> None:
    """A box for each agent: the middle half of its scores and the median, whiskers from 5% to 95%, the mean as a point."""
    agents = labels(result)
    by_agent: list[list[float]] = [[] for _ in agents]
    for block in blocks:
        for agent, scores in enumerate(by_agent):
            scores += block.scores[block.seating == agent].tolist()
    figure, (axes,) = new_figure()
    axes.boxplot(by_agent, whis=(5, 95), showfliers=False, showmeans=True, tick_labels=[_short(agent) for agent in agents])
    axes.set_ylabel("score")
    axes.set_title(
        f"{result['variant']}, {result['games']:,} games, seed {result['seed']}: middle half, 5% to 95%, mean", loc="left"
    )
    axes.grid(axis="y", alpha=0.3)
    save(figure, path)


def _short(agent: str) -> str:
    name, label = agent.removesuffix(LABEL), "\n" + LABEL.strip() if agent.endswith(LABEL) else ""
    return (name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…") + label
