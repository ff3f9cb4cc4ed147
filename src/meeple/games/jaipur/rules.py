"""The rules of a turn, a round and a match. Kernels: legality is assumed, nothing is checked here."""

from __future__ import annotations

from typing import Any

from meeple.core.kernel import kernel
from meeple.games.jaipur.actions import (
    CAMELS,
    CHOOSE,
    CHOSEN_EXCHANGE,
    CHOSEN_SELL,
    CHOSEN_TAKE,
    EXCHANGE,
    EXCHANGE_BASE,
    EXCHANGE_GIVEN,
    EXCHANGE_RANK,
    EXCHANGE_SELL_ALL,
    EXCHANGE_TAKEN,
    SALE_BASE,
    SALE_CARDS,
    SALE_GOOD,
    SELL,
    SET_HIERARCHICAL,
    SET_SELL_ALL,
    TAKE,
)
from meeple.games.jaipur.components import (
    CAMEL,
    CAMEL_TOKEN,
    EMPTY_PILES_TO_END,
    GOODS,
    HAND_LIMIT,
    LEAST_SOLD,
    MATCH_TURN_CAP,
    ROUND_TURN_CAP,
    SEALS_TO_WIN,
    TOKEN,
)
from meeple.games.jaipur.multisets import KINDS_IN, MULTISETS, SIZE, SUBSET_START, SUBSETS, row_of
from meeple.games.jaipur.state import NOBODY, deal_round, refill

END_PILES, END_MARKET, END_DECK, END_SEALS, END_CAP = 1, 2, 3, 4, 5


@kernel
def hand_size(s: Any, seat: int) -> int:
    size = 0
    for good in range(GOODS):
        size += s.hand[seat, good]
    return size


# ---- Legal actions -------------------------------------------------------------------------------------------------


@kernel
def legal(s: Any, out: Any) -> int:
    if s.action_set == SET_HIERARCHICAL:
        return _legal_step(s, out)
    n = legal_takes(s, out, 0)
    n = legal_camels(s, out, n)
    n = legal_sales(s, out, n)
    return legal_exchanges(s, out, n)


@kernel
def _legal_step(s: Any, out: Any) -> int:
    """The hierarchical set: first the kind (camels are a kind of their own), then an action of that kind."""
    if s.chosen == CHOSEN_TAKE:
        return legal_takes(s, out, 0)
    if s.chosen == CHOSEN_SELL:
        return legal_sales(s, out, 0)
    if s.chosen == CHOSEN_EXCHANGE:
        return legal_exchanges(s, out, 0)
    takes = legal_takes(s, out, 0) > 0
    n = legal_camels(s, out, 0)
    if takes:
        out[n] = CHOOSE
        n += 1
    if has_sale(s):
        out[n] = CHOOSE + 1
        n += 1
    if has_exchange(s):
        out[n] = CHOOSE + 2
        n += 1
    return n


@kernel
def legal_takes(s: Any, out: Any, n: int) -> int:
    """Rulebook, Take 1 single good: not with seven cards in hand."""
    if hand_size(s, s.seat) < HAND_LIMIT:
        for good in range(GOODS):
            if s.market[good] > 0:
                out[n] = TAKE + good
                n += 1
    return n


@kernel
def legal_camels(s: Any, out: Any, n: int) -> int:
    if s.market[CAMEL] > 0:
        out[n] = CAMELS
        n += 1
    return n


@kernel
def legal_sales(s: Any, out: Any, n: int) -> int:
    """Rulebook, Sell: one kind only; diamonds, gold and silver at least two, even if fewer tokens are left."""
    hand = s.hand[s.seat]
    for good in range(GOODS):
        if hand[good] >= LEAST_SOLD[good]:
            if s.action_set == SET_SELL_ALL:
                out[n] = SELL + good
                n += 1
            else:
                for cards in range(LEAST_SOLD[good], hand[good] + 1):
                    out[n] = SELL + SALE_BASE[good] + cards
                    n += 1
    return n


