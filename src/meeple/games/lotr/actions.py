"""Action ids. A round is a sequence of small decisions, one action each.

  0-4   buy an ally, by kind                    25-37  defend with a character
  5-17  commit a character to the quest         38     leave the attack undefended
 18-23  travel to a land, by kind               39-41  the hero that an undefended attack hits
 24     stay                                    42     stop: planning, committing or attacking is over
                                                43-154 attack: a card of the player's, a target

Characters and targets are numbered in components.py. Whoever attacks is named by its card: attackers are not hurt and have nothing
more to do in the round, so their own damage makes no difference.
"""

from __future__ import annotations

from meeple.games.lotr.components import ALLIES, CARDS, CHARACTERS, ENEMY_CARDS, HEROES, LANDS, TARGETS

BUY = 0
COMMIT = BUY + ALLIES
TRAVEL = COMMIT + CHARACTERS
STAY = TRAVEL + LANDS
DEFEND = STAY + 1
UNDEFENDED = DEFEND + CHARACTERS
HIT = UNDEFENDED + 1
STOP = HIT + HEROES
ATTACK_WITH = STOP + 1
ACTIONS = ATTACK_WITH + CARDS * TARGETS

# Every card of the player's against every enemy, no two of them alike: three orcs, four forest spiders and two king spiders may
# all have another damage. And stop.
MAX_LEGAL = CARDS * ENEMY_CARDS + 1
