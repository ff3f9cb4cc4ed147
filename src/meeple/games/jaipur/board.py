"""The view: what a seat may know, as plain data; and the table drawn from it for a terminal."""

from __future__ import annotations

from typing import Any

from meeple.games.jaipur.components import BONUS_PILES, CAMEL, EMPTY_PILES_TO_END, GOODS, KINDS, MARKET_SIZE, TOKEN
from meeple.games.jaipur.knowledge import estimated_points
from meeple.games.jaipur.rules import END_CAP, END_SEALS, hand_size, points

LEGEND = (
    "Exchanges: D diamond, G gold, S silver, C cloth, P spice, L leather, M camel; cards given > cards taken.",
    "Tokens: the points of each good, the next to be taken first. Bonus: tokens left for selling 3, 4, or 5 and more cards.",
    "seen: cards that the opponent took in the open and still has.",
)
STYLES = {
    r"\bdiamonds?\b": "bright_red",
    r"\bgold\b": "yellow",
    r"\bsilver\b": "bright_white",
    r"\bcloth\b": "magenta",
    r"\bspice\b": "green",
    r"\bleather\b": "dark_orange3",
    r"\bcamels?\b": "cyan",
}
_CHOSEN = ("", "take", "sell", "exchange")


def view(s: Any, seat: int) -> dict[str, Any]:
    """Everything public, the seat's own hand and points, and what it has seen of the opponent."""
    other = 1 - seat
    seen: dict[str, Any] = {
        "seat": seat,
        "to_move": int(s.seat),
        "turn": int(s.turn),
        "market": _cards(s.market),
        "deck": int(s.deck_left),
        "tokens": {KINDS[g]: [int(TOKEN[g, n]) for n in range(s.tokens_left[g], 0, -1)] for g in range(GOODS)},
        "bonus_left": {pile + 3: int(s.bonus_left[pile]) for pile in range(BONUS_PILES)},
        "hand": _cards(s.hand[seat]),
        "herd": int(s.herd[seat]),
        "points": int(points(s, seat)),
        "opponent": {
            "cards": int(hand_size(s, other)),
            "known": _cards(s.known[other]),
            "none_unseen": [KINDS[good] for good in range(GOODS) if s.none_unseen[other, good]],
            "herd": int(s.herd[other]),
            "goods_points": int(s.goods_points[other]),
            "bonus_tokens": int(s.bonus_tokens[other]),
            "points_at_most": int(estimated_points(s, other)),
        },
        "chosen": _CHOSEN[s.chosen],
        "over": bool(s.end),
    }
    if s.match:
        seen["seals"] = [int(s.seals[seat]), int(s.seals[other])]
        finished = s.end == END_SEALS or (s.end == END_CAP and _round_is_over(s))
        seen["round"] = int(s.rounds) + (0 if finished else 1)
        if s.rounds and not finished:  # what the last round ended with lies on the table still
            seen["last_round"] = [int(s.last_points[seat]), int(s.last_points[other])]
    if s.end:
        # Rulebook: at the end all is laid open.
        seen["final"] = {"points": [int(points(s, i)) for i in range(2)], "truncated": bool(s.end == END_CAP)}
    return seen


def _round_is_over(s: Any) -> bool:
    """In a match that was cut off: just between two rounds?"""
    empty = sum(int(left) == 0 for left in s.tokens_left[:GOODS])
    return bool(s.market.sum() < MARKET_SIZE or empty >= EMPTY_PILES_TO_END or (s.rules_2017 and s.deck_left == 0))


def _cards(counts: Any) -> dict[str, int]:
    return {KINDS[kind]: int(n) for kind, n in enumerate(counts) if n}


def board(seen: dict[str, Any]) -> str:
    """Ten lines at most, the seat's own cards last, as they would lie on the table."""
    opponent = seen["opponent"]
    known = _text(opponent["known"])
    lines = [
        f"Seat {1 - seen['seat']}: {opponent['cards']} cards in hand ({'seen: ' + known if known else 'none seen'}), "
        f"{_camels(opponent['herd'])}, {opponent['goods_points']} points and {opponent['bonus_tokens']} bonus tokens",
        f"Market: {_text(seen['market'])}    deck: {seen['deck']} cards",
        "Tokens: " + "  ".join(f"{kind} {_pile(pile)}" for kind, pile in seen["tokens"].items()),
        "Bonus:  " + "  ".join(f"{cards} cards: {left} left" for cards, left in seen["bonus_left"].items()),
        f"Seat {seen['seat']} (you): {_text(seen['hand']) or 'no goods'}; {_camels(seen['herd'])}, {seen['points']} points",
    ]
    if "seals" in seen:
        last = seen.get("last_round")
        before = f"; the round before ended {last[0]} to {last[1]}" if last else ""
        lines.insert(0, f"Round {seen['round']}, seals {seen['seals'][0]}:{seen['seals'][1]}{before}")
    if "final" in seen:
        mine, theirs = seen["final"]["points"][seen["seat"]], seen["final"]["points"][1 - seen["seat"]]
        lines.append(f"The round {'was cut off' if seen['final']['truncated'] else 'is over'}: {mine} to {theirs}.")
    elif seen["chosen"]:
        lines.append(f"Seat {seen['to_move']} has chosen to {seen['chosen']}.")
    return "\n".join(lines)


def _text(cards: dict[str, int]) -> str:
    return ", ".join(kind if n == 1 else f"{n} {kind}{'s' if kind == KINDS[CAMEL] else ''}" for kind, n in cards.items())


def _camels(n: int) -> str:
    return f"{n} camel{'' if n == 1 else 's'}"


def _pile(values: list[int]) -> str:
    return " ".join(str(v) for v in values) if values else "-"
