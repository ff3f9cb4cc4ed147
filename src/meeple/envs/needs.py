"""Packages that parts of Meeple need besides the core, and the error where one is missing."""

from __future__ import annotations

import importlib.util

from meeple.core.errors import MeepleError


class NotInstalled(MeepleError, ImportError):
    """Part of Meeple needs a package that is not installed."""


def need(package: str) -> None:
    if not installed(package):
        raise NotInstalled(f"Environments need {package}, which is not installed; pip install 'meeple[envs]' brings it.")


def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
