"""Population based training, without a cluster: a member can be copied and go on under other settings; log and clock are right."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from meeple.arena.cluster.luggage import luggage
from meeple.core.errors import MeepleError
from meeple.core.kernel import JIT
from meeple.lab.tuning.run import plan_search
from meeple.lab.tuning.space import Axis, Space
from meeple.lab.tuning.trained import LearnerSubject

pytest.importorskip("ray.tune")
pbt = pytest.importorskip("meeple.lab.tuning.population")
pytestmark = pytest.mark.skipif(not JIT, reason="trains")
SMALL = {"games": 16, "steps": 8, "hidden": [8], "minibatch": 64}
SPACE = Space(
    method="pbt",
    metric="joint",
    window=20,
    minutes=1.0,
    part=2048,
    interval=2,
    settings=SMALL,
    axes=(Axis("lr", (1e-3, 1e-4), also=("lr_end",)), Axis("discount", low=0.9, high=1.0)),
)


def subject() -> LearnerSubject:
    from meeple.core.registry import find_variant
    from meeple.lab.tuning.trained import learner_subject

    return learner_subject(find_variant("jaipur:round"), "ppo", ("random",), "joint", 10**9, 4, 20, 1)


def test_a_member_that_copies_another_goes_on_as_it_with_its_own_settings(tmp_path: Path) -> None:
    from meeple.lab.tuning.member import Member

    good, bad = Member.__new__(Member), Member.__new__(Member)
    good.setup({"lr": 1e-3, "discount": 0.95}, subject(), SPACE, luggage())
    bad.setup({"lr": 1e-4, "discount": 0.9}, subject(), SPACE, luggage())
    first = good.step()
    assert first["decisions"] == 2048
    good.save_checkpoint(str(tmp_path))
    assert bad.reset_config({"lr": 1e-4, "discount": 1.0})
    bad.load_checkpoint(str(tmp_path))
    assert (bad.run.learner.weights == good.run.learner.weights).all()
    assert (bad.run.plan.config["lr"], bad.run.plan.config["lr_end"], bad.run.plan.config["discount"]) == (1e-4, 1e-4, 1.0)
    assert bad.step()["decisions"] == good.step()["decisions"] == 4096
    assert (bad.run.learner.weights != good.run.learner.weights).any()
    for member in (good, bad):
        member.cleanup()


def test_a_perturbed_number_stays_within_its_bounds() -> None:
    assert pbt.within(SPACE)({"lr": 1e-3, "discount": 1.14}) == {"lr": 1e-3, "discount": 1.0}
    assert pbt.within(SPACE)({"lr": 1e-3, "discount": 0.7}) == {"lr": 1e-3, "discount": 0.9}


def test_the_clock_counts_all_sittings(tmp_path: Path) -> None:
    path = tmp_path / "clock.json"
    path.write_text(json.dumps({"seconds": 59.9999}))
    assert not pbt.Clock(path, 1e6).over()
    assert pbt.Clock(path, 59.0).over()
    assert pbt.Clock(path, 1e6).spent >= 59.9999


def test_a_clock_that_ray_kept_counts_no_time_in_which_nobody_trained(tmp_path: Path) -> None:
    """Ray Tune pickles the clock of a sitting and takes it out again in the next, perhaps a day later and with more minutes."""
    path = tmp_path / pbt.CLOCK
    old = pbt.Clock(path, 60.0)
    old.started -= 30.0  # half a minute of training
    old.write()
    kept = pickle.dumps(old)
    old.started -= 100_000.0  # and then it lay
    pbt.Clock(path, 120.0)  # the next sitting, with more minutes
    again = pickle.loads(kept)
    assert 30.0 <= again.spent < 40.0
    assert again.seconds == 120.0
    assert not again.over()


def test_perturbations_are_told_with_names(tmp_path: Path) -> None:
    (tmp_path / pbt.NAME).mkdir()
    row = ["2_lr=1", "0_lr=2", 4, 5, {"lr": 1e-3, "discount": 0.9}, {"lr": 1e-4, "discount": 0.9}]
    (tmp_path / pbt.NAME / "pbt_global.txt").write_text(json.dumps(row) + "\n")
    pbt.write_perturbations(SPACE, tmp_path)
    told = {"member": "2_lr=1", "look": 4, "copies": "0_lr=2", "its_look": 5, "changed": {"lr": [1e-3, 1e-4]}}
    assert pbt.perturbations(tmp_path) == [told]


def test_the_best_start_is_of_the_last_look_before_anybody_was_perturbed(tmp_path: Path) -> None:
    looks = [("a", 1, 0.9), ("b", 1, 0.1), ("a", 2, 0.3), ("b", 2, 0.4), ("a", 3, 0.99)]
    lines = [json.dumps({"member": m, "look": n, "value": v, "point": {"lr": n}}) for m, n, v in looks]
    (tmp_path / pbt.MEMBERS).write_text("\n".join(lines) + "\n")
    assert pbt.best_start(tmp_path, SPACE)["member"] == "b"


def test_a_folder_of_another_population_is_refused(tmp_path: Path) -> None:
    pbt.same_population({"seed": 1}, tmp_path)
    pbt.same_population({"seed": 1}, tmp_path)
    with pytest.raises(MeepleError, match="its seed was 1, not 2"):
        pbt.same_population({"seed": 2}, tmp_path)


def test_a_population_needs_time(tmp_path: Path) -> None:
    assert plan_search("jaipur", "ppo", "jaipur-ppo", tmp_path, 1, {"minutes": 5.0}).space.minutes == 5
    mine = tmp_path / "mine.toml"
    mine.write_text('method = "pbt"\n[space]\nlr = [0.1, 0.2]\n')
    with pytest.raises(MeepleError, match="needs --minutes"):
        plan_search("jaipur:round", "ppo", str(mine), tmp_path, 1, {})
