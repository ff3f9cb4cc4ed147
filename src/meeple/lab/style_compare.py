"""Two agents side by side: in what their styles differ, how often they would make the same move, and the positions where they
differ most, with what each expects of both moves.

At sampled positions of their games each agent is asked once more, the first twice with other luck: how often it agrees with itself
is the most that agreement can mean. What a move is worth is told by the agents themselves where they are tree searches, else by a
search of the given budget. Nobody is shown more than the seat to move may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from meeple.agents.analyze import analyze, find_analyst, reads_as_tree
from meeple.agents.registry import AgentSpec
from meeple.core.agent import ask, begin
from meeple.core.game import Variant
from meeple.core.intervals import wilson
from meeple.core.record import Record
from meeple.core.rng import child, draw, stream
from meeple.core.state import State, new
from meeple.lab.style import StoredGame, kind_of

SHOWN = 3  # positions that are told of
Tick = Callable[[int], None]


class Position(NamedTuple):
    """A decision with a choice, out of one of the games."""

    game: StoredGame
    ply: int
    state: State
    history: list[tuple[int, int]]


def sample(variant: Variant, games: list[StoredGame], number: int, seed: int) -> list[Position]:
    """So many decisions with a choice, each as likely as any other, in the order of the games."""
    luck = stream(child(seed, 1))
    kept: list[Position] = []
    for count, position in enumerate(_choices(variant, games)):
        place = count if count < number else draw(luck, count + 1)
        if place < number:
            kept[place : place + 1] = [Position(position.game, position.ply, position.state.copy(), list(position.history))]
    return sorted(kept, key=lambda position: (position.game.number, position.ply))


def _choices(variant: Variant, games: list[StoredGame]) -> Iterator[Position]:
    for game in games:
        state = new(variant, game.seed)
        history: list[tuple[int, int]] = []
        for ply, action in enumerate(game.actions):
            if len(state.legal()) > 1:
                yield Position(game, ply, state, history)
            history.append((state.seat, action))
            state.play(action)


def compare(
    players: Sequence[AgentSpec], positions: list[Position], judge: str, seed: int, tick: Tick = lambda _: None
) -> dict[str, Any] | None:
    """Agreement of two agents, and the positions of most difference; nothing without a position."""
    if not positions:
        return None
    variant = positions[0].state.variant
    made = [player.make(variant) for player in players]
    agreed, steady, differing = 0, 0, []
    for number, position in enumerate(positions):
        answers = [_answer(*each, position, child(seed, 2 * number)) for each in zip(made, players, strict=True)]
        agreed += answers[0] == answers[1]
        steady += answers[0] == _answer(made[0], players[0], position, child(seed, 2 * number + 1))
        if answers[0] != answers[1]:
            differing.append((position, answers))
        tick(1)
    valued = [_valued(position, answers, _valuers(players, made, judge, variant), seed) for position, answers in differing]
    return {
        "positions": len(positions),
        "same_move": share(agreed, len(positions)),
        "first_agrees_with_itself": share(steady, len(positions)),
        "same_kind": share(agreed + sum(one["kinds"][0] == one["kinds"][1] for one in valued), len(positions)),
        "differences": sorted(valued, key=lambda one: -one["gap"])[:SHOWN],
    }


def share(part: int, whole: int) -> dict[str, Any]:
    return {"share": part / whole, "ci": list(wilson(part / whole, whole))}


def _answer(agent: Any, player: AgentSpec, position: Position, seed: int) -> int:
    state = position.state.copy()
    begin(agent, state.variant, state.seat, player.spec)
    return ask(agent, state, seed, position.history, player.clairvoyant, player.spec)


def _valuers(players: Sequence[AgentSpec], made: list[Any], judge: str, variant: Variant) -> dict[str, Any]:
    """Who tells what a move is worth: name -> search."""
    searches = {player.spec: agent for player, agent in zip(players, made, strict=True) if reads_as_tree(agent) and not agent.team}
    if len(searches) == len({player.spec for player in players}):
        return searches
    analyst = find_analyst(judge, variant)
    return searches | {analyst.spec: analyst.make(variant)}


def _valued(position: Position, answers: list[int], valuers: dict[str, Any], seed: int) -> dict[str, Any]:
    state, variant = position.state, position.state.variant
    expected = {name: _expected(search, state, answers, child(seed, position.ply)) for name, search in valuers.items()}
    moves = [variant.format_action(action) for _, action in position.history]
    return {
        "game": position.game.number,
        "ply": position.ply,
        "seat": state.seat,
        "board": state.board(state.seat),
        "moves": [variant.format_action(action) for action in answers],
        "kinds": [kind_of(state, action) for action in answers],
        "expected": expected,
        "gap": max(map(_gap, expected.values())),
        "record": Record(variant.spec, position.game.seed, moves).text(),
    }


def _expected(search: Any, state: State, answers: list[int], seed: int) -> list[float | None]:
    """What a search expects of both moves for the seat to move; nothing of one that it never tried."""
    values = {move.action: move.value for move in analyze(search, state, seed).moves}
    return [values[action] for action in answers]


def _gap(expected: list[float | None]) -> float:
    """How much the two moves differ; where one was never tried nobody knows."""
    first, second = expected
    return abs(first - second) if first is not None and second is not None else 0.0


# ---- In words ----


def differences(styles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every figure that both agents have, by how clearly it differs, in standard deviations of a game."""
    found = []
    for what, unit, first, second in _pairs(*styles):
        sd = ((first["sd"] ** 2 + second["sd"] ** 2) / 2) ** 0.5
        size = abs(first["mean"] - second["mean"])
        if size > 0 and _apart(first["ci"], second["ci"]):
            found.append({"what": what, "unit": unit, "means": [first["mean"], second["mean"]], "sds": size / sd if sd else None})
    return sorted(found, key=lambda one: -(one["sds"] if one["sds"] is not None else 1e9))


