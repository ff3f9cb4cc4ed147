"""What a seat observes, and what it cannot know: nothing but the dice to come."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import meeple
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.games.rake.components import LEAVES, PROPERTY_NAMES
from tests.games.rake.positions import after_reroll, clock, cross, finish, hold, offer_acorn, rake, roll, shown, table

VARIANTS = ("complete", "deterministic", "simple", "official", "official-2", "official-3")
FIRST_LEAF = dict(zip(PROPERTY_NAMES, np.cumsum([0, *LEAVES[:-1]]).tolist(), strict=True))


def named(state: meeple.State, seat: int = 0, level: str = "") -> dict[str, list[float]]:
    """The numbers by the names of their fields."""
    numbers = state.observe(seat, level).tolist()
    found, at = {}, 0
    for field in state.variant.shape.levels[state.variant.level(level)].fields:
        found[field.name] = numbers[at : at + field.size]
        at += field.size
    assert at == len(numbers)
    return found


def ones(numbers: list[float]) -> list[int]:
    assert set(numbers) <= {0, 1}
    return [i for i, number in enumerate(numbers) if number]


def play_some(state: meeple.State, seed: int, plies: int) -> meeple.State:
    chooser = stream(seed)
    for _ in range(plies):
        if not state.over:
            legal = state.legal()
            state.play(legal[draw(chooser, len(legal))])
    return state


# ---- Sizes ----


@pytest.mark.parametrize(
    ("variant", "sizes"),
    [
        ("complete", {"sheet": 152, "thesis": 300, "thesis-code": 306, "seen": 317}),
        ("deterministic", {"sheet": 152, "thesis": 300, "thesis-code": 306, "seen": 317}),
        ("simple", {"sheet": 143, "thesis": 151, "seen": 308}),
        ("official", {"sheet": 152, "seen": 317}),
        ("official-2", {"sheet": 276, "seen": 403}),
        ("official-3", {"sheet": 400, "seen": 488}),
    ],
)
def test_each_variant_has_its_levels_and_sizes(variant: str, sizes: dict[str, int]) -> None:
    assert {level.name: level.size for level in meeple.find_variant(f"rake:{variant}").shape.levels} == sizes


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_number_keeps_its_bounds(variant: str) -> None:
    state = table(variant)
    for number in range(30 if JIT else 3):
        play_some(state := table(variant, number), number, 5 * number)
        for level in state.variant.shape.levels:
            low, high = level.bounds()
            for seat in range(state.variant.shape.seats):
                seen = state.observe(seat, level.name)
                assert (low <= seen).all() and (seen <= high).all()


# ---- sheet ----


def test_sheet_shows_the_turn_and_then_every_sheet_the_own_first() -> None:
    state = clock(roll(table("official-3"), "123 45 6"), 7, 8, 9)
    finish(state, 0, harvick=2)
    finish(state, 1, busch=1)
    finish(state, 2, suarez=1)
    hold(state, 0, brown=1)
    cross(state, "newman", 2, seat=2)
    state.data.elliott_best[1] = 12
    seen = named(state, 1)
    assert seen["to_move"] == [0, 0, 1]  # seat 0 moves: the second after seat 1
    assert seen["dice"] == [1, 2, 3, 4, 5, 6]
    assert [seen[f"{who}_time"] for who in ("own", "other1", "other2")] == [[8], [9], [7]]
    assert [seen[f"{who}_score"] for who in ("own", "other1", "other2")] == [[14], [1], [11]]
    assert [seen[f"{who}_elliott"] for who in ("own", "other1", "other2")] == [[12], [0], [0]]
    assert seen["other2_bumps"] == [0, 1, 0]
    assert seen["own_groups"] == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert ones(seen["own_leaves"]) == [FIRST_LEAF["busch"], FIRST_LEAF["busch"] + 1]
    assert ones(seen["other1_leaves"]) == [FIRST_LEAF["newman"] + 2, FIRST_LEAF["suarez"], FIRST_LEAF["suarez"] + 1]
    assert ones(seen["other2_leaves"]) == [0, 1, 2, 3, 4, 5]


def test_sheet_shows_used_and_taken_dice_the_phase_and_what_is_left() -> None:
    state = roll(table("official"), "123 44 6")
    seen = named(state)
    assert (seen["free"], seen["taken"]) == ([1] * 6, [0] * 6)
    assert (ones(seen["phase"]), seen["combinations"], seen["last_round"]) == ([0], [2], [0])
    rake(state, "o1 o2 o3", "harvick")
    state.play("take b1 b2")
    seen = named(state)
    assert (seen["free"], seen["taken"]) == ([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0])
    assert (ones(seen["phase"]), seen["combinations"]) == ([2], [1])
    assert seen["dice"] == [1, 2, 3, 4, 4, 6]
    seen = named(offer_acorn(table("official"), "brown"))
    assert (seen["acorns"], ones(seen["phase"])) == ([0, 1, 0], [4])


def test_simple_has_no_leaves_of_elliott() -> None:
    state = cross(finish(table("simple"), harvick=4, busch=1), "hamlin", 14)
    assert ones(named(state)["own_leaves"]) == [*range(12), 12, 13, 98]
    assert ones(named(state, level="thesis")["leaves"]) == [*range(12), 12, 13, 98]


# ---- thesis, thesis-code ----


@pytest.mark.parametrize("level", ["thesis", "thesis-code"])
def test_the_observation_of_the_thesis_is_dice_leaves_phase_what_is_left_and_the_legal_actions(level: str) -> None:
    state = clock(roll(table(), "123 44 6"), 10)
    state.data.elliott_best[0] = 9 + 3
    seen = named(state, level=level)
    assert [one % 7 for one in ones(seen["dice"])] == [1, 2, 3, 4, 4, 6]
    assert [one // 7 for one in ones(seen["dice"])] == [0, 1, 2, 3, 4, 5]
    assert (ones(seen["phase"]), seen["left"], seen["time"]) == ([0], [1, 1], [0.75])
    assert seen["elliott"] == [pytest.approx(12 / 18)]
    assert ones(seen["legal"]) == state.legal()
    rake(state, "b1 b2", "earnhardt")
    seen = named(state, level=level)
    assert [one % 7 for one in ones(seen["dice"])] == [1, 2, 3, 0, 0, 6]  # used dice as zero
    assert (ones(seen["phase"]), seen["left"]) == ([1], [0, 0.5])
    assert ones(seen["legal"]) == state.legal()
    state.play("take g")
    assert ones(named(state, level=level)["phase"]) == [2]
    state.play("section newman")
    assert ones(named(state, level=level)["phase"]) == [3]
    assert ones(named(state, level=level)["legal"]) == [140, 141]


def test_the_thesis_counts_no_rerolls_left_after_one() -> None:
    assert named(after_reroll(table()), level="thesis")["left"] == [0, 1]


def test_the_program_of_the_thesis_lists_the_centre_leaves_of_johnson_and_patrick_twice() -> None:
    state = cross(finish(table(), johnson=1, patrick=6, hamlin=5), "johnson", 12)
    cross(state, "patrick", 13)
    plain, twice = (named(state, level=level)["leaves"] for level in ("thesis", "thesis-code"))
    johnson, patrick = FIRST_LEAF["johnson"], FIRST_LEAF["patrick"]
    assert (len(plain), len(twice)) == (108, 114)
    assert ones(plain[johnson : johnson + 15]) == [0, 1, 12]
    assert ones(twice[johnson : johnson + 18]) == [0, 1, 12, 15]
    assert ones(twice[patrick + 3 : patrick + 3 + 18]) == [*range(12), 13, 16]
    assert ones(twice[-15:]) == list(range(15))  # Hamlin follows, not twice
    for name, shift in (("suarez", 3), ("earnhardt", 3), ("hamlin", 6)):
        first, size = FIRST_LEAF[name], int(LEAVES[PROPERTY_NAMES.index(name)])
        assert twice[first + shift : first + shift + size] == plain[first : first + size]


def test_the_observation_of_simple_in_the_thesis_has_neither_phase_nor_elliott() -> None:
    state = clock(roll(table("simple"), "551 26 4"), 15)
    seen = named(state, level="thesis")
    assert list(seen) == ["dice", "leaves", "time", "legal"]
    assert seen["time"] == [0.75]
    assert ones(seen["legal"]) == [2, 4, 8]  # newman, suarez, pass


def test_no_time_is_left_and_nothing_is_legal_at_the_end() -> None:
    for variant in ("complete", "simple"):
        state = clock(roll(table(variant), "124 35 6"), 59 if variant == "simple" else 39)
        state.play("pass")
        seen = named(state, level="thesis")
        assert seen["time"] == [0]
        assert ones(seen["legal"]) == []


# ---- Redealing ----


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "deterministic"])
def test_a_redeal_changes_the_dice_to_come_and_nothing_else(variant: str) -> None:
    for number in range(20 if JIT else 2):
        state = play_some(table(variant, number), number, number)
        if state.over:
            continue
        for seat in range(state.variant.shape.seats):
            again = state.redealt(seat, child(3, number))
            assert again.data.luck[0] != state.data.luck[0]
            again.data.luck[0] = state.data.luck[0]
            assert again.array.tobytes() == state.array.tobytes()


@pytest.mark.parametrize("variant", ["complete", "simple", "official-2"])
def test_after_a_redeal_every_roll_is_equally_likely(variant: str) -> None:
    state = table(variant)
    found = Counter[tuple[int, int]]()
    for seed in range(3000 if JIT else 300):
        again = state.redealt(0, seed)
        again.play("pass")
        found.update((die, int(value)) for die, value in enumerate(again.data.dice))
    for die in range(6):
        assert chisquare([found[die, value] for value in range(1, 7)]).pvalue > 1e-4


def test_the_seed_decides_a_redeal() -> None:
    state = table("official")
    rolls = []
    for seed in (4, 4, 5):
        again = state.redealt(0, seed)
        again.play("pass")
        rolls.append(shown(again))
    assert rolls[0] == rolls[1] != rolls[2]


def test_nothing_is_hidden_in_deterministic() -> None:
    variant = meeple.find_variant("rake:deterministic")
    assert not variant.shape.hidden
    assert all(meeple.find_variant(f"rake:{name}").shape.hidden for name in VARIANTS if name != "deterministic")
    for number in range(10):
        state = play_some(table("deterministic", number), number, number)
        assert state.redealt(0, child(3, number)).array.tobytes() == state.array.tobytes()


# ---- The board ----


def test_the_board_shows_crossed_leaves_bonuses_money_and_the_dice() -> None:
    state = finish(roll(table("official"), "123 44 6"), harvick=1, earnhardt=3)
    rake(state, "b1 b2", "earnhardt")
    lines = state.board(0).splitlines()
    assert lines[0].startswith("Seat 0: 24 money, time 0 of 40")
    harvick, earnhardt = (next(line for line in lines if line.strip().startswith(name)) for name in ("harvick", "earnhardt"))
    assert "xxx  .+b.  ...  @g.." in harvick and " 4  3 orange in a row" in harvick
    assert "xx  xx  xx  xx  .@o" in earnhardt and " 18  2 equal brown" in earnhardt
    assert "Dice     o1 1  o2 2  o3 3  g 6    used: b1 b2" in lines
    assert "@" not in table("complete").board(0)  # where bonuses never take effect none is shown, but for money
    assert "elliott" not in table("simple").board(0)
