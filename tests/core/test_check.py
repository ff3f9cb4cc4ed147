"""The checker rejects games that are broken on purpose, each by the rule it breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.core.check import check_game
from meeple.core.check_knowledge import HiddenFields
from meeple.core.game import Field, Level, Shape, Variant
from meeple.games.jaipur.knowledge import TRACKED

JAIPUR = meeple.find_game("jaipur")
LOTR = meeple.find_game("lotr")
outside = np.random.default_rng(0)


def problems(games: int = 2, **broken: Any) -> set[str]:
    """The rules that Jaipur's round breaks with some parts replaced."""
    game = replace(JAIPUR, **broken)
    return {problem.rule for problem in check_game(game, games, seed=1, only=[game.variant("round")]).problems}


def deal_forgets_a_field(s: Any, config: Any, seed: Any) -> None:
    turn = int(s.round_turn)
    JAIPUR.deal(s, config, seed)
    s.round_turn = turn


def deal_with_luck_from_outside(s: Any, config: Any, seed: Any) -> None:
    JAIPUR.deal(s, config, seed)
    s.luck[0] = outside.integers(1 << 60)


def legal_twice(s: Any, out: Any) -> int:
    n = JAIPUR.legal(s, out)
    out[n] = out[0]
    return n + 1


def legal_none(s: Any, out: Any) -> int:  # noqa: ARG001
    return 0


def legal_out_of_range(s: Any, out: Any) -> int:
    n = JAIPUR.legal(s, out)
    out[0] = 30_000
    return n


def legal_peeks(s: Any, out: Any) -> int:
    """Lists what may be done only if the next card of the deck is a good."""
    n = JAIPUR.legal(s, out)
    return n if s.deck_left == 0 or s.deck[s.deck_left - 1] < 5 else max(1, n - 1)


def legal_changes_the_state(s: Any, out: Any) -> int:
    s.chosen = 0
    s.last_points[0] += 1
    return JAIPUR.legal(s, out)


def apply_with_luck_from_outside(s: Any, action: int) -> None:
    JAIPUR.apply(s, action)
    s.last_points[1] = outside.integers(100)


def apply_loses_a_card(s: Any, action: int) -> None:
    JAIPUR.apply(s, action)
    if s.turn == 5 and s.herd[0] > 0:
        s.herd[0] -= 1


def apply_never_ends(s: Any, action: int) -> None:
    JAIPUR.apply(s, action)
    if s.end:
        JAIPUR.deal(s, np.array([1, 0, 0]), np.uint64(s.ply))


def apply_raises(s: Any, action: int) -> None:  # noqa: ARG001
    raise ZeroDivisionError("a slip")


def observe_leaks(s: Any, seat: int, level: int, out: Any) -> None:
    JAIPUR.observe(s, seat, level, out)
    if level == TRACKED:
        out[25] = s.hand[1 - seat, 0]


def observe_out_of_bounds(s: Any, seat: int, level: int, out: Any) -> None:
    JAIPUR.observe(s, seat, level, out)
    out[0] += 8


def observe_incompletely(s: Any, seat: int, level: int, out: Any) -> None:
    JAIPUR.observe(s, seat, level, out[:40])
    out[2] = np.nan


def redeal_that_only_permutes(s: Any, seat: int, seed: Any) -> None:  # noqa: ARG001
    """Reverses the deck: hidden order changes, but whoever knows how can turn it back."""
    n = int(s.deck_left)
    s.deck[:n] = s.deck[:n][::-1].copy()
    s.luck[0] = seed


def redeal_of_ones_own_hand(s: Any, seat: int, seed: Any) -> None:
    JAIPUR.redeal(s, 1 - seat, seed)


def reshuffle_hands(s: Any, seed: Any) -> None:
    JAIPUR.redeal(s, 0, seed)


def reshuffle_that_swaps_a_card(s: Any, seed: Any) -> None:
    JAIPUR.reshuffle(s, seed)  # type: ignore[misc]
    s.deck[0] = 0


def reshuffle_nothing(s: Any, seed: Any) -> None:
    s.luck[0] = seed


def redeal_nothing(s: Any, seat: int, seed: Any) -> None:
    pass


def outcome_of_two_winners(s: Any, out: Any) -> None:  # noqa: ARG001
    out[:] = 1


def view_leaks(s: Any, seat: int) -> dict[str, Any]:
    return {**JAIPUR.view(s, seat), "next": int(s.deck[s.deck_left - 1])}


def view_of_arrays(s: Any, seat: int) -> dict[str, Any]:
    return {**JAIPUR.view(s, seat), "market": s.market[:1]}


def one_name(variant: Any, action: int) -> str:  # noqa: ARG001
    return "take diamond"


def wrong_names(variant: Any, action: int) -> str:
    return JAIPUR.format_action(variant, (action + 1) % 25_499 if action < 25_499 else action)


def too_small(chosen: Any) -> Shape:
    return replace(JAIPUR.shape(chosen), max_plies=10)


