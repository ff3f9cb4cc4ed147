"""Fresh processes for work that can be split."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def make_pool(processes: int, prepare: Callable[..., None], *given: Any) -> ProcessPoolExecutor:
    """Processes that have run `prepare(*given)`, with one thread each, so that two of them use two cores and not four.

    They inherit the environment when they are started, which is when work is first handed to them: put `one_thread` around that.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_start, initargs=(prepare, given))


def _start(prepare: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    prepare(*given)


class one_thread:  # noqa: N801  (reads as a word at the place of use)
    """An environment in which every library is asked to keep to one thread."""

    def __enter__(self) -> None:
        self.before = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(ONE_THREAD)

    def __exit__(self, *_: object) -> None:
        for name, value in self.before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
