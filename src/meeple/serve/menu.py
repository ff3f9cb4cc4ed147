"""What is on offer: games, variants, opponents, rules to read. What a visitor names is looked up here and never as a path."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

from meeple.core.errors import MeepleError, UnknownName
from meeple.core.game import Choice, Game, Variant
from meeple.core.registry import all_games, package_of_game
from meeple.serve.levels import default_level, levels_of


class Menu:
    """The games that were there when the server started."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {game.name: game for game in all_games()}

    def game(self, name: str) -> Game:
        if name not in self.games:
            raise UnknownName("game", name[:60], self.games)
        return self.games[name]

    def variant(self, game: str, name: str = "", options: dict[str, str] | None = None) -> Variant:
        """A variant by its words."""
        found = self.game(game)
        known = {choice.name for choice in found.options}
        for key in options or {}:
            if key not in known:
                raise UnknownName(f"option of {game}", key[:60], known)
        return found.variant(name[:60], **{key: value[:60] for key, value in (options or {}).items()})

    def by_spec(self, spec: str) -> Variant:
        """`jaipur:round,actions=25469`, as a record names it. A path, which the command line would take, is refused."""
        head, *options = [part.strip() for part in spec.split(",")]
        game, _, variant = head.partition(":")
        pairs = [option.partition("=") for option in options]
        if not all(equals and value for _, equals, value in pairs):
            raise MeepleError(f"'{spec[:60]}' names no variant; write it as GAME:VARIANT,OPTION=VALUE.")
        return self.variant(game, variant, {key.strip(): value.strip() for key, _, value in pairs})

    def listing(self) -> list[dict[str, Any]]:
        return [
            {
                "name": game.name,
                "title": game.title,
                "meaning": first_sentence(game),
                "variants": _choice(game.variants),
                "options": [_choice(option) for option in game.options],
            }
            for game in self.games.values()
        ]


def _choice(choice: Choice) -> dict[str, Any]:
    return {"name": choice.name, "values": [{"value": value, "meaning": told} for value, told in choice.values.items()]}


def about(variant: Variant) -> dict[str, Any]:
    """What the page needs to set up a table."""
    return {
        "variant": variant.spec,
        "title": variant.game.title,
        "seats": variant.shape.seats,
        "winnable": variant.shape.winnable,
        "levels": [{"name": level.name, "meaning": level.meaning, "ms": level.ms} for level in levels_of(variant).values()],
        "default": default_level(variant),
        "positions": variant.game.audit is not None,
    }


def first_sentence(game: Game) -> str:
    """What the game's own module says of it."""
    text = inspect.getdoc(sys.modules[package_of_game(game) or game.shape.__module__]) or game.title
    return text.split("\n\n")[0].replace("\n", " ").removesuffix(" See RULES.md.")


def rules_of(game: Game) -> str:
    """The rules as Markdown: the game's RULES.md, or what it says of itself."""
    module = sys.modules[package_of_game(game) or game.shape.__module__]
    file = Path(module.__file__ or "").parent / "RULES.md"
    if file.is_file():
        return file.read_text(encoding="utf-8")
    variants = "\n".join(f"- **{value}**: {told}" for value, told in game.variants.values.items())
    legend = "\n".join(f"- {line}" for line in game.legend)
    return "\n\n".join(part for part in (f"# {game.title}", inspect.getdoc(module) or "", variants, legend) if part)
