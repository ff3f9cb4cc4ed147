"""Our own checker: every environment plays what the engine plays; and it is not blind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import meeple
from meeple.core.check import Report, specimens
from meeple.core.game import Variant
from meeple.envs import all_seats, check, many_games, one_seat
from tests.envs.ids import EVERY_SPECIMEN

ROUND = meeple.find_variant("jaipur:round")
jaipur = pytest.mark.xdist_group("jaipur")


@pytest.mark.parametrize(("number", "variant"), EVERY_SPECIMEN)
def test_an_environment_plays_the_game_move_by_move(number: int, variant: Variant) -> None:
    """Every reward and observation of a game's first variant, one of them each of the others."""
    games = 6 if variant == variant.game.variant() else 1
    assert list(check._problems(variant, games, number, tick=lambda _: None)) == []


def found(rule: str) -> list[str]:
    return [message for name, message in check._problems(ROUND, 1, 3, lambda _: None) if name == rule]  # paid in points


@jaipur
def test_a_reward_for_the_wrong_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = all_seats.GameAEC.step

    def exchanged(self: Any, action: Any) -> None:
        honest(self, action)
        self.rewards = dict(zip(self.rewards, reversed(self.rewards.values()), strict=True))

    monkeypatch.setattr(all_seats.GameAEC, "step", exchanged)
    assert any("was paid" in message for message in found("aec environment"))


@jaipur
def test_a_mask_that_forgets_an_action_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = all_seats.GameAEC.legal_actions
    monkeypatch.setattr(all_seats.GameAEC, "legal_actions", lambda self: honest(self)[:-1])
    assert any("mask" in message for message in found("aec environment"))


@jaipur
def test_a_stale_observation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = one_seat.GameEnv.step

    def stale(self: Any, action: Any) -> Any:
        before = self._seen.copy()
        return (before, *honest(self, action)[1:])

    monkeypatch.setattr(one_seat.GameEnv, "step", stale)
    assert any("shown other numbers" in message for message in found("gymnasium environment"))


@jaipur
def test_an_end_that_is_not_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = many_games.GameVectorEnv.step

    def endless(self: Any, actions: Any) -> Any:
        seen, paid, terminated, truncated, infos = honest(self, actions)
        return seen, paid, np.zeros_like(terminated), truncated, infos

    monkeypatch.setattr(many_games.GameVectorEnv, "step", endless)
    assert any("terminated" in message for message in found("vector environment"))


@jaipur
def test_what_is_wrong_is_reported_once_a_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "_problems", lambda *_: iter([("gymnasium environment", "wrong")] * 3))
    report = Report("jaipur")
    check.check_envs(ROUND.game, 1, 0, report)
    assert [problem.variant for problem in report.problems] == [variant.spec for variant in specimens(ROUND.game)]
