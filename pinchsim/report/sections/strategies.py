"""Which way of playing is best (METHODS M5.3, M5.4): strategies against each other at all tables."""

import math

from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tournament_analysis import ALPHAS
from pinchsim.report import commands, style
from pinchsim.report.beside import Contest
from pinchsim.report.charts import Line, Mark, axis_over, dots, heat
from pinchsim.report.evidence import Evidence
from pinchsim.report.section import Panel, Section, Shown, Table, beside, place_words
from pinchsim.report.tournament_table import cell_number, findings, headline, mass_number, other_words, size_words

LOOK = style.Look(style.COLOURS[0], "o")
MOST = 10  # strategies of a picture, the strongest


def show(evidence: Evidence) -> Shown:
    contests = evidence.material.beside.contests
    return Shown(
        _title(contests),
        tuple(panel for contest in contests for panel in (_ratings(contest), _matrix(contest))),
        _table(contests[0]),
        "Everybody sits down with everybody, in every order around the table and on the same decks. A rating 400 points "
        "higher is odds of 10 to 1 that one of two wins. In the matrix blue is less than a fair share, orange more. The mix is "
        "a field that nobody gains by leaving; alpha-rank is how often a group of players who copy success would play a "
        f"strategy (strength of selection {max(ALPHAS):g}). "
        f"n = {'; '.join(map(_size, contests))}",
        (),
        said=tuple(sentence for contest in contests for sentence in _said(contest, len(contests) > 1)),
        more=tuple(map(_table, contests[1:])),
        files=tuple(f"{contest.folder}{name}.parquet" for contest in contests for name in ("ratings", "matrix", "equilibrium")),
    )


def where(contest: Contest) -> str:
    """Variant and number of players."""
    return place_words(contest.analysis.shares.variant, contest.analysis.shares.players)


def _title(contests: tuple[Contest, ...]) -> str:
    told = [f"{where(contest)}: {headline(contest.analysis)}" for contest in contests]
    return "; ".join(told) if len(told) <= 2 else f"{told[0]}; and {len(told) - 1} more tournaments"


def _size(contest: Contest) -> str:
    words = size_words(contest.analysis)
    return words if contest.complete else f"{words} The tournament was interrupted: games that all its tables have finished."


def _said(contest: Contest, several: bool) -> list[str]:
    opening = f"{where(contest)}: " if several else ""
    return [f"{opening}{sentence}" for sentence in findings(contest.analysis)]


# -- pictures ---------------------------------------------------------------------------------------------


def _ratings(contest: Contest) -> Panel:
    analysis = contest.analysis
    rows = {analysis.shares.strategies[k]: _rating(contest, k) for k in analysis.order[:MOST]}
    axis = axis_over("rating (Elo points)", rows.values(), fair=0)
    figure = dots([Line(name, [Mark(LOOK, row)]) for name, row in rows.items()], axis)
    words = "; ".join(f"{style.clean(name)} {style.with_interval(row, 1, '', '+', 0)}" for name, row in rows.items())
    return Panel(f"{where(contest)}: ratings", f"Ratings in Elo points: {words}.", figure)


def _rating(contest: Contest, k: int) -> dict[str, float]:
    analysis = contest.analysis
    elo, half = float(analysis.ratings.elo[k]), analysis.rating_halves[k]
    low, high = (elo - half, elo + half) if math.isfinite(half) else (math.nan, math.nan)
    return {"estimate": elo, "low": low, "high": high}


def _matrix(contest: Contest) -> Panel:
    analysis, players = contest.analysis, contest.analysis.shares.players
    order = analysis.order[:MOST]
    names = [style.clean(analysis.shares.strategies[k]) for k in order]
    cells = [[(analysis.matrix[a][b].estimate, cell_number(analysis.matrix[a][b].estimate)) for b in order] for a in order]
    against = "against" if players == 2 else f"against {other_words(players)} of"
    told = "; ".join(
        f"{one} against {other} {words}"
        for one, row in zip(names, cells, strict=True)
        for other, (_, words) in zip(names, row, strict=True)
        if one != other
    )
    figure = heat(names, cells, 1 / players, f"{against} number ...")
    fair = style.plain(100 / players)
    return Panel(f"{where(contest)}: wins of one of each row in %", f"Win share in percent, {fair} is fair: {told}.", figure)


# -- table ------------------------------------------------------------------------------------------------


def _table(contest: Contest) -> Table:
    analysis, found = contest.analysis, contest.analysis.balance
    alone = "wins in duels" if analysis.shares.players == 2 else f"wins against {other_words(analysis.shares.players)} others"
    columns = ["strategy", "rating", "wins in the field" if analysis.field is not None else alone]
    if found is not None:
        columns += ["in the mix (%)", "gains by leaving it", "alpha-rank (%)"]
    return Table(tuple(columns), tuple(_line(contest, k) for k in analysis.order), where(contest))


def _line(contest: Contest, k: int) -> tuple[str, ...]:
    analysis, found = contest.analysis, contest.analysis.balance
    share = analysis.field[k] if analysis.field is not None else analysis.others[k]
    line = [
        style.clean(analysis.shares.strategies[k]),
        style.with_interval(_rating(contest, k), 1, "", "+", 0),
        style.with_interval(share._asdict(), 100, "%"),
    ]
    if found is not None:
        masses = found.mass[k], found.alpha[max(found.alpha)][k]
        line += [_mass(masses[0]), edge_words(found.edge[k]), _mass(masses[1])]
    return tuple(line)


def edge_words(found: Estimate) -> str:
    """What leaving the mix gains; nothing, surely, if the mix is that strategy alone."""
    return "0" if found.low == found.high else str(style.with_interval(found._asdict(), 100, "pp", "+"))


def _mass(found: Estimate) -> str:
    """A part of a mix in percent, with its range where chance leaves one."""
    words = mass_number(found.estimate).replace(".", "0") if found.estimate < 0.001 else mass_number(found.estimate)
    wide = math.isfinite(found.high - found.low) and found.high - found.low >= 0.005
    return f"{words} ({100 * found.low:.0f} to {100 * found.high:.0f})" if wide else words


SECTION = Section(
    "strategies", 84, "Ways of playing", show, needs=(beside("contests", "a tournament of strategies", commands.tournament),)
)
