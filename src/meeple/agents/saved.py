"""An agent written down as TOML, as `meeple tune` writes the best it found: `@FILE` stands for its spec.

agent = "advanced1"

[settings]
k1 = 0.6
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from meeple.core.errors import MeepleError

MARK = "@"


def saved_spec(text: str) -> str:
    """`@best.toml` -> `advanced1:k1=0.6`."""
    path = Path(text.removeprefix(MARK)).expanduser()
    try:
        given = tomllib.loads(path.read_text())
        settings = ",".join(f"{name}={value}" for name, value in given.get("settings", {}).items())
        return str(given["agent"]) + (f":{settings}" if settings else "")
    except FileNotFoundError:
        raise MeepleError(f"There is no file {path} to read an agent from.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, KeyError, AttributeError) as error:
        why = "agent is missing" if isinstance(error, KeyError) else str(error)
        raise MeepleError(f'{path} is no agent ({why}); it needs agent = "NAME" and a table [settings].') from None
