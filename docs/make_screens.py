"""Captures `meeple play` of all games in real terminals of two sizes, into docs/screens: `python docs/make_screens.py`. Needs tmux.

Each file has the screen at the first prompt and in the middle of a game, exactly as a person sees it; a screen that has scrolled
its table away is refused.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCREENS = Path(__file__).parent / "screens"
GAMES = ("jaipur:round", "lotr:hard", "rake:official-2", "splendor:2", "splendor:3", "splendor:4")
SIZES = ((80, 24), (120, 40))
FIRST = {"jaipur": "Seat 1:", "lotr": "Round ", "rake": "Seat 1:", "splendor": "Nobles"}  # with what a table begins
PLIES, PATIENCE = 8, 180  # decisions until the second picture; seconds until a prompt must be there


def tmux(*words: str) -> str:
    """One command to a server of our own."""
    return subprocess.run(["tmux", "-L", "meeple-screens", *words], check=True, capture_output=True, text=True).stdout


def prompt(session: str) -> str:
    """The screen once it waits for a line, which it must do twice in a row: a board is drawn in pieces."""
    before, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        screen = tmux("capture-pane", "-p", "-t", session).rstrip()
        if screen.endswith("\n>") and screen == before:
            return screen
        before = screen
        time.sleep(0.3)
    raise SystemExit(f"{session}: no prompt within {PATIENCE} s:\n{before}")


def capture(spec: str, width: int, height: int, saved: Path) -> str:
    """Two pictures of one game; the moves are the first of each list."""
    game, session = spec.partition(":")[0], f"{spec.replace(':', '_')}_{width}"
    command = shlex.join([sys.executable, "-m", "meeple", "play", spec, "--seed", "5", "--save", f"{session}.txt"])
    clean = "env -u COLUMNS -u LINES TERM=screen-256color"
    tmux("new-session", "-d", "-s", session, "-x", str(width), "-y", str(height), "-c", str(saved), f"{clean} {command}")
    try:
        pictures = [prompt(session)]
        for _ in range(PLIES):
            tmux("send-keys", "-t", session, "1", "Enter")
            pictures.append(prompt(session))
    finally:
        tmux("kill-session", "-t", session)
    for picture in pictures:
        if FIRST[game] not in picture:
            raise SystemExit(f"{session}: the table begins above the screen:\n{picture}")
    return f"{pictures[0]}\n{'=' * width}\n{pictures[-1]}\n"


def main() -> None:
    SCREENS.mkdir(exist_ok=True)
    os.environ.pop("NO_COLOR", None)
    tmux("new-session", "-d", "-s", "keep", "sleep 3600")  # a server without a session would leave
    try:
        capture_all()
    finally:
        tmux("kill-server")


def capture_all() -> None:
    """Every game in every size."""
    with tempfile.TemporaryDirectory() as folder:
        for spec in GAMES:
            for width, height in SIZES:
                text = capture(spec, width, height, Path(folder))
                name = spec.replace(":", "_").replace("-", "_")
                (SCREENS / f"play_{name}_{width}x{height}.txt").write_text(text)
                print(spec, f"{width}x{height}")


if __name__ == "__main__":
    main()