NONE = {"mean": 0.0, "ci": [0.0, 0.0], "sd": 0.0}


def _pairs(first: dict[str, Any], second: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    for group, unit in (("kinds", "share"), ("noted", "a game"), ("facts", "a game")):
        for name in {**first[group], **second[group]}:
            yield name, unit, first[group].get(name, NONE), second[group].get(name, NONE)


def _apart(first: list[float | None], second: list[float | None]) -> bool:
    """Do two intervals not touch? Of a single deal there is none, and nothing is clear."""
    if None in first or None in second:
        return False
    return first[1] < second[0] or second[1] < first[0]  # type: ignore[operator]


def sentences(result: dict[str, Any], names: list[str], most: int = 8) -> list[str]:
    """What a designer would say of it, clearest first."""
    found = [_tempo(style, name) for style, name in zip(result["styles"], names, strict=True)]
    for one in result.get("differences", [])[:most]:
        first, second = one["means"]
        told = [f"{each:.0%}" if one["unit"] == "share" else f"{each:.1f}" for each in (first, second)]
        how = "of the decisions" if one["unit"] == "share" else "a game"
        found.append(f"{one['what']}: {told[0]} {how} ({names[0]}) against {told[1]} ({names[1]}).")
    if both := result.get("agreement"):
        found.append(
            f"In {both['positions']} positions with a choice they make the same move in {both['same_move']['share']:.0%}; "
            f"{names[0]} asked again makes its own move in {both['first_agrees_with_itself']['share']:.0%}."
        )
    return found


def _tempo(style: dict[str, Any], name: str) -> str:
    kinds = sorted(style["kinds"].items(), key=lambda item: -item[1]["mean"])[:3]
    told = ", ".join(f"{kind} {figures['mean']:.0%}" for kind, figures in kinds)
    turns = style["points_by_turn"]
    marks = sorted({len(turns) // 3, 2 * len(turns) // 3, len(turns)} - {0})
    points = ", ".join(f"{turns[mark - 1]['points']:.1f} after turn {mark}" for mark in marks)
    return f"{name}: {told} of its decisions" + (f"; points {points}." if points else ".")
