"""A Ray cluster: pieces of work are done by many machines, or by this one's cores as a cluster that lasts as long as a command.

Ray is an extra. Everything about it is in this file: `Cluster` is an executor like the others (a piece of work that is lost with
its worker is done again elsewhere), and `Crew` keeps objects that live on workers, such as games in progress.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import math
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from meeple.arena import executor, last_words
from meeple.arena.executor import Base, load_all_code
from meeple.core.errors import MeepleError
from meeple.core.places import add_folder, places
from meeple.core.sources import PACKAGE
from meeple.core.workers import WorkerFault
from meeple.core.workers import _answer_to as answer_to

HERE = "local"  # the address of a cluster that is started for one command
AUTO = "auto"  # the cluster that Ray knows of on this machine
RETRIES = 8  # times that a piece is tried again when its worker was lost; one that kills every worker must end some day
SHARED_MEMORY = 512 << 20  # bytes, for weights and rounds of play; Ray would take a third of the machine's
MOST_LETTERS = 20  # of a folder's name; Ray adds some 75, and 107 is the most that a socket may have
PATIENCE = 5.0  # seconds to wait for an address to answer
UNREACHED = 30.0  # seconds that a network may be down before the cluster behind it counts as lost; Ray's own limit is a minute
LOOK = 1.0  # seconds between two looks whether the cluster is there
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_worker_niceness": "0",  # workers are as important as whoever waits for them; Ray would put them last
    # A busy machine takes its time to start processes; Ray would give up after half a minute.
    "RAY_agent_register_timeout_ms": "600000",
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_raylet_start_wait_time_s": "45",  # Ray does not notice that the process it waits for has ended
}


_folder: list[str] = []  # of the cluster that was started for this command
_witness: list[subprocess.Popen[bytes]] = []  # says that the cluster is lost, if Ray ends this process before it can


class Luggage(NamedTuple):
    """What a worker must have before it does anything: the same Meeple, the folders of games, and the files of --code."""

    meeple: str
    folders: tuple[str, ...]
    code: tuple[tuple[str, bytes], ...]


class Lost:
    """In place of an answer: whoever was asked is gone."""


class ClusterLost(MeepleError):
    """Its head is gone, and all that it knew of this command."""

    exit_code = 1

    def __init__(self, address: str) -> None:
        where = "of this command" if address == HERE else f"at {address}"
        super().__init__(
            f"The Ray cluster {where} is lost, its head or this machine's node has ended; what is finished is kept, and once the "
            "cluster is up again the same command goes on (meeple train with --resume)."
        )


def connect(address: str) -> Any:
    """The module `ray`, connected."""
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    if address == HERE and "ray" not in sys.modules:
        own_key()
    check(address)
    import ray  # reads its environment now

    if ray.is_initialized():
        return ray
    hush()
    given: dict[str, Any] = {"address": address}
    if address == HERE:
        _folder[:] = [own_folder()]
        given |= {"num_cpus": len(os.sched_getaffinity(0)), "include_dashboard": False}
        given |= {"object_store_memory": SHARED_MEMORY, "_temp_dir": _folder[0]}
    try:
        ray.init(**given, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False)
    except Exception as error:
        if address == HERE:
            raise MeepleError(
                f"A cluster of this machine could not be started: {_first_line(error)}; --processes needs none."
            ) from None
        why = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise MeepleError(
            f"There is no Ray cluster at {address} that can be joined ({why.rstrip('.')}); `ray start --head --port 6379` "
            "starts one, and RAY_AUTH_TOKEN must be the same here and there."
        ) from None
    return ray


def disconnect() -> None:
    """Leave the cluster. One that was started for this command ends, and its folder goes with it."""
    sys.modules["ray"].shutdown()
    while _witness:
        with contextlib.suppress(subprocess.TimeoutExpired):
            _witness.pop().communicate(b"done", PATIENCE)
    if _folder:
        shutil.rmtree(_folder.pop(), ignore_errors=True)


def own_folder() -> str:
    """Of a cluster for one command. Ray puts sockets into it, whose paths have a greatest length: where the usual folder for such
    things has a long name, it is the system's."""
    usual = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="meeple-ray-", dir=usual if len(usual) < MOST_LETTERS else os.path.sep + "tmp")


def hush() -> None:
    """Ray prints on stdout that a worker was lost, in the midst of --json, and has no setting against it."""
    from ray._private import worker

    worker.print_to_stdstream = lambda *_, **__: None


