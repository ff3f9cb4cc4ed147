"""The pages on learning name settings that there are, all of a learner's own, with their defaults."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from meeple.learn.config import Setup, read_config, read_settings
from meeple.learn.toml import read_toml
from meeple.learn.train import algorithms

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: DOCS / f"learn_{name.replace('-', '_')}.md" for name in ("ppo", "a2c", "actor-critic", "reinforce", "imitation")}


def rows(page: str) -> list[tuple[str, str]]:
    """(setting, default) of the page's table."""
    found: list[tuple[str, str]] = []
    for names, defaults in re.findall(r"^\| (`[^|]*`) \| ([^|]*) \|", page, re.M):
        found += zip(re.findall(r"`(\w+)`", names), defaults.split(", "), strict=True)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_page_lists_all_settings_of_its_learner_with_their_defaults(name: str) -> None:
    config = algorithms()[name].config_class
    listed = dict(rows(PAGES[name].read_text()))
    own = {f.name for f in fields(config)} - {f.name for f in fields(Setup)}
    assert own <= set(listed)
    given = read_config(config, listed)
    for setting in listed:
        assert getattr(given, setting) == getattr(config(), setting), setting


@pytest.mark.parametrize("page", ["learning.md", *(path.name for path in PAGES.values())])
def test_settings_of_commands_and_files_can_be_read(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text()
    name = next((name for name, path in PAGES.items() if path.name == page), "ppo")
    for command in re.findall(r"meeple train [^`\n]*|`--set [^`]*`", text):
        told = next((word for word in command.split() if word in algorithms()), name)
        pairs = re.findall(r"--set (\S+=\S+)", command.replace("`", ""))
        read_config(algorithms()[told].config_class, read_settings(pairs))
    for number, toml in enumerate(re.findall(r"```toml\n(.*?)```", text, re.S)):
        (tmp_path / f"{number}.toml").write_text(toml)
        given = read_toml(tmp_path / f"{number}.toml")
        read_config(algorithms()[given["algorithm"]].config_class, given["set"])
