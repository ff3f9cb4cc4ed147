"""Files of networks: read back as written; damaged and foreign ones are refused with a sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from meeple.agents.registry import find_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Variant
from meeple.nets.file import Card, load_net, read_net, write_net
from meeple.nets.layout import Layout, random_weights
from meeple.nets.ready import conversion
from tests.search.tiny import GAME


def a_card(variant: Variant) -> Card:
    layout = Layout(inputs=2, actions=variant.shape.actions, hidden=(8,))
    return Card("tiny", variant.spec, 1, "open", layout, reward={"win": 1.0})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    card = a_card(GAME.variant("nim"))
    write_net(tmp_path / "net.safetensors", card, random_weights(card.layout, 1))
    return tmp_path / "net.safetensors"


def test_a_network_is_read_as_it_was_written(path: Path) -> None:
    card, weights = read_net(path)
    assert card == a_card(GAME.variant("nim"))
    assert np.array_equal(weights, random_weights(card.layout, 1))
    assert [p.name for p in path.parent.iterdir()] == ["net.safetensors"]


def test_half_the_size_is_the_same_to_three_digits(path: Path, tmp_path: Path) -> None:
    card, weights = read_net(path)
    write_net(tmp_path / "half", card, weights, half=True)
    read = read_net(tmp_path / "half")[1]
    assert read.dtype == np.float32
    assert np.allclose(read, weights, rtol=1e-3, atol=1e-6)
    assert (tmp_path / "half").stat().st_size < path.stat().st_size


def test_a_truncated_file_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for length in (0, 5, 40, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(MeepleError, match="damaged"):
            read_net(path)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"game": "chess"}, "plays chess, not tiny"),
        ({"rules": 2}, "version 2 of the rules"),
        ({"level": "closed"}, "no such level"),
        ({"layout": Layout(inputs=2, actions=4, hidden=(8,))}, "4 actions"),
        ({"layout": Layout(inputs=3, actions=3, hidden=(8,))}, "observes 3 numbers of the level open"),
    ],
)
def test_a_network_of_something_else_is_refused(tmp_path: Path, changed: dict[str, object], sentence: str) -> None:
    card = replace(a_card(GAME.variant("nim")), **changed)  # type: ignore[arg-type]
    write_net(tmp_path / "x", card, random_weights(card.layout, 1))
    with pytest.raises(MeepleError, match=sentence):
        load_net(tmp_path / "x", GAME.variant("nim"))


def test_weights_that_are_no_numbers_are_refused(path: Path) -> None:
    card, weights = read_net(path)
    weights[3] = np.nan
    write_net(path, card, weights)
    with pytest.raises(MeepleError, match="no numbers"):
        read_net(path)


def test_values_become_shares_of_the_win_or_points(path: Path) -> None:
    nim, pot = a_card(GAME.variant("nim")), replace(a_card(GAME.variant("pot")), reward={"points": 1.0}, scale=0.1)
    assert conversion(nim, path, GAME.variant("nim")) == (0.5, 0.5, False)
    scale, offset, add = conversion(pot, path, GAME.variant("pot"))
    assert scale == pytest.approx(10.0) and offset == 0.0 and add
    with pytest.raises(MeepleError, match="needs a network trained for win"):
        conversion(replace(nim, reward={"difference": 1.0}), path, GAME.variant("nim"))


def test_an_agent_is_named_by_its_file(path: Path) -> None:
    named = find_agent(f"net:{path},temperature=0.5", GAME)
    assert (named.settings["path"], named.settings["temperature"]) == (str(path), 0.5)
    assert find_agent(named.spec, GAME) == named
    assert find_agent(f"net:path={path},temperature=0.5", GAME) == named
    assert find_agent(f"mcts:guide=net:{path}", GAME).settings["guide"] == f"net:{path}"
    with pytest.raises(MeepleError, match="no parameter"):
        find_agent(f"random:{path}", GAME)
