"""Differential: the kernels against an independent, slow engine that lists single cards, move by move.

The reference names every character and enemy with its damage; several of its moves may be one of ours. Where it has one move only,
we do not ask.
"""

from __future__ import annotations

import pytest

import meeple
from meeple.core.rng import child, draw, stream
from meeple.games.lotr.components import (
    CARD_NAMES,
    CARD_OF,
    CHARACTERS,
    DAMAGE_OF,
    ENCOUNTER_NAMES,
    ENEMIES,
    HEROES,
    LANDS,
    LASTING,
)
from tests.conftest import sample
from tests.reference.lotr import Character, Game, dead, label

GAMES = 5000
PARTS = 2
ALLY_NAMES = CARD_NAMES[HEROES:]
PHASES = ("planning", "questing", "travel", "defence", "hit", "attack")


def reference_of(state: meeple.State) -> Game:
    """The same decks: the opening hand and the card of the first round lie on top again."""
    s = state.data
    drawn = [name for kind, name in enumerate(ALLY_NAMES) for _ in range(s.hand[kind])]
    return Game(
        variant=state.variant.name,
        player_deck=[ALLY_NAMES[card] for card in s.deck[: s.deck_left]] + drawn,
        encounter_deck=[ENCOUNTER_NAMES[card] for card in s.encounter[: s.encounter_left]],
        reading=state.variant.chosen["fallen"],
    )


def counts(cards: list[Character]) -> list[int]:
    """Characters as the engine counts them: heroes whatever their damage, allies by damage, Gandalf without."""
    found = [0] * CHARACTERS
    for card in cards:
        for character in range(CHARACTERS):
            kept = character >= HEROES and LASTING[CARD_OF[character] - HEROES]
            if CARD_NAMES[CARD_OF[character]] == card["name"] and (not kept or DAMAGE_OF[character] == card["damage"]):
                found[character] += 1
    return found


def same_table(state: meeple.State, other: Game) -> None:
    s = state.data
    living = [card for card in other.characters if not dead(card)]
    assert s.ready.tolist() == counts([card for card in living if not card["tapped"]])
    assert s.tapped.tolist() == counts([card for card in living if card["tapped"]])
    assert [CARD_NAMES[hero] for hero in range(HEROES) if s.fallen[hero]] == [card["name"] for card in other.heroes if dead(card)]
    assert (int(s.threat), int(s.resources), int(s.turn)) == (other.threat, other.resources, other.round - 1)
    assert int(s.progress) == min(8, other.progress)
    assert [int(n) for n in s.hand] == [other.hand.count(name) for name in ALLY_NAMES]
    staged = [card["name"] for card in other.staging if card["name"] in ENCOUNTER_NAMES[:ENEMIES]]
    assert [ENCOUNTER_NAMES[kind] for kind in s.staged[: s.staged_count]] == staged
    assert [int(n) for n in s.lands] == [other.lands.count(ENCOUNTER_NAMES[ENEMIES + land]) for land in range(LANDS)]
    engaged = [(ENCOUNTER_NAMES[s.engaged[i]], int(s.engaged_damage[i])) for i in range(s.engaged_count)]
    assert engaged == [(card["name"], card["damage"]) for card in other.engaged]
    active = "" if s.active_land < 0 else ENCOUNTER_NAMES[ENEMIES + s.active_land]
    assert (active, int(s.explored)) == (other.active, other.active_progress)
    assert (int(s.deck_left), int(s.encounter_left)) == (len(other.player_deck), len(other.encounter_deck))


def moves_of(state: meeple.State, other: Game) -> dict[int, str]:
    """Our actions and for each the move of the reference that it stands for: of several attackers the most damaged one, of targets
    the first."""
    found: dict[int, str] = {}
    for move in sorted(other.legal(), key=lambda text: -damage(text)):
        found.setdefault(state.variant.parse_action(move), move)
    return found


def damage(move: str) -> int:
    """Of the character that acts."""
    actor = move.split(" > ")[0]
    return int(actor.partition("(")[2].split()[0]) if "(" in actor else 0


def skip_forced(other: Game) -> None:
    while not other.over and len(other.legal()) == 1:
        other.play(other.legal()[0])


def same_game(spec: str, seed: int) -> None:
    state = meeple.new(spec, seed)
    other = reference_of(state)
    chooser = stream(seed)
    while not state.over:
        skip_forced(other)
        assert PHASES[state.data.phase] == other.phase
        same_table(state, other)
        moves = moves_of(state, other)
        legal = state.legal()
        assert set(legal) == set(moves), f"{spec} seed {seed} ply {state.ply}"
        assert len(set(legal)) == len(legal) > 1
        action = legal[draw(chooser, len(legal))]
        state.play(action)
        other.play(moves[action])
    skip_forced(other)
    assert other.over
    assert state.end.reason == other.end
    assert state.outcome() == [float(other.won)]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("variant", ["easy", "medium", "hard", "hard-skip"])
def test_random_games_are_the_same_move_by_move(variant: str, part: int) -> None:
    for number in range(part, sample(GAMES), PARTS):
        same_game(f"lotr:{variant}", child(17, number))


@pytest.mark.parametrize("variant", ["easy", "hard"])
def test_so_are_games_in_which_the_fallen_leave(variant: str) -> None:
    for number in range(sample(2000)):
        same_game(f"lotr:{variant},fallen=leave", child(18, number))


def test_a_label_tells_the_damage() -> None:
    assert label({"name": "rider of rohan", "damage": 1, "tapped": False, "committed": False}) == "rider of rohan (1 damage)"
