"""What the three parts of a skill report say: the game's ladder, traces of strength, and noise (METHODS M5.1, M5.2, M2.6).

The mathematics is in `skill`, `ratings` and `ladder`; here it meets the games that were played, and becomes frames.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from pinchsim.measure import ladder
from pinchsim.measure.metagame import PayoffTable
from pinchsim.measure.metagame_dominance import LEVEL, holm, tail
from pinchsim.measure.moments import Z95, quantile
from pinchsim.measure.quantities import mixed
from pinchsim.measure.ratings import Ratings, fit_ratings
from pinchsim.measure.skill import (
    DUEL_60,
    DUEL_75,
    ChessPercent,
    Depth,
    SkillTrace,
    Spread,
    chess_percent,
    depth,
    distinguishable_levels,
    rating_spread,
    skill_trace,
)
from pinchsim.measure.summary import CellName, Summary
from pinchsim.measure.tournament import Shares, frame_of
from pinchsim.measure.verdict import UNDECIDED

WIN_SHARE, ELO = "win_share", "elo"
CLEAN, TEMPERATURE, MEMORY = "clean", "temperature", "memory"
EFFORT = "effort"


class Found(NamedTuple):
    """An estimate with its 95 % interval and what it rests on; without an interval its ends are nan.

    `variance_reduction` says what a game of the design is worth for it (METHODS M1.5); nan where that is not known.
    """

    estimate: float
    low: float
    high: float
    games: int
    decks: int
    variance_reduction: float = math.nan


def surely(found: Sequence[Found | None], players: int, sign: int) -> list[bool]:
    """Which win shares are surely above (sign 1) or below (-1) a fair one; all are one family, corrected after Holm (M2.4)."""
    at = [k for k, f in enumerate(found) if f and math.isfinite(f.high - f.low)]
    kept = [f for f in found if f and math.isfinite(f.high - f.low)]
    gaps = np.array([sign * (f.estimate - 1 / players) for f in kept])
    arms = np.array([(f.estimate - f.low) if sign > 0 else (f.high - f.estimate) for f in kept])  # the arm towards a fair share
    sure = [False] * len(found)
    for k, p in zip(at, holm(tail(gaps, arms / Z95)), strict=True):
        sure[k] = bool(p < LEVEL / 2)  # two-sided at 5 %
    return sure


class Level(Protocol):
    """A level as the game's ladder gives it."""

    @property
    def strategy(self) -> str: ...
    @property
    def credible(self) -> bool: ...


# -- the ladder -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Levels:
    """How strong the levels of a ladder are; lists are by level, from weak to strong as the ladder has them.

    Attributes
    ----------
    variant, players
        Where.
    names, credible : list
        The levels.
    ratings : Ratings
        Elo points, 0 for the weakest credible level; strategies in the same order.
    halves : list of float
        Half the length of each rating's 95 % interval (of the difference to that level); infinite where it is unbounded.
    above : list of Found or None
        Win share of one player of a level against players - 1 of the level below; None for the first.
    chain : list of str
        Levels each of which surely beats the one before in the chain: those that the games can tell apart.
    depths : list of Depth
        Between the weakest credible level and the last, in steps of 60 % and of 75 % of duels.
    spread : Spread
        Standard deviation of the credible levels' ratings, all equally common.
    chess_elo, chess : float and ChessPercent, or None
        The spread of chess that was assumed, and the x %-chess that follows.
    games, decks : list of int
        Smallest and largest number at a table.
    tables : int
        Tables that were played.
    """

    variant: str
    players: int
    names: list[str]
    credible: list[bool]
    ratings: Ratings
    halves: list[float]
    above: list[Found | None]
    chain: list[str]
    depths: list[Depth]
    spread: Spread
    chess_elo: float | None
    chess: ChessPercent | None
    games: list[int]
    decks: list[int]
    tables: int

    @property
    def reference(self) -> int:
        """The weakest credible level."""
        return self.credible.index(True)


