"""A certificate for the terminal: the verdict, then each line with every cell that it names, never wider than 80 columns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pinchsim.measure.certificate import FAIL, PASS, UNDECIDED
from pinchsim.report import style
from pinchsim.report.layout import fitted
from pinchsim.report.table import WIDTH, say

LOOKS = {PASS: "green", FAIL: "bold red", UNDECIDED: "yellow"}
NAME_COLUMNS = 13  # of a variant, and of a line-up
Told = dict[str, Any]  # what a certificate says, as its file has it


class Scale(NamedTuple):
    """How the numbers of a line are shown: a factor, a unit and whether the sign is written."""

    factor: float
    unit: str
    sign: str = ""


def print_certificate(told: Told, console: Console) -> None:
    """Print what a certificate says; `told` is what its file holds."""
    width = min(console.width, WIDTH)
    unit = "games" if told["experiment"]["session"] == "game" else "sessions"
    say(console, f"The balance {heading(told)}", width, "bold")
    if told["question"]:
        say(console, style.clean(told["question"]), width)
    for number, line in enumerate(told["lines"], 1):
        console.print()
        say(console, f"{number}. {line_words(line)}", width, "bold", indent="   ")
        console.print(fitted(_table(line, unit), width))
    open_cells = [words for line in told["lines"] for words in _needs(line, unit)]
    if open_cells:
        console.print()
        for words in open_cells:
            say(console, f"- {words}", width, indent="  ")
    console.print()
    say(console, _notes(told), width, "dim")


def heading(told: Told) -> str:
    """The verdict with its count: "passes: 3 of 4 verdicts pass, 1 is undecided"."""
    found = [cell["verdict"] for line in told["lines"] for cell in line["cells"]]
    counts = [(found.count(PASS), "pass", "passes"), (found.count(FAIL), "fail", "fails")]
    counts.append((found.count(UNDECIDED), "are undecided", "is undecided"))
    parts = [f"{count} {one if count == 1 else many}" for count, many, one in counts if count]
    verdict = "is undecided" if told["verdict"] == UNDECIDED else told["verdict"]
    return f"{verdict}: of {len(found)} verdict{'s' if len(found) > 1 else ''} {style.listed(parts)}"


def line_words(line: Told) -> str:
    """What a line asks: "start player advantage: -1 to +1 pp"."""
    scale = _scale(line)
    low, high = (f"{scale.factor * line[end]:{scale.sign}.6g}" if end in line else "" for end in ("low", "high"))
    limits = f"{low} to {high} {scale.unit}" if low and high else f"{low or high} {scale.unit} or {'more' if low else 'less'}"
    band = " (band {:g} to {:g})".format(*line["band"]) if "band" in line else ""
    position = f", position {line['position']}" if "position" in line else ""
    return f"{style.clean(line['measure'])}{position}{band}: {limits}"


def _scale(line: Told) -> Scale:
    """By the unit of the cells, which is that of the line; shares are told in percent, advantages in percentage points."""
    unit = next((cell["unit"] for cell in line["cells"] if cell["unit"]), "")
    if unit != "share":
        return Scale(1, unit)
    return Scale(100, "pp", "+") if line["measure"].endswith("advantage") else Scale(100, "%")


def _table(line: Told, unit: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    for name in ("variant", "players", "line-up", "found", unit):
        is_name = name in ("variant", "line-up")
        table.add_column(name, justify="left" if is_name else "right", no_wrap=not is_name)
    table.add_column("verdict", no_wrap=True)
    scale = _scale(line)
    for cell in line["cells"]:
        names = ["\n".join(style.wrapped(style.clean(cell[x]), NAME_COLUMNS, break_names=True)) for x in ("variant", "line_up")]
        found = style.with_interval(cell, scale.factor, scale.unit, scale.sign, gap="\n")
        verdict = Text(cell["verdict"], LOOKS[cell["verdict"]])
        table.add_row(Text(names[0]), str(cell["players"]), Text(names[1]), found, f"{cell['games']:,}", verdict)
    return table


def _needs(line: Told, unit: str) -> list[str]:
    """What would decide each undecided cell of a line."""
    return [_need(line, cell, unit) for cell in line["cells"] if cell["verdict"] == UNDECIDED]


def _need(line: Told, cell: Told, unit: str) -> str:
    names = (line["measure"], cell["variant"], f"{cell['players']} players", cell["line_up"])
    where = ", ".join(map(style.clean, names))
    if cell["estimate"] is None:
        return f"{where}: there was no occasion for it."
    if cell["low"] is None:
        return f"{where}: a single deck has no interval."
    if cell["games_needed"] is None:
        return f"{where}: so close to a limit that {style.HOPELESS:,} times as many {unit} may not decide."
    return f"{where}: about {style.count_words(cell['games_needed'])} {unit} would decide."


def _notes(told: Told) -> str:
    cells: Sequence[Told] = [cell for line in told["lines"] for cell in line["cells"]]
    decks = sorted({cell["decks"] for cell in cells})
    size = f"{decks[0]:,}" if len(decks) == 1 else f"{decks[0]:,} to {decks[-1]:,}"
    hold = f"the {told['family']} of them hold at once" if told["family"] > 1 else "it holds"
    return (
        f"Intervals are clustered by deck ({size} decks) and so wide that {hold} with 95 %. Pass: the whole interval is within "
        f"the limits; fail: the whole interval is beyond one. {_design(cells)}"
        f"Seed {told['experiment']['seed']}."
    )


def _design(cells: Sequence[Told]) -> str:
    """What the design was worth (M1.5), and why no more was played."""
    factors = sorted({round(cell["variance_reduction"], 2) for cell in cells if cell["variance_reduction"] is not None})
    ends = [f"{factor:.2f}" for factor in factors[:: max(len(factors) - 1, 1)]]
    worth = f"A game of this design is worth {' to '.join(ends)} independent ones. " if ends else ""
    return f"{worth}Stopped: {style.listed(dict.fromkeys(cell['stopped'] for cell in cells))}. "
