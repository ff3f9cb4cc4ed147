"""Action ids of the two action sets. A set of dice is a number: the sum of 1, 2, 4 for orange, 8, 16 for brown, 32 for green.

complete, deterministic (142)              simple (9)
  0-62   reroll a set of dice (set - 1)     0-7  a property, Elliott left out
 63-125  take a set of dice                 8    pass
126-134  assign them to a property
135-140  a leaf of Newman                  official: as complete, then
141      pass                              142-147  bump a die
                                           148-156  acorn at a property, 157-162 at a leaf of Newman
"""

from __future__ import annotations

import numpy as np

from meeple.games.rake.components import DICE, ELLIOTT, PROPERTIES, SUBSETS

REROLL_DICE = 0
TAKE_DICE = REROLL_DICE + SUBSETS
ASSIGN = TAKE_DICE + SUBSETS
NEWMAN_LEAF = ASSIGN + PROPERTIES
PASS = NEWMAN_LEAF + 6
BUMP = PASS + 1
ACORN_AT = BUMP + DICE
ACORN_LEAF = ACORN_AT + PROPERTIES
ACTIONS_OFFICIAL = ACORN_LEAF + 6
ACTIONS = PASS + 1

# Simple: the properties without Elliott, in their order.
SIMPLE_PROPERTY = np.array([number for number in range(PROPERTIES) if number != ELLIOTT], np.int64)
SIMPLE_PASS = len(SIMPLE_PROPERTY)
ACTIONS_SIMPLE = SIMPLE_PASS + 1

# Every set of dice can be rerolled and at most as many taken, and one may pass; bumps raise six dice.
MAX_LEGAL = SUBSETS + SUBSETS + 1
MAX_LEGAL_OFFICIAL = MAX_LEGAL + DICE