def own_key() -> None:
    """A cluster for one command has a key of its own, which is never written down."""
    if not {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & set(os.environ):
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


def check(address: str) -> None:
    """Is Ray installed, and does anybody listen there? Ray itself asks for half a minute."""
    if find_spec("ray") is None:
        raise MeepleError("A cluster needs Ray, which is not installed: pip install 'meeple[ray]'.")
    if address in (HERE, AUTO):
        return
    try:
        socket.create_connection(door(address), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise MeepleError(
            f"Nobody answers at {address} ({getattr(error, 'strerror', None) or error}); `ray start --head --port 6379` starts a "
            "cluster, and --ray alone needs none."
        ) from None


def door(address: str) -> tuple[str, int]:
    """Where to knock."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    return host, int(port)


def answers(place: tuple[str, int]) -> bool:
    """Does anybody listen there? A machine that is up refuses at once if nobody does; a network may be up again in a moment."""
    until = time.monotonic() + UNREACHED
    while True:
        try:
            socket.create_connection(place, UNREACHED).close()
            return True
        except ConnectionRefusedError:
            return False
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(LOOK)


# ---- On the workers ------------------------------------------------------------------------------------------------


@cache
def our_sources() -> str:
    """A digest of this Meeple."""
    total = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".csv", ".toml")):
        total.update(str(path.relative_to(PACKAGE)).encode() + path.read_bytes())
    return total.hexdigest()


@cache
def unpack(luggage: Luggage) -> None:
    """What a worker does first, once."""
    if luggage.meeple != our_sources():
        raise MeepleError(
            f"The machine {socket.gethostname()} of the cluster has another version of Meeple than this one, so its games could "
            "differ; install the same on all."
        )
    for folder in luggage.folders:
        add_folder(Path(folder))
    load_all_code([_at_hand(Path(name), text) for name, text in luggage.code])


def _at_hand(path: Path, text: bytes) -> Path:
    """The file itself where this machine has it, else a copy."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == text:
            return path
    folder = Path(tempfile.gettempdir()) / f"meeple-code-{hashlib.sha256(text).hexdigest()[:16]}"
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / path.name).write_bytes(text)
    return folder / path.name


def do_piece(luggage: Luggage, function: Callable[..., Any], words: tuple[Any, ...]) -> tuple[str, Any, Any]:
    """A piece of work, or the sentence why not."""
    prepared = answer_to(unpack, (luggage,))
    return prepared if prepared[0] != "done" else answer_to(function, words)


class Member:
    """An object that lives on a worker: `make(*words)`, whose methods are called from afar."""

    def __init__(self, luggage: Luggage, make: Callable[..., Any], words: tuple[Any, ...]) -> None:
        self.made = do_piece(luggage, make, words)

    def call(self, method: str, *words: Any) -> tuple[str, Any, Any]:
        """What a method answers, or the sentence why not."""
        return answer_to(getattr(self.made[1], method), words) if self.made[0] == "done" else self.made


# ---- Here ----------------------------------------------------------------------------------------------------------


def opened(answer: tuple[str, Any, Any]) -> Any:
    """What a worker answered; raises what went wrong there."""
    kind, value, more = answer
    if kind == "refused":
        error = MeepleError(value)
        error.exit_code = more
        raise error
    if kind == "failed":
        raise WorkerFault(value, more)
    return value


def luggage() -> Luggage:
    folders = tuple(str(place.folder) for place in places().values() if place.folder)
    return Luggage(our_sources(), folders, tuple((str(path.resolve()), path.read_bytes()) for path in executor.CODE))


class Link:
    """To a cluster, for as long as that lasts.

    Where the head is gone Ray's calls wait for it, and after a minute end this process; where this machine's node is gone, touching
    its shared memory ends it at once. So first of all both are asked whether they are there. Where Ray is faster than that, a
    process that stands by says the sentence (last_words.py).
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.ray = connect(address)
        self._doors = [door(address)] if address.startswith("ray://") else self._head_and_node()
        self._looked = self._counted = -LOOK
        self._cores = 1
        self._stand_by()

    def _head_and_node(self) -> list[tuple[str, int]]:
        here = self.ray.get_runtime_context()
        mine = (node for node in self.ray.nodes() if node["NodeID"] == here.get_node_id())
        return [door(here.gcs_address), *((node["NodeManagerAddress"], int(node["NodeManagerPort"])) for node in mine)]

    def _stand_by(self) -> None:
        command = [sys.executable, "-I", "-S", last_words.__file__]
        _witness.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL))
        told = _witness[-1].stdin
        assert told is not None
        told.write(json.dumps([str(ClusterLost(self.address)), self._doors]).encode() + b"\n")
        told.flush()

    def check(self) -> None:
        """Raises ClusterLost if it is."""
        if not all(map(answers, self._doors)):
            raise ClusterLost(self.address)
        self._looked = time.monotonic()

    def look(self) -> None:
        """The same once a second, for those who wait."""
        if time.monotonic() - self._looked >= LOOK:
            self.check()

    def cores(self) -> int:
        """Of the cluster, now; counted once a second."""
        if time.monotonic() - self._counted >= LOOK:
            self.check()
            self._cores = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self._counted = time.monotonic()
        return self._cores

    def put(self, value: Any) -> Any:
        """Into the cluster's shared memory."""
        self.check()
        try:
            return self.ray.put(value)
        except OSError:  # it ended just now
            raise ClusterLost(self.address) from None

    def wait(self, references: list[Any], seconds: float | None = None) -> Any:
        """The first that is ready, or None if none is in that time."""
        until = math.inf if seconds is None else time.monotonic() + seconds
        while True:
            self.look()
            left = until - time.monotonic()
            ready, _ = self.ray.wait(references, num_returns=1, timeout=max(0.0, min(LOOK, left)))
            if ready or left <= LOOK:
                return ready[0] if ready else None


class Cluster(Base):
    """An executor whose workers are a Ray cluster's. A machine that joins is used at once, one that leaves is not missed."""

    def __init__(self, address: str) -> None:
        self.link = Link(address)
        self.ray = self.link.ray
        self._task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(do_piece)
        self._luggage = luggage()
        self._doing: dict[Any, int] = {}
        self._tickets = 0

    @property
    def width(self) -> int:
        """Cores of the cluster, now."""
        return self.link.cores()

    def submit(self, function: Callable[..., Any], *words: Any) -> int:
        self.link.check()
        self._tickets += 1
        self._doing[self._task.remote(self._luggage, function, words)] = self._tickets
        return self._tickets

    def next(self) -> tuple[int, Any]:
        ready = self.link.wait(list(self._doing))
        ticket = self._doing.pop(ready)
        self.link.check()
        try:
            return ticket, opened(self.ray.get(ready))
        except self.ray.exceptions.RayError as error:
            self.link.check()
            raise MeepleError(
                f"A piece of work was lost {RETRIES + 1} times with its worker ({_first_line(error)}); what is finished is kept."
            ) from None

    def cancel(self) -> None:
        for reference in self._doing:
            with contextlib.suppress(self.ray.exceptions.RayError):
                self.ray.cancel(reference, force=True)
        self._doing.clear()

    def close(self) -> None:
        self.cancel()
        disconnect()


class Crew(Base):
    """Objects on the workers of a cluster, each asked one thing at a time. A lost one is replaced by a new one.

    `make(*words, number, births)` makes each: its number, and how many were made before it, so that no two are the same.
    """

    def __init__(self, address: str, make: Callable[..., Any], words: tuple[Any, ...], size: int = 0) -> None:
        self.link = Link(address)
        self.ray = self.link.ray
        self.size = size or max(1, int(self.ray.available_resources().get("CPU", 1)))
        self._luggage, self._make, self.words = luggage(), make, words
        self._kind = self.ray.remote(num_cpus=1, max_restarts=0)(Member)
        self._members: dict[int, Any] = {}
        self._asked: dict[Any, int] = {}
        self.births = 0
        self.losses = 0

    def share(self, value: Any) -> Any:
        """Put a value where all can read it, once for all who are asked with it."""
        return self.link.put(value)

    def ask(self, number: int, method: str, *words: Any) -> None:
        """Let one of them do something; its answer comes by `next`."""
        self.link.check()
        if number not in self._members:
            self._members[number] = self._kind.remote(self._luggage, self._make, (*self.words, number, self.births))
            self.births += 1
        self._asked[self._members[number].call.remote(method, *words)] = number

    def idle(self, size: int) -> list[int]:
        """Numbers of those that have nothing to do."""
        return [number for number in range(size) if number not in self._asked.values()]

    def wait(self, seconds: float | None = None) -> tuple[int, Any] | None:
        """Whoever is ready first, and the answer; `Lost` if it is gone, and it may then be asked again. None: nobody is ready in
        that time, or nobody was asked."""
        if not self._asked:
            return None
        ready = self.link.wait(list(self._asked), seconds)
        return self._answer(ready) if ready is not None else None

    def next(self) -> tuple[int, Any]:
        """The same, however long it takes."""
        found = self.wait()
        assert found is not None
        return found

    def _answer(self, ready: Any) -> tuple[int, Any]:
        number = self._asked.pop(ready)
        self.link.check()
        try:
            return number, opened(self.ray.get(ready))
        except self.ray.exceptions.RayError:
            self.losses += 1
            del self._members[number]
            return number, Lost()

    def close(self) -> None:
        for member in self._members.values():
            self.ray.kill(member)
        self._members.clear()
        self._asked.clear()
        disconnect()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".")