def judge_levels(
    groups: Sequence[Shares], levels: Sequence[Level], chess_elo: float | None = None, summaries: Sequence[Summary] = ()
) -> Levels:
    """Ratings, levels and depth of a ladder.

    Parameters
    ----------
    groups
        Win shares of one against n-1 of each other level; a group for each number of decks, since slow players get fewer.
    levels
        The ladder, from weak to strong; at least one is credible.
    chess_elo
        Spread of chess for "x %-chess"; None leaves that out.
    summaries
        Those of the runs behind the groups, which know what a game was worth.
    """
    groups = [_widened(shares, sorted(level.strategy for level in levels)) for shares in groups]
    first = groups[0]
    played = [shares.games > 0 for shares in groups]
    parts = [shares.table() for shares in groups]
    counts, values, covariance = (
        np.concatenate([getattr(part, name)[rows] for part, rows in zip(parts, played, strict=True)])
        for name in ("counts", "shares", "covariance")
    )
    table = PayoffTable(first.strategies, first.players, counts, values, covariance)
    games = np.concatenate([shares.games[rows] for shares, rows in zip(groups, played, strict=True)])
    names = [level.strategy for level in levels]
    credible = [level.credible for level in levels]
    weakest = names[credible.index(True)]
    fitted = _in_order(fit_ratings(table, games, weakest, draws=_draws(groups, played)), names)
    decks = [shares.decks for shares in groups]
    factor = Z95 if min(decks) > 1 else math.inf
    halves = [factor * fitted.difference(name, weakest)[1] if name != weakest else 0.0 for name in names]
    at = [k for k, is_credible in enumerate(credible) if is_credible]
    spread = rating_spread(fitted.elo[at], fitted.covariance[np.ix_(at, at)])
    bounded = math.isfinite(spread.elo) and len({fitted.tiers[k] for k in at}) == 1
    return Levels(
        first.variant, first.players, names, credible, fitted, halves,
        [None, *(_alone(groups, one, below, summaries) for below, one in pairwise(names))],
        distinguishable_levels(table),
        [depth(*fitted.difference(names[-1], weakest), share) for share in (DUEL_60, DUEL_75)],
        spread, chess_elo, chess_percent(spread, chess_elo) if chess_elo and bounded else None,
        sorted({int(n) for n in games}), sorted(set(decks)), len(counts),
    )  # fmt: skip


def _widened(shares: Shares, names: Sequence[str]) -> Shares:
    """The same win shares with a place for each of these strategies."""
    at = [names.index(name) for name in shares.strategies]
    counts = np.zeros((len(shares.counts), len(names)), np.int64)
    blocks = np.zeros((*shares.blocks.shape[:2], len(names)))
    counts[:, at], blocks[:, :, at] = shares.counts, shares.blocks
    return replace(shares, strategies=tuple(names), counts=counts, blocks=blocks)


def _in_order(ratings: Ratings, names: Sequence[str]) -> Ratings:
    at = [ratings.strategies.index(name) for name in names]
    covariance = ratings.covariance[np.ix_(at, at)]
    return Ratings(
        tuple(names), ratings.elo[at], covariance, ratings.reference, ratings.tiers[at], ratings.largest_residual
    )  # fmt: skip


def _draws(groups: Sequence[Shares], played: Sequence[np.ndarray]) -> np.ndarray | None:
    """Shares as far from their means as whole runs may be, one for each block of decks: float64[blocks, tables, K].

    Their covariance is that of the mean shares, with what tables of a group have in common by their decks.
    """
    many = sum(len(shares.sizes) for shares in groups)
    if any(len(shares.sizes) < 2 for shares in groups):
        return None
    means = np.concatenate([shares.means[rows] for shares, rows in zip(groups, played, strict=True)])
    draws = np.tile(means, (many, 1, 1))
    block, row = 0, 0
    for shares, rows in zip(groups, played, strict=True):
        n, tables = len(shares.sizes), int(rows.sum())
        few = quantile(shares.decks) / Z95  # as intervals are told with 1.96 errors
        part = (shares.sizes / shares.decks)[:, None, None] * few * math.sqrt(n / (n - 1) * (many - 1))
        draws[block : block + n, row : row + tables] += (part * (shares.blocks - shares.means))[:, rows]
        block, row = block + n, row + tables
    return draws


