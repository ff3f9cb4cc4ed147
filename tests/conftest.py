"""Sizes. With the compiler off a game takes a hundred times longer, so the suite then plays fewer; and what takes minutes, the
comparison with slow engines, is a tenth of itself unless `make thorough` asks for all."""

import os

import pytest
from hypothesis import settings

from meeple.core.kernel import JIT

os.environ["MEEPLE_OPPONENT"] = "random"  # a test that names no opponent should not wait for a search to compile

settings.register_profile("meeple", deadline=None, max_examples=30 if JIT else 3, derandomize=True)
settings.load_profile("meeple")


GAMES = ("jaipur", "lotr", "rake", "splendor")
FOLDERS = {"tests/search/": "tiny", "tests/envs/": "jaipur"}  # where no game is named, the one that such tests play


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one game go to one process: compiling its rules takes most of their time, and two processes would both do it."""
    for item in items:
        params = getattr(item, "callspec", None)
        words = [item.nodeid, *map(str, params.params.values())] if params else [item.nodeid]
        marks = ("/{}/", "{}:", "[{}", " {} ")
        found = [game for game in GAMES if any(mark.format(game) in word for mark in marks for word in words)]
        found += [group for folder, group in FOLDERS.items() if folder in item.nodeid]
        if found and not any(item.iter_markers("xdist_group")):
            item.add_marker(pytest.mark.xdist_group(found[0]))


def games(many: int) -> int:
    """That many games, or a few with the compiler off."""
    return many if JIT else max(2, many // 1000)


def sample(many: int) -> int:
    """A tenth of that many games in every run of the tests, all of them with `make thorough`."""
    return games(many) if os.environ.get("MEEPLE_THOROUGH") else games(many // 10)


@pytest.fixture
def quiet_environment() -> dict[str, str]:
    """For subprocesses: no colours, no width taken from a terminal."""
    return {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}
