"""Write the golden playthroughs: `make golden`. Do it when a rule is meant to change, and read the diff."""

from meeple.cli.simulate import random_record
from meeple.core.registry import find_variant
from tests.games.test_every_game import GOLDEN, SPECIMENS, golden_path

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for spec in SPECIMENS:
        random_record(find_variant(spec), seed=7).save(golden_path(spec))
        print(golden_path(spec).name)
