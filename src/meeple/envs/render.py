"""The table as one seat sees it: as text, or the same text as a picture."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.errors import UnknownName
from meeple.core.state import State

MODES = ["ansi", "rgb_array"]
FONT_SIZE, MARGIN = 16, 12
INK, PAPER = (32, 32, 32), (250, 248, 240)


def check_mode(mode: str | None) -> None:
    if mode is not None and mode not in MODES:
        raise UnknownName("render mode", mode, MODES)


def render(state: State, seat: int, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Nothing that the seat may not know is in it: boards are made from redealt copies."""
    if mode is None:
        return None
    text = state.board(seat)
    return text if mode == "ansi" else picture(text)


def picture(text: str) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw

    lines = text.expandtabs().rstrip().splitlines() or [""]
    font = _font()
    wide, high = font.getbbox("M")[2], int(FONT_SIZE * 1.4)
    size = (max(map(len, lines)) * wide + 2 * MARGIN, len(lines) * high + 2 * MARGIN)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((MARGIN, MARGIN + number * high), line, INK, font)
    return np.asarray(image).copy()


@cache
def _font() -> Any:
    """A font of equal widths that comes with matplotlib, so every machine draws the same."""
    import matplotlib
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSansMono.ttf")), FONT_SIZE)
