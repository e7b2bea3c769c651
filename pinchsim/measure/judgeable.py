"""Which measures of a cell can be held to limits, between which bounds each lies by its nature, and how they are had.

Whatever the summary of a run has can be judged, and of single games most of what is taken from the rows. Quantiles and the
fair price are left out: their intervals can't be widened to hold at once with others.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from pinchsim.measure.drama import drama
from pinchsim.measure.ending import ending
from pinchsim.measure.interaction import RATIOS, interaction
from pinchsim.measure.length import DECISIONS, length
from pinchsim.measure.quantities import Described, quantities
from pinchsim.measure.runaway import MOMENTS, runaway
from pinchsim.measure.sample import Sample

Key = tuple[str, int]  # measure and position
Band = tuple[float, float] | None
Labels = Mapping[int, str]
Row = dict[str, Any]


class Bounds(NamedTuple):
    """Between which values a measure lies whatever happens, and whether it is a share, but for an offset."""

    low: float
    high: float
    is_share: bool = False


SHARE, COUNT, ANY = Bounds(0, 1, True), Bounds(0, float("inf")), Bounds(float("-inf"), float("inf"))
SIDES = ("too_short", "too_long", "outside")  # of a band
LENGTHS = ("turns", "rounds", "minutes")


class Source(NamedTuple):
    """Measures that are taken from rows: which there are with so many players, and the function that takes them."""

    bounds: Callable[[int, Labels], dict[Key, Bounds]]
    measure: Callable[[Sample, Labels, Band], pl.DataFrame]


def _length_bounds(players: int, labels: Labels) -> dict[Key, Bounds]:
    kinds = [f"decisions:{decision.kind}" for decision in DECISIONS]
    means: dict[Key, Bounds] = {(name, -1): COUNT for name in (*LENGTHS, "decisions", *kinds)}
    return means | {(f"{side}:{name}", -1): SHARE for side in SIDES for name in LENGTHS}


def _length(sample: Sample, labels: Labels, band: Band) -> pl.DataFrame:
    return length(sample, bands=dict.fromkeys(LENGTHS, band) if band else None)


def _ending_bounds(players: int, labels: Labels) -> dict[Key, Bounds]:
    positions = [(name, position) for name in ("ended_by", "ender_wins") for position in range(players)]
    return dict.fromkeys([("ender_wins", -1), *positions, *((f"ender_wins:{label}", -1) for label in labels.values())], SHARE)


def _drama_bounds(players: int, labels: Labels) -> dict[Key, Bounds]:
    shares = ("lead_changes/turn", "no_lead_change", "lead_for_good", "last_turn_decides", "level_scores")
    return {("margin", -1): COUNT, ("comeback", -1): COUNT} | {(name, -1): SHARE for name in shares}


def _runaway_bounds(players: int, labels: Labels) -> dict[Key, Bounds]:
    return {(f"{name}:{percent}", -1): SHARE for name in ("alone", "alone_wins", "shared_wins") for percent in MOMENTS}


def _interaction_bounds(players: int, labels: Labels) -> dict[Key, Bounds]:
    return {(x.name, -1): SHARE if x.is_share else COUNT for x in RATIOS}


SOURCES = (
    Source(_length_bounds, _length),
    Source(_ending_bounds, lambda sample, labels, band: ending(sample, labels)),
    Source(_interaction_bounds, lambda sample, labels, band: interaction(sample)),
    Source(_drama_bounds, lambda sample, labels, band: drama(sample)),
    Source(_runaway_bounds, lambda sample, labels, band: runaway(sample)),
)


def judgeable(line_up: Sequence[str], described: Described) -> dict[Key, Bounds]:
    """All measures that can be judged in a cell, with their bounds; `line_up` names the strategy at each place."""
    found = {} if described.game_ends is not None else _from_rows(len(line_up), described.end_labels)
    return found | in_summary(line_up, described)


def _from_rows(players: int, labels: Labels) -> dict[Key, Bounds]:
    return {key: bounds for source in SOURCES for key, bounds in source.bounds(players, labels).items()}


def in_summary(line_up: Sequence[str], described: Described) -> dict[Key, Bounds]:
    """Those that the summary of a run has."""
    return {
        (q.measure, q.position): Bounds(-q.offset, 1 - q.offset, True) if q.is_share else ANY
        for q in quantities(line_up, described)
    }


def needs_band(measure: str) -> bool:
    """Whether a measure is about a wished band."""
    return measure.partition(":")[0] in SIDES


def rows_of(sample: Sample, wanted: Sequence[tuple[Key, Band]], labels: Labels) -> dict[tuple[Key, Band], Row]:
    """The rows of some measures, each with the band that it is about; those without any occasion are missing."""
    found: dict[tuple[Key, Band], Row] = {}
    for source in SOURCES:
        known = source.bounds(sample.cell.players, labels)
        mine = [(key, band) for key, band in wanted if key in known]
        for band in dict.fromkeys(band for _, band in mine):
            table = {(row["measure"], row["position"]): row for row in source.measure(sample, labels, band).to_dicts()}
            found |= {(key, band): table[key] for key, of in mine if of == band and key in table}
    return found