@kernel
def legal_exchanges(s: Any, out: Any, n: int) -> int:
    """Rulebook, Take several goods: at least two, never camels, no kind on both sides, at most seven in hand afterwards.

    Only a camel given in makes the hand larger, so the hand limit is a limit on camels.
    """
    first = EXCHANGE_SELL_ALL if s.action_set == SET_SELL_ALL else EXCHANGE
    camels_most = min(s.herd[s.seat], HAND_LIMIT - hand_size(s, s.seat))
    market = row_of(s.market)
    hand = row_of(s.hand[s.seat])
    for i in range(SUBSET_START[market, 2], SUBSET_START[market, 6]):
        taken = SUBSETS[i]
        cards = SIZE[taken]
        kinds = KINDS_IN[taken]
        for camels in range(min(camels_most, cards) + 1):
            base = first + EXCHANGE_BASE[taken, camels]
            for j in range(SUBSET_START[hand, cards - camels], SUBSET_START[hand, cards - camels + 1]):
                # No branch: the rank is -1 where a kind is on both sides, and what was written is written over.
                rank = EXCHANGE_RANK[kinds, SUBSETS[j]]
                out[n] = base + rank
                n += rank >= 0
    return n


@kernel
def has_sale(s: Any) -> bool:
    for good in range(GOODS):
        if s.hand[s.seat, good] >= LEAST_SOLD[good]:
            return True
    return False


@kernel
def has_exchange(s: Any) -> bool:
    """Is there any legal exchange? If there is, there is one of two cards."""
    camels_most = min(s.herd[s.seat], HAND_LIMIT - hand_size(s, s.seat))
    market = row_of(s.market)
    hand = row_of(s.hand[s.seat])
    for i in range(SUBSET_START[market, 2], SUBSET_START[market, 3]):
        kinds = KINDS_IN[SUBSETS[i]]
        for camels in range(min(camels_most, 2) + 1):
            for j in range(SUBSET_START[hand, 2 - camels], SUBSET_START[hand, 3 - camels]):
                if KINDS_IN[SUBSETS[j]] & kinds == 0:
                    return True
    return False


KINDS_OF_ACTION = ("take", "take camels", "sell", "exchange")


@kernel
def kind_of_action(s: Any, action: int) -> int:
    """A chosen kind counts as that kind."""
    if action >= CHOOSE:
        return 0 if action == CHOOSE else action - CHOOSE + 1
    if action < CAMELS:
        return 0
    if action == CAMELS:
        return 1
    return 3 if action >= (EXCHANGE_SELL_ALL if s.action_set == SET_SELL_ALL else EXCHANGE) else 2


# ---- Making an action ----------------------------------------------------------------------------------------------


@kernel
def apply(s: Any, action: int) -> None:
    if action >= CHOOSE:
        s.chosen = action - CHOOSE + 1
        return
    first_exchange = EXCHANGE_SELL_ALL if s.action_set == SET_SELL_ALL else EXCHANGE
    end = 0
    if action >= first_exchange:
        make_exchange(s, action - first_exchange)
    elif action >= SELL:
        if s.action_set == SET_SELL_ALL:
            good = action - SELL
            make_sale(s, good, s.hand[s.seat, good])
            # Everyone sees that none is left, so none of the unseen cards can be of this good either.
            s.none_unseen[s.seat, good] = 1
        else:
            make_sale(s, SALE_GOOD[action - SELL], SALE_CARDS[action - SELL])
        end = _end_after_sale(s)
    else:
        if action == CAMELS:
            s.herd[s.seat] += s.market[CAMEL]
            s.market[CAMEL] = 0
        else:
            s.market[action] -= 1
            s.hand[s.seat, action] += 1
            s.known[s.seat, action] += 1
        end = _end_after_taking(s)
    _finish_turn(s, end)


@kernel
def make_exchange(s: Any, exchange: int) -> None:
    taken = EXCHANGE_TAKEN[exchange]
    given = EXCHANGE_GIVEN[exchange]
    camels = SIZE[taken] - SIZE[given]
    s.herd[s.seat] -= camels
    s.market[CAMEL] += camels
    for good in range(GOODS):
        change = MULTISETS[taken, good] - MULTISETS[given, good]
        s.market[good] -= change
        s.hand[s.seat, good] += change
        # What was seen to be taken is known; of cards given away, the known ones are counted first.
        s.known[s.seat, good] = max(0, s.known[s.seat, good] + change)


