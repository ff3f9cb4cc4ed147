"""The page of levels has what was measured: whoever measures again runs docs/make_levels.py."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_levels_is_as_its_script_writes_it() -> None:
    script = runpy.run_path(str(DOCS / "make_levels.py"))
    page = (DOCS / "levels.md").read_text()
    assert script["level_tables"]() in page
    assert script["rating_tables"]() in page
