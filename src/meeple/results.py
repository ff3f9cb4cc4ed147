"""What `meeple.match` and `meeple.tournament` return: figures with their intervals, and every game to replay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from meeple.arena.store import StoredGame
from meeple.core.game import Variant
from meeple.core.intervals import Interval
from meeple.core.record import Record


@dataclass(frozen=True)
class Played:
    """One game of a match; what has one entry a seat is in the order of seats."""

    number: int
    seed: int
    agents: tuple[str, ...]
    scores: tuple[float, ...]
    outcome: tuple[float, ...]  # shares of the win
    end: str  # why it ended
    turns: int
    actions: tuple[int, ...] = field(repr=False)
    variant: Variant = field(repr=False)

    def record(self) -> Record:
        """The game move by move: `record.moves`, `record.states()`, `record.save(path)`."""
        moves = [self.variant.format_action(action) for action in self.actions]
        return Record(self.variant.spec, self.seed, moves, self.agents, self.variant.game.version)


@dataclass(frozen=True)
class MatchResult:
    """What has one entry an agent is in the order in which they were given. Intervals are 95% over deals, since the games of a
    deal share its luck."""

    variant: str
    agents: tuple[str, ...]
    seed: int
    win_rates: tuple[float, ...]  # shares of the wins, draws as halves; empty where only points count
    intervals: tuple[Interval, ...]
    scores: tuple[float, ...]  # mean points
    score_diff: float | None  # the first agent's points less the second's, game by game; None for more than two seats
    score_diff_interval: Interval | None
    turns: float  # mean length
    truncated: int
    seconds: float
    games: tuple[Played, ...] = field(repr=False)
    figures: dict[str, Any] = field(repr=False)  # everything, as `meeple match --json` prints it

    @property
    def win_rate(self) -> float:
        """Of the first agent; where only points count there is none, and `scores` tells."""
        return self.win_rates[0] if self.win_rates else float("nan")

    @property
    def interval(self) -> Interval:
        """Of the first agent's win rate."""
        return self.intervals[0] if self.intervals else (float("nan"), float("nan"))

    def record(self, number: int) -> Record:
        """A game to replay or to save."""
        return self.games[number].record()

    def __str__(self) -> str:
        lines = [f"{len(self.games):,} games of {self.variant}, seed {self.seed}"]
        for i, agent in enumerate(self.agents):
            low, high = self.intervals[i] if self.intervals else (0.0, 0.0)
            won = f"wins {self.win_rates[i]:.1%} ({low:.1%} to {high:.1%}), " if self.win_rates else ""
            lines.append(f"  {agent}: {won}{self.scores[i]:.2f} points a game")
        return "\n".join(lines)


@dataclass(frozen=True)
class Rating:
    """How good an agent is, by the measure of the tournament: "elo" (the mean is 0), alone "win_rate" or "score"."""

    agent: str
    value: float
    interval: Interval
    measure: str = "elo"

    @property
    def elo(self) -> float:
        """Strength in Elo points; in a game for one there is nobody to win from, and `value` tells."""
        return self.value if self.measure == "elo" else float("nan")

    def __str__(self) -> str:
        form, unit = FORMS[self.measure]
        low, high = self.interval
        return f"{self.agent}: {self.value:{form}} {unit} ({low:{form}} to {high:{form}})"


FORMS = {"elo": ("+.0f", "Elo"), "win_rate": (".1%", "won"), "score": (".2f", "points")}


@dataclass(frozen=True)
class TournamentResult:
    """Ratings, best first, and the match of every table."""

    variant: str
    seed: int
    ratings: tuple[Rating, ...]
    first_seat: float  # Elo points that it is worth to begin; not a number in a game for one
    first_seat_interval: Interval
    matches: tuple[MatchResult, ...] = field(repr=False)
    figures: dict[str, Any] = field(repr=False)

    @property
    def agents(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(rating.agent for rating in self.ratings)

    def __str__(self) -> str:
        games = sum(len(match.games) for match in self.matches)
        lines = [f"{games:,} games of {self.variant}, seed {self.seed}"]
        return "\n".join([*lines, *(f"  {rating}" for rating in self.ratings)])


def match_result(variant: Variant, figures: dict[str, Any], games: list[StoredGame]) -> MatchResult:
    """From the figures of arena/summary.py, which differ with the number of seats."""
    agents = tuple(figures["agents"])
    rates, intervals = _win_rates(figures)
    diff, diff_interval = _score_diff(figures)
    return MatchResult(
        variant=figures["variant"],
        agents=agents,
        seed=figures["seed"],
        win_rates=rates,
        intervals=intervals,
        scores=tuple(figures["scores"]),
        score_diff=diff,
        score_diff_interval=diff_interval,
        turns=figures["turns"],
        truncated=figures["truncated"],
        seconds=figures["seconds"],
        games=tuple(_played(variant, agents, game) for game in games),
        figures=figures,
    )


def _win_rates(figures: dict[str, Any]) -> tuple[tuple[float, ...], tuple[Interval, ...]]:
    if "wins" in figures:  # two seats: one rate, and what is left of it
        rate, (low, high) = figures["win_rate"], figures["win_rate_ci"]
        return (rate, 1 - rate), ((low, high), (1 - high, 1 - low))
    for name in ("win_shares", "win_rates"):  # several seats; each alone
        if name in figures:
            return tuple(figures[name]), tuple((low, high) for low, high in figures[f"{name}_ci"])
    return (), ()


def _score_diff(figures: dict[str, Any]) -> tuple[float | None, Interval | None]:
    if "score_diff" in figures:
        low, high = figures["score_diff_ci"]
        return figures["score_diff"], (low, high)
    if len(figures.get("differences", ())) > 1:
        low, high = figures["differences_ci"][1]
        return figures["differences"][1], (low, high)
    return None, None


def _played(variant: Variant, agents: tuple[str, ...], game: StoredGame) -> Played:
    return Played(
        number=game.number,
        seed=game.seed,
        agents=tuple(agents[who] for who in game.seating),
        scores=tuple(game.scores),
        outcome=tuple(game.outcome),
        end=variant.game.ends[game.end].reason,
        turns=game.turns,
        actions=tuple(map(int, game.actions)),
        variant=variant,
    )


def tournament_result(figures: dict[str, Any], matches: tuple[MatchResult, ...]) -> TournamentResult:
    """From the figures of arena/tournament.py."""
    nothing = float("nan")
    first = figures["first_seat"] or {"elo": nothing, "ci": (nothing, nothing)}
    low, high = first["ci"]
    measure = figures["measure"]
    return TournamentResult(
        variant=figures["variant"],
        seed=figures["seed"],
        ratings=tuple(Rating(row["agent"], row[measure], (row["ci"][0], row["ci"][1]), measure) for row in figures["ratings"]),
        first_seat=first["elo"],
        first_seat_interval=(low, high),
        matches=matches,
        figures=figures,
    )
