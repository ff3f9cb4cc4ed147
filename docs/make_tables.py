"""Writes the tables of agents.md, levels.md and champions.md from what is declared and measured: `python docs/make_tables.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meeple.agents.champion import measured_levels
from meeple.agents.registry import agents_of
from meeple.core.agent import AgentKind
from meeple.core.registry import all_games
from meeple.lab.experiment import experiments, find_experiment
from meeple.lab.lines import Line, read_lines
from meeple.lab.runner import label
from meeple.lab.style_kind import REACHED
from meeple.lab.trial import trials_of

AGENTS, LEVELS, CHAMPIONS = (Path(__file__).parent / name for name in ("agents.md", "levels.md", "champions.md"))
LAB = Path(__file__).parent.parent / "lab"
RATINGS = "meeple-ratings-"
PROOFS = ("meeple-champions", "meeple-champions-luck", "meeple-champions-alone")
EXPLOIT = "meeple-exploit"
FIRST_LEVEL = "meeple-first-level"
STYLES = "meeple-styles"
MISSING = "not measured yet"
FORMS = {"elo": ("Elo", "{:+.0f}", 1.0), "win_rate": ("games won", "{:.1f}%", 100.0), "score": ("points", "{:.1f}", 1.0)}


def filled(page: str, mark: str, text: str) -> str:
    """The page with the text between two marks."""
    begin, end = f"<!-- {mark} -->", f"<!-- {mark}: end -->"
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    assert found and ended, f"there are no marks {begin} and {end}"
    return f"{before}{begin}\n{text}\n{end}{after}"


def agent_tables() -> str:
    """Who plays every game, and who only one."""
    of = {game: agents_of(game) for game in all_games()}
    shared = {name: kind for kinds in of.values() for name, kind in kinds.items() if not kind.games}
    tables = [agent_table("In every game that has what they need:", shared)]
    for game, kinds in of.items():
        tables.append(agent_table(f"{game.title} (`{game.name}`):", {name: kind for name, kind in kinds.items() if kind.games}))
    return "\n\n".join(tables)


def agent_table(title: str, kinds: dict[str, AgentKind]) -> str:
    lines = [title, "", "| agent | is |", "|---|---|"]
    for name, kind in sorted(kinds.items()):
        lines.append(f"| `{name}` | {kind.meaning}{' (clairvoyant)' if kind.clairvoyant else ''} |")
    return "\n".join(lines)


def level_tables() -> str:
    return "\n\n".join(level_table(found) for found in measured_levels().values())


def level_table(found: dict[str, Any]) -> str:
    options = f"--games {found['games']} --top {found['top']} --seed {found['seed']}"
    unit = {"wins": "wins, in hundredths"}.get(found["unit"], found["unit"])
    lines = [f"`{found['variant']}` (`{options}`; {unit}):", ""]
    lines += ["| level | player | rating | against the one below | 95% |", "|---|---|---|---|---|"]
    lines += [level_row(number, line, found["unit"]) for number, line in enumerate(found["levels"], 1)]
    return "\n".join(lines)


def level_row(number: int, line: dict[str, Any], unit: str) -> str:
    scale = 100 if unit == "wins" else 1
    against, interval = "", ""
    if match := line.get("match"):
        shares = match["unit"] == "share of wins"
        form = "{:.1%}" if shares else "{:+.1f}"
        values = [value if shares else scale * value for value in (match["mean"], *match["ci"])]
        against, interval = form.format(values[0]), " to ".join(form.format(value).rstrip("%") for value in values[1:])
    return f"| {number} | `{line['agent']}` | {scale * line['rating']:.0f} | {against} | {interval} |"


def rating_tables() -> str:
    found = [line for name in experiments() if name.startswith(RATINGS) for _, line in runs_of(name) if line]
    return "\n\n".join(map(rating_table, found)) or f"{MISSING.capitalize()}."


def rating_table(line: dict[str, Any]) -> str:
    unit, form, scale = FORMS[line["more"]["measure"]]
    specs = dict(zip(line["config"]["names"], line["config"]["agents"], strict=True))
    lines = [f"`{line['config']['variant']}` ({line['experiment']}, {line['more']['games']:,} games):", ""]
    lines += [f"| agent | | {unit} | 95% |", "|---|---|---|---|"]
    for name, figures in sorted(line["figures"].items(), key=lambda item: -item[1][0]):
        value, low, high = (form.format(scale * each) for each in figures)
        lines.append(f"| {name} | {'' if specs[name] == name else f'`{specs[name]}`'} | {value} | {low} to {high} |")
    return "\n".join(lines)


def runs_of(name: str) -> list[tuple[dict[str, Any], Line | None]]:
    """The rows of an experiment as it is today, each with its line, if it was run."""
    one, there = find_experiment(name), read_lines(LAB).get(name, {})
    words = {row.label: row.words for row in one.rows}
    return [(words[trial.row], there.get(label(trial))) for trial in trials_of(one, quick=False, seeds=1)]


def told(line: Line | None) -> str:
    """The figure of a line and its interval, as two cells."""
    if line is None:
        return f"{MISSING} | "
    value, low, high = line["figures"][line["figure"]]
    return f"{value:.2f} | {low:.2f} to {high:.2f}"


def proof_table() -> str:
    """Every match that champions are to win, its bar, and what came of it."""
    rows = ["| match | games | bar | champion | 95% |", "|---|---|---|---|---|"]
    commands = []
    for name in PROOFS:
        for words, line in runs_of(name):
            match = words.get("match") or f"Rake&Roll {words['variant']}, alone, points ahead of {words['against']}"
            rows.append(f"| {match} | {words['_games']:,} | {words.get('bar', 'above 0')} | {told(line)} |")
            commands += [line["command"]] if line else []
    return "\n".join([*rows, "", "```text", *commands, "```"])


def exploit_table() -> str:
    rows = ["| game | agent | even | taken | 95% |", "|---|---|---|---|---|"]
    for words, line in runs_of(EXPLOIT):
        rows.append(f"| {words['game']} | `{words['agent']}` | {words['even']} | {told(line)} |")
    return "\n".join(rows)


def first_level_table() -> str:
    """The lowest level against a beginner's script of each game."""
    rows = ["| game | script | games | level 1 is ahead by | 95% |", "|---|---|---|---|---|"]
    for words, line in runs_of(FIRST_LEVEL):
        rows.append(f"| {words['game']} | `{words['script']}` | {words['_games']:,} | {told(line)} |")
    return "\n".join(rows)


