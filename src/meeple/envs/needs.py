"""What must be installed besides the core, and what is said where it is not."""

from __future__ import annotations

import importlib.util

from meeple.core.errors import MeepleError


class NotInstalled(MeepleError, ImportError):
    """Part of Meeple needs a package that is not there."""


def need(package: str) -> None:
    if not installed(package):
        raise NotInstalled(f"Environments need {package}, which is not installed; pip install 'meeple[envs]' brings it.")


def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
