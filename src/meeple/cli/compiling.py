"""Says that kernels are being compiled, so that nobody waits in silence: in the progress bar where there is one, else in a line."""

from __future__ import annotations

from meeple.core import notices

PATIENCE = 1.0  # seconds before a line is worth it
SENTENCE = "Compiling, once for this version of the rules: about 10 seconds a game, 20 a search."

_said = [False]


def listen() -> None:
    """From now on."""
    if _hear not in notices.listeners:
        notices.listeners.append(_hear)


def _hear(_: str, functions: int, seconds: float, done: bool) -> None:
    from meeple.cli import show

    if show.live:
        show.live[-1]("" if done else f"compiling, only this once: {functions} functions, {seconds:.0f} s")
    elif seconds > PATIENCE and not _said[0]:
        _said[0] = True
        show.errors.print(SENTENCE, style="dim", highlight=False)
