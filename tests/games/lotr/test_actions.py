"""The action space: its size, its names, its kinds, and the largest number of legal actions."""

from __future__ import annotations

import pytest

import meeple
from meeple.core.verbs import kind
from meeple.games.lotr import actions
from meeple.games.lotr.components import CARD_NAMES, HEROES
from tests.games.lotr.positions import arrange, table

VARIANT = meeple.find_variant("lotr:hard")


def test_there_are_155_actions_and_every_name_reads_back() -> None:
    assert VARIANT.shape.actions == actions.ACTIONS == 155
    names = [VARIANT.format_action(action) for action in range(155)]
    assert len(set(names)) == 155
    assert [VARIANT.parse_action(name) for name in names] == list(range(155))


@pytest.mark.parametrize(
    ("action", "name", "sort"),
    [
        (0, "buy lorien guide", "buy"),
        (4, "buy gandalf", "buy"),
        (5, "commit dunhere", "commit"),
        (8, "commit lorien guide", "commit"),
        (9, "commit lorien guide (1 damage)", "commit"),
        (12, "commit northern tracker (2 damage)", "commit"),
        (17, "commit gandalf", "commit"),
        (18, "travel necromancer's pass", "travel"),
        (23, "travel mountains of mirkwood", "travel"),
        (24, "stay", "stay"),
        (25, "defend dunhere", "defend"),
        (37, "defend gandalf", "defend"),
        (38, "undefended", "undefended"),
        (39, "hit dunhere", "hit"),
        (41, "hit eleanor", "hit"),
        (42, "stop", "stop"),
        (43, "attack dunhere > dol guldur orcs", "attack"),
        (44, "attack dunhere > dol guldur orcs (1 damage)", "attack"),
        (46, "attack dunhere > dol guldur beastmaster", "attack"),
        (154, "attack gandalf > ungoliant's spawn", "attack"),
    ],
)
def test_ids_are_numbered_as_the_rules_file_says_and_their_kinds_tell_the_phases_apart(action: int, name: str, sort: str) -> None:
    assert VARIANT.format_action(action) == name
    assert VARIANT.game.kinds[kind(table().data, action)] == sort


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Commit  EOWYN", "commit eowyn"),
        ("commit eowyn (2 damage)", "commit eowyn"),
        ("commit rider of rohan (0 damage)", "commit rider of rohan"),
        ("commit rider of rohan (1 damage)", "commit rider of rohan (1 damage)"),
        ("defend gandalf (1 damage)", "defend gandalf"),
        ("hit dunhere (3 damage)", "hit dunhere"),
        ("attack rider of rohan (1 damage)>king spider(2 damage)", "attack rider of rohan > king spider (2 damage)"),
        ("attack eowyn (1 damage) > ungoliant's spawn (4 damage)", "attack eowyn > ungoliant's spawn"),
        ("attack eowyn (1 damage) > forest spider", "attack eowyn > forest spider"),
    ],
)
def test_reading_takes_damage_everywhere(text: str, name: str) -> None:
    assert VARIANT.format_action(VARIANT.parse_action(text)) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a move is one of"),
        ("hello there", "a move is one of"),
        ("commit eowin", "did you mean 'commit eowyn'"),
        ("commit rider of rohan (2 damage)", "did you mean 'commit rider of rohan"),
        ("attack eowyn > forest spider (4 damage)", "did you mean 'attack eowyn > forest spider"),
        ("hit gandalf", "lotr:hard"),
    ],
)
def test_what_is_no_move_is_refused_with_a_hint(text: str, why: str) -> None:
    with pytest.raises(meeple.UnreadableMove, match=why):
        VARIANT.parse_action(text)


def test_a_position_with_the_most_legal_actions_has_105() -> None:
    enemies = (
        "dol guldur orcs, dol guldur orcs (1 damage), dol guldur orcs (2 damage), dol guldur beastmaster, forest spider, "
        "forest spider (1 damage), forest spider (2 damage), forest spider (3 damage), east bight patrol, black forest bats, "
        "king spider, king spider (1 damage), ungoliant's spawn"
    )
    characters = "lorien guide, northern tracker, wandering took, rider of rohan, gandalf"
    state = arrange(table("hard"), "attack", untapped=characters, engaged=enemies)
    assert len(set(state.legal())) == 105 == actions.MAX_LEGAL


def test_fifteen_allies_can_be_in_play_at_once() -> None:
    everybody = [name for name in CARD_NAMES[HEROES:] for _ in range(3)]
    state = arrange(table(), "defence", untapped=", ".join(everybody), engaged="king spider", round=20)
    assert state.data.ready.sum() == 3 + 15
