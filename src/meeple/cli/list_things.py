"""`meeple list`: what there is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from meeple.cli.list_agents import list_agents
from meeple.cli.options import Json
from meeple.cli.show import console, print_json, table
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Game, Variant
from meeple.core.registry import all_games, find_game, game_names

THINGS = ("games", "agents", "environments", "spaces")


def list_things(
    what: Annotated[str, typer.Argument(help="games, agents, environments, spaces, or the name of a game.")] = "games",
    words: Annotated[
        list[str] | None, typer.Argument(help="Of agents: a game, and words that their names or meanings have in them.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games; the agents (all, of a game, or one with its parameters); the ids of environments; every observation and
    action as a page; or all about one game."""
    if words and what != "agents":
        raise MeepleError(f"'{words[0]}' means nothing behind {what}; a game and words go with agents: meeple list agents jaipur.")
    if what == "games":
        games = all_games()
        if as_json:
            print_json({game.name: describe(game) for game in games})
        else:
            _show_games(games)
    elif what == "agents":
        list_agents(words or [], as_json)
    elif what == "environments":
        _list_environments(as_json)
    elif what == "spaces":
        _list_spaces(as_json)
    else:
        game = _game(what)
        if as_json:
            print_json(describe(game))
        else:
            _show_game(game)


def _game(what: str) -> Game:
    try:
        return find_game(what)
    except UnknownName:
        raise UnknownName("thing to list", what, (*THINGS, *game_names())) from None


def _list_environments(as_json: bool) -> None:
    from meeple.envs.ids import find_ids  # only now: it loads Gymnasium

    found = find_ids()
    if as_json:
        print_json({name: {"game": variant.spec, **_sizes(variant, variant.game.title)} for name, variant in found.items()})
        return
    shown = table(
        "gymnasium.make(id), pettingzoo.make('aec', id)",
        *("id", "seats", "actions", "observations"),
        right=("seats", "actions"),
        prose=("observations",),
    )
    for name, variant in found.items():
        levels = ", ".join(level.name for level in variant.shape.levels)
        shown.add_row(name, str(variant.shape.seats), f"{variant.shape.actions:,}", levels)
    console.print(shown)


def _list_spaces(as_json: bool) -> None:
    from meeple.envs.page import page, spaces

    if as_json:
        print_json(spaces())
    else:
        print(page())


def describe(game: Game) -> dict[str, Any]:
    """A game's declarations as plain data."""
    return {
        "title": game.title,
        "rules_version": game.version,
        "variants": {name: _sizes(game.variant(name), meaning) for name, meaning in game.variants.values.items()},
        "options": {option.name: dict(option.values) for option in game.options},
        "ends": {end.reason: {"truncated": end.truncated} for end in game.ends[1:]},
    }


def _sizes(variant: Variant, meaning: str) -> dict[str, Any]:
    shape = variant.shape
    return {
        "meaning": meaning,
        "seats": shape.seats,
        "actions": shape.actions,
        "max_legal": shape.max_legal,
        "max_plies": shape.max_plies,
        "levels": {
            level.name: {"size": level.size, "meaning": level.meaning, "clairvoyant": level.clairvoyant} for level in shape.levels
        },
    }


def _show_games(games: list[Game]) -> None:
    shown = table("Games", "game", "title", "variants", "seats", "actions", right=("seats", "actions"), prose=("title", "variants"))
    for game in games:
        shapes = [game.variant(name).shape for name in game.variants.values]
        seats = sorted({shape.seats for shape in shapes})
        actions = sorted({shape.actions for shape in shapes})
        names = ", ".join(game.variants.values)
        shown.add_row(game.name, game.title, names, _range(seats), _range(actions))
    console.print(shown)


def _range(values: list[int]) -> str:
    return f"{values[0]:,}" if len(values) == 1 else f"{values[0]:,}-{values[-1]:,}"


def _show_game(game: Game) -> None:
    console.print(f"[bold]{game.title}[/bold], rules version {game.version}")
    for choice in game.choices:
        shown = table(choice.name, "value", "meaning", prose=("meaning",))
        for number, (value, meaning) in enumerate(choice.values.items()):
            shown.add_row(value + (" (default)" if number == 0 else ""), meaning)
        console.print(shown)
    for level in game.variant().shape.levels:
        title = f"observation level {level.name}: {level.meaning}"
        shown = table(title, "at", "field", "bounds", "meaning", right=("at",), prose=("meaning",))
        at = 0
        for field in level.fields:
            place = str(at) if field.size == 1 else f"{at}-{at + field.size - 1}"
            shown.add_row(place, field.name, f"{field.low:g} to {field.high:g}", field.meaning)
            at += field.size
        console.print(shown)
        if level.clairvoyant:
            console.print("[red]clairvoyant: shows what the seat may not know[/red]")
