"""Which rules come into play (METHODS M6.1): those that never did, and the rarest ones."""

import polars as pl

from pinchsim.report import commands, style
from pinchsim.report.charts import Axis, Line, Mark, dots
from pinchsim.report.evidence import Evidence
from pinchsim.report.rule_counts import by_rule, most_unseen
from pinchsim.report.section import Panel, Section, Shown, Table, beside

LOOK = style.Look(style.COLOURS[0], "o")
RAREST = 8


def show(evidence: Evidence) -> Shown:
    coverages = evidence.material.beside.coverages
    counts = by_rule(coverages, evidence.variants)
    variants = list(dict.fromkeys(counts["variant"]))
    never = counts.filter(times=0)
    return Shown(
        _title(never, len(variants)),
        tuple(panel for name in variants for panel in _panel(name, counts.filter(variant=name))),
        Table(("variant", "rules that can come into play", "never did", "in how many games at most"), tuple(_lines(counts))),
        "A counter stands at every numbered rule. Rules that cannot apply to a variant are left out. 'At most' is the exact "
        "one-sided 95 % limit for all rules of a variant at once, a deck counting as one piece of evidence. Other ways of "
        f"playing may do what {_players(counts)} hardly ever does. n = {_sizes(counts)}.",
        (),
        said=tuple(_said(never)),
        more=(_rarest(counts),) if counts.height > never.height else (),
        files=tuple(f"{found.folder}counts.parquet" for found in coverages),
    )


def _title(never: pl.DataFrame, variants: int) -> str:
    if never.is_empty():
        return "Every rule comes into play"
    rules = list(dict.fromkeys(never["rule"]))
    where = "" if variants == 1 else " in some variant"
    return (
        f"{style.listed(rules)} never came into play{where}" if len(rules) <= 4 else f"{len(rules)} rules never came into play"
    )


def _panel(name: str, counts: pl.DataFrame) -> list[Panel]:
    rows = counts.filter(pl.col("times") > 0).sort("per_game").head(RAREST).to_dicts()
    if not rows:
        return []
    numbers = [row["per_game"] for row in rows]
    axis = Axis("times in a game, the rarest rules", 0.6 * min(numbers), 1.7 * max(numbers), log=True)
    figure = dots(
        [Line(row["rule"], [Mark(LOOK, {"estimate": x, "low": x, "high": x})]) for row, x in zip(rows, numbers, strict=True)],
        axis,
    )
    words = "; ".join(f"{row['rule']} ({row['counted']}) {number_words(row['per_game'])}" for row in rows)
    return [Panel(style.clean(name), f"{style.clean(name)}. Times in a game of the rarest rules: {words}.", figure)]


def number_words(number: float) -> str:
    """Times in a game with three digits."""
    return f"{number:.3g}" if number >= 0.0001 else "<0.0001"


def _lines(counts: pl.DataFrame) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    for (name,), own in counts.group_by("variant", maintain_order=True):
        never = own.filter(times=0)["rule"].to_list()
        most = f"{100 * most_unseen(own):.2g} %" if never else ""
        lines.append((style.clean(str(name)), str(own.height), ", ".join(never) or "none", most))
    return lines


def _rarest(counts: pl.DataFrame) -> Table:
    rows = []
    for (name,), own in counts.filter(pl.col("times") > 0).group_by("variant", maintain_order=True):
        for row in own.sort("per_game").head(RAREST).to_dicts():
            rows.append(
                (f"{style.clean(str(name))}, {row['rule']}", row["counted"], number_words(row["per_game"]), f"{row['games']:,}")
            )
    return Table(("rule", "what is counted", "times in a game", "games"), tuple(rows), "The rarest rules that did")


def _said(never: pl.DataFrame) -> list[str]:
    """What the rules that never came into play are about."""
    said = []
    for (rule, counted), own in never.group_by("rule", "counted", maintain_order=True):
        said.append(f"{rule}, {counted}: never with {style.listed(map(style.clean, own['variant']))}.")
    return said


def _players(counts: pl.DataFrame) -> str:
    return style.listed(style.clean(name) for name in dict.fromkeys(counts["line_up"]))


def _sizes(counts: pl.DataFrame) -> str:
    sizes = dict.fromkeys(counts.select("variant", "games", "decks").iter_rows())
    told = [f"{style.size_words(f'{games:,}', f'{decks:,}', 'games')} with {style.clean(name)}" for name, games, decks in sizes]
    return style.listed(told)


SECTION = Section(
    "coverage", 94, "Which rules come into play", show,
    needs=(beside("coverages", "a count of the rules", commands.coverage),),
)  # fmt: skip
