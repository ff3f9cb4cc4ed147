"""Positions that are set up by hand: what the variant decides cannot be set, and nonsense is refused before it is dealt again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.core.errors import MeepleError
from meeple.core.game import Game
from meeple.core.registry import all_games, find_variant
from meeple.core.state import new
from meeple.games.jaipur.components import BONUS_OF
from meeple.games.splendor.components import COLOURS, COST
from meeple.serve import minds
from meeple.serve.desk import filled, settable
from meeple.serve.errors import Refused
from meeple.serve.minds import Question, check_position
from meeple.serve.pool import HINT, Pool

pytestmark = pytest.mark.xdist_group("page")


@pytest.mark.parametrize("game", [game for game in all_games() if game.fixed], ids=lambda game: game.name)
def test_what_the_variant_decides_is_told_by_the_game_and_never_changes(game: Game) -> None:
    assert set(game.fixed) <= set(game.dtype.names or ())
    for name in game.variants.values:
        state, luck = new(game.variant(name), 1), np.random.default_rng(1)
        before = [state.array[field].copy() for field in game.fixed]
        assert before == [new(game.variant(name), 2).array[field] for field in game.fixed]
        while not state.over:
            state.play(int(luck.choice(state.legal())))
        assert before == [state.array[field] for field in game.fixed]


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("rake:official", {"seats": 3}),
        ("splendor:2", {"thesis": 1}),
        ("splendor:2", {"players": 4}),
        ("jaipur:round", {"match": 1}),
        ("jaipur:round", {"action_set": 2}),
        ("lotr:easy", {"macro": 1}),
    ],
)
def test_what_the_variant_decides_cannot_be_set(spec: str, fields: dict[str, Any]) -> None:
    variant = find_variant(spec)
    assert not set(fields) & set(settable(variant))
    with pytest.raises(Refused, match="no field"):
        filled(variant, fields)


# ---- The audits: what would be dealt again for ever ----------------------------------------------------------------


def choose_without_cards(s: Any) -> None:
    """Seat 1 has announced a sale and holds nothing."""
    for good in range(6):
        for _ in range(s.hand[1, good]):
            s.deck[s.deck_left] = good
            s.deck_left += 1
        s.hand[1, good] = 0
    s.seat, s.chosen = 1, 2


def invent_a_kind(s: Any) -> None:
    s.chosen = 9


def take_with_a_full_hand(s: Any) -> None:
    s.chosen = 1
    while (held := int(s.hand[s.seat].sum())) < 7:
        s.deck_left -= 1
        card = s.deck[s.deck_left]
        s.deck[s.deck_left] = -1
        if card < 6:
            s.hand[s.seat, card] += 1
        else:
            s.herd[s.seat] += 1
    assert held == 7


def change_a_bonus_token(s: Any) -> None:
    s.bonus[0, : BONUS_OF[0]] = 0


def reach_beyond_the_deck(s: Any) -> None:
    s.deck_left = 100


def no_card(s: Any) -> None:
    s.deck[3] = 50


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (choose_without_cards, "chosen"),
        (invent_a_kind, "chosen"),
        (take_with_a_full_hand, "chosen"),
        (change_a_bonus_token, "tokens"),
        (reach_beyond_the_deck, "deck"),
        (no_card, "cards|deck"),
    ],
)
def test_an_impossible_table_of_jaipur_is_found(damage: Callable[[Any], None], word: str) -> None:
    found = audited("jaipur:round,actions=25502", damage)
    assert any(each in found for each in word.split("|")), found


def test_a_kind_is_chosen_in_the_two_step_set_only() -> None:
    def choose(s: Any) -> None:
        s.chosen = 1

    assert "two-step" in audited("jaipur:round", choose)
    assert audited("jaipur:round,actions=25502", choose) == ""


def pass_with_a_card_to_buy(s: Any) -> None:
    """Seat 1 passed, but can pay for the card that it holds hidden."""
    s.deck_left[0] -= 1
    card = s.deck[0, s.deck_left[0]]
    s.deck[0, s.deck_left[0]] = -1
    s.reserved[1, 0], s.blind[1, 0], s.passed[1] = card, 1, 1
    for colour in range(COLOURS):
        s.tokens[1, colour] = COST[card, colour]
        s.bank[colour] -= COST[card, colour]


def hide_no_card(s: Any) -> None:
    s.blind[0, 0] = 1


def empty_hand_of_card(s: Any) -> None:
    s.reserved[0, 0] = 120


def no_noble(s: Any) -> None:
    s.nobles[0] = 50


def the_same_noble_twice(s: Any) -> None:
    s.nobles[0] = s.nobles[1]


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (pass_with_a_card_to_buy, "passed"),
        (hide_no_card, "hidden"),
        (empty_hand_of_card, "card"),
        (no_noble, "nobles"),
        (the_same_noble_twice, "nobles"),
    ],
)
def test_an_impossible_table_of_splendor_is_found(damage: Callable[[Any], None], word: str) -> None:
    assert word in audited("splendor:2", damage)


def audited(spec: str, damage: Callable[[Any], None]) -> str:
    """What the audit says of a fresh deal with a damage; nothing is dealt again or played."""
    state = new(spec, 3)
    assert minds._broken(state) == ""
    damage(state.data)
    return minds._broken(state)


# ---- The worker's check --------------------------------------------------------------------------------------------


def test_lists_that_are_too_long_and_seats_that_do_not_exist_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    state = new("rake:official", 1)
    assert check_position(state.variant, state.array) == ""
    state.data.seats = 3
    state.data.turn = state.data.seat = 2
    assert "seat 2 does not exist" in check_position(state.variant, state.array)
    state = new("splendor:2", 1)
    state.data.thesis = 1
    monkeypatch.setattr(minds, "_hides_nonsense", lambda _: "")
    assert check_position(state.variant, state.array) != ""


CARELESS = """
from meeple.agents.random import Random
from meeple.core.agent import AgentKind
from meeple.serve import minds

minds._broken = lambda state: ""  # nothing is audited
minds.DEADLINE = 0.5
AGENTS = (AgentKind("careless", "loads what stands here", lambda variant: Random()),)
"""


def test_a_check_that_does_not_end_ends_its_worker_and_the_next_one_answers(tmp_path: Path) -> None:
    """Without its audit Jaipur looks for ever for a hand that allows what was chosen: no card is left for it."""
    careless = tmp_path / "careless.py"
    careless.write_text(CARELESS)
    endless = new("jaipur:round", 3)
    choose_without_cards(endless.data)

    async def run() -> None:
        pool = Pool(1, [careless])
        await pool.start()
        try:
            with pytest.raises(MeepleError, match="ended"):
                await pool.ask(Question("check", "jaipur:round", "", endless.array), HINT, ("a", "check"))
            good = Question("check", "jaipur:round", "", new("jaipur:round", 1).array)
            assert await pool.ask(good, HINT, ("b", "check")) == ""
        finally:
            await pool.close()

    asyncio.run(run())
