"""Write the golden playthroughs and trees: `make golden`. Do it when a rule or the search is meant to change, and read the diff."""

import tests.search.conftest  # noqa: F401  (makes the tiny games known)
from meeple.cli.simulate import random_record
from meeple.core.registry import find_variant
from tests.games.test_every_game import GOLDEN, SPECIMENS, golden_path
from tests.search.test_golden_trees import tree_path, tree_text, variants

if __name__ == "__main__":
    for spec in SPECIMENS:
        golden_path(spec).parent.mkdir(exist_ok=True)
        random_record(find_variant(spec), seed=7).save(golden_path(spec))
        print(golden_path(spec).name)
    (GOLDEN / "trees").mkdir(exist_ok=True)
    for variant in variants():
        tree_path(variant).write_text(tree_text(variant))
        print(tree_path(variant).name)
