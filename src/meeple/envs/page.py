"""Every id, observation, action and reward as a page of Markdown, made from the games' own declarations: docs/spaces.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, groupby
from typing import Any, TypeVar

from meeple.core.check import specimens
from meeple.core.game import Game, Level, Variant
from meeple.core.registry import all_games, find_game
from meeple.envs.ids import env_id
from meeple.rollout.rewards import rewards_of

T = TypeVar("T")  # hashable

HEAD = """# Observations, actions and rewards

Made by `meeple list spaces` from what the games declare; a test compares. How to use them: [environments](environments.md).
"""


def page(names: Iterable[str] = ()) -> str:
    """The whole page, or that of some games."""
    games = [find_game(name) for name in names] if names else all_games()
    return "\n".join([HEAD, *(line for game in games for line in _game(game))])


def spaces(names: Iterable[str] = ()) -> dict[str, Any]:
    """The same as plain data, by game."""
    games = [find_game(name) for name in names] if names else all_games()
    return {game.name: _spaces(game) for game in games}


def _spaces(game: Game) -> dict[str, Any]:
    ids = {game.variant(name).spec: env_id(game.variant(name)) for name in game.variants.values}
    return {
        "title": game.title,
        "options": {choice.name: list(choice.values) for choice in game.options},
        "rewards": {name: reward.meaning for v in specimens(game) for name, reward in rewards_of(v).items()},
        "variants": {
            variant.spec: {
                "id": ids.get(variant.spec),
                "seats": variant.shape.seats,
                "actions": variant.shape.actions,
                "names": [dict(zip(("ids", "number", "first", "last"), row, strict=True)) for row in _actions(variant)],
                "observations": {level.name: _level(level) for level in variant.shape.levels},
            }
            for variant in specimens(game)
        },
    }


def _level(level: Level) -> dict[str, Any]:
    ends = accumulate(field.size for field in level.fields)
    fields = [
        {"at": end - f.size, "size": f.size, "name": f.name, "low": f.low, "high": f.high, "meaning": f.meaning}
        for f, end in zip(level.fields, ends, strict=True)
    ]
    return {"size": level.size, "meaning": level.meaning, "clairvoyant": level.clairvoyant, "fields": fields}


def _game(game: Game) -> Iterator[str]:
    yield f"## {game.title}\n"
    yield from _table(("id", "game", "seats", "actions", "observations"), _ids(game))
    yield from _table(("option", "values, the default first"), ([c.name, ", ".join(c.values)] for c in game.options))
    yield from _table(("reward", "pays"), _rewards(game))
    for variants, rows in _grouped(specimens(game), _actions):
        yield f"### Actions of {variants}\n"
        yield from _table(("ids", "number", "first", "last"), rows)
    for variants, levels in _grouped(specimens(game), lambda variant: variant.shape.levels):
        for level in levels:
            yield f"### Observation `{level.name}` of {variants}\n"
            shows = "; **clairvoyant**: more than the seat may know" if level.clairvoyant else ""
            yield f"{level.size} numbers: {level.meaning}{shows}.\n"
            yield from _table(("at", "field", "bounds", "meaning"), _fields(level))


def _ids(game: Game) -> Iterator[list[str]]:
    for name in game.variants.values:
        variant = game.variant(name)
        levels = ", ".join(f"`{level.name}` {level.size}" for level in variant.shape.levels)
        yield [f"`{env_id(variant)}`", f"`{variant.spec}`", str(variant.shape.seats), f"{variant.shape.actions:,}", levels]


def _rewards(game: Game) -> Iterator[list[str]]:
    found = {name: reward for variant in specimens(game) for name, reward in rewards_of(variant).items()}
    for name, reward in found.items():
        yield [f"`{name}`", reward.meaning]


def _actions(variant: Variant) -> tuple[tuple[str, ...], ...]:
    """Runs of ids whose names begin alike."""
    names = [variant.format_action(action) for action in range(variant.shape.actions)]
    rows, first = [], 0
    for _, run in groupby(names, key=lambda name: name.split()[0]):
        alike = list(run)
        last = first + len(alike) - 1
        rows.append((_span(first, last), f"{len(alike):,}", alike[0], alike[-1]))
        first = last + 1
    return tuple(rows)


def _fields(level: Level) -> Iterator[list[str]]:
    at = 0
    for field in level.fields:
        yield [_span(at, at + field.size - 1), field.name, f"{field.low:g} to {field.high:g}", field.meaning]
        at += field.size


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _grouped(variants: Iterable[Variant], key: Callable[[Variant], T]) -> Iterator[tuple[str, T]]:
    """Variants that have the same, together."""
    found: dict[T, list[str]] = {}
    for variant in variants:
        found.setdefault(key(variant), []).append(f"`{variant.spec}`")
    for what, specs in found.items():
        yield ", ".join(specs), what


def _table(heads: tuple[str, ...], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if lines:
        yield "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *lines, ""])
