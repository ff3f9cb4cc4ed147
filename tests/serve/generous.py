"""A server that does not mind how often one visitor asks, for tests that do: python -m tests.serve.generous DATA [FOLDER]..."""

from __future__ import annotations

import sys
from pathlib import Path

from meeple.core.registry import find_game
from meeple.serve.club import Settings
from meeple.serve.limits import Limits, Rate
from meeple.serve.run import serve

ENDLESS = Rate(1e9, 1e9)

if __name__ == "__main__":
    data, *games = sys.argv[1:]
    for game in games:
        find_game(game)
    limits = Limits(dict.fromkeys(Limits().rates, ENDLESS))
    settings = Settings(Path(data), Path(data).with_name("none.sqlite"), 1, limits=limits)
    serve(settings, "127.0.0.1", 0, lambda address: print(f"Meeple is at {address} ", flush=True))
