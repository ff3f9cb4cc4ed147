"""A Ray cluster of two nodes on this machine, each with resources of its own, that leaves nothing behind."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from meeple.arena.cluster.connection import QUIET
from tests.cluster.patient import GATE

HELPERS = ("metrics-export", "runtime-env-agent", "dashboard-agent-grpc", "dashboard-agent-listen")
OBJECTS = "100000000"  # bytes of a node's object store


def free_ports(many: int) -> list[int]:
    """Ports that nobody listens at."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(many)]
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in held]


class Nodes:
    """The cluster, as tests look at it. Its key is made for it and never written down."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="mr", dir="/tmp")  # paths of sockets must be short
        self.address = f"127.0.0.1:{free_ports(1)[0]}"
        self.gate = Path(self.folder, "gate")  # see patient.py
        self.gate.mkdir()
        own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), GATE: str(self.gate)}
        self.environment = {**QUIET, **os.environ, **own, "OMP_NUM_THREADS": "1", "NO_COLOR": "1"}
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, *where: str, name: str) -> None:
        """A node with one core, and a resource of its own."""
        command = [str(Path(sys.executable).parent / "ray"), "start", *where, "--num-cpus", "1", "--block", "--disable-usage-stats"]
        command += ["--object-store-memory", OBJECTS, "--resources", f'{{"{name}": 1}}', "--node-ip-address", "127.0.0.1"]
        # Where ports are given, a node does not wait for its helpers to find some; it would give up after some seconds.
        for option, port in zip(HELPERS, free_ports(len(HELPERS)), strict=True):
            command += [f"--{option}-port", str(port)]
        with Path(self.folder, f"{name}.log").open("wb") as log:
            self.started.append(
                subprocess.Popen(
                    command, env=self.environment, stdout=log, stderr=log, start_new_session=True, preexec_fn=_die_with_us
                )
            )

    def start_head(self) -> None:
        """Returns when it answers."""
        port = self.address.rpartition(":")[2]
        self.start("--head", "--port", port, "--include-dashboard", "false", "--temp-dir", self.folder, name="first")
        while not _answers(self.address):
            assert self.started[-1].poll() is None, Path(self.folder, "first.log").read_text()
            time.sleep(0.1)

    def kill(self) -> None:
        """All of it at once, as when a machine loses its power."""
        for pid in [*self.processes(), *(process.pid for process in self.started)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self.started:
            process.wait()
        self.started.clear()

    def processes(self) -> dict[int, tuple[int, str]]:
        """Everything of this cluster: number -> (its parent's, its name). Known by the folder, or by a parent that is."""
        every = dict(_every_process())
        mine = {pid for pid, (_, words) in every.items() if self.folder in words}
        mine |= {pid for pid, (parent, _) in every.items() if parent in mine}
        return {pid: every[pid] for pid in mine}

    def workers(self, doing: str) -> dict[int, int]:
        """Workers that do something now: number -> their node's."""
        return {pid: parent for pid, (parent, words) in self.processes().items() if words.startswith(f"ray::{doing}")}

    def wait_for(self, doing: str, nodes: int, running: subprocess.Popen[bytes]) -> int:
        """Until so many nodes have been seen doing it; returns the number of one of the workers."""
        seen: dict[int, int] = {}
        while running.poll() is None:
            now = self.workers(doing)
            seen |= {node: pid for pid, node in now.items()}
            if len(seen) >= nodes and now:
                return next(iter(now))
            time.sleep(0.2)
        raise AssertionError(f"it ended before {nodes} nodes did {doing}: {seen}")

    def end(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def _die_with_us() -> None:
    """Also when the tests are killed: the system ends the node's first process then, which takes the others along."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _every_process() -> Iterator[tuple[int, tuple[int, str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(folder.name), (parent, words)


@contextmanager
def one_node() -> Iterator[Nodes]:
    """A head that does the work itself."""
    nodes = Nodes()
    try:
        nodes.start_head()
        yield nodes
    finally:
        nodes.end()


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Up when both have joined; gone afterwards, whatever happens."""
    nodes = Nodes()
    try:
        nodes.start_head()
        nodes.start("--address", nodes.address, name="second")
        log = Path(nodes.folder, "second.log")
        while "Ray runtime started" not in log.read_text():
            assert nodes.started[1].poll() is None, log.read_text()
            time.sleep(0.1)
        yield nodes
    finally:
        nodes.end()


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with suppress(OSError):
        socket.create_connection((host, int(port)), 1).close()
        return True
    return False
