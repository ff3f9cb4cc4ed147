"""The expert script, the thesis's action reduction, and players made of parts."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.agents.registry import find_agent
from meeple.arena.plan import make_plan
from meeple.arena.table import Piece
from meeple.core.agent import ask
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.core.rng import child, draw, stream
from meeple.core.verbs import keep
from tests.games.lotr.positions import arrange, table


def decide(state: meeple.State, agent: str = "expert") -> str:
    agent = find_agent(agent, state.variant.game).make(state.variant)
    return state.variant.format_action(ask(agent, state, 7))


def win_rate(spec: str, agent: str, games: int = 2000) -> float:
    plan = make_plan(spec, [agent], games, 3)
    seeds, seating = plan.tables(range(plan.deals))
    return float(Piece(plan.variant, list(plan.players), seeds, seating).play().outcomes.mean())


# ---- The script -------------------------------------------------------------------------------------------------------------


def test_the_highest_willpower_is_committed_first_and_enough_is_enough() -> None:
    state = arrange(table(), "questing", untapped="rider of rohan", staged="king spider")
    assert decide(state) == "commit eowyn"
    state = arrange(table(), "questing", untapped="rider of rohan", willpower=12, staged="king spider")
    assert decide(state) == "stop"


def test_more_than_is_sure_to_win_is_not_committed() -> None:
    state = arrange(table(), "questing", progress=7, willpower=4, tapped="eowyn")  # one more, and three at most come up
    assert decide(state, "expert:margin=20") == "stop"


def test_the_land_with_most_threat_is_travelled_to() -> None:
    state = arrange(table(), "travel", lands="old forest road, necromancer's pass, forest gate")
    assert decide(state) == "travel necromancer's pass"


def test_an_enemy_that_falls_is_struck_first() -> None:
    state = arrange(table(), "attack", tapped="eowyn, eleanor", engaged="forest spider, dol guldur orcs (2 damage)")
    assert decide(state) == "attack dunhere > dol guldur orcs (2 damage)"


def test_a_hero_is_not_given_for_an_ally() -> None:
    state = arrange(table(), "defence", untapped="wandering took", tapped="dunhere", engaged="ungoliant's spawn", threat=40)
    assert decide(state) == "defend wandering took"


def test_patience_commits_nobody_until_enough_is_at_hand() -> None:
    state = arrange(table("hard"), "questing", staged="king spider")
    assert decide(state, "expert:patience=14") == "stop"
    assert decide(state, "expert:patience=2") == "commit eowyn"


@pytest.mark.skipif(not JIT, reason="thousands of games")
def test_it_wins_nearly_always() -> None:
    assert win_rate("lotr:easy", "expert") > 0.99
    assert win_rate("lotr:medium", "expert") > 0.99
    assert win_rate("lotr:hard", "expert") > 0.95


@pytest.mark.skipif(not JIT, reason="thousands of games")
def test_waiting_is_worth_everything_where_nobody_skips_the_quest_and_nothing_elsewhere() -> None:
    """The fault of the thesis's evaluation, and what it is worth."""
    assert win_rate("lotr:hard-skip", "expert:patience=14,margin=20") > 0.99
    assert win_rate("lotr:hard", "expert:patience=14,margin=20") < 0.05


# ---- The filter -------------------------------------------------------------------------------------------------------------


def kept(state: meeple.State) -> set[str]:
    out = np.zeros(state.variant.shape.room, np.int32)
    n = state.variant.game.legal(state.data, out)
    return {state.variant.format_action(int(action)) for action in out[: keep(state.data, out, n)]}


def test_gandalf_or_nobody_where_he_can_be_paid_for() -> None:
    assert kept(arrange(table(), "planning", hand="gandalf, wandering took", resources=5)) == {"buy gandalf", "stop"}
    assert kept(arrange(table(), "planning", hand="gandalf, wandering took", resources=4)) == {"buy wandering took", "stop"}


def test_nobody_stops_before_the_willpower_is_more_than_two_above_the_threat_if_it_can_be() -> None:
    assert "stop" not in kept(arrange(table(), "questing", staged="king spider"))  # six at hand, threat two
    assert "stop" not in kept(arrange(table(), "questing", staged="king spider", willpower=4, tapped="eowyn"))
    assert "stop" in kept(arrange(table(), "questing", staged="king spider", willpower=5, tapped="eowyn, dunhere"))
    out_of_reach = arrange(table(), "questing", staged="king spider, king spider")  # four and more than two: seven are not there
    assert "stop" in kept(out_of_reach)


def test_every_attack_is_met_while_an_ally_is_untapped() -> None:
    assert "undefended" not in kept(arrange(table(), "defence", untapped="wandering took", engaged="king spider"))
    assert "undefended" in kept(arrange(table(), "defence", engaged="king spider"))


def test_the_filter_never_leaves_nothing() -> None:
    for number in range(50 if JIT else 2):
        state = meeple.new("lotr:hard", child(9, number))
        chooser = stream(number)
        while not state.over:
            assert kept(state) <= set(state.moves())
            assert kept(state)
            legal = state.legal()
            state.play(legal[draw(chooser, len(legal))])


# ---- Players made of parts --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not JIT, reason="thousands of games")
def test_every_phase_is_decided_by_its_own_agent() -> None:
    parts = "phases:planning=random-listings,questing=expert,other=random-listings"
    mixed, random, expert = (win_rate("lotr:hard", agent) for agent in (parts, "random-listings", "expert"))
    assert random < 0.1 < mixed < expert


def test_each_part_is_asked_in_its_phase_and_in_no_other() -> None:
    state = arrange(table(), "travel", lands="necromancer's pass, forest gate")
    assert decide(state, "phases:travel=expert") == "travel necromancer's pass"
    state = arrange(table(), "questing", untapped="rider of rohan", staged="king spider")
    assert decide(state, "phases:questing=expert") == "commit eowyn"


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("phases:planing=random", "did you mean 'planning'"),
        ("phases:planning=expart", "did you mean 'expert'"),
        ("phases:planning=expert(margin=3", "lacks a closing bracket"),
        ("phases:planning=expert(margn=3)", "did you mean 'margin'"),
    ],
)
def test_a_wrong_part_is_one_sentence(agent: str, why: str) -> None:
    state = table()
    with pytest.raises(MeepleError, match=why):
        decide(state, agent)


def test_players_of_single_cards_refuse_macro_actions() -> None:
    with pytest.raises(MeepleError, match="expert plays card by card"):
        decide(meeple.new("lotr:hard,decisions=macro", 1))
