"""Parts of the server by themselves: the review's arithmetic, limits, what waits for a compiler, what the coach says."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from meeple.core.registry import find_variant
from meeple.serve.coach import loss_of, reason
from meeple.serve.errors import Refused
from meeple.serve.levels import Level, levels_of
from meeple.serve.limits import Limits, Rate
from meeple.serve.minds import Question
from meeple.serve.pool import Pool
from meeple.serve.ready import Ready
from meeple.serve.review import review
from meeple.serve.store import Event, GameRow
from meeple.serve.table import set_up

pytestmark = pytest.mark.xdist_group("page")


def finding(seat: int, value: float, loss: float) -> dict[str, Any]:
    return {"seat": seat, "move": "m", "best": "b", "value": value, "loss": loss, "visits": 9, "estimated": False, "line": []}


def test_beginning_costs_gifts_and_luck_add_up_to_the_result() -> None:
    row = GameRow(
        "", "record", "jaipur:round", 1, 5, None, [{"kind": "person", "name": "a"}, {"kind": "person", "name": "b"}], True
    )
    table = set_up(row)
    plies = 0
    while not table.state.over:
        table.apply(Event("move", table.state.seat, table.state.legal()[0]))
        plies += 1
    won = table.state.outcome()
    found = {0: finding(0, 0.5, 0.1), 1: finding(1, 0.7, 0.2), 2: finding(0, 0.6, 0.0)}
    told = review(table, found)
    for seat, given in ((0, 0.2), (1, 0.1)):
        own = told["seats"][seat]
        assert own["start"] == 0.5 and own["given"] == pytest.approx(given)
        assert own["start"] - own["cost"] + own["given"] + own["luck"] == pytest.approx(won[seat])
    # Seat 0: 0.5 less 0.1 was turned to 0.3 by luck; the other gave 0.2; luck turned 0.5 to 0.6, and 0.6 to the result.
    assert told["seats"][0]["luck"] == pytest.approx(-0.1 + 0.1 + won[0] - 0.6)
    assert [move["ply"] for move in told["worst"]] == [1, 0]
    assert told["seats"][0]["graph"][:3] == [[0, 0.5], [1, pytest.approx(0.3)], [2, 0.6]]
    assert told["seats"][0]["perfect"] == 1


# ---- The coach's words ---------------------------------------------------------------------------------------------


def analysis(*values: float | None, points: bool = False) -> dict[str, Any]:
    usual: dict[str, Any] = {"visits": 100, "interval": None, "line": []}
    moves = [{"move": f"m{i}", "action": i, "value": value, **usual} for i, value in enumerate(values)]
    return {"points": points, "estimated": True, "iterations": 100, "moves": moves}


def test_a_move_costs_what_the_best_is_worth_more() -> None:
    found = analysis(0.6, 0.52, None)
    assert loss_of(found, 1)["loss"] == pytest.approx(0.08)
    assert loss_of(found, 0)["loss"] == 0
    assert loss_of(found, 2) == {"loss": None, "visits": 0}


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (analysis(0.6), "the only move"),
        (analysis(0.6, 0.52), "win 60% of the games from here, clearly better than “m1” by about 8%"),
        (analysis(0.6, 0.599), "about as good"),
        (analysis(0.6, None), "nothing else was worth a try"),
        (analysis(31.0, 28.5, points=True), "31.0 points, clearly better than “m1” by about 2.5 points"),
    ],
)
def test_a_hint_gives_its_reason(found: dict[str, Any], words: str) -> None:
    assert words in reason(found)


# ---- Limits --------------------------------------------------------------------------------------------------------


def test_who_asks_too_often_waits_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("meeple.serve.limits.time.monotonic", lambda: now[0])
    kept = Limits({"request": Rate(2, 0.5)}, sockets=1)
    kept.take("a", "request")
    kept.take("a", "request")
    with pytest.raises(Refused, match="too often"):
        kept.take("a", "request")
    kept.take("b", "request")
    now[0] = 2.0
    kept.take("a", "request")
    kept.enter("a")
    with pytest.raises(Refused, match="close one"):
        kept.enter("a")
    kept.leave("a")
    kept.enter("a")


def test_no_agent_on_offer_is_clairvoyant_and_every_budget_is_bounded() -> None:
    for spec in ("jaipur", "splendor:3", "lotr:hard", "rake:official-2"):
        levels = levels_of(find_variant(spec))
        assert "random" in levels and {"mcts-quick", "mcts-strong", "champion-1", "champion-10"} <= set(levels)
        assert not [name for name in levels if "clairvoyant" in name or name in ("net", "flat", "exploiter")]
        assert max(level.ms for level in levels.values()) <= 1000


# ---- First use -----------------------------------------------------------------------------------------------------


class Compiler(Pool):
    """Stands in for a process that compiles: it is done when the test says so."""

    def __init__(self) -> None:
        super().__init__(1)
        self.done = asyncio.Event()

    async def ask(self, question: Question, priority: int, key: tuple[str, str]) -> Any:  # noqa: ARG002
        await self.done.wait()
        return True

    def preparing(self) -> int | None:
        return None if self.done.is_set() else 12


def test_agents_that_answer_at_once_play_while_a_search_is_compiled() -> None:
    async def run() -> None:
        variant, ready = find_variant("rake:simple"), Ready()
        ready.quick, ready.slow = Compiler(), Compiler()
        ready.quick.done.set()
        search = asyncio.ensure_future(ready.agent(variant, Level("mcts-quick", "mcts", "", 50.0)))
        await ready.agent(variant, Level("random", "random", ""))
        await asyncio.sleep(0)
        progress = ready.progress(variant)
        assert progress == {"rules": True, "agents": ["random"], "compiling": ["mcts"], "functions": 12}
        assert not search.done()
        ready.slow.done.set()
        await search
        assert ready.progress(variant) == {"rules": True, "agents": ["mcts", "random"], "compiling": [], "functions": 0}

    asyncio.run(run())
