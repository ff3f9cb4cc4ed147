"""Folders in dependency order: each imports only those before it. The test reads the imports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import meeple
from meeple.core.sources import KERNEL_ROOMS, PICTURES

PACKAGE = Path(meeple.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)
LAYERS = (
    "core",
    "games",
    "rollout",
    "search",
    "nets",
    "agents",
    "envs",
    "arena",
    "learn",
    "lab",
    "bench",
    "play",
    "serve",
    "cli",
)
HAS_KERNELS = (*KERNEL_ROOMS, "games", "agents")  # of the last two only those at the table count
NO_KERNELS = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in HAS_KERNELS]


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_stands_before_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0]
    assert own in LAYERS
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "meeple" or len(parts) == 1:
            continue
        # `places` alone looks into the folder of games, and only to list it.
        if path.name == "places.py" and name == "meeple.games":
            continue
        if parts[1] in LAYERS:
            assert LAYERS.index(parts[1]) <= LAYERS.index(own), f"{own} imports {name}"


@pytest.mark.parametrize("path", NO_KERNELS, ids=lambda path: path.name)
def test_a_folder_left_out_of_the_cache_key_has_no_kernel(path: Path) -> None:
    assert "meeple.core.kernel.kernel" not in imported(path)


@pytest.mark.parametrize("path", [p for p in MODULES if "games" in p.parts], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_game_imports_no_other_game(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    if len(parts) < 3:
        return
    for name in imported(path):
        if name.startswith("meeple.games."):
            assert name.split(".")[2] == parts[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_pictures_and_the_page_import_a_picture(path: Path) -> None:
    """Files called scene.py are left out of the kernels' fingerprint, so nothing that is compiled may depend on one."""
    if path.name in PICTURES or path.relative_to(PACKAGE).parts[0] in ("serve", "cli"):
        return
    assert not [name for name in imported(path) if name.startswith("meeple.") and "scene" in name.split(".")]
