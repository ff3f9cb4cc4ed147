"""Start a cluster for one command, or join one that is there; and leave it."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from typing import Any

from meeple.core.errors import MeepleError

HERE = "local"  # the address of a cluster that is started for one command
AUTO = "auto"  # the cluster that Ray knows of on this machine
SHARED_MEMORY = 512 << 20  # bytes, for weights and rounds of play; Ray would take a third of the machine's
MOST_LETTERS = 20  # of a folder's name; Ray adds some 75, and 107 is the most that a socket may have
PATIENCE = 5.0  # seconds to wait for an address to answer
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_worker_niceness": "0",  # workers are as important as whoever waits for them; Ray would put them last
    # A busy machine takes its time to start processes; Ray would give up after half a minute.
    "RAY_agent_register_timeout_ms": "600000",
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_raylet_start_wait_time_s": "45",  # Ray does not notice that the process it waits for has ended
}

_folder: list[str] = []  # of the cluster that was started for this command
witness: list[subprocess.Popen[bytes]] = []  # says that the cluster is lost, if Ray ends this process before it can (link.py)


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
                f"A cluster of this machine could not be started: {first_line(error)}; --processes needs none."
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
    while witness:
        with contextlib.suppress(subprocess.TimeoutExpired):
            witness.pop().communicate(b"done", PATIENCE)
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


def first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".")
