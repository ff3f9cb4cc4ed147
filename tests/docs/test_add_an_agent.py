"""The page on adding an agent is executed as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parent.parent.parent / "docs" / "add_an_agent.md").read_text()


def test_the_page_works(quiet_environment: dict[str, str], tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(code.splitlines()) <= 25
    (tmp_path / "my_agent.py").write_text(code)
    commands = re.findall(r"^\$ meeple (.+)$", PAGE, re.M)
    assert len(commands) == 2
    for command in commands:
        arguments = [sys.executable, "-m", "meeple", *command.split(), "--store", "r.sqlite"]
        done = subprocess.run(arguments, capture_output=True, text=True, env=quiet_environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "herder wins" in done.stdout or "herder:camels=2 wins" in done.stdout


def test_a_cheating_agent_of_a_file_is_refused(quiet_environment: dict[str, str], tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    cheat = code.replace(
        '        if seen.data["market"]',
        "        import gc\n"
        "        from meeple.core.state import State\n"
        "        truth = [o for o in gc.get_objects() if isinstance(o, State) and o is not seen._redealt]\n"
        "        n = sum(int(o.data.deck.astype(int) @ range(52)) for o in truth)\n"
        "        return seen.moves[n % len(seen.moves)]\n"
        '        if seen.data["market"]',
    )
    (tmp_path / "cheat.py").write_text(cheat)
    arguments = [sys.executable, "-m", "meeple", "match", "jaipur:round", "herder", "random", "--games", "4", "--code", "cheat.py"]
    done = subprocess.run(arguments, capture_output=True, text=True, env=quiet_environment, cwd=tmp_path)
    assert done.returncode == 2
    assert "decides by what its seat may not know" in done.stderr
