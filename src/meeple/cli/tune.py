"""`meeple tune`: better numbers for an agent or a learner."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.arena.match import use_code
from meeple.cli.interrupt import resumable
from meeple.cli.options import (
    MOST_SEED,
    Code,
    Game,
    Json,
    Processes,
    Ray,
    Seed,
    command,
    cores,
    counted,
    measured,
    refuse_unwritable,
    within,
)
from meeple.cli.show import console, interval, print_json, progress, status, suggest, table
from meeple.core.errors import MeepleError
from meeple.lab import tune as lab

CMA, PBT = "cma", "pbt"
SHOWN = 10  # trials of a long table


def tune(
    game: Game,
    agent: Annotated[
        str, typer.Argument(help="The agent, with the numbers to start from, or a learner; such as heuristic, or ppo.")
    ],
    out: Annotated[Path, typer.Option(help="JSON file of cma, else a folder; continued if it exists.", show_default=False)],
    space: Annotated[str, typer.Option(help="Search space: a TOML file, or one that is shipped; --space help lists those.")] = "",
    method: Annotated[str, typer.Option(help="cma, grid, tpe, random or pbt. Default: the space's; without a space, cma.")] = "",
    metric: Annotated[str, typer.Option(help="win, difference or score; of learners match, joint or return.")] = "",
    against: Annotated[
        list[str] | None, typer.Option(help="An opponent, at all other seats; may be repeated. Default: the agent as it is now.")
    ] = None,
    only: Annotated[str, typer.Option(help="cma: the parameters to tune, with commas; default: all that are numbers.")] = "",
    settings: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE that is not tuned; may be repeated.")] = None,
    games: Annotated[
        int | None, counted("Games of each candidate; with cma, in each generation. Default: the space's, or 400.")
    ] = None,
    trials: Annotated[int | None, counted("tpe and random: trials in all.")] = None,
    steps: Annotated[int | None, counted("Decisions of a learner's trial.")] = None,
    minutes: Annotated[float | None, typer.Option(help="pbt: how long in all.", callback=within(0, 525_600, above=True))] = None,
    population: Annotated[int | None, counted("pbt: members.", least=2, most=1000)] = None,
    generations: Annotated[int, counted("cma: how many in all.")] = 50,
    step: Annotated[float, measured("cma: first step, as a share of each number.", most=1.0)] = 0.3,
    seed: Seed = 1,
    processes: Processes = 0,
    ray: Ray = "",
    code: Code = None,
    as_json: Json = False,
) -> None:
    """Tune the numbers of an agent or a learner, by grid, TPE, evolution or population; the best is measured on fresh deals.

    Of evolution (cma) the centre of the last generation comes out, which has to be measured by a match with another seed."""
    use_code(code or [])
    if space == "help":
        show_spaces(as_json)
    elif method == CMA or not (space or method):
        names = [name.strip() for name in only.split(",") if name.strip()]
        refuse_unwritable("--out", out)
        tuning = lab.plan_tuning(game, agent, against or [], names, games or 400, generations, seed, step)
        by_evolution(tuning, out, cores(processes), ray, code, as_json)
    else:
        if not space:
            raise MeepleError(f"--method {method} needs --space: a TOML file, or one of those that --space help lists.")
        given: dict[str, Any] = {"method": method, "metric": metric, "against": tuple(against or ()), "games": games}
        given |= {"trials": trials, "steps": steps, "minutes": minutes, "population": population}
        over_space(game, agent, space, out, seed, given | {"set": pairs(settings or [])}, cores(processes), ray, as_json)


def pairs(given: list[str]) -> dict[str, Any]:
    """NAME=VALUE, the value a number where it is one."""
    found: dict[str, Any] = {}
    for pair in given:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name:
            raise MeepleError(f"'{pair}' is no setting; write it as --set NAME=VALUE.")
        try:
            found[name] = float(value) if not value.lstrip("-").isdigit() else int(value)
        except ValueError:
            found[name] = value
    return found


def by_evolution(tuning: lab.Tuning, out: Path, processes: int, ray: str, code: list[Path] | None, as_json: bool) -> None:
    """CMA-ES."""
    with resumable(), progress(f"{tuning.variant.spec}: tuning {tuning.player.spec}", tuning.generations, "generations") as advance:
        shown = [0]

        def tick(generation: int, _: float) -> None:
            advance(generation - shown[0])
            shown[0] = generation

        result = lab.tune(tuning, out, processes, tick, ray)
    tuned = replace(tuning.player, settings=tuning.player.settings | {name: round(w, 4) for name, w in result["weights"].items()})
    if as_json:
        print_json(result | {"tuned": tuned.spec})
        return
    made = table(
        f"{tuning.player.label} at {tuning.variant.spec}, {result['generations']} generations",
        "number",
        "before",
        "now",
        right=("before", "now"),
    )
    for name, weight in result["weights"].items():
        made.add_row(name, f"{tuning.player.settings[name]:g}", f"{weight:.4g}")
    console.print(made)
    others = [player.spec for player in tuning.opponents[:1] * (tuning.variant.shape.seats - 1)]
    next_seed = (tuning.seed + 1) % (MOST_SEED + 1)
    size = 1000 // tuning.variant.shape.seats * tuning.variant.shape.seats
    suggest(
        f"Mean of the last generation: {result['shares'][-1]:.3f}. Measure it with another seed:",
        command("match", tuning.variant.spec, tuned.spec, *others, games=size, seed=next_seed, code=code),
    )


def over_space(
    game: str, agent: str, space: str, out: Path, seed: int, given: dict[str, Any], processes: int, ray: str, as_json: bool
) -> None:
    """Grid, TPE, random, or a population."""
    from meeple.lab.tuning.run import plan_search, run_tuning

    refuse_unwritable("--out", out / "result.json", folders=True)
    tuning = plan_search(game, agent, space, out, seed, given)
    what = f"{tuning.subject.variant.spec}: tuning {tuning.subject.name} by {tuning.space.method}"
    if tuning.space.method == PBT:
        with resumable(), status(what) as show:
            result = run_tuning(
                tuning, processes, ray, lambda s, text: show(f"{what}, {s / 60:.1f} of {tuning.space.minutes:g} minutes, {text}")
            )
    else:
        with resumable(), progress(what, int(tuning.total), "trials") as advance:
            result = run_tuning(tuning, processes, ray, lambda n, _: advance(int(n)))
    if as_json:
        print_json(result)
    elif tuning.space.method == PBT:
        show_members(result)
    else:
        show_trials(result)
    if not as_json:
        show_best(result)


def show_trials(result: dict[str, Any]) -> None:
    rows = [row for row in result["trials"] if not row["pruned"] and row["value"] is not None]
    names = list(rows[0]["point"]) if rows else []
    published = any(row["published"] is not None for row in rows)
    whole = len(rows) <= 40
    some = rows if whole else sorted(rows, key=lambda row: -row["value"])[:SHOWN]
    given_up = len(result["trials"]) - len(rows)
    title = f"{result['tunes']} at {result['variant']}: {result['metric']} of {len(rows)} trials"
    title += f", {given_up} more given up early" if given_up else ""
    title += "" if whole else f"; the best {SHOWN}"
    made = table(title, *names, "value", *(["published"] if published else []), right=(*names, "value", "published"))
    for row in some:
        beside = [f"{row['published']:.2f}"] if published and row["published"] is not None else []
        made.add_row(*(_short(value) for value in row["point"].values()), f"{row['value']:.4g}", *beside)
    console.print(made)


def show_members(result: dict[str, Any]) -> None:
    names = list(result["start"]["point"])
    made = table(
        f"{result['tunes']} at {result['variant']}: the population, {len(result['perturbations'])} perturbations",
        *("member", *names, "decisions", "value", "on fresh deals"),
        right=(*names, "decisions", "value", "on fresh deals"),
    )
    for one in result["members"]:
        settings = (_short(one["point"][name]) for name in names)
        made.add_row(one["member"], *settings, f"{one['decisions']:,}", f"{one['value']:.4g}", f"{one['fresh']['value']:.4g}")
    console.print(made)


def show_best(result: dict[str, Any]) -> None:
    best = result["best"]
    fresh = best["fresh"]
    text = f"The best on fresh deals: {best['agent']}, {fresh['value']:.4g}"
    text += f" ({interval(fresh['ci'], '.4g')})" if fresh["ci"] else ""
    text += f", {fresh['games']:,} games"
    if "gain" in best:
        text += (
            f"; {best['gain']['value']:+.4g} ({interval(best['gain']['ci'], '+.4g')}) beside where it started, on the same deals"
        )
    console.print(
        f"{text}. {result['metric']} against {', '.join(result['against']) or 'nobody'}.", highlight=False, soft_wrap=True
    )
    console.print(f"{best['file']} has it; pictures: {', '.join(result['plots'])}", highlight=False, soft_wrap=True)


def show_spaces(as_json: bool) -> None:
    from meeple.lab.tuning.space import read_space, shipped

    spaces = [read_space(name) for name in shipped()]
    if as_json:
        print_json([{"name": s.name, "game": s.game, "tunes": s.tunes, "method": s.method, "about": s.about} for s in spaces])
        return
    made = table("search spaces", "name", "game", "tunes", "method", "about", prose=("about",))
    for one in spaces:
        made.add_row(one.name, one.game, one.tunes, one.method, one.about)
    console.print(made)


def _short(value: Any) -> str:
    return (
        f"{value:.4g}"
        if isinstance(value, float)
        else ",".join(map(str, value))
        if isinstance(value, (list, tuple))
        else str(value)
    )
