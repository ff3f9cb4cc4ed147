"""Start serving, and say where."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from meeple.core.errors import MeepleError
from meeple.serve.app import make_app
from meeple.serve.club import Settings

NO_SUCH_PLACE = "--host {host} --port {port} cannot be listened on: {reason}; --host 127.0.0.1 --port 0 takes a free port here."


def serve(settings: Settings, host: str, port: int, began: Callable[[str], None]) -> None:
    """Until somebody ends it. `began` is told the address as soon as it answers."""
    with _listen(host, port) as listening:
        config = uvicorn.Config(
            make_app(settings),
            log_level="warning",
            access_log=False,  # a log of who asked for what is nobody's business
            server_header=False,
            ws_per_message_deflate=False,
            ws_max_size=4096,  # a page says its token and nothing else
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}/"
        _Server(config, lambda: began(address)).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, began: Callable[[], None]) -> None:
        super().__init__(config)
        self.began = began

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:  # somebody changed their mind meanwhile
            await self.lifespan.shutdown()
        elif self.started:
            self.began()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C ends it in order, and that is all: the original raises the signal again, in the middle of the event loop."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else asyncio leaves Nagle's delay of 40 ms on
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        raise MeepleError(NO_SUCH_PLACE.format(port=port, host=host, reason=error.strerror or error)) from error
    return listening
