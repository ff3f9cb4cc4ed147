"""Splendor (Marc André, 2014): gem tokens, cards that make later cards cheaper, nobles. See RULES.md."""

from meeple.core.game import PLAYING, End, Game, Reward
from meeple.games.splendor import board, dispatch, features, guide, knowledge, notation, state, turns, variants

GAME = Game(
    name="splendor",
    title="Splendor",
    version=1,
    dtype=state.STATE,
    variants=variants.VARIANTS,
    shape=variants.shape,
    ends=(
        PLAYING,
        End("fifteen points"),
        End("stalemate", truncated=True),
        End("turn cap", truncated=True),
    ),
    deal=state.deal,
    legal=dispatch.legal,
    apply=dispatch.apply,
    outcome=turns.outcome,
    scores=turns.scores,
    observe=dispatch.observe,
    redeal=knowledge.redeal,
    audit=knowledge.audit,
    invariants=knowledge.INVARIANTS,
    hidden={"luck": "all", "deck": "all", "reserved": "others"},
    kinds=dispatch.KINDS,
    phases=board.PHASES,
    phase=state.phase,
    kind=dispatch.kind,
    guide=guide.make_guide,
    rewards={"thesis": Reward("5 for a win, -1 for taking a single token and for returning tokens", share=5.0, earned=1.0)},
    earned=dispatch.earned,
    search={"select": "puct", "cut": 0, "temperature": 0.5, "top": 12},
    facts={"cards bought": "bought", "nobles": "nobles_won"},
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    view=board.view,
    board=board.board,
    features=features.features,
)
