"""Writes the tables of docs/levels.md from the measured levels and the lines of the lab: `python docs/make_levels.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meeple.agents.champion import measured_levels
from meeple.lab.lines import read_lines

PAGE = Path(__file__).parent / "levels.md"
LAB = Path(__file__).parent.parent / "lab"
RATINGS = "meeple-ratings-"
FORMS = {"elo": ("Elo", "{:+.0f}", 1.0), "win_rate": ("games won", "{:.1f}%", 100.0), "score": ("points", "{:.1f}", 1.0)}


def filled(page: str, mark: str, text: str) -> str:
    """The page with the text between two marks."""
    begin, end = f"<!-- {mark} -->", f"<!-- {mark}: end -->"
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    assert found and ended, f"{PAGE} has no marks {begin} and {end}"
    return f"{before}{begin}\n{text}\n{end}{after}"


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
    there = read_lines(LAB)
    found = [line for name in there if name.startswith(RATINGS) for line in there[name].values() if not line["quick"]]
    return "\n\n".join(map(rating_table, found)) or "Not measured yet."


def rating_table(line: dict[str, Any]) -> str:
    unit, form, scale = FORMS[line["more"]["measure"]]
    specs = dict(zip(line["config"]["names"], line["config"]["agents"], strict=True))
    lines = [f"`{line['config']['variant']}` ({line['experiment']}, {line['more']['games']:,} games):", ""]
    lines += [f"| agent | | {unit} | 95% |", "|---|---|---|---|"]
    for name, figures in sorted(line["figures"].items(), key=lambda item: -item[1][0]):
        value, low, high = (form.format(scale * each) for each in figures)
        lines.append(f"| {name} | {'' if specs[name] == name else f'`{specs[name]}`'} | {value} | {low} to {high} |")
    return "\n".join(lines)


if __name__ == "__main__":
    written = filled(PAGE.read_text(), "levels", level_tables())
    PAGE.write_text(filled(written, "ratings", rating_tables()))
