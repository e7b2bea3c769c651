"""How much skill the game rewards (METHODS M5.1, M5.2): levels that can be told apart, what strength is worth, and noise."""

import math
from typing import Any

from pinchsim.measure.ladder import ADVANTAGE
from pinchsim.measure.skill_report import TEMPERATURE, Found, Levels, NoiseFound, Trace
from pinchsim.report import commands, style
from pinchsim.report.beside import Skills
from pinchsim.report.charts import Line, Mark, axis_over, course, dots
from pinchsim.report.evidence import Evidence
from pinchsim.report.section import Panel, Section, Shown, Table, beside, place_words
from pinchsim.report.skill_table import (
    amount,
    compact,
    ladder_sentences,
    level_name,
    levels_words,
    noise_sentences,
    noise_words,
    percent,
    points,
    rating_words,
    step_words,
    trace_sentences,
    worth_of_parts,
)
from pinchsim.report.tournament_table import other_words

LOOK = style.Look(style.COLOURS[0], "o")
FILES = ("levels", "measures", "trace", "noise")
Part = Levels | Trace | NoiseFound


def show(evidence: Evidence) -> Shown:
    reports = evidence.material.beside.skills
    tables = [table for skills in reports for table in _tables(skills)]
    return Shown(
        _title(reports),
        tuple(panel for skills in reports for panel in _panels(skills)),
        tables[0],
        "Each level plays alone against tables of each other, on the same decks; ratings are Elo points above the weakest "
        "credible level, 400 are odds of 10 to 1. A step is one player against a table of the step before. Noise is random "
        "choice (the higher the temperature, the more) or a memory that loses cards. What is said to be sure is corrected for "
        f"the number of comparisons (Holm). n = {_sizes(reports)}. "
        f"{worth_of_parts([part for skills in reports for part in _parts(skills)])}",
        (),
        said=tuple(sentence for skills in reports for sentence in _said(skills, len(reports) > 1)),
        more=tuple(tables[1:]),
        files=tuple(f"{skills.folder}{name}.parquet" for skills in reports for name in _files(skills)),
    )


def _parts(skills: Skills) -> list[Part]:
    return [part for part in (skills.levels, *skills.traces, skills.noise) if part]


def _where(part: Part) -> str:
    return place_words(part.variant, part.players)


def _title(reports: tuple[Skills, ...]) -> str:
    told = [f"{_where(x.levels)}: {levels_words(x.levels).partition(':')[0]}" for x in reports if x.levels]
    return "; ".join(told[:2]) if told else f"{_where(_parts(reports[0])[0])}: what strength is worth"


def _said(skills: Skills, several: bool) -> list[str]:
    said = ladder_sentences(skills.levels) if skills.levels else []
    said += [sentence for trace in skills.traces for sentence in trace_sentences(trace)]
    said += noise_sentences(skills.noise) if skills.noise else []
    return [f"{_where(_parts(skills)[0])}: {sentence}" for sentence in said] if several else said


def _files(skills: Skills) -> list[str]:
    there = (skills.levels, skills.levels, skills.traces, skills.noise)
    return [name for name, found in zip(FILES, there, strict=True) if found]


def _sizes(reports: tuple[Skills, ...]) -> str:
    """How much was played at the tables of all parts."""
    found: list[Found | None] = []
    for skills in reports:
        found += [*(skills.levels.above if skills.levels else []), *(f for trace in skills.traces for f in trace.found)]
        found += [*skills.noise.shares, *(mirror[ADVANTAGE] for mirror in skills.noise.mirrors)] if skills.noise else []
    sizes = sorted({(f.games, f.decks) for f in found if f})
    return " or ".join(style.size_words(f"{games:,}", f"{decks:,}", "games") for games, decks in sizes) + " at each table"


# -- pictures ---------------------------------------------------------------------------------------------


def _panels(skills: Skills) -> list[Panel]:
    found = [_ladder(skills.levels)] if skills.levels else []
    found += [_trace(trace) for trace in skills.traces]
    return found + (_noise(skills.noise) if skills.noise else [])


