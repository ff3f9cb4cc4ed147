"""`meeple list agents`: a line each, of all games, of one, or of those with some words; one alone with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from meeple.agents.registry import agents_of, agents_of_all, labelled
from meeple.cli.options import command
from meeple.cli.show import console, print_json, suggest, table
from meeple.core.agent import AgentKind
from meeple.core.errors import UnknownName
from meeple.core.registry import find_game, game_names

EVERY = "every game"

Found = dict[str, dict[str, AgentKind]]  # agent -> game -> the agent as it is there: parameters may depend on the game


def list_agents(words: list[str], as_json: bool) -> None:
    """`words`: perhaps a game, then words to look for; an agent's whole name alone tells all about it."""
    names = game_names()
    games = [word for word in words if word in names]
    wanted = [word for word in words if word not in names]
    playing = {game: agents_of(find_game(game)) for game in games} or agents_of_all()
    found = search(playing, wanted)
    if as_json:
        print_json({name: describe(name, kinds) for name, kinds in found.items()})
    elif len(found) == 1:
        _show_one(*found.popitem())
    else:
        _show_many(found, list(playing), words)


def search(playing: Mapping[str, Mapping[str, AgentKind]], words: list[str]) -> Found:
    """Agents of these games that have every word in their name or meaning; a whole name means that agent alone."""
    found: Found = {}
    for game, kinds in playing.items():
        for name, kind in kinds.items():
            found.setdefault(name, {})[game] = kind
    chosen = found
    for word in words:
        fits = {n: kinds for n, kinds in chosen.items() if word.lower() in f"{_label(n, kinds)} {_meaning(kinds)}".lower()}
        chosen = {word: found[word]} if word in found else fits
        if not chosen:
            raise UnknownName("agent, game or word of an agent", word, (*found, *game_names()))
    return chosen


def _meaning(kinds: dict[str, AgentKind]) -> str:
    return next(iter(kinds.values())).meaning


def _label(name: str, kinds: dict[str, AgentKind]) -> str:
    return labelled(name, next(iter(kinds.values())).clairvoyant)


def describe(name: str, kinds: dict[str, AgentKind]) -> dict[str, Any]:
    """An agent as plain data; its parameters by game, since their defaults may differ."""
    first = next(iter(kinds.values()))
    return {
        "agent": name,
        "meaning": first.meaning,
        "clairvoyant": first.clairvoyant,
        "games": list(kinds),
        "parameters": {
            game: {p.name: {"default": p.default, "meaning": p.meaning, "least": p.least, "most": p.most} for p in kind.params}
            for game, kind in kinds.items()
        },
    }


def _show_many(found: Found, games: list[str], words: list[str]) -> None:
    """By game, a line each."""
    groups: dict[str, list[str]] = {}
    for name, kinds in found.items():
        everywhere = len(games) > 1 and list(kinds) == games
        for game in [EVERY] if everywhere else kinds:
            groups.setdefault(game, []).append(name)
    for game in sorted(groups, key=lambda game: (game != EVERY, game)):
        console.print(Text(f"Agents for {game}", style="bold"))
        grid = Table.grid(padding=(0, 2))
        for name in groups[game]:
            grid.add_row(Text(f"  {_label(name, found[name])}", no_wrap=True), Text(_meaning(found[name])))
        console.print(grid)
    example = next(iter(found))
    given = [word for word in words if word in game_names()]
    suggest("One with its parameters:", command("list", "agents", *given, example))


def _show_one(name: str, kinds: dict[str, AgentKind]) -> None:
    console.print(Text(f"{_label(name, kinds)}: {_meaning(kinds)}", style="bold"))
    console.print(f"plays {', '.join(kinds)}", highlight=False)
    params = {param.name: param for kind in kinds.values() for param in kind.params}
    if not params:
        console.print("It has no parameters.")
        return
    example = next(iter(params.values()))
    shown = table(
        f"Set them as in {name}:{example.name}={_value(example.default)}", "parameter", "default", "meaning", prose=("meaning",)
    )
    for param in params.values():
        shown.add_row(param.name, Text(_defaults(param.name, kinds)), Text(param.meaning))
    console.print(shown)


def _defaults(param: str, kinds: dict[str, AgentKind]) -> str:
    """One, or by game where games differ."""
    by_game = {game: _value(p.default) for game, kind in kinds.items() for p in kind.params if p.name == param}
    if len(set(by_game.values())) == 1:
        return next(iter(by_game.values()))
    return "\n".join(f"{game}: {value}" for game, value in by_game.items())


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value) or "-"
