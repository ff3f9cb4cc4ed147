"""Flat Monte Carlo as an agent, with any agent as playout policy: `flat:policy=advanced1,ms=50`. And `exploiter`,
whose playouts are made by the agent it plays against."""

from __future__ import annotations

from meeple.agents.registry import find_agent, nested
from meeple.core.agent import AgentKind, Param, Seen, begin, begins_anew, is_kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.guide import NoGuide
from meeple.search.driver import Budget
from meeple.search.flat import Flat, FlatSettings


class FlatAgent:
    def __init__(self, flat: Flat, candidates: int, budget: Budget) -> None:
        self.flat = flat
        self.candidates = candidates
        self.budget = budget
        if begins_anew(flat.policy):
            self.begin = lambda variant, seat: begin(flat.policy, variant, seat)

    def choose(self, seen: Seen) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        return self.flat.choose(seen.sample(seen.seed), self.candidates, self.budget)


def make_flat(variant: Variant, policy: str, ms: float, iterations: int, candidates: int, cut: int, fair: int = 0) -> FlatAgent:
    game = variant.game
    player = find_agent(nested(policy), game)
    agent = player.make(variant)
    if cut >= 0 and game.guide is None:
        raise MeepleError(f"{game.name} has no guide that could value a table, so flat must play to the end there (cut=-1).")
    guide = game.guide(variant) if game.guide else NoGuide()
    # Agents of a person's own file are asked one by one: compiled code that knows them could not be cached.
    compiled = is_kernel_agent(agent) and type(agent).__module__.startswith("meeple.")
    settings = FlatSettings(cut=cut, points=int(not variant.shape.winnable), fair=fair)
    return FlatAgent(
        Flat(variant, settings, guide, agent, compiled, player.clairvoyant), candidates if game.guide else 0, Budget(iterations, ms)
    )


def make_exploiter(variant: Variant, agent: str, ms: float, iterations: int, candidates: int, cut: int) -> FlatAgent:
    return make_flat(variant, agent, ms, iterations, candidates, cut, fair=1)


BUDGET = (
    Param("ms", 0.0, "milliseconds a decision, instead of iterations", 0),
    Param("iterations", 1000, "playouts a decision", 1),
)
CANDIDATES = Param("candidates", 16, "actions to compare, the best by the game's guide; 0: all", 0)
CUT = Param("cut", -1, "plies of a playout before the game's guide values it; -1: play to the end", -1)


def flat_params(game: Game) -> tuple[Param, ...]:
    policy = Param("policy", game.search.get("policy", "random"), "the agent that plays out, for all seats")
    return (policy, *BUDGET, CANDIDATES, CUT)


AGENTS = (
    AgentKind("flat", "flat Monte Carlo: playouts of every candidate, with sequential halving", make_flat, params_of=flat_params),
    AgentKind(
        "exploiter",
        "flat, with playouts by the agent it plays against: how much can be won from it?",
        make_exploiter,
        (Param("agent", "random", "the agent it plays against"), *BUDGET, CANDIDATES, CUT),
    ),
)
