"""The one decorator for compiled code.

A kernel is a free function on records and arrays: it allocates nothing in a loop, raises nothing, assumes that what it
is given is legal, and takes at most six arguments. People and plain-Python agents use the shell (`core/state.py`), which validates.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.extending import overload

from meeple.core.cache import KernelCache
from meeple.core.linking import Inner, Outer, call_of

F = TypeVar("F", bound=Callable[..., Any])

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
if not JIT:
    # Compiled code wraps 64-bit words silently, as the random streams need; NumPy scalars would warn each time.
    np.seterr(over="ignore")


def kernel(function: F) -> F:
    """Compile for speed, cache on disk; a plain function again under NUMBA_DISABLE_JIT=1."""
    return _kernel(function)


def fast(function: F) -> F:
    """A kernel in which sums may be taken in any order, as vector instructions need. Not for anything that tests for NaN."""
    return _kernel(function, fastmath=True)


def _kernel(function: F, **options: Any) -> F:
    if not JIT:
        return function
    inner = _dispatcher(Inner, function, no_cpython_wrapper=True, **options)
    inner._cache = KernelCache(function, inner=True)
    outer = _dispatcher(Outer, call_of(function, inner))
    outer._cache = KernelCache(function)
    outer.inner = inner
    return cast(F, outer)


def _dispatcher(kind: type, function: Callable[..., Any], **options: Any) -> Any:
    made = cast(Any, numba.njit)(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
    made.__class__ = kind
    return made


def inlined(function: F) -> F:
    """A part of one kernel, written apart for readers only.

    Numba optimises a kernel again in each kernel that calls it, so a chain of calls compiles its innermost part once for every
    link. This is put into its caller instead and never compiled alone.
    """
    return cast(F, numba.njit(inline="always", error_model="numpy")(function))


def resolved(function: F, *arguments: Any) -> F:
    """The kernel for arguments of exactly these types, which are then not looked at again.

    Looking at the types of two dozen arrays takes 5 microseconds of every call, more than a step of a game. Whoever calls what this
    returns must keep to the types: nothing checks them any more.
    """
    if not JIT:
        return function
    dispatcher, signature = cast(Any, function), tuple(map(numba.typeof, arguments))
    dispatcher.compile(signature)
    return cast(F, dispatcher.get_overload(signature))


__all__ = ["JIT", "fast", "inlined", "kernel", "overload", "resolved", "types"]