@kernel
def make_sale(s: Any, good: int, cards: int) -> None:
    seat = s.seat
    s.hand[seat, good] -= cards
    s.known[seat, good] = max(0, s.known[seat, good] - cards)
    for _ in range(min(cards, s.tokens_left[good])):
        s.goods_points[seat] += TOKEN[good, s.tokens_left[good]]
        s.goods_tokens[seat] += 1
        s.tokens_left[good] -= 1
    # Rulebook, Bonus: by the number of cards sold, not of tokens taken; an empty pile gives nothing.
    if cards >= 3:
        pile = min(cards, 5) - 3
        if s.bonus_left[pile] > 0:
            s.bonus_left[pile] -= 1
            s.bonus_owner[pile, s.bonus_left[pile]] = seat
            s.bonus_points[seat] += s.bonus[pile, s.bonus_left[pile]]
            s.bonus_tokens[seat] += 1


# ---- Ends ----------------------------------------------------------------------------------------------------------


@kernel
def _end_after_sale(s: Any) -> int:
    empty = 0
    for good in range(GOODS):
        if s.tokens_left[good] == 0:
            empty += 1
    return END_PILES if empty >= EMPTY_PILES_TO_END else 0


@kernel
def _end_after_taking(s: Any) -> int:
    """Rulebook: the round ends if the market cannot be refilled. In 2017, as soon as the deck is empty."""
    if not refill(s):
        return END_MARKET
    if s.rules_2017 and s.deck_left == 0:
        return END_DECK
    return 0


@kernel
def _finish_turn(s: Any, end: int) -> None:
    s.chosen = 0
    s.turn += 1
    s.round_turn += 1
    s.seat = 1 - s.seat
    if end > 0:
        _finish_round(s, end)
    elif s.round_turn >= ROUND_TURN_CAP or s.turn >= MATCH_TURN_CAP:
        s.end = END_CAP


@kernel
def _finish_round(s: Any, end: int) -> None:
    """Rulebook: the camel token, then the seal; the loser starts the next round."""
    if s.herd[0] != s.herd[1]:
        s.camel_token = 0 if s.herd[0] > s.herd[1] else 1
    s.rounds += 1
    if not s.match:
        s.end = end
        return
    winner = round_winner(s)
    if winner != NOBODY:
        s.seals[winner] += 1
    for seat in range(2):
        s.last_points[seat] = points(s, seat)
    if winner != NOBODY and s.seals[winner] >= SEALS_TO_WIN:
        s.end = END_SEALS
    elif s.turn >= MATCH_TURN_CAP:
        s.end = END_CAP
    else:
        # Nobody lost a drawn round, so there the right to start goes round the table.
        deal_round(s, 1 - winner if winner != NOBODY else 1 - s.starter)


@kernel
def points(s: Any, seat: int) -> int:
    camel = CAMEL_TOKEN if s.camel_token == seat else 0
    return s.goods_points[seat] + s.bonus_points[seat] + camel  # type: ignore[no-any-return]


@kernel
def round_winner(s: Any) -> int:
    """Rulebook: points, then bonus tokens, then goods tokens (2017: goods cards); still equal is a draw."""
    ahead = points(s, 0) - points(s, 1)
    if ahead == 0:
        ahead = s.bonus_tokens[0] - s.bonus_tokens[1]
    if ahead == 0:
        if s.rules_2017:
            ahead = hand_size(s, 0) - hand_size(s, 1)
        else:
            ahead = s.goods_tokens[0] - s.goods_tokens[1]
    if ahead == 0:
        return NOBODY
    return 0 if ahead > 0 else 1


@kernel
def outcome(s: Any, out: Any) -> None:
    """A truncated game is nobody's: half each."""
    winner = NOBODY
    if s.end == END_SEALS:
        winner = 0 if s.seals[0] > s.seals[1] else 1
    elif s.end != END_CAP:
        winner = round_winner(s)
    for seat in range(2):
        out[seat] = 0.5 if winner == NOBODY else (1.0 if winner == seat else 0.0)


@kernel
def part(s: Any) -> None:
    """The round that is being played as a game of its own. In a match, too, each round is worth winning for itself: nothing but the
    right to begin is carried over."""
    s.match = 0


@kernel
def scores(s: Any, out: Any) -> None:
    """Points of the round; of a match, the seals."""
    for seat in range(2):
        out[seat] = s.seals[seat] if s.match else points(s, seat)
