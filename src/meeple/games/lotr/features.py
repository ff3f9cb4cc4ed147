"""What each action is made of: its kind, the cards it names and their figures. For learners that score an action by its parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.encode import kinds
from meeple.core.game import Variant
from meeple.games.lotr.actions import ACTIONS, ATTACK_WITH, BUY, COMMIT, DEFEND, HIT, STAY, STOP, TRAVEL, UNDEFENDED
from meeple.games.lotr.components import (
    ATTACK,
    CARD_OF,
    CARDS,
    COST,
    DAMAGE_OF,
    DEFENCE,
    ENEMIES,
    ENEMY_ATTACK,
    ENEMY_DEFENCE,
    ENEMY_HIT_POINTS,
    ENEMY_OF,
    HEROES,
    HIT_POINTS,
    POINTS,
    TARGET_DAMAGE,
    TARGETS,
    THREAT,
    WILLPOWER,
)
from meeple.games.lotr.macros import GUARD, PLAN, QUEST

Table = NDArray[np.float32]
KINDS = (BUY, COMMIT, TRAVEL, STAY, DEFEND, UNDEFENDED, HIT, STOP, ATTACK_WITH)  # the first action of each
FIGURE = 5.0  # scale of all figures of a card: only the hit points of a spawn, nine, are above it


def features(variant: Variant) -> Table:
    """A row an action: kind, the card bought, committed, defending, hit or attacking, its figures, the land, the enemy attacked,
    what the attack does; with macro-actions which it is, and its weight."""
    actions = variant.shape.actions
    small = np.concatenate([kinds(KINDS, ACTIONS), _cards(), _lands(), _attacks()], axis=1)
    if actions == ACTIONS:
        return small
    macros = _macros(actions - ACTIONS)
    table = np.zeros((actions, small.shape[1] + macros.shape[1]), np.float32)
    table[:ACTIONS, : small.shape[1]] = small
    table[ACTIONS:, small.shape[1] :] = macros
    return table


def _cards() -> Table:
    """One-hot apart for each use, since a card is worth another thing in each; then figures of the card and of its state."""
    cost = np.concatenate([np.zeros(HEROES), COST])
    figures = np.column_stack([WILLPOWER, ATTACK, DEFENCE, HIT_POINTS, cost]) / FIGURE
    allies = np.arange(HEROES, CARDS)
    uses = [
        (BUY, COMMIT, allies, np.zeros(len(allies))),
        (COMMIT, TRAVEL, CARD_OF, DAMAGE_OF),
        (DEFEND, UNDEFENDED, CARD_OF, DAMAGE_OF),
        (HIT, STOP, np.arange(HEROES), np.zeros(HEROES)),
        (ATTACK_WITH, ACTIONS, np.repeat(np.arange(CARDS), TARGETS), np.zeros(CARDS * TARGETS)),
    ]
    table = np.zeros((ACTIONS, len(uses) * CARDS + figures.shape[1] + 1), np.float32)
    for i, (first, end, cards, damage) in enumerate(uses):
        table[np.arange(first, end), i * CARDS + cards] = 1
        table[first:end, len(uses) * CARDS : -1] = figures[cards]
        table[first:end, -1] = damage / FIGURE
    return table


def _lands() -> Table:
    table = np.zeros((ACTIONS, STAY - TRAVEL + 2), np.float32)
    table[TRAVEL:STAY, :-2] = np.eye(STAY - TRAVEL)
    table[TRAVEL:STAY, -2] = THREAT[ENEMIES:] / FIGURE
    table[TRAVEL:STAY, -1] = POINTS / FIGURE
    return table


def _attacks() -> Table:
    """The enemy, its damage and figures, and what the attack does to it: damage, and whether it dies."""
    cards, targets = np.divmod(np.arange(CARDS * TARGETS), TARGETS)
    enemies = ENEMY_OF[targets]
    damage = np.maximum(0, ATTACK[cards] - ENEMY_DEFENCE[enemies])
    left = ENEMY_HIT_POINTS[enemies] - TARGET_DAMAGE[targets]
    numbers = [TARGET_DAMAGE[targets], ENEMY_ATTACK[enemies], ENEMY_DEFENCE[enemies], left, damage]
    table = np.zeros((ACTIONS, ENEMIES + len(numbers) + 1), np.float32)
    table[ATTACK_WITH:, :ENEMIES] = np.eye(ENEMIES)[enemies]
    table[ATTACK_WITH:, ENEMIES:-1] = np.column_stack(numbers) / FIGURE
    table[ATTACK_WITH:, -1] = damage >= left
    return table


def _macros(n: int) -> Table:
    """Plan, quest or guard; which of all; the weight of willpower where there is one."""
    table = np.zeros((n, 3 + n + 1), np.float32)
    starts = [PLAN - ACTIONS, QUEST - ACTIONS, GUARD - ACTIONS, n]
    for kind in range(3):
        table[starts[kind] : starts[kind + 1], kind] = 1
    table[:, 3:-1] = np.eye(n)
    weights = np.linspace(1, 0, QUEST - PLAN - 1)
    table[starts[0] + 1 : starts[1], -1] = weights
    table[starts[1] + 1 : starts[2] - 1, -1] = weights[:-1]
    return table
