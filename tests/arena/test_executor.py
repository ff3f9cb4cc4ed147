"""Work handed out: the same results wherever it is done, nothing piles up, and nobody is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from meeple.arena.executor import AHEAD, Here, Local, each, make_executor
from meeple.arena.pieces import MOST, Pieces, gaps
from meeple.core.errors import MeepleError
from meeple.core.workers import WorkerFault


def double(x: int) -> int:
    return 2 * x


def pid_of(_: int) -> int:
    return os.getpid()


def refuse(_: int) -> None:
    raise MeepleError("There is no seventh seat.")


def fail(_: int) -> None:
    raise ZeroDivisionError("boom")


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(_: int) -> None:
    time.sleep(600)


def compute(_: int) -> None:
    while True:
        pass


@pytest.mark.parametrize("processes", [1, 2])
def test_every_piece_is_done_once_wherever_it_is_done(processes: int) -> None:
    with make_executor(processes) as executor:
        found = dict(each(executor, double, ((x,) for x in range(20))))
    assert found == {(x,): 2 * x for x in range(20)}


def test_work_is_asked_for_as_it_is_needed() -> None:
    """So there may be any number of pieces."""
    asked: list[int] = []

    def pieces() -> Iterator[tuple[int]]:
        for number in count():
            asked.append(number)
            yield (number,)

    with Local(2) as executor:
        assert len(list(islice(each(executor, double, pieces()), 10))) == 10
    assert len(asked) <= 10 + AHEAD * 2


def test_two_processes_are_two() -> None:
    with Local(2) as executor:
        assert len({pid for _, pid in each(executor, pid_of, ((x,) for x in range(40)))} - {os.getpid()}) == 2


@pytest.mark.parametrize("make", [Here, lambda: Local(2)], ids=["here", "local"])
def test_a_sentence_from_a_worker_arrives_as_it_is(make: type[Here]) -> None:
    with make() as executor, pytest.raises(MeepleError, match=r"^There is no seventh seat\.$"):
        list(each(executor, refuse, [(1,)]))


def test_a_fault_in_a_worker_says_where_it_was() -> None:
    with Local(2) as executor, pytest.raises(WorkerFault, match="ZeroDivisionError: boom") as caught:
        list(each(executor, fail, [(1,)]))
    assert "in fail" in caught.value.trace


def test_a_worker_that_dies_is_one_sentence() -> None:
    with Local(2) as executor, pytest.raises(MeepleError, match=r"A worker process ended by signal 9 \(SIGKILL\)"):
        list(each(executor, die, [(1,)]))


def test_what_is_dropped_is_ended_and_others_go_on() -> None:
    with Local(2) as executor:
        executor.submit(sleep, 1)
        workers = list(executor._workers.values())
        executor.cancel()
        assert workers[0].process.wait(10) == -signal.SIGKILL
        assert list(each(executor, double, [(4,)])) == [((4,), 8)]


ORPHANS = """
from meeple.arena.executor import Local
from tests.arena.test_executor import {work}, pid_of
executor = Local(2)
for piece in (1, 2):
    executor.submit(pid_of, piece)
for _ in (1, 2):
    print(executor.next()[1], flush=True)
for piece in (1, 2):
    executor.submit({work}, piece)
print("started", flush=True)
executor.next()
"""


@pytest.mark.parametrize("work", ["sleep", "compute"])
def test_workers_end_with_their_parent_even_if_it_is_killed(work: str) -> None:
    root = Path(__file__).parent.parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    command = [sys.executable, "-c", ORPHANS.format(work=work)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert parent.stdout is not None
    pids = [int(parent.stdout.readline()) for _ in range(2)]
    assert parent.stdout.readline() == "started\n"
    assert all(alive(pid) for pid in pids)
    parent.kill()
    parent.communicate()
    for pid in pids:
        for _ in range(600):
            if not alive(pid):
                break
            time.sleep(0.05)
        assert not alive(pid)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


# ---- Pieces ----


def test_pieces_grow_until_they_take_their_time_and_shrink_again() -> None:
    pieces = Pieces([range(10**9)])
    sizes = []
    for _ in range(8):
        piece = next(pieces)
        sizes.append(len(piece))
        pieces.took(piece, len(piece) * 0.005)  # a hundred in half a second
    assert sizes == [1, 4, 16, 64, 100, 100, 100, 100]
    pieces.took(range(100), 50.0)
    assert len(next(pieces)) == 1


def test_pieces_are_never_larger_than_memory_likes() -> None:
    pieces = Pieces([range(10**9)])
    for piece in islice(pieces, 12):
        pieces.took(piece, 0.0)
    assert len(next(pieces)) == MOST


def test_pieces_cover_what_is_left_in_order() -> None:
    assert list(gaps([range(2, 4), range(7, 8)], 10)) == [range(2), range(4, 7), range(8, 10)]
    assert list(gaps([], 3)) == [range(3)]
    assert list(gaps([range(3)], 3)) == []
    assert [number for piece in Pieces(gaps([range(2, 4)], 6)) for number in piece] == [0, 1, 4, 5]


def test_without_ray_one_sentence_tells_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.arena.cluster.connection.find_spec", lambda _: None)
    with pytest.raises(MeepleError, match=r"pip install 'meeple\[ray\]'"):
        make_executor(1, "local")
