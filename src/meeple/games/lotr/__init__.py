"""The Lord of the Rings: The Card Game (Nate French, 2011), solo, in the simplified model of a thesis of 2022. See RULES.md."""

from meeple.core.game import PLAYING, End, Game, Reward
from meeple.games.lotr import board, knowledge, macros, notation, observe, reduction, rounds, rules, state, variants

GAME = Game(
    name="lotr",
    title="The Lord of the Rings: The Card Game",
    version=1,
    dtype=state.STATE,
    variants=variants.VARIANTS,
    options=(variants.FALLEN, variants.DECISIONS),
    shape=variants.shape,
    ends=(
        PLAYING,
        End("eight progress"),
        End("threat 50"),
        End("no heroes"),
        End("round cap", truncated=True),
    ),
    deal=rounds.begin_game,
    legal=macros.legal,
    apply=macros.apply,
    outcome=rounds.outcome,
    scores=rounds.scores,
    observe=observe.observe,
    redeal=knowledge.redeal,
    audit=knowledge.audit,
    invariants=knowledge.INVARIANTS,
    hidden={"luck": "all", "deck": "all", "encounter": "all"},
    phases=state.PHASE_NAMES,
    phase=state.phase,
    keep=reduction.keep,
    search={"policy": "expert", "c": 0.3},
    kinds=rules.KINDS,
    kind=macros.kind,
    facts={"threat": "threat", "progress": "progress"},
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    view=board.view,
    board=board.board,
    rewards={"thesis": Reward("1 for a win, -1 for a defeat", win=1.0)},
    bench="hard",
)
