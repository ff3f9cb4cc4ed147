"""Rake&Roll: dice, leaves, and nine neighbours who pay. See RULES.md."""

from meeple.core.game import PLAYING, End, Game, Reward
from meeple.games.rake import board, features, guide, knowledge, notation, rules, scoring, state, style, variants

GAME = Game(
    name="rake",
    title="Rake&Roll",
    version=1,
    bench_also=("simple",),
    dtype=state.STATE,
    variants=variants.VARIANTS,
    shape=variants.shape,
    ends=(PLAYING, End("time is up")),
    deal=state.deal,
    legal=rules.legal,
    apply=rules.apply,
    outcome=scoring.outcome,
    scores=scoring.scores,
    observe=knowledge.observe,
    redeal=knowledge.redeal,
    audit=knowledge.audit,
    invariants=knowledge.INVARIANTS,
    hidden={"luck": "all"},
    phases=board.PHASES,
    phase=state.phase,
    format_action=notation.format_action,
    view=board.view,
    board=board.board,
    features=features.features,
    noted=style.noted,
    compact=board.compact,
    legend=board.LEGEND,
    styles=board.STYLES,
    guide=guide.make_guide,
    guides={"2026": guide.make_guide_2026},
    rewards={"thesis": Reward("change of the score in a step", points=1.0)},
    search={"select": "puct", "cut": 0, "trust": 1.0, "turns": 1, "top": 8, "c": 3.0, "iterations": 200},
)
