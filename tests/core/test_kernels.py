"""Kernels call kernels, Python calls kernels, and other people's compiled functions live beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from meeple.core import cache, linking
from meeple.core.kernel import JIT, kernel

njit: Any = numba.njit  # as other people use it
pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")


@kernel
def twice(x: Any) -> Any:
    return x * 2


@kernel
def quadruple(x: Any, n: int = 2) -> Any:
    for _ in range(n):
        x = twice(x)
    return x


@kernel
def picky(x: int) -> int:
    if x < 0:
        raise ValueError("below zero")
    return x


@kernel
def calls_picky(x: int) -> int:
    return picky(x) + 1


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: tmp_path)


def test_a_kernel_is_called_from_python_and_from_kernels_in_any_order() -> None:
    assert quadruple(3) == 12
    assert twice(3) == 6
    assert quadruple(3, 1) == 6
    assert (twice(np.arange(3)) == [0, 2, 4]).all()
    assert quadruple(0.5) == 2.0


def test_a_plain_compiled_function_calls_kernels_and_kernels_call_it() -> None:
    def add_one(x: Any) -> Any:
        return twice(x) + 1

    foreign = njit(add_one)

    @kernel
    def around(x: Any) -> Any:
        return foreign(x) + twice(x)

    assert around(1) == 5
    assert foreign(1) == 3
    assert foreign(2) == 5


def test_what_a_linked_function_raises_is_heard() -> None:
    assert calls_picky(1) == 2
    with pytest.raises(ValueError, match="below zero"):
        calls_picky(-1)


def test_what_was_linked_in_belongs_to_one_kernel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else LLVM keeps each function as others might call it, and inlines less."""
    linked: dict[str, str] = {}

    def optimize(library: Any) -> None:
        linked.update({f.name: f.linkage.name for f in library._final_module.functions if not f.is_declaration})
        before(library)

    before = linking._optimize_before
    monkeypatch.setattr(linking, "_optimize_before", optimize)

    @kernel
    def once_more(x: Any) -> Any:
        return quadruple(x) + 1

    assert once_more(1) == 5
    assert {linkage for name, linkage in linked.items() if "twice" in name or "quadruple" in name} == {"internal"}
    assert all(name.endswith(linking.OWN) for name, linkage in linked.items() if linkage == "internal")
    assert [name for name, linkage in linked.items() if linkage == "external" and "once_more" in name]


def test_a_damaged_file_is_compiled_again(tmp_path: Path) -> None:
    @kernel
    def thrice(x: int) -> int:
        return 3 * x

    assert thrice(2) == 6
    kept = [path for path in tmp_path.iterdir() if path.name.startswith("thrice-")]
    assert len(kept) == 2  # the inner and the outer half
    for path in kept:
        path.write_bytes(path.read_bytes()[:100])
    again = kernel(thrice.inner.py_func)  # type: ignore[attr-defined]
    assert again(2) == 6


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: tmp_path / "nothing" / "here")
    monkeypatch.setattr(cache, "trouble", [])

    @kernel
    def five(x: int) -> int:
        return x + 5

    assert five(1) == 6
    assert "nothing" in cache.trouble[0]
