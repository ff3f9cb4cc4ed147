"""`python -m tests.fuzz --cases 5000 --seed 1`."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.run import Runner, draw


def main() -> int:
    """Run the cases; 1 if anything was wrong with any of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="run this case alone and show what it printed")
    parser.add_argument("--kind", help="only cases of this kind, such as store")
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.cases) if given.only is None else range(given.only, given.only + 1)
    with tempfile.TemporaryDirectory(prefix="meeple_fuzz_", ignore_cleanup_errors=True) as folder:
        runner = Runner(Path(folder))
        ran, failures = fuzz(runner, given.seed, numbers, given.kind, given.only is not None)
        runner.close()
    print(f"{sum(ran.values()):,} cases: {failures} failures ({', '.join(f'{n:,} {kind}' for kind, n in sorted(ran.items()))})")
    return 1 if failures else 0


def fuzz(runner: Runner, seed: int, numbers: range, kind: str | None = None, show: bool = False) -> tuple[Counter[str], int]:
    """How many cases of each kind ran, and how many of them were failures; each is printed with how to run it again."""
    ran, failures, said = Counter[str](), 0, time.monotonic()
    shelf = runner.shelf()
    for number in numbers:
        case = draw(seed, number, shelf)
        if kind and case.kind != kind:
            continue
        wrong = runner.run(case, show)
        ran[case.kind] += 1
        if wrong:
            failures += 1
            tell(seed, number, case, wrong)
        if time.monotonic() - said > 30:
            said = time.monotonic()
            print(f"{number + 1 - numbers.start:,} of {len(numbers):,} cases, {failures} failures", file=sys.stderr, flush=True)
    return ran, failures


def tell(seed: int, number: int, case: Case, wrong: list[str]) -> None:
    print(f"--only {number} --seed {seed} ({case.kind}): meeple {shlex.join(case.argv)!a}"[:400])
    for line in wrong:
        print(f"    {line!a}"[:600])
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
