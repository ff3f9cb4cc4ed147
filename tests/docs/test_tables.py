"""Pages have what is declared and was measured: whoever changes either runs docs/make_tables.py."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = runpy.run_path(str(DOCS / "make_tables.py"))


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("agents", "agent_tables"),
        ("levels", "level_tables"),
        ("levels", "rating_tables"),
        ("levels", "first_level_table"),
        ("champions", "proof_table"),
        ("champions", "style_tables"),
        ("champions", "exploit_table"),
    ],
)
def test_a_page_is_as_its_script_writes_it(page: str, table: str) -> None:
    assert SCRIPT[table]() in (DOCS / f"{page}.md").read_text()
