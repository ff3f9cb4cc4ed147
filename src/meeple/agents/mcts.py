"""Tree search as an agent: `mcts:iterations=1000`, `mcts:ms=200`; every setting is a parameter.

The defaults are the settings that play best at the game, as the game declares them (`Game.search`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from meeple.agents.registry import find_agent, nested
from meeple.core.agent import AgentKind, Param, Seen, is_kernel_agent
from meeple.core.errors import MeepleError
from meeple.core.game import Game, Variant
from meeple.core.guide import NoGuide
from meeple.core.registry import find_variant
from meeple.core.verbs import part
from meeple.nets.ready import load_adviser
from meeple.search.driver import Budget, Search
from meeple.search.parallel import MOST_WORKERS, Team
from meeple.search.select import PUCT, UCB1, Settings

SELECT = {"ucb1": UCB1, "puct": PUCT}
UNSEEN = -1  # plies of a game in which it was not asked yet


class Mcts:
    """Searches at every decision; with `reuse`, from the subtree of the decision before; with `by_part`, the part of the game that
    is being played. With `bank`, time saved on easy decisions of a game is spent on hard ones."""

    def __init__(self, search: Search, reuse: bool, team: Team | None = None, *, by_part: bool = False, bank: bool = False) -> None:
        self.search = search
        self.team = team
        self.reuse = reuse
        self.by_part = by_part
        self.bank = bank
        self.saved = 0.0  # milliseconds, in this game
        self.seen = UNSEEN  # plies of the game when it was last asked

    def begin(self, variant: Variant, seat: int) -> None:  # noqa: ARG002
        """Forget the last game's tree; the room for it is kept."""
        self.seen = UNSEEN
        self.saved = 0.0

    def root_of(self, seen: Seen) -> NDArray[Any]:
        """The position to search from: dealt again for the seat; of a game that is won by its parts, the one that is played."""
        root = seen.sample(seen.seed).array
        if self.by_part:
            part(root[0])
        return root

    def choose(self, seen: Seen) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        root = self.root_of(seen)
        if self.team:
            return self.team.run(root).best()
        if self.reuse and self.seen != UNSEEN and seen.history:
            self.search.follow(root, seen.history[self.seen :])
        else:
            self.search.set_root(root)
        self.seen = seen.ply
        # What is kept must not depend on when the clock let it stop, or the same seed would not give the same game.
        left = self.search.run(not self.reuse or bool(self.search.budget.ms), self.saved)
        self.saved = left if self.bank and self.search.budget.ms else 0.0  # what was overdrawn is owed
        return self.search.root_actions().best()


def has_guide(game: Game, guide: str) -> bool:
    return guide != "none" and (guide != "game" or game.guide is not None)


def make_guide(variant: Variant, guide: str) -> Any:
    """The game's own guide or an earlier one of it by name, none, or a network by its spec."""
    game = variant.game
    if not has_guide(game, guide):
        return NoGuide()
    if guide == "game":
        assert game.guide is not None
        return game.guide(variant)
    if guide in game.guides:
        return game.guides[guide](variant)
    spec = find_agent(nested(guide), game)
    if spec.kind.name != "net":
        raise MeepleError(f"mcts's guide is {', '.join(['game', *game.guides])}, none or net:FILE, not {guide}.")
    return load_adviser(Path(str(spec.settings["path"])).expanduser(), variant)


def make_search(variant: Variant, clairvoyant: bool = False, **given: Any) -> Search:
    """A search with the parameters of PARAMS, checked."""
    game = variant.game
    select = given["select"]
    policy = find_agent(nested(given["policy"]), game).make(variant)
    if not is_kernel_agent(policy):
        raise MeepleError(f"{given['policy']} is no kernel agent, so mcts cannot play out with it; random is one.")
    if not has_guide(game, given["guide"]) and given["cut"] >= 0:
        raise MeepleError(f"{game.name} has no guide that could value a table, so mcts must play to the end there (cut=-1).")
    if given["reduce"] and game.keep is None:
        raise MeepleError(f"{game.name} has no action reduction, so reduce=1 means nothing there.")
    chosen = {name: given[name] for name in Settings._fields if name in given}
    if select != "puct":
        chosen |= {"trust": 0.0, "turns": 0}  # these two are PUCT's
    points = int(not variant.shape.winnable)
    settings = Settings(**chosen | {"select": SELECT[select]}, points=points, clairvoyant=int(clairvoyant))
    guide = make_guide(variant, given["guide"]) if select == "puct" or given["cut"] >= 0 else NoGuide()
    return Search(variant, settings, guide, policy, Budget(given["iterations"], given["ms"]))


def make_mcts(variant: Variant, reuse: int, workers: int, clairvoyant: bool = False, **given: Any) -> Mcts:
    if workers > 1 and reuse:
        raise MeepleError("mcts's workers start a new tree at every decision, so reuse=1 needs workers=1.")
    team = Team(workers, search_by_name, variant.spec, clairvoyant, given) if workers > 1 else None
    return Mcts(make_search(variant, clairvoyant, **given), bool(reuse), team)


def make_clairvoyant(variant: Variant, **given: Any) -> Mcts:
    return make_mcts(variant, clairvoyant=True, **given)


def search_by_name(spec: str, clairvoyant: bool, given: dict[str, Any]) -> Search:
    """What a worker makes its search from."""
    return make_search(find_variant(spec), clairvoyant, **given)


PARAMS = (
    Param("iterations", 1000, "playouts, or positions valued by the guide, a decision", 1),
    Param("ms", 0.0, "milliseconds a decision, instead of iterations", 0),
    Param("select", "ucb1", "ucb1, or puct: by the guide", values=tuple(SELECT)),
    Param("guide", "game", "where priors and values come from: game, an earlier one of the game by name, none, or net:FILE"),
    Param("c", 1.0, "weight of exploration", 0),
    Param("temperature", 1.0, "puct: temperature of the prior: the guide's logits are divided by it", 1e-3),
    Param("top", 1000, "puct: actions considered in one determinization, the best by the guide", 1),
    Param("fpu", 0.1, "puct: first-play urgency: an action never tried counts as the mean of its siblings less this"),
    Param("trust", 0.0, "puct: 1: the guide is asked in every determinization, and luck it accounts for is subtracted; 0: not", 0),
    Param("turns", 0, "puct: horizon: turns that every iteration descends, to value all leaves alike; 0: to the first new node", 0),
    Param("refresh", 4, "puct: visits of a node in which the guide is asked again", 0),
    Param("cut", -1, "plies of a playout before the guide values it; -1: play to the end, 0: no playout", -1),
    Param("playouts", 1, "playouts from a new node", 1),
    Param("policy", "random", "the playout policy, a kernel agent"),
    Param("meanings", 0, "puct: 1: an action that means another thing in another determinization is another node", 0, 1),
    Param("reduce", 0, "1: only the actions that the game's filter keeps", 0, 1),
    Param("reuse", 0, "1: keep the subtree for the next decision", 0, 1),
    Param("workers", 1, "processes that search at once, each with the whole budget", 1, MOST_WORKERS),
)


def params_of(game: Game) -> tuple[Param, ...]:
    return tuple(replace(param, default=game.search.get(param.name, param.default)) for param in PARAMS)


AGENTS = (
    AgentKind("mcts", "information-set tree search over determinizations (possible worlds)", make_mcts, params_of=params_of),
    AgentKind(
        "mcts-clairvoyant",
        "the same on the true cards and the true luck to come: only to compare with theses that searched this way",
        make_clairvoyant,
        params_of=params_of,
        clairvoyant=True,
    ),
)
