"""A real server in a process of its own, as `meeple serve` starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

BEGUN = re.compile(r"Meeple is at (http://\S+?)/ ")


class Server:
    """Games are kept in `data`, so another server can go on with them."""

    def __init__(self, data: Path, *arguments: str, module: str = "") -> None:
        self.data, self.arguments, self.module = data, arguments, module
        self.port = 0
        self.sockets = ExitStack()
        self.start()

    def start(self) -> None:
        usual = ["meeple", "serve", "--no-open", "--port", str(self.port), "--data", str(self.data)]
        command = [sys.executable, "-m", *([self.module, str(self.data)] if self.module else usual), *self.arguments]
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "500"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if found := BEGUN.search(line):
                self.address = found[1]
                self.port = int(self.address.rpartition(":")[2])
                break
        else:
            raise AssertionError(f"the server did not start: {''.join(lines)}")
        self.client = httpx.Client(base_url=f"{self.address}/api", timeout=120)

    def kill(self) -> None:
        """As a power cut would: no chance to tidy up."""
        self.hang_up()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.client.close()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def hang_up(self) -> None:
        """Close the sockets that tests have opened."""
        self.sockets.close()

    def stop(self) -> None:
        self.hang_up()
        self.client.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    # ---- What tests ask for ----

    def get(self, path: str, token: str = "") -> httpx.Response:
        return self.client.get(path, headers=_bearer(token))

    def post(self, path: str, body: Any = None, token: str = "") -> httpx.Response:
        return self.client.post(path, json=body if body is not None else {}, headers=_bearer(token))

    def begin(self, game: str, variant: str, *seats: str, **more: Any) -> Seat:
        """`person`, `open`, or an opponent's name, for each seat."""
        wanted = [{"kind": seat} if seat in ("person", "open") else {"kind": "agent", "level": seat} for seat in seats]
        answer = self.post("/games", {"game": game, "variant": variant, "seats": wanted, **more})
        assert answer.status_code == 201, answer.text
        return Seat(self, answer.json())


class Seat:
    """Somebody at a table, by the JSON API alone."""

    def __init__(self, server: Server, opened: dict[str, Any]) -> None:
        self.server, self.opened = server, opened
        self.game, self.token, self.seat = opened["game"], opened["token"], opened["seat"]
        self.messages: list[dict[str, Any]] = []
        self.socket: ClientConnection | None = None

    def path(self, rest: str = "") -> str:
        return f"/games/{self.game}{rest}"

    def get(self, rest: str = "") -> httpx.Response:
        return self.server.get(self.path(rest), self.token)

    def post(self, rest: str, **body: Any) -> httpx.Response:
        return self.server.post(self.path(rest), body, self.token)

    def look(self) -> dict[str, Any]:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def listen(self) -> None:
        address = f"{self.server.address.replace('http', 'ws')}/api/games/{self.game}/push"
        self.socket = self.server.sockets.enter_context(connect(address))
        self.socket.send(json.dumps({"token": self.token}))

    def next(self, when: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first table pushed that is so; what was pushed before is kept in `messages`."""
        if self.socket is None:
            self.listen()
        assert self.socket is not None
        if self.messages and when(self.messages[-1]):
            return self.messages[-1]
        while True:
            message = json.loads(self.socket.recv(60))
            if message["type"] == "table":
                self.messages.append(message)
                assert not message["trouble"], message["trouble"]
                if when(message):
                    return dict(message)

    def my_turn(self) -> dict[str, Any]:
        return self.next(lambda message: message["moves"] or message["over"])

    def play(self, choose: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> dict[str, Any]:
        """Until the game is over; returns the last table."""
        while not (message := self.my_turn())["over"]:
            self.move(message, choose(message["moves"])["action"])
        return message

    def move(self, message: dict[str, Any], action: int) -> None:
        answer = self.post("/move", version=message["version"], action=action)
        assert answer.status_code == 200, answer.text
        version = answer.json()["version"]
        self.next(lambda told: told["version"] >= version)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
