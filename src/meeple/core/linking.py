"""Compiling in half the time: what is only called by other kernels is never made into machine code of its own.

Numba compiles every function completely: optimised, as machine code, with a wrapper that can be called from Python. A function
that another one calls is then linked into the caller and optimised again with it, link by link up a chain of calls. The search of
one game is such a chain of about 130 functions, of which eight are ever called from Python. So a kernel here is two dispatchers:

- the **inner** one is what other kernels see. It is compiled to LLVM's bitcode and linked into its callers;
- the **outer** one is what Python calls: a wrapper of one line around the inner one, optimised in full and made into machine code.

Numba has no switch for this, so a few of its methods learn to tell the two apart: `get_executable`, which makes machine code, and
the two steps of finishing a library of code. What Numba compiles for others in this process is not touched.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable
from typing import Any, cast

from llvmlite import binding as llvm
from numba.core import codegen, cpu, dispatcher, types
from numba.core.compiler import CompileResult
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from meeple.core import turns

OURS = ("numba.", "meeple.")  # functions made for one `overload` are only ever linked
ENVIRONMENT = "_ZN08NumbaEnv"
RUNTIME = "NRT_"  # Numba's passes know its counting of references by name
OWN = ".own"  # ends the names of what a kernel keeps to itself
_environment = cast(Callable[[str], Any], lookup_environment)

_compiling: list[Any] = []  # dispatchers, innermost last


class Linked:
    """Stands for a function that has no machine code: the key by which its callers find its library."""


class Inner(CPUDispatcher):
    """What other kernels see of a kernel."""


class Outer(CPUDispatcher):
    """What Python calls. Inside a kernel it stands for its inner half."""

    inner: Inner

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.inner)


def call_of(function: Callable[..., Any], inner: Any) -> Callable[..., Any]:
    """`def f(a, b): return inner(a, b)`, under the name of the function."""
    parameters = inspect.signature(function).parameters
    names = ", ".join(parameters)
    room: dict[str, Any] = {"inner": inner, "__name__": function.__module__}
    exec(f"def {function.__name__}({names}):\n    return inner({names})\n", room)
    made: Callable[..., Any] = room[function.__name__]
    made.__defaults__ = function.__defaults__
    made.__module__, made.__doc__, made.__qualname__ = function.__module__, function.__doc__, function.__qualname__
    return made


def only_linked() -> bool:
    """Is what is being compiled now called by compiled code alone?"""
    now = _compiling[-1]
    if isinstance(now, Inner):
        return True
    name = f"{now.py_func.__module__}."
    return len(_compiling) > 1 and not isinstance(now, Outer) and name.startswith(OURS) and "<locals>" in now.py_func.__qualname__


def library_from(context: Any, name: str, bitcode: bytes) -> Any:
    """A library that can be linked and nothing else."""
    library = context.codegen().create_library(name)
    library._final_module = llvm.parse_bitcode(bitcode)
    library._only_linked = True
    library._finalized = True
    return library


def reduced(result: Any) -> tuple[Any, ...]:
    """A compiled inner kernel as what can be pickled."""
    result.fndesc.typemap = result.fndesc.calltypes = None
    library = result.library
    bitcode = library._get_module_for_linking().as_bitcode()
    return library.name, bitcode, result.fndesc, result.environment, result.signature, tuple(result._find_referenced_environments())


def rebuilt(context: Any, name: str, bitcode: bytes, fndesc: Any, env: Any, signature: Any, envs: Any) -> Any:
    """And back."""
    return cast(Any, CompileResult)(
        target_context=context,
        typing_context=context.typing_context,
        library=library_from(context, name, bitcode),
        environment=env,
        entry_point=Linked(),
        fndesc=fndesc,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=[],
        referenced_envs=envs,
    )


def _compile(self: Any, signature: Any) -> Any:
    """Compiling makes millions of objects and hardly any garbage: looking for it takes a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    _compiling.append(self)
    try:
        return _compile_before(self, signature)
    finally:
        _compiling.pop()
        if not _compiling:
            turns.give_all_back()  # whatever could not be compiled
        if collecting:
            gc.enable()


def _add_overload(self: Any, result: Any) -> None:
    if isinstance(result.entry_point, Linked):
        self.overloads[tuple(result.signature.args)] = result
    else:
        _add_overload_before(self, result)


def _get_executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    if _compiling and only_linked():
        library._only_linked = True
        library.finalize()
        return Linked()
    made = _get_executable_before(self, library, fndesc, env)
    _set_environments(library)
    return made


def _set_environments(library: Any) -> None:
    """Functions that were linked in find their Python objects by these."""
    module = library._shared_module if library._disable_inspection else library._final_module
    for variable in module.global_variables:
        if variable.name.startswith(ENVIRONMENT) and (env := _environment(variable.name)) is not None:
            library.codegen.set_env(variable.name, env)


def _optimize_final_module(self: Any) -> None:
    if getattr(self, "_only_linked", False):
        return
    if _compiling and isinstance(_compiling[-1], Outer):
        _keep_to_itself(self._final_module)
    _optimize_before(self)


def _keep_to_itself(module: Any) -> None:
    """Nobody else links what was linked into an outer kernel. LLVM is told so: what is called in one place is then inlined there
    whatever its size, and the rest may change its arguments, which is worth a fifth of a search's speed.

    Each also gets a name of its own. LLVM looks for a function in all modules by name alone: a plain Numba function that calls
    the same kernel would find the internal one, which has no address for others, and jump to nowhere."""
    for function in module.functions:
        if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration and not function.name.startswith(RUNTIME):
            function.linkage = "internal"
            function.name += OWN


def _finalize_final_module(self: Any) -> None:
    if getattr(self, "_only_linked", False):
        self._finalize_dynamic_globals()
        self._finalized = True
    else:
        _finalize_before(self)


def _teach(kind: Any, method: str, made: Callable[..., Any]) -> Any:
    before = getattr(kind, method)
    setattr(kind, method, made)
    return before


_compile_before = _teach(dispatcher.Dispatcher, "compile", _compile)
_add_overload_before = _teach(dispatcher.Dispatcher, "add_overload", _add_overload)
_get_executable_before = _teach(cpu.CPUContext, "get_executable", _get_executable)
_optimize_before = _teach(codegen.JITCodeLibrary, "_optimize_final_module", _optimize_final_module)
_finalize_before = _teach(codegen.JITCodeLibrary, "_finalize_final_module", _finalize_final_module)
