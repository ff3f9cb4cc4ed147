"""A guide's notes: a node that is visited again asks what the network made of it when it was new."""

from __future__ import annotations

import numpy as np
import pytest

import meeple
from meeple.agents.champion import champion_file, make_search
from meeple.core.guide import NoGuide, advise, look, memo_size, recall
from meeple.core.state import State, new
from meeple.nets.ready import load_adviser
from meeple.search.driver import Budget, Search

ROUND = meeple.find_variant("jaipur:round")
BUDGET = Budget(300)


def a_position() -> State:
    state = new(ROUND, 5)
    for _ in range(6):
        legal = state.legal()
        state.play(legal[len(legal) // 2])
    return state


def searched(memory: bool, clairvoyant: int) -> Search:
    made = make_search(ROUND, champion_file(ROUND), BUDGET)
    settings = made.settings._replace(clairvoyant=clairvoyant)
    search = Search(ROUND, settings, made.guide, made.policy, BUDGET, memory)
    search.set_root(a_position().array)
    search.run(early=False)
    return search


def test_by_its_own_note_a_table_is_scored_as_by_a_look_at_it() -> None:
    guide, state = load_adviser(champion_file(ROUND), ROUND), a_position()
    actions = np.array(state.legal(), np.int32)
    advised, recalled, values, noted = np.zeros(len(actions)), np.zeros(len(actions)), np.zeros(2), np.zeros(2)
    memo = np.zeros(memo_size(guide), np.float32)
    advise(guide, state.data, actions, len(actions), advised, values)
    look(guide, state.data, noted, memo)
    state.play(int(actions[0]))
    advise(guide, state.data, np.array(state.legal(), np.int32), len(state.legal()), np.zeros(ROUND.shape.room), np.zeros(2))
    recall(guide, memo, actions, len(actions), recalled)
    assert recalled == pytest.approx(advised, abs=1e-5)
    assert noted == pytest.approx(values, abs=1e-6)
    assert advised.std() > 0.1


def test_where_all_determinizations_are_one_memory_changes_nothing() -> None:
    with_notes, without = searched(True, clairvoyant=1), searched(False, clairvoyant=1)
    assert with_notes.tree.noted[0] > 100 and without.tree.noted[0] == 0
    one, other = with_notes.root_actions(), without.root_actions()
    assert one.actions.tolist() == other.actions.tolist()
    assert one.visits.tolist() == other.visits.tolist()
    assert one.totals == pytest.approx(other.totals)


def test_where_they_differ_the_search_is_another() -> None:
    with_notes, without = searched(True, clairvoyant=0), searched(False, clairvoyant=0)
    assert with_notes.root_actions().totals.tolist() != pytest.approx(without.root_actions().totals.tolist())


def test_who_needs_more_than_a_query_keeps_no_notes() -> None:
    splendor = meeple.find_variant("splendor:2")
    assert memo_size(load_adviser(champion_file(splendor), splendor)) == 0  # its cards are scored one by one
    assert memo_size(NoGuide()) == 0