def short_level(chosen: Any) -> Shape:
    return replace(JAIPUR.shape(chosen), levels=(Level("own", (Field("hand", 45, 0, 1, "too narrow"),)),))


def features_of_kinds_only(variant: Variant) -> Any:
    assert JAIPUR.features
    return JAIPUR.features(variant)[:, :4]


def features_transposed(variant: Variant) -> Any:
    assert JAIPUR.features
    return JAIPUR.features(variant).T


def features_without_a_number(variant: Variant) -> Any:
    assert JAIPUR.features
    return JAIPUR.features(variant) * np.float32(np.nan)


def keep_all(s: Any, out: Any, n: int) -> int:  # noqa: ARG001
    return n


def keep_nothing(s: Any, out: Any, n: int) -> int:  # noqa: ARG001
    return 0


def keep_another(s: Any, out: Any, n: int) -> int:  # noqa: ARG001
    """One that is not legal."""
    out[0] = 25_000
    return n


def keep_one_twice(s: Any, out: Any, n: int) -> int:  # noqa: ARG001
    out[n - 1] = out[0]
    return n


def keep_and_change(s: Any, out: Any, n: int) -> int:  # noqa: ARG001
    s.last_points[0] += 1
    return n


BROKEN = [
    ("deal", {"deal": deal_forgets_a_field}),
    ("deal", {"deal": deal_with_luck_from_outside}),
    ("legal", {"legal": legal_twice}),
    ("legal", {"legal": legal_none}),
    ("legal", {"legal": legal_out_of_range}),
    ("legal", {"legal": legal_changes_the_state}),
    ("leak", {"legal": legal_peeks}),
    ("keep", {"keep": keep_nothing}),
    ("keep", {"keep": keep_another}),
    ("keep", {"keep": keep_one_twice}),
    ("keep", {"keep": keep_and_change}),
    ("apply", {"apply": apply_with_luck_from_outside}),
    ("invariant", {"apply": apply_loses_a_card}),
    ("length", {"apply": apply_never_ends, "shape": too_small}),
    ("raises", {"apply": apply_raises}),
    ("leak", {"observe": observe_leaks}),
    ("observe", {"observe": observe_out_of_bounds}),
    ("observe", {"observe": observe_incompletely}),
    ("observe", {"shape": short_level}),
    ("redeal forgets", {"redeal": redeal_that_only_permutes}),
    ("leak", {"redeal": redeal_of_ones_own_hand}),
    ("redeal varies", {"redeal": redeal_nothing}),
    ("reshuffle", {"reshuffle": reshuffle_hands}),
    ("reshuffle", {"reshuffle": reshuffle_that_swaps_a_card}),
    ("reshuffle", {"reshuffle": reshuffle_nothing}),
    ("outcome", {"outcome": outcome_of_two_winners}),
    ("leak", {"view": view_leaks}),
    ("view", {"view": view_of_arrays}),
    ("names", {"format_action": one_name}),
    ("names", {"format_action": wrong_names}),
    ("length", {"shape": too_small}),
    ("ends", {"ends": JAIPUR.ends[:2]}),
    ("ends", {"ends": JAIPUR.ends[1:]}),
    ("features", {"features": features_of_kinds_only}),
    ("features", {"features": features_transposed}),
    ("features", {"features": features_without_a_number}),
]


@pytest.mark.parametrize(("rule", "broken"), BROKEN, ids=lambda x: x if isinstance(x, str) else "-".join(x))
def test_a_game_that_breaks_a_rule_is_rejected_by_that_rule(rule: str, broken: dict[str, Any]) -> None:
    assert rule in problems(**broken)


def test_the_unbroken_game_has_no_problem() -> None:
    assert problems() == set()
    assert problems(keep=keep_all) == set()


# ---- What is hidden must be dealt again ----


def redeal_of_the_deck_alone(s: Any, seat: int, seed: Any) -> None:
    """Never the opponent's hand."""
    _redeal_all_but(s, seat, seed, "hand")


def redeal_that_does_not_shuffle(s: Any, seat: int, seed: Any) -> None:
    """The deck in a fixed order: another one than it was, and as well known."""
    JAIPUR.redeal(s, seat, seed)
    n = int(s.deck_left)
    s.deck[:n] = np.sort(s.deck[:n])


def redeal_that_keeps_the_tokens(s: Any, seat: int, seed: Any) -> None:
    _redeal_all_but(s, seat, seed, "bonus", "bonus_points")


def redeal_that_keeps_the_luck(s: Any, seat: int, seed: Any) -> None:
    _redeal_all_but(s, seat, seed, "luck")


def _redeal_all_but(s: Any, seat: int, seed: Any, *kept: str) -> None:
    before = s.copy()
    JAIPUR.redeal(s, seat, seed)
    for name in kept:
        s[name] = before[name]
    if "hand" in kept:  # then the deck has what it had, in another order
        n = int(s.deck_left)
        s.deck[:n] = np.random.default_rng(int(seed)).permutation(np.sort(before.deck[:n]))


