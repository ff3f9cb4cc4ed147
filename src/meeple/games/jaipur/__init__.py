"""Jaipur (Sébastien Pauchon, 2009): two merchants, a shared market, a hidden hand. See RULES.md."""

from meeple.core.game import PLAYING, End, Game, Reward
from meeple.games.jaipur import board, guide, knowledge, notation, rules, state, variants

GAME = Game(
    name="jaipur",
    title="Jaipur",
    version=1,
    dtype=state.STATE,
    variants=variants.VARIANTS,
    options=variants.OPTIONS,
    shape=variants.shape,
    ends=(
        PLAYING,
        End("three goods piles are empty"),
        End("the market cannot be refilled"),
        End("the deck is empty"),
        End("two seals are won"),
        End("turn cap", truncated=True),
    ),
    deal=state.deal,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    scores=rules.scores,
    observe=knowledge.observe,
    redeal=knowledge.redeal,
    audit=knowledge.audit,
    invariants=knowledge.INVARIANTS,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    view=board.view,
    board=board.board,
    legend=board.LEGEND,
    styles=board.STYLES,
    kinds=rules.KINDS_OF_ACTION,
    kind=rules.kind_of_action,
    guide=guide.make_guide,
    search={"select": "puct", "cut": 0, "temperature": 0.5, "top": 12},
    rewards={"thesis": Reward("change of own points (2025)", points=1.0)},
    bench="round",
)