def _alone(groups: Sequence[Shares], one: str, others: str, summaries: Sequence[Summary]) -> Found | None:
    """Win share of one player against a table of others, or None if it was not played."""
    for shares in groups:
        a, b = shares.strategies.index(one), shares.strategies.index(others)
        wanted = np.zeros(len(shares.strategies), np.int64)
        wanted[b], wanted[a] = shares.players - 1, 1
        at = shares.row(wanted.tolist())
        if at is not None and shares.games[at]:
            weights = np.zeros(shares.counts.shape)
            weights[at, a] = 1
            factor = _worth(summaries, CellName(shares.variant, shares.players, f"{one},{others}"), one)
            return Found(*shares.combined(weights)[:3], int(shares.games[at]), shares.decks, factor)
    return None


def _worth(summaries: Sequence[Summary], cell: CellName, one: str) -> float:
    """What a game was worth for the win share of one player of a strategy; nan where no summary has that table."""
    for summary in summaries:
        cells = {CellName(*found) for found in summary.estimates.select(CellName._fields).unique().iter_rows()}
        for found in cells:
            if (found.variant, sorted(found.places)) == (cell.variant, sorted(cell.places)):
                return alone(summary, found, one).variance_reduction
    return math.nan


def levels_frame(levels: Levels) -> pl.DataFrame:
    """A row per level, from weak to strong."""
    rows: list[tuple[Any, ...]] = []
    for k, name in enumerate(levels.names):
        elo, half, above = float(levels.ratings.elo[k]), levels.halves[k], levels.above[k]
        low, high = (elo - half, elo + half) if math.isfinite(half) else (math.nan, math.nan)
        place = (levels.variant, levels.players, k, name, levels.credible[k])
        rated = (elo, low, high, int(levels.ratings.tiers[k]), name in levels.chain)
        rows.append((*place, *rated, *(above or (math.nan, math.nan, math.nan, 0, 0, math.nan))))
    return frame_of(rows, _LEVELS)


def measures_frame(levels: Levels) -> pl.DataFrame:
    """What the ladder says as a whole: a row per measure, with the assumption that it rests on."""
    where = (levels.variant, levels.players)
    rows: list[tuple[Any, ...]] = [
        (*where, "distinguishable_levels", "levels", float(len(levels.chain)), math.nan, math.nan, "")
    ]
    for found, share in zip(levels.depths, (DUEL_60, DUEL_75), strict=True):
        assumed = f"a step: {100 * share:g} % of duels, {found.step_elo:.1f} Elo points"
        rows.append((*where, f"depth_{100 * share:g}", "steps", found.steps, found.low, found.high, assumed))
    rows.append((*where, "rating_spread", "Elo points", *levels.spread, "credible levels, equally common"))
    if levels.chess:
        assumed = f"ratings of chess have a standard deviation of {levels.chess_elo:g} Elo points"
        rows.append((*where, "x_chess", "%", *levels.chess[:3], assumed))
    return frame_of(rows, _MEASURES)


# -- traces -----------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One step of a trace: one player of `strategy` against the others of `below`; efforts from 0 to infinity."""

    strategy: str
    below: str
    effort: float
    effort_below: float

    @property
    def line_up(self) -> str:
        """Who sits at the table."""
        return f"{self.strategy},{self.below}"

    @property
    def is_doubling(self) -> bool:
        """Whether both efforts are numbers whose ratio says something."""
        return self.effort_below > 0 and math.isfinite(self.effort)


@dataclass(frozen=True)
class Trace:
    """Win shares up a ladder of efforts.

    Attributes
    ----------
    kind, unit : str
        `EFFORT`, counted in `unit`, or `TEMPERATURE`: its effort is the inverse of the temperature.
    variant, players
        Where.
    steps, found : list
        The steps, and the win share of each.
    skill : SkillTrace or None
        Slope and end of the doublings among the steps; None if there is none with an interval.
    margin : float
        Edge per doubling that is as good as none.
    """

    kind: str
    unit: str
    variant: str
    players: int
    steps: list[Step]
    found: list[Found]
    skill: SkillTrace | None
    margin: float


