"""Fresh processes for work that can be split, which end with whoever started them.

A worker is a new Python that is told over a socket what to do: functions by their place in the code, arguments by pickle. It never
sees Ctrl-C, from its first moment on: that is the parent's to handle, who then kills it. It ends when the socket is closed, so also
when the parent was killed; while it computes, the system ends it where it can (Linux).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from meeple.core.errors import MeepleError

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG

Call = tuple[Callable[..., Any], tuple[Any, ...]]
handed_on: list[Callable[[], list[Call]]] = []  # each tells what a worker that makes agents has to do first, as things are now


class WorkerFault(RuntimeError):
    """What went wrong in a worker, where it was no MeepleError: `args[0]` is its type and message, `trace` where it was."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class Worker:
    """A process that has run `prepare(*given)`, with one thread, so that two of them use two cores and not four."""

    def __init__(self, prepare: Callable[..., None] | None = None, *given: Any) -> None:
        ours, theirs = socket.socketpair()
        with theirs, ctrl_c_blocked():
            self.process = _start(theirs.fileno())
        self.connection = Connection(ours.detach())
        self._end = weakref.finalize(self, _kill, self.process, self.connection)
        if prepare is not None:
            self.send(prepare, *given)
        self._preparing = prepare is not None

    def send(self, function: Callable[..., Any], *given: Any) -> None:
        """Hand over work; the function must be importable, what it is given must be plain."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # told when it is asked for an answer
            self.connection.send((function, given))

    def receive(self) -> Any:
        """The next answer, in the order of what was sent; raises what went wrong there."""
        self.prepared()
        return self._answer()

    def prepared(self) -> bool:
        """Was it ready before? If not, wait until it is."""
        if not self._preparing:
            return True
        self._preparing = False
        self._answer()
        return False

    def _answer(self) -> Any:
        try:
            answer = self.connection.recv()
        except (EOFError, ConnectionResetError, OSError):
            raise MeepleError(
                f"A worker process ended {_how(self.process)}: killed, out of memory, or ended by code of yours; "
                "what is finished is kept, and --processes 1 works without others."
            ) from None
        return opened(answer)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self._end()


def _start(descriptor: int) -> subprocess.Popen[bytes]:
    code = f"import sys; sys.path[:] = {sys.path!r}; from meeple.core.workers import work; work({descriptor}, {os.getpid()})"
    # The system's signal for orphans is sent when the thread that started a process ends, so only the main thread asks for it.
    flag = "1" if threading.current_thread() is threading.main_thread() else ""
    environment = {**os.environ, **ONE_THREAD, "MEEPLE_WORKER": flag}
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, pass_fds=[descriptor], stdin=subprocess.DEVNULL, env=environment)


def _kill(process: subprocess.Popen[bytes], connection: Connection) -> None:
    with contextlib.suppress(OSError):
        connection.close()
    process.kill()
    process.wait()


def _how(process: subprocess.Popen[bytes]) -> str:
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "its connection"
    return f"by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"by itself with code {code}"


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """What is started here never sees SIGINT, not even before its own code runs; here it is delivered afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- In the worker -------------------------------------------------------------------------------------------------


def work(descriptor: int, parent: int) -> None:
    """Do what is sent until the parent is gone."""
    if os.environ.pop("MEEPLE_WORKER", "") and sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # gone before that was asked for
        os._exit(1)
    connection = Connection(descriptor)
    waiting: queue.SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, waiting), daemon=True).start()
    while True:
        function, given = waiting.get()
        answer = answer_to(function, given)
        try:
            connection.send(answer)
        except OSError:
            os._exit(1)


def _read(connection: Connection, waiting: queue.SimpleQueue[Any]) -> None:
    """In a thread of its own, which notices a closed socket while the other computes."""
    while True:
        try:
            waiting.put(connection.recv())
        except (EOFError, OSError):
            os._exit(1)
        except Exception as error:  # a function or a class that this process cannot import
            waiting.put((_refuse, (f"{type(error).__name__}: {error}",)))


def _refuse(message: str) -> None:
    raise RuntimeError(message)


def answer_to(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[str, Any, Any]:
    try:
        return "done", function(*given), None
    except MeepleError as error:
        return "refused", str(error), error.exit_code
    except MemoryError:
        return "refused", "There is not enough memory for that; ask for fewer --processes.", 1
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}", traceback.format_exc()


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