def _ladder(levels: Levels) -> Panel:
    rows = {level_name(levels, k): _rating(levels, k) for k in reversed(range(len(levels.names)))}
    hollow = dict(
        zip(reversed([level_name(levels, k) for k in range(len(levels.names))]), reversed(levels.credible), strict=True)
    )
    axis = axis_over("rating (Elo points)", rows.values(), fair=0)
    figure = dots([Line(name, [Mark(LOOK, row, not hollow[name])]) for name, row in rows.items()], axis)
    words = "; ".join(f"{level_name(levels, k)} {rating_words(levels, k)}" for k in range(len(levels.names)))
    return Panel(f"{_where(levels)}: levels", f"Ratings of the levels in Elo points: {words}.", figure)


def _rating(levels: Levels, k: int) -> dict[str, Any]:
    elo, half = float(levels.ratings.elo[k]), levels.halves[k]
    low, high = (elo - half, elo + half) if math.isfinite(half) else (math.nan, math.nan)
    return {"estimate": elo, "low": low, "high": high}


def _trace(trace: Trace) -> Panel:
    what = "temperature" if trace.kind == TEMPERATURE else style.clean(trace.unit)
    names = [amount(trace, step.effort) for step in trace.steps]
    figure = course([(LOOK, [f._asdict() for f in trace.found])], names, 1 / trace.players, f"{what} of one player")
    told = "; ".join(f"{step_words(trace, s)}: {percent(f)}" for s, f in zip(trace.steps, trace.found, strict=True))
    caption = f"{_where(trace)}: one against {other_words(trace.players)} of the step before"
    return Panel(caption, f"Win share of one player by {what}: {told}.", figure)


def _noise(noise: NoiseFound) -> list[Panel]:
    one = {noise_words(own): f for own, f in zip(noise.noises, noise.shares, strict=True) if f}
    all_noisy = {noise_words(own): m[ADVANTAGE] for own, m in zip(noise.noises, noise.mirrors, strict=True)}
    fair, margin = 100 / noise.players, 100 * noise.margin
    first = axis_over("win share (%)", [f._asdict() for f in one.values()], 100, (fair,), fair=fair)
    second = axis_over(
        "start player above a fair share (pp)", [f._asdict() for f in all_noisy.values()], 100, (-margin, margin),
        band=(-margin, margin), fair=0,
    )  # fmt: skip
    return [
        _noise_panel(f"{_where(noise)}: one noisy player", one, first, "%", ""),
        _noise_panel(f"{_where(noise)}: everybody is noisy", all_noisy, second, "pp", "+"),
    ]


def _noise_panel(caption: str, found: dict[str, Found], axis, unit: str, sign: str) -> Panel:
    figure = dots([Line(name, [Mark(LOOK, f._asdict())]) for name, f in found.items()], axis)
    words = "; ".join(f"{name} {style.with_interval(f._asdict(), 100, unit, sign)}" for name, f in found.items())
    return Panel(caption, f"{caption}: {words}.", figure)


# -- tables -----------------------------------------------------------------------------------------------


def _tables(skills: Skills) -> list[Table]:
    found = [_level_table(skills.levels)] if skills.levels else []
    found += [_trace_table(trace) for trace in skills.traces]
    return found + ([_noise_table(skills.noise)] if skills.noise else [])


def _level_table(levels: Levels) -> Table:
    rows = []
    for k in reversed(range(len(levels.names))):
        above = levels.above[k]
        rows.append((level_name(levels, k), rating_words(levels, k), percent(above) if above else ""))
    return Table(("level", "rating", "wins against the level below"), tuple(rows), f"{_where(levels)}: levels")


def _trace_table(trace: Trace) -> Table:
    what = "temperature" if trace.kind == TEMPERATURE else style.clean(trace.unit)
    steps = zip(trace.steps, trace.found, strict=True)
    rows = tuple((step_words(trace, s), percent(f), points(f, trace.players)) for s, f in steps)
    return Table((what, "win share", "above fair"), rows, f"{_where(trace)}: one against the step before")


def _noise_table(noise: NoiseFound) -> Table:
    rows = []
    for k, own in enumerate(noise.noises):
        share, mirror = noise.shares[k], noise.mirrors[k]
        alone = percent(share) if share else ""
        rows.append((noise_words(own), alone, f"{compact(mirror[ADVANTAGE], 100, '+')} pp", compact(mirror["turns"])))
    columns = ("noise", "wins of one noisy player", "start player's advantage, all noisy", "turns, all noisy")
    return Table(columns, tuple(rows), f"{_where(noise)}: noise")


SECTION = Section("skill", 83, "Skill", show, needs=(beside("skills", "a skill report", commands.skill),))
