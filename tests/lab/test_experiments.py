"""The experiments that come with the package: all can be read and planned, nothing that a thesis numbers is missing."""

from __future__ import annotations

import pytest

from meeple.agents.registry import find_agent
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.registry import find_variant
from meeple.lab import ledger
from meeple.lab.experiment import THESES, Words, experiments, find_experiment, natural
from meeple.lab.runner import kinds
from meeple.lab.trial import Trial, trials_of
from meeple.learn.config import read_config
from meeple.learn.train import find_learner

ARTEFACTS = {
    "clairvoyant search",
    "skipped quest",
    "zero willpower of macro questing",
    "reward-free Q gradient",
    "softmax after the mask",
    "shared n-step indices",
    "self-play sums that measure no strength",
    "hyper-parameters that undo a bad default",
}


@pytest.mark.parametrize("name", experiments())
def test_every_run_of_an_experiment_is_one_that_can_be_made(name: str) -> None:
    one = find_experiment(name)
    for quick in (False, True):
        for trial in trials_of(one, quick, 1):
            assert trial.kind in kinds()
            check(trial)
    assert one.title and one.about and one.then


def check(trial: Trial) -> None:
    """As far as that can be told without playing: the variant, the agents, the learner's settings."""
    variant = find_variant(trial.config["variant"])
    for agent in trial.config.get("agents", []):
        find_agent(agent, variant.game)
    if trial.kind == "train":
        stages = trial.config.get("stages", [{}])
        for stage in stages:
            settings = trial.config.get("set", {}) | stage.get("set", {})
            made = read_config(find_learner(trial.config["algorithm"]).config_class, settings)
            assert not made.level or variant.level(made.level) >= 0
        assert trial.config["steps"] > 0 and trial.config["test"] % variant.shape.seats == 0
    elif trial.kind != "solve":
        assert trial.config["games"] >= 1


def test_a_small_budget_is_smaller() -> None:
    for one in experiments().values():
        full, small = (sum(trial.size for trial in trials_of(one, quick, 1)) for quick in (False, True))
        assert small < full, one.name


def test_names_are_of_their_thesis_and_aliases_lead_to_one_experiment() -> None:
    known = experiments()
    assert {one.thesis for one in known.values()} == set(THESES)
    for one in known.values():
        assert one.name.startswith(one.thesis)
        for alias in one.aliases:
            assert find_experiment(alias) is one
            assert alias not in known
    assert find_experiment("pelle-A.4").name == "pelle-6.9"
    assert find_experiment("cutajar-fig-E.128").name == "cutajar-5.8"
    with pytest.raises(UnknownName, match=r"godlewski-6\.2"):
        find_experiment("godlewski-6.22")


def test_the_ledger_knows_everything_that_a_thesis_numbers() -> None:
    items = ledger.ledger()
    numbers = {thesis: sum(item.thesis == thesis for item in items) for thesis in THESES}
    assert numbers["cutajar"] >= 14 + 9 + 64 + 128  # tables 4.x and 5.x, figures 5.x and E.x
    assert numbers["godlewski"] >= 2 + 2 + 10 + 6
    assert all(item.experiment or item.reason for item in items)
    made = {item.experiment for item in items}
    assert {one.name for one in experiments().values() if one.covers} <= made


def test_what_is_neither_made_nor_excused_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "covered", lambda _: {})
    with pytest.raises(MeepleError, match="made by no experiment"):
        ledger.ledger.__wrapped__()


def test_every_known_artefact_has_an_experiment_with_a_control() -> None:
    shown = {one.artefact: one for one in experiments().values() if one.artefact}
    assert set(shown) == ARTEFACTS
    for artefact in ARTEFACTS:
        those = [one for one in experiments().values() if one.artefact == artefact]
        assert all(one.fault for one in those)
        assert any(len({measure.role for measure in one.measures}) > 1 or len(one.rows) > 1 for one in those), artefact


def test_numbers_in_names_are_ordered_as_numbers() -> None:
    assert sorted(["6.10", "6.9", "A.1"], key=natural) == ["6.9", "6.10", "A.1"]
    assert ledger.spelt_out("Figures E.9 to E.11") == ["Figure E.9", "Figure E.10", "Figure E.11"]
    assert ledger.in_short(["Figure 5.1", "Figure 5.2", "Table 4.2"]) == "Table 4.2, Figures 5.1 to 5.2"


def test_braces_are_filled_to_the_bottom() -> None:
    words = Words({"a": "{b}", "b": 3, "who": "x{b}"}, net=lambda name: f"<{name}>")
    assert words.fill({"n": "{a}", "t": ["{who}-{b}", "{net one/two}"]}) == {"n": 3, "t": ["x3-3", "<one/two>"]}
    with pytest.raises(UnknownName, match="word in braces"):
        words.fill("{nothing}")
