"""Takes the pictures of the page in docs/pictures: `python docs/make_pictures.py [NAME ...]`.

Needs Chromium (apt-get install chromium fonts-dejavu-core) and the packages of `meeple[test]`.

A server of its own is started, games are begun and played in the real page, and what a person would see is kept. The deals are
new each time, since the page deals secretly.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
LAPTOP, PHONE = (1280, 800), (360, 740)
PATIENCE = 300_000  # milliseconds: the first game of its kind compiles its rules
MOST_BYTES = 150_000


@dataclass(frozen=True)
class Shot:
    """A table to be played to: so many own moves, preferring those that begin with certain words. Then the pieces of a move are
    chosen, again by the word it begins with."""

    name: str
    game: str
    variant: str
    opponents: str = ""
    moves: int = 12
    prefer: tuple[str, ...] = ()
    offer: tuple[str, ...] = ()
    size: tuple[int, int] = LAPTOP
    scheme: Literal["light", "dark"] = "light"
    page: str = "game"  # or "lobby", or "review" of the finished game


SHOTS = (
    Shot("web_lobby", "jaipur", "match", page="lobby"),
    Shot("web_jaipur", "jaipur", "round", "greedy", 8, ("sell 3", "sell 2", "take"), ("exchange", "sell")),
    Shot("web_splendor", "splendor", "3", "greedy", 14, ("buy", "take"), ("buy", "take"), scheme="dark"),
    Shot("web_rake", "rake", "official", moves=16, prefer=("section", "take", "leaf", "acorn"), offer=("section", "take")),
    Shot("web_lotr", "lotr", "hard", moves=9, prefer=("buy", "commit", "travel", "defend", "attack"), offer=("attack", "commit")),
    Shot("web_phone", "jaipur", "match", "greedy", 7, ("sell 3", "take"), ("exchange", "sell"), PHONE, "dark"),
    Shot("web_review", "jaipur", "round", "greedy", 500, ("sell 3", "sell 4", "sell 5", "take", "sell"), page="review"),
)


def open_page(browser: Browser, shot: Shot, address: str) -> tuple[Page, list[dict[str, Any]]]:
    """A new window at the lobby; the messages of its table as they come."""
    width, height = shot.size
    scale = 1 if shot.size == LAPTOP else 1.5
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=shot.scheme, device_scale_factor=scale)
    context.set_default_timeout(PATIENCE)
    context.add_init_script('localStorage.setItem(\'meeple.choices\', \'{"pace": "at once", "name": "Ann"}\')')
    page = context.new_page()
    messages: list[dict[str, Any]] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "table":
            messages.append(message)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    page.goto(address)
    return page, messages


def begin(page: Page, shot: Shot) -> None:
    page.locator(f"input[name=game][value={shot.game}]").check(force=True)
    page.locator("#variant").select_option(shot.variant)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2_000)  # the seats of the variant
    for select in page.locator(".seats select").all()[1:]:
        select.select_option(f"agent {shot.opponents}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".game-table .piece").first.wait_for()


def own_turn(page: Page, messages: list[dict[str, Any]]) -> dict[str, Any]:
    while not messages or not (messages[-1]["moves"] or messages[-1]["over"]):
        page.wait_for_timeout(50)
    return messages[-1]


def liked(message: dict[str, Any], words: tuple[str, ...]) -> list[dict[str, Any]]:
    """The moves that begin with the first word of which there are any; all if there are none."""
    found = ([move for move in message["moves"] if move["text"].startswith(word)] for word in words)
    return next((moves for moves in found if moves), message["moves"])


def play(page: Page, messages: list[dict[str, Any]], shot: Shot, luck: random.Random) -> None:
    """Move after move, by the list below the table."""
    for _ in range(shot.moves):
        message = own_turn(page, messages)
        if message["over"]:
            return
        move = luck.choice(liked(message, shot.prefer))
        page.locator(".ways").evaluate("(fold) => { fold.open = true; }")
        page.locator(f"#list-{move['action']}").click()
        while messages[-1]["ply"] <= message["ply"]:
            page.wait_for_timeout(50)
    own_turn(page, messages)
    page.locator(".ways").evaluate("(fold) => { fold.open = false; }")


def choose(page: Page, move: dict[str, Any]) -> None:
    """The pieces of a move, which is then offered."""
    for part, number in move["parts"]:
        pieces = page.locator(f"button.piece[data-part={json.dumps(part)}]")
        for i in range(number):
            pieces.nth(min(i, pieces.count() - 1)).click()


def take(browser: Browser, shot: Shot, address: str) -> None:
    luck = random.Random(shot.name)
    page, messages = open_page(browser, shot, address)
    if shot.page != "lobby":
        begin(page, shot)
        play(page, messages, shot, luck)
    if shot.offer:
        choose(page, luck.choice(liked(own_turn(page, messages), shot.offer)))
    if shot.page == "review":
        page.get_by_role("link", name="Review").click()
        page.locator(".graph .line").wait_for(state="attached")
    page.locator(".games, .table, .review").first.wait_for()
    page.wait_for_timeout(2_000)  # whatever still moves comes to rest, or a progress bar begins
    expect(page.locator("progress")).to_have_count(0, timeout=PATIENCE)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
    keep(page.screenshot(full_page=shot.page == "review"), PICTURES / f"{shot.name}.png")
    page.context.close()


def keep(png: bytes, path: Path) -> None:
    """As it is, or with 256 colours if that is too much."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(png)
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    picture.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} kB", flush=True)
    if size > MOST_BYTES:
        raise SystemExit(f"{path} has {size} bytes; at most {MOST_BYTES} are wanted.")


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("The pictures need Chromium: apt-get install chromium fonts-dejavu-core")
    wanted = [shot for shot in SHOTS if not sys.argv[1:] or shot.name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "meeple", "serve", "--port", "0", "--no-open", "--data", f"{folder}/games.sqlite"]
        server = subprocess.Popen(
            [*command, "--store", f"{folder}/results.sqlite"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            found = re.search(r"http://\S+?(?=/? |/?$)", said)
            if found is None:
                raise SystemExit(f"The server did not start: {said}")
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                for shot in wanted:
                    take(browser, shot, found[0])
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
