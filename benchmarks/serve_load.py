"""A hundred people at once: Jaipur against `mcts` in the browser's server, a move every ten seconds each.

    python benchmarks/serve_load.py --games 100 --every 10 --seconds 120

Starts a server of its own, plays by the JSON API and listens by WebSocket as the page does. Prints how long it took until one's own
move was acknowledged, how long until the agent had answered, how many were lost, and the memory of the server a game.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

LOST = 60.0  # seconds without an answer

Client = httpx.AsyncClient
Told = dict[str, Any]
Words = argparse.Namespace


@dataclass
class Measured:
    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    lost: int = 0
    games: int = 0


async def person(number: int, client: Client, address: str, wish: Told, arguments: Words, found: Measured) -> None:
    """Game after game until the time is over; the first move comes at a random moment."""
    luck = random.Random(number)
    await asyncio.sleep(luck.random() * arguments.every)
    while time.monotonic() < arguments.end:
        opened = await begin(client, wish, found)
        async with connect(f"{address.replace('http', 'ws')}/api/games/{opened['game']}/push", max_size=None) as socket:
            await socket.send(json.dumps({"token": opened["token"]}))
            message = await turn(socket)
            while not message["over"] and time.monotonic() < arguments.end:
                message = await move(client, socket, opened, luck.choice(message["moves"])["action"], message["version"], found)
                await asyncio.sleep(arguments.every)


async def move(
    client: httpx.AsyncClient, socket: Any, opened: dict[str, Any], action: int, version: int, found: Measured
) -> dict[str, Any]:
    """One's own move, acknowledged, and the agent's answer to it."""
    started = time.perf_counter()
    headers = {"Authorization": f"Bearer {opened['token']}"}
    answer = await client.post(f"/api/games/{opened['game']}/move", json={"version": version, "action": action}, headers=headers)
    assert answer.status_code == 200, answer.text
    found.acknowledged.append(time.perf_counter() - started)
    try:
        message = await asyncio.wait_for(turn(socket, answer.json()["version"]), LOST)
    except TimeoutError:
        found.lost += 1
        return {"over": True}
    found.answered.append(time.perf_counter() - started)
    return message


async def begin(client: Client, wish: Told, found: Measured) -> Told:
    answer = await client.post("/api/games", json=wish)
    assert answer.status_code == 201, answer.text
    found.games += 1
    return dict(answer.json())


async def turn(socket: Any, after: int = -1) -> dict[str, Any]:
    """The next table at which one can move, or which is over. One's own move is pushed too, without moves to choose from."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "table" and message["version"] >= after and (message["moves"] or message["over"]):
            return dict(message)


def memory(process: int) -> float:
    """Resident megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


async def measure(arguments: argparse.Namespace, address: str, server: int) -> None:
    found = Measured()
    seats = [{"kind": "person", "name": "Load"}, {"kind": "agent", "level": arguments.level}]
    wish = {"game": "jaipur", "variant": arguments.variant, "seats": seats}
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=httpx.Limits(max_connections=200)) as client:
        await begin(client, wish, found)  # compiles, or loads
        asked = {"game": "jaipur", "variant": arguments.variant, "level": arguments.level}
        while not (await client.post("/api/variants", json=asked)).json()["ready"]["agents"]:
            await asyncio.sleep(0.5)
        before = memory(server)
        arguments.end = time.monotonic() + arguments.seconds
        await asyncio.gather(*(person(number, client, address, wish, arguments, found) for number in range(arguments.games)))
        after = memory(server)
    report(arguments, found, before, after)


def report(arguments: argparse.Namespace, found: Measured, before: float, after: float) -> None:
    def told(name: str, seconds: list[float]) -> None:
        cuts = statistics.quantiles(seconds, n=100)
        print(f"{name}: median {cuts[49] * 1000:.0f} ms, 95th percentile {cuts[94] * 1000:.0f} ms, {len(seconds)} moves")

    print(
        f"{arguments.games} games at once, a move every {arguments.every:g} s, {arguments.seconds} s, {arguments.workers} workers"
    )
    told("own move acknowledged", found.acknowledged)
    told("agent has answered", found.answered)
    print(f"lost: {found.lost}; games begun: {found.games}")
    print(f"server: {before:.0f} MB before, {after:.0f} MB after, {1000 * (after - before) / found.games:.0f} kB a game")
    print(f"load of the machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--every", type=float, default=10.0)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--variant", default="round")
    parser.add_argument("--level", default="mcts-steady")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--no-open", "--port", "0", "--data", f"{folder}/games.sqlite", "--workers", str(arguments.workers)]
        environment = {**os.environ, "COLUMNS": "500"}
        server = subprocess.Popen([sys.executable, "-m", "meeple", *words], stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert server.stdout is not None
            address = next(line for line in server.stdout if "Meeple is at" in line).split("Meeple is at ")[1].split("/ ")[0]
            asyncio.run(measure(arguments, address, server.pid))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
