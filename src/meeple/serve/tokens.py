"""Secrets that open a seat: unguessable, given out once, kept only as a digest."""

from __future__ import annotations

import hashlib
import re
import secrets

BYTES = 24  # 192 bits
WRITTEN = re.compile(r"[A-Za-z0-9_-]{32}")


def make_token() -> str:
    return secrets.token_urlsafe(BYTES)


def make_id() -> str:
    """The name of a game in a link. It opens nothing, but a stranger should not be able to count through games."""
    return secrets.token_hex(8)


def digest(token: str) -> str:
    """What is stored. The tokens are random, so no salt and no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
