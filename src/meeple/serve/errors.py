"""Refusals: a status and one sentence that says what would be right."""

from __future__ import annotations

from meeple.core.errors import MeepleError

NOT_YOURS, NOT_FOUND, STALE, WRONG, TOO_MANY, BUSY = 403, 404, 409, 422, 429, 503


class Refused(MeepleError):
    """What was asked for is not done, and nothing has changed."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        super().__init__(sentence)