def style_tables() -> str:
    """How each champion plays, beside the search before it."""
    return "\n\n".join(style_table(words, line) for words, line in runs_of(STYLES))


def style_table(words: dict[str, Any], line: Line | None) -> str:
    if line is None:
        return f"{words['game']}: {MISSING}."
    champion, other = line["more"]["styles"].values()
    rows = [f"{words['game']} (`{line['command']}`):", "", "| | champion | `mcts-2026` |", "|---|---|---|"]
    rows += [f"| {name} | {ranged(name, champion)} | {ranged(name, other)} |" for name in {**champion, **other}]
    return "\n".join(rows)


def ranged(name: str, style: dict[str, list[float]]) -> str:
    """A mean, with its interval where it is known; what never happened is 0, and points at a turn that is not told are nothing."""
    if name not in style:
        return "" if name.startswith(REACHED) else "0"
    value, *interval = style[name]
    return f"{value:.2f}" + (f" ({interval[0]:.2f} to {interval[1]:.2f})" if interval else "")


def write(page: Path, **tables: str) -> None:
    text = page.read_text()
    for mark, table in tables.items():
        text = filled(text, mark, table)
    page.write_text(text)


if __name__ == "__main__":
    write(AGENTS, agents=agent_tables())
    write(LEVELS, levels=level_tables(), ratings=rating_tables(), first_level=first_level_table())
    write(CHAMPIONS, proofs=proof_table(), styles=style_tables(), exploit=exploit_table())
