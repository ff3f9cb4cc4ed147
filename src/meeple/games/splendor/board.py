"""The view: what a seat may know, as plain data; and the table drawn from it for a terminal."""

from __future__ import annotations

from typing import Any

from meeple.games.splendor.components import (
    BONUS,
    COLOUR_NAMES,
    COST,
    GOLD,
    LEVEL,
    LEVELS,
    NOBLE_NEEDS,
    NOBLE_POINTS,
    POINTS,
    TOKEN_NAMES,
)
from meeple.games.splendor.state import NOBODY, PAYING

PHASES = ("main", "pay", "return", "noble")
LETTER = dict(zip(TOKEN_NAMES, "wbgrk*", strict=True))  # black is k, gold is *
WIDTH = 14  # of a card on the board
NARROW = 18  # of a card on the compact one, and of what stands before a player's figures
LEGEND = (
    "w white, b blue, g green, r red, k black, * gold (stands for any colour). 2-3 is the third card of level 2.",
    "Of a card: its bonus and points, its cost, and 'buy' where you can buy it; else what you lack: -2g1r, or -3 for three tokens.",
    "Nobles: the bonuses that each needs; all are worth 3 points.",
)
STYLES = {
    r"\bwhite\b|\d+w": "bright_white",
    r"\bblue\b|\d+b": "bright_blue",
    r"\bgreen\b|\d+g": "green",
    r"\bred\b|\d+r": "red",
    r"\bblack\b|\d+k": "bright_black",
    r"\bgold\b|\d+\*": "yellow",
    r"\bbuy\b": "bold",
}


def view(s: Any, seat: int) -> dict[str, Any]:
    """Everything public and the seat's own reserve. `players` begins with the seat itself and goes on in turn order."""
    players = int(s.players)
    means = _means(s, seat)
    seen: dict[str, Any] = {
        "seat": seat,
        "to_move": int(s.seat),
        "turn": int(s.turn),
        "phase": PHASES[s.phase],
        "bank": _tokens(s.bank),
        "nobles": [_noble(int(noble)) for noble in s.nobles[: players + 1]],
        "face_up": [[None if card == NOBODY else _priced(card, means) for card in row] for row in s.face_up.tolist()],
        "decks": [int(left) for left in s.deck_left],
        "players": [_player(s, seat, (seat + i) % players) for i in range(players)],
        "last_round": bool(s.last_round),
        "over": bool(s.end),
    }
    if s.phase == PAYING:
        places = [*s.face_up.flat, *s.reserved[s.seat]]
        seen["buying"] = _face(int(places[s.buying]))
        seen["price"] = _tokens(s.price)
    return seen


def _player(s: Any, seat: int, other: int) -> dict[str, Any]:
    means = _means(s, seat) if other == seat else None
    return {
        "seat": other,
        "points": int(s.points[other]),
        "bought": int(s.bought[other]),
        "nobles": int(s.nobles_won[other]),
        "passed": bool(s.passed[other]),
        "tokens": _tokens(s.tokens[other]),
        "bonuses": _colours(s.bonuses[other]),
        "reserved": [_reserved(int(c), bool(b), means) for c, b in zip(s.reserved[other], s.blind[other], strict=True)],
    }


def _reserved(card: int, blind: bool, means: list[int] | None) -> dict[str, Any] | None:
    """A card in somebody's reserve; `means` are those of its owner, if that is who looks."""
    if card == NOBODY:
        return None
    if blind and means is None:
        return {"level": int(LEVEL[card]) + 1, "blind": True}  # the back of a card tells its level
    shown = _face(card) if means is None else _priced(card, means)
    return {**shown, "blind": blind}


def _face(card: int) -> dict[str, Any]:
    return {
        "level": int(LEVEL[card]) + 1,
        "points": int(POINTS[card]),
        "bonus": COLOUR_NAMES[BONUS[card]],
        "cost": _colours(COST[card]),
    }


def _priced(card: int, means: list[int]) -> dict[str, Any]:
    """A card that a seat may buy: with what it lacks for it, gold left aside, and whether its gold makes up for that."""
    lacking = [max(0, int(cost) - held) for cost, held in zip(COST[card], means, strict=False)]
    return {**_face(card), "lacking": _colours(lacking), "affordable": sum(lacking) <= means[GOLD]}


def _means(s: Any, seat: int) -> list[int]:
    """What a seat can pay of each colour, bonuses counted, and its gold."""
    bonuses = [*s.bonuses[seat].tolist(), 0]
    return [token + bonus for token, bonus in zip(s.tokens[seat].tolist(), bonuses, strict=True)]


def _noble(noble: int) -> dict[str, Any] | None:
    if noble == NOBODY:
        return None
    return {"points": int(NOBLE_POINTS[noble]), "needs": _colours(NOBLE_NEEDS[noble])}


def _tokens(counts: Any) -> dict[str, int]:
    return {name: int(n) for name, n in zip(TOKEN_NAMES, counts, strict=True)}


def _colours(counts: Any) -> dict[str, int]:
    return {name: int(n) for name, n in zip(COLOUR_NAMES, counts, strict=True) if n}


# ---- The board -----------------------------------------------------------------------------------------------------


def board(seen: dict[str, Any]) -> str:
    """The table as it lies: nobles, the rows of cards with what the seat lacks for each, the bank, the players, itself last.

    buy     can be bought now
    -2g1r   two green and a red token are lacking (gold may stand for them)
    """
    lines = [_nobles(seen["nobles"])]
    for level in range(LEVELS, 0, -1):
        lines += _row(level, seen["face_up"][level - 1], seen["decks"][level - 1])
    lines.append(f"Bank     {_amounts(seen['bank'])}")
    own, *others = seen["players"]
    for player in [*others, own]:
        lines += _player_lines(player, player is own)
    return "\n".join([*lines, *_news(seen)])


