"""One server for all tests of the page, one Chromium a file; each test has a browser window of its own that fails on any error in
the console and on any request that leaves the server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from tests.docs.test_add_a_game import write_pig
from tests.serve.server import Server

GET_CHROMIUM = "Tests of the page need Chromium: apt-get install chromium fonts-dejavu-core"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the tutorial's Pig, of which nobody has written a line of web code, and a game that gives secrets away."""
    folder = tmp_path_factory.mktemp("serve")
    pig = write_pig(folder / "games")
    leaky = Path(__file__).parent / "leaky"
    started = Server(folder / "games.sqlite", str(pig), str(leaky), "--store", str(folder / "results.sqlite"))
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def _hang_up(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "server" in request.fixturenames:
        request.getfixturevalue("server").hang_up()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """One that a test may kill."""
    started = Server(tmp_path / "games.sqlite", "--workers", "1")
    yield started
    started.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One a file: while Playwright runs, its event loop is in the way of tests that need one of their own."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip(GET_CHROMIUM)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


class Window:
    """A browser window that remembers what went wrong in it."""

    def __init__(self, browser: Browser, address: str, scheme: Literal["light", "dark"] = "light") -> None:
        self.faults: list[str] = []
        self.address = address
        screen: ViewportSize = {"width": 1280, "height": 900}
        self.context: BrowserContext = browser.new_context(viewport=screen, reduced_motion="reduce", color_scheme=scheme)
        self.context.set_default_timeout(60_000)
        # Nothing waits to be looked at here.
        self.context.add_init_script("localStorage['meeple.choices'] ??= JSON.stringify({pace: 'at once'})")

    def page(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda said: self.faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda asked: self._note(asked.url))
        return page

    def _note(self, asked: str) -> None:
        if not asked.startswith(self.address):
            self.faults.append(f"asked for {asked}")


@pytest.fixture
def window(browser: Browser, server: Server) -> Iterator[Window]:
    made = Window(browser, server.address)
    yield made
    made.context.close()
    assert not made.faults
