"""`meeple list`: what there is."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import typer

from meeple.agents.registry import agents_of, agents_of_all, labelled
from meeple.cli.show import Json, console, print_json, table
from meeple.core.agent import AgentKind
from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Game, Variant
from meeple.core.registry import all_games, find_game, game_names

THINGS = ("games", "agents", "environments", "spaces")


def list_things(
    what: Annotated[str, typer.Argument(help="games, agents, environments, spaces, or the name of a game.")] = "games",
    only: Annotated[str, typer.Argument(help="Of the agents: those of this game, or those with this in their name.")] = "",
    as_json: Json = False,
) -> None:
    """List the games; the agents; the ids of environments; every observation and action as a page; or all about one game."""
    if only and what != "agents":
        raise MeepleError(f"Only agents can be chosen from: meeple list agents {only}.")
    if what == "games":
        games = all_games()
        if as_json:
            print_json({game.name: describe(game) for game in games})
        else:
            _show_games(games)
    elif what == "agents":
        _list_agents(only, as_json)
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


def _list_agents(only: str, as_json: bool) -> None:
    """Each agent once, with the games it plays and what can be set."""
    found = {only: agents_of(find_game(only))} if only in game_names() else agents_of_all()
    kinds = {kind.name: kind for agents in found.values() for kind in agents.values()}
    if only not in game_names():
        kinds = {name: kind for name, kind in kinds.items() if only in name} or _no_agent(only, kinds)
    if as_json:
        print_json(
            {
                name: {
                    "meaning": kind.meaning,
                    "games": [game for game, agents in found.items() if name in agents],
                    "clairvoyant": kind.clairvoyant,
                    "parameters": {p.name: {"default": p.default, "meaning": p.meaning} for p in kind.params},
                }
                for name, kind in kinds.items()
            }
        )
        return
    columns = ("agent", "games", "what it does", "parameters")
    shown = table("Agents; set parameters as in advanced1:k1=0.6,k2=0.4", *columns, prose=columns[1:])
    for name, kind in kinds.items():
        games = ", ".join(game for game, agents in found.items() if name in agents)
        shown.add_row(
            labelled(name, kind.clairvoyant),
            games,
            kind.meaning,
            "\n".join(f"{p.name}={p.default}: {p.meaning}" for p in kind.params),
        )
    console.print(shown)


def _no_agent(only: str, kinds: dict[str, AgentKind]) -> NoReturn:
    raise UnknownName("game or agent", only, (*game_names(), *kinds))


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
    from meeple.envs.page import page

    text = page()
    if as_json:
        print_json({"page": text})
    else:
        print(text)


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