def judge_trace(kind: str, unit: str, cell: CellName, steps: Sequence[Step], summary: Summary, margin: float) -> Trace:
    """The trace of these steps from a run that has played them all; `cell` names variant and players."""
    variant, players, _ = cell
    found = [alone(summary, CellName(variant, players, step.line_up), step.strategy) for step in steps]
    doublings = [(s, f) for s, f in zip(steps, found, strict=True) if s.is_doubling]
    skill = None
    if doublings and all(math.isfinite(f.high - f.low) for _, f in doublings):
        efforts = [doublings[0][0].effort_below, *(s.effort for s, _ in doublings)]
        errors = [(f.high - f.low) / 2 / Z95 for _, f in doublings]  # also right for few decks
        skill = skill_trace(efforts, [f.estimate for _, f in doublings], errors, players, margin)
    return Trace(kind, unit, variant, players, list(steps), found, skill, margin)


def alone(summary: Summary, cell: CellName, strategy: str) -> Found:
    """Win share of one player of a strategy in a mixed line-up."""
    assert strategy in mixed(cell.places)
    return measured(summary, cell, f"win_share:{strategy}")


def measured(summary: Summary, cell: CellName, measure: str) -> Found:
    """A measure of a cell that is not by position."""
    variant, players, line_up = cell
    rows = summary.estimates.filter(variant=variant, players=players, line_up=line_up, measure=measure, position=-1).to_dicts()
    (row,) = rows
    names = ("estimate", "low", "high", "variance_reduction")
    estimate, low, high, factor = (math.nan if row[name] is None else float(row[name]) for name in names)
    return Found(estimate, low, high, row["games"], row["decks"], factor)


def trace_frame(traces: Sequence[Trace]) -> pl.DataFrame:
    """A row per trace and step; doublings and edge per doubling are null where an effort is 0 or endless."""
    rows: list[tuple[Any, ...]] = []
    for trace in traces:
        for k, (step, found) in enumerate(zip(trace.steps, trace.found, strict=True)):
            doublings = math.log2(step.effort / step.effort_below) if step.is_doubling else math.nan
            edges = [(x - 1 / trace.players) / doublings for x in found[:3]]
            where = (trace.variant, trace.players, trace.kind, trace.unit, k)
            rows.append((*where, *step, doublings, *found[:3], *edges, *found[3:]))
    return frame_of(rows, _TRACE)


# -- noise ------------------------------------------------------------------------------------------------


class Noise(NamedTuple):
    """A way to play worse: `kind` (`TEMPERATURE`, `MEMORY` or `CLEAN`), how much, and the strategy that does it."""

    kind: str
    value: float
    strategy: str


@dataclass(frozen=True)
class NoiseFound:
    """What noise costs a player, and what it does to the game when everybody has it; lists are by noise, clean play first.

    Attributes
    ----------
    variant, players, margin
        Where, and the margin of the start player's advantage.
    noises : list of Noise
    shares : list of Found or None
        Win share of one noisy player against clean ones; None for clean play.
    elo : list of Found or None
        The same as Elo points to a clean player.
    mirrors : list of dict
        Where everybody has it, by measure: start player's advantage, turns, and the shares of endings.
    verdicts : polars.DataFrame
        `ladder.ladder_table` with the noises as levels.
    """

    variant: str
    players: int
    margin: float
    noises: list[Noise]
    shares: list[Found | None]
    elo: list[Found | None]
    mirrors: list[dict[str, Found]]
    verdicts: pl.DataFrame

    @property
    def robust(self) -> str:
        """Whether the verdict on the start player's advantage is the same for all."""
        return str(self.verdicts["robust"][0]) if self.verdicts.height else UNDECIDED

    def verdict(self, k: int) -> tuple[str, str | None]:
        """Verdict on the start player's advantage of one noise, and the side where it is outside the margin."""
        row = self.verdicts.row(k, named=True)
        return row["verdict"], row["side"]


class _Mirror(NamedTuple):
    strategy: str
    credible: bool = True
    games: float = 1.0


