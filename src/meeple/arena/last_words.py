"""A process that says what happened to its parent, if that cannot: Ray ends a process whose node is gone, without a word.

It is run by its path, and needs nothing but Python: its input is one line, the sentence and the places of the cluster as JSON. Then
it waits. `done` means that the parent has left the cluster in order; if the input ends without it, and nobody listens at one of
the places, the sentence is said.
"""

from __future__ import annotations

import json
import signal
import socket
import sys

PATIENCE = 5.0  # seconds


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to explain
    sentence, places = json.loads(sys.stdin.readline())
    if not sys.stdin.read() and not all(_answers(host, port) for host, port in places):
        print(sentence, file=sys.stderr)


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