def _nobles(nobles: list[dict[str, Any] | None]) -> str:
    cells = [f"{slot}: {_amounts(noble['needs'])}" if noble else f"{slot}: -" for slot, noble in enumerate(nobles, 1)]
    return ("Nobles   " + "".join(cell.ljust(WIDTH) for cell in cells)).rstrip()


def _row(level: int, cards: list[dict[str, Any] | None], left: int) -> list[str]:
    """Three lines: points and bonus, cost, what is lacking."""
    heads = [f"{level}-{slot} {_head(card)}" if card else f"{level}-{slot} -" for slot, card in enumerate(cards, 1)]
    costs = [_amounts(card["cost"]) if card else "" for card in cards]
    lacks = [_lacking(card) if card else "" for card in cards]
    labels = (f"Level {level}", f"{left} left", "")
    return [
        (label.ljust(9) + "".join(cell.ljust(WIDTH) for cell in cells)).rstrip()
        for label, cells in zip(labels, (heads, costs, lacks), strict=True)
    ]


def _head(card: dict[str, Any]) -> str:
    return f"{card['bonus']} {card['points'] or ''}".strip()


def _lacking(card: dict[str, Any]) -> str:
    return "buy" if card["affordable"] else "-" + _amounts(card["lacking"], "")


def _player_lines(player: dict[str, Any], own: bool) -> list[str]:
    nobles = f", {player['nobles']} noble{'s' if player['nobles'] > 1 else ''}" if player["nobles"] else ""
    held = sum(player["tokens"].values())
    lines = [
        f"Seat {player['seat']}{' (you)' if own else ''}: {player['points']} points, {player['bought']} cards{nobles}"
        f"{', passed' if player['passed'] else ''}",
        f"         bonuses {_amounts(player['bonuses']) or '-'}    tokens {_amounts(player['tokens']) or '-'} ({held})",
    ]
    if any(player["reserved"]):
        cards = [f"{slot}: {_reserve(card)}" for slot, card in enumerate(player["reserved"], 1) if card]
        lines.append(f"         reserved {'; '.join(cards)}")
    return lines


def _reserve(card: dict[str, Any]) -> str:
    if "bonus" not in card:
        return f"unseen, level {card['level']}"
    lacking = f" [{_lacking(card)}]" if "lacking" in card else ""
    return f"{_head(card)}, {_amounts(card['cost'])}{lacking}"


# ---- In few lines --------------------------------------------------------------------------------------------------


def compact(seen: dict[str, Any]) -> str:
    """The same table for a screen of 24 lines: two lines a level, one or two a player."""
    lines = [_nobles(seen["nobles"])]
    for level in range(LEVELS, 0, -1):
        lines += _short_row(level, seen["face_up"][level - 1], seen["decks"][level - 1])
    own, *others = seen["players"]
    lines.append(f"{'Bank ' + _amounts(seen['bank'], ''):<{NARROW}}points cards nobles  {'bonuses':<15} tokens")
    for player in [*others, own]:
        lines += _short_player(player, player is own)
    return "\n".join([*lines, *_news(seen)])


def _short_row(level: int, cards: list[dict[str, Any] | None], left: int) -> list[str]:
    heads = [f"{level}-{slot} {_head(card)}" if card else f"{level}-{slot} -" for slot, card in enumerate(cards, 1)]
    costs = [f"{_amounts(card['cost'], '')} {_short_lack(card)}" if card else "" for card in cards]
    return [
        (label.ljust(8) + "".join(cell.ljust(NARROW) for cell in cells)).rstrip()
        for label, cells in ((f"Level {level}", heads), (f"{left} left", costs))
    ]


def _short_lack(card: dict[str, Any]) -> str:
    return "buy" if card["affordable"] else f"-{sum(card['lacking'].values())}"


def _short_player(player: dict[str, Any], own: bool) -> list[str]:
    label = f"Seat {player['seat']}{' (you)' if own else ', passed' if player['passed'] else ''}"
    figures = f"{player['points']:>6} {player['bought']:>5} {player['nobles']:>6}  {_amounts(player['bonuses']) or '-':<15}"
    tokens = f"{_amounts(player['tokens']) or '-'} ({sum(player['tokens'].values())})"
    cards = [f"{slot}: {_short_reserve(card)}" for slot, card in enumerate(player["reserved"], 1) if card]
    return [f"{label:<{NARROW}}{figures} {tokens}", *([f"  reserved {'; '.join(cards)}"] if cards else [])]


def _short_reserve(card: dict[str, Any]) -> str:
    if "bonus" not in card:
        return f"unseen, level {card['level']}"
    return f"{_head(card)} {_amounts(card['cost'], '')}{' ' + _short_lack(card) if 'lacking' in card else ''}"


def _news(seen: dict[str, Any]) -> list[str]:
    if seen["over"]:
        return ["The game is over."]
    news = ["Last round."] if seen["last_round"] else []
    who = f"Seat {seen['to_move']}"
    if seen["phase"] == "pay":
        news.append(f"{who} buys {_head(seen['buying'])} for {_amounts(seen['price'])}, and may give more gold.")
    elif seen["phase"] == "return":
        news.append(f"{who} has more than ten tokens and returns one.")
    elif seen["phase"] == "noble":
        news.append(f"{who} chooses a noble.")
    return [" ".join(news)] if news else []


def _amounts(counts: dict[str, int], between: str = " ") -> str:
    return between.join(f"{n}{LETTER[name]}" for name, n in counts.items() if n)