def judge_noise(cell: CellName, noises: Sequence[Noise], summary: Summary) -> NoiseFound:
    """What a run says that has played each noise alone against clean players and by itself; `noises[0]` is clean play."""
    variant, players, _ = cell
    clean = noises[0].strategy
    shares: list[Found | None] = [None]
    for noise in noises[1:]:
        shares.append(alone(summary, CellName(variant, players, f"{noise.strategy},{clean}"), noise.strategy))
    elo = [f and _elo(f, players) for f in shares]
    mirrors = [_mirror(summary, CellName(variant, players, noise.strategy)) for noise in noises]
    verdicts = ladder.ladder_table(summary, [_Mirror(noise.strategy) for noise in noises])
    verdicts = verdicts.filter(question=ladder.ADVANTAGE, players=players, variant=variant)
    return NoiseFound(variant, players, summary.margin, list(noises), shares, elo, mirrors, verdicts)


def rating_of(share: float, players: int) -> float:
    """Elo points of one player above players - 1 equal others, from the win share (Luce's model, `ratings`).

    Examples
    --------
    >>> round(rating_of(10 / 13, players=4), 6)
    400.0
    """
    if not 0 < share < 1:
        return math.nan if math.isnan(share) else math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share * (players - 1) / (1 - share))


def _elo(share: Found, players: int) -> Found:
    estimate, low, high = (rating_of(x, players) for x in share[:3])  # to first order worth the same as the share
    return share._replace(estimate=estimate, low=low, high=high)


def _mirror(summary: Summary, cell: CellName) -> dict[str, Found]:
    here = summary.estimates.filter(variant=cell.variant, players=cell.players, line_up=cell.line_up, position=-1)
    ends = [name for name in here["measure"] if name.startswith("end:")]
    return {name: measured(summary, cell, name) for name in (ladder.ADVANTAGE, "turns", *ends)}


def noise_frame(noise: NoiseFound) -> pl.DataFrame:
    """A row per noise and measure; `table` says whether one noisy player meets clean ones or all are noisy."""
    rows: list[tuple[Any, ...]] = []
    for k, own in enumerate(noise.noises):
        where = (noise.variant, noise.players, *own)
        for name, found in ((WIN_SHARE, noise.shares[k]), (ELO, noise.elo[k])):
            if found:
                rows.append((*where, "one", name, *found, None, None))
        for name, found in noise.mirrors[k].items():
            verdict = noise.verdict(k) if name == ladder.ADVANTAGE else (None, None)
            rows.append((*where, "all", name, *found, *verdict))
    return frame_of(rows, _NOISE)


_WHERE = {"variant": pl.String, "players": pl.Int64}
_RESTS_ON = {"games": pl.Int64, "decks": pl.Int64, "variance_reduction": pl.Float64}
_FOUND = {**dict.fromkeys(("estimate", "low", "high"), pl.Float64), **_RESTS_ON}
_LEVELS = {
    **_WHERE,
    "rank": pl.Int64,
    "level": pl.String,
    "credible": pl.Boolean,
    **dict.fromkeys(("rating", "low", "high"), pl.Float64),
    "tier": pl.Int64,
    "told_apart": pl.Boolean,
    **dict.fromkeys(("share_above", "share_low", "share_high"), pl.Float64),
    **_RESTS_ON,
}
_MEASURES = {
    **_WHERE,
    "measure": pl.String,
    "unit": pl.String,
    **dict.fromkeys(("estimate", "low", "high"), pl.Float64),
    "assumption": pl.String,
}
_TRACE = {
    **_WHERE,
    "trace": pl.String,
    "unit": pl.String,
    "step": pl.Int64,
    "strategy": pl.String,
    "below": pl.String,
    **dict.fromkeys(("effort", "effort_below", "doublings"), pl.Float64),
    **dict.fromkeys(("share", "low", "high", "edge", "edge_low", "edge_high"), pl.Float64),
    **_RESTS_ON,
}
_NOISE = {
    **_WHERE,
    "noise": pl.String,
    "value": pl.Float64,
    "strategy": pl.String,
    "table": pl.String,
    "measure": pl.String,
    **_FOUND,
    "verdict": pl.String,
    "side": pl.String,
}
