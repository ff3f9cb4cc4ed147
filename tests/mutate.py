"""Do the tests fail when the code is wrong? Breaks modules in one place at a time, runs their tests, tells which breaks survive.

`python -m tests.mutate --mutants 30 --seed 1 [MODULE ...]`. Nothing on disk changes: a copy of this process imports the broken
text instead of the file. Modules with kernels are tested without the compiler, whose cache goes by the files.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.machinery
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

SOURCES = Path(__file__).resolve().parents[1] / "src" / "meeple"
LIMIT = 180  # seconds; a mutant that never ends is as good as found
FEW_SEARCHES = "uct or dealing_again or split or full_tree or kept or so_many_visits or puct or spread or by_hand"
# Of each module: whether its tests need the compiler, and the tests that should notice.
TARGETS: dict[str, tuple[bool, list[str]]] = {
    "arena/stats.py": (True, ["tests/arena/test_stats.py"]),
    "arena/ratings.py": (True, ["tests/arena/test_stats.py"]),
    "arena/summary.py": (True, ["tests/arena/test_summary.py"]),
    "core/intervals.py": (True, ["tests/core/test_intervals.py", "tests/arena/test_stats.py"]),
    "core/record.py": (True, ["tests/core/test_records.py"]),
    "core/check.py": (True, ["tests/core/test_check.py"]),
    "lab/ladder.py": (True, ["tests/lab/test_ladder.py"]),
    "rollout/rewards.py": (False, ["tests/rollout/test_rewards.py"]),
    "search/select.py": (False, ["tests/search/test_select.py", "tests/search/test_mcts.py", "-k", FEW_SEARCHES]),
    "search/mcts.py": (
        False,
        ["tests/search/test_backward.py", "tests/search/test_select.py", "tests/search/test_mcts.py", "-k", FEW_SEARCHES],
    ),
}
PAIRS = [(ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot), (ast.And, ast.Or)]
PAIRS += [(ast.Add, ast.Sub), (ast.Mult, ast.Div)]
SWAPS = dict(PAIRS) | {b: a for a, b in PAIRS} | {ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult}


def mutants(source: str) -> Iterator[tuple[int, str, ast.Module]]:
    """Every break of a module that we know: its line, what is done, the broken module."""
    tree = ast.parse(source)
    for number, node in enumerate(_places(tree)):
        for told, change in _changes(node):
            broken = copy.deepcopy(tree)
            change(list(_places(broken))[number])
            yield node.lineno, f"{ast.unparse(node)[:70]!r}: {told}", ast.fix_missing_locations(broken)


def _places(tree: ast.Module) -> Iterator[Any]:
    """What runs: inside functions, and constants of the module; no annotations, no assertions, no text."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr | ast.stmt):
            yield node
        skip = {"annotation", "returns", "decorator_list", "args"} if not isinstance(node, ast.Call) else set()
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        for name, value in ast.iter_fields(node):
            if name not in skip:
                waiting += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]


def _changes(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield "another comparison", lambda n: n.ops.__setitem__(0, SWAPS[type(n.ops[0])]())
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        yield f"{type(node.op).__name__} to {SWAPS[type(node.op)].__name__}", lambda n: setattr(n, "op", SWAPS[type(n.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "the other truth", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "one more", lambda n: setattr(n, "value", n.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "without the sign", lambda n: setattr(n, "op", ast.UAdd() if isinstance(n.op, ast.USub) else _twice(n))
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "never", lambda n: setattr(n, "test", ast.Constant(False))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "not done", lambda n: setattr(n, "value", ast.Constant(None))


def _twice(node: ast.UnaryOp) -> ast.Not:
    """Not not."""
    node.operand = ast.UnaryOp(ast.Not(), node.operand)
    return ast.Not()


def survives(path: Path, broken: ast.Module, tests: list[str]) -> bool:
    """Do the tests pass although the module is broken? Asked of a copy of this process."""
    child = os.fork()
    if child == 0:
        os.setsid()
        _become(path, broken, tests)
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _become(path: Path, broken: ast.Module, tests: list[str]) -> None:
    loader: Any = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self: Any, name: str) -> Any:
        return compile(broken, str(path), "exec") if Path(self.path) == path else usual(self, name)

    loader.get_code = get_code
    code = 1
    with contextlib.suppress(BaseException), Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        import pytest

        code = int(pytest.main(["-x", "-q", "-n0", "-p", "no:cacheprovider", *tests]))
    os._exit(code)


def look_at(module: str, number: int, seed: int) -> tuple[int, int]:
    """Prints the survivors of so many mutants of a module; returns how many were tried and how many survived."""
    path, tests = SOURCES / module, [test for test in TARGETS[module][1] if not test.endswith(".py") or Path(test).exists()]
    whole = ast.parse(path.read_text())
    if not survives(path, whole, tests):
        raise SystemExit(f"The tests of {module} fail as it is.")
    known = list(mutants(path.read_text()))
    chosen = sorted(Random(seed).sample(range(len(known)), min(number, len(known))))
    lived = 0
    for line, told, broken in (known[each] for each in chosen):
        if survives(path, broken, tests):
            lived += 1
            print(f"    {module}:{line}: {told}", flush=True)
    print(f"{module}: {lived} of {len(chosen)} mutants lived ({len(known)} are known)", flush=True)
    return len(chosen), lived


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("modules", nargs="*", default=list(TARGETS))
    parser.add_argument("--mutants", type=int, default=30, help="of each module, drawn from the seed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    compiled = os.environ.get("NUMBA_DISABLE_JIT") != "1"
    tried = lived = 0
    for module in given.modules:
        if TARGETS[module][0] != compiled:
            again = [sys.executable, "-m", "tests.mutate", module, "--mutants", str(given.mutants), "--seed", str(given.seed)]
            subprocess.run(again, env={**os.environ, "NUMBA_DISABLE_JIT": "1" if compiled else "0"}, check=False)
            continue
        import numba  # noqa: F401  (loaded once, before the copies are made)
        import pytest  # noqa: F401

        found = look_at(module, given.mutants, given.seed)
        tried, lived = tried + found[0], lived + found[1]
    if tried:
        print(f"{lived} of {tried} mutants lived")


if __name__ == "__main__":
    main()