@pytest.mark.parametrize(
    ("redeal", "field"),
    [
        (redeal_of_the_deck_alone, "hand"),
        (redeal_that_does_not_shuffle, "deck"),
        (redeal_that_keeps_the_tokens, "bonus"),
        (redeal_that_keeps_the_luck, "luck"),
    ],
)
def test_what_is_hidden_by_declaration_must_be_redealt(redeal: Any, field: str) -> None:
    game = replace(JAIPUR, redeal=redeal)
    found = check_game(game, 8, seed=1, only=[game.variant("round")]).problems
    told = [problem.message for problem in found if problem.rule == "redeal varies"]
    assert told and f"differ in {field}" in told[0]


def redeal_that_keeps_a_card(s: Any, seat: int, seed: Any) -> None:
    """All of the deck of encounters but the card at its bottom, as if that were set aside."""
    kept = int(s.encounter[0])
    LOTR.redeal(s, seat, seed)
    if s.encounter_left:
        at = int(np.argmax(s.encounter[: s.encounter_left] == kept))
        s.encounter[at] = s.encounter[0]
        s.encounter[0] = kept


def test_a_single_card_that_is_kept_is_found() -> None:
    game = replace(LOTR, redeal=redeal_that_keeps_a_card)
    (problem,) = check_game(game, 8, seed=1, only=[game.variant("easy")]).problems
    assert problem.rule == "redeal varies" and "differ in encounter[0]" in problem.message


def test_a_row_that_is_only_rearranged_is_found() -> None:
    """The opponent has as many of one good as it had of another: every place of its hand varies, and its counts are known."""
    variant = JAIPUR.variant("round")
    told: list[str] = []
    fields = HiddenFields(variant, lambda rule, message: told.append(f"{rule}: {message}"))
    for seed in range(20):
        state = meeple.new(variant, seed)
        fields.true_state(state)
        for seat in (0, 1):
            once, again = state.redealt(seat, 2 * seed), state.redealt(seat, 2 * seed + 1)
            if seat == 0:
                for by, copy in enumerate((once, again)):
                    copy.data.hand[1] = np.roll(np.sort(state.data.hand[1]), by)
            fields.redealt(seat, state, once, again)
    fields.verdict()
    assert told == ["redeal varies: redeals for seat 0 only rearrange hand[1]: its values stay the same"]


def test_the_report_tells_which_fields_a_redeal_changes_for_each_seat() -> None:
    report = check_game(JAIPUR, 8, seed=1, only=[JAIPUR.variant("round")])
    fields = ["luck", "bonus", "deck", "hand", "bonus_points"]
    assert report.redealt == {"jaipur:round": [fields, fields]}


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        ({}, "declare which fields of the state are hidden"),
        ({**JAIPUR.hidden, "hands": "others"}, "no such field"),
        ({**JAIPUR.hidden, "deck": "everybody"}, "all, others or own"),
        ({**JAIPUR.hidden, "deck_left": "others"}, "no row for each seat"),
        ({"luck": "all", "deck": "all", "bonus": "all", "bonus_points": "others"}, "changes hand, which Game.hidden does not name"),
    ],
)
def test_hidden_fields_are_declared(hidden: dict[str, str], told: str) -> None:
    game = replace(JAIPUR, hidden=hidden)
    found = check_game(game, 2, seed=1, only=[game.variant("round")]).problems
    assert any(problem.rule == "hidden" and told in problem.message for problem in found)


# ---- What a kernel writes beyond its room is reported, and does no harm ----


def observe_too_much(s: Any, seat: int, level: int, out: Any) -> None:
    JAIPUR.observe(s, seat, level, out)
    np.lib.stride_tricks.as_strided(out, (out.size + 1,))[out.size] = 1.0


def scores_of_three(s: Any, out: Any) -> None:
    JAIPUR.scores(s, out)
    np.lib.stride_tricks.as_strided(out, (3,))[2] = 1.0


def legal_without_end(s: Any, out: Any) -> int:  # noqa: ARG001
    beyond = np.lib.stride_tricks.as_strided(out, (100_000,))
    beyond[:] = np.arange(100_000)
    return 100_000


@pytest.mark.parametrize(
    ("broken", "rule", "told"),
    [
        ({"legal": legal_without_end}, "legal", "100000 legal actions in"),
        ({"shape": lambda chosen: replace(JAIPUR.shape(chosen), max_legal=2)}, "legal", "there must be 1 to max_legal = 2"),
        ({"observe": observe_too_much}, "observe", "writes beyond its"),
        ({"scores": scores_of_three}, "scores", "more numbers than there are seats (2)"),
    ],
)
def test_a_kernel_that_writes_beyond_its_room_is_reported_and_looked_at_no_further(broken: Any, rule: str, told: str) -> None:
    game = replace(JAIPUR, **broken)
    found = check_game(game, 2, seed=1, only=[game.variant("round")]).problems
    assert [problem.rule for problem in found] == [rule] and told in found[0].message
