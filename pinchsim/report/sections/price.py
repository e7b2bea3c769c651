"""What later players would have to be given for a fair start, and whether that makes it fair (METHODS M3.2)."""

from collections.abc import Sequence

import polars as pl

from pinchsim.measure.price import price_of_first
from pinchsim.measure.sample import Sample
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from pinchsim.report import commands, style
from pinchsim.report.charts import Row, axis_over
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_group, legend
from pinchsim.report.price_table import bonus_words, furthest, points, size_words, verdict_words, worth_words
from pinchsim.report.section import ROWS, Section, Shown, Table, rows_with, span_words

PRICE = "fair_price"
OPENING = "Whole points for later players, on fresh decks"
FOUND = ("variant", "fair price by position (points)", "best whole points", "the same in cards", "wins then (%)")
CONFIRMED = (
    "variant", "bonus by position (points)", "start player's advantage before (pp)", "with the bonus (pp)",
    "furthest from a fair share (pp)", "verdict on all positions", "n",
)  # fmt: skip


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return price_of_first(sample, material.fewer_hand_wins.get(sample.cell.variant, False))


def show(evidence: Evidence) -> Shown:
    places = range(1, max(evidence.players))
    groups = [(f"position {place + 1}", lambda case, place=place: evidence.row(case, PRICE, place)) for place in places]
    rows = [evidence.row(case, PRICE, place) for case in evidence.cases for place in places]
    axis = axis_over("bonus for a fair game (points)", rows, 1, (0,), fair=0)
    again = _played_again(evidence)
    return Shown(
        _title(evidence, again),
        by_group(evidence, groups, axis, "points", "+"),
        Table(
            FOUND, tuple(_line(evidence, case) for case in evidence.cases), "Found by adding bonuses to the games of the run"
        ),
        _how(rows, again),
        ROWS,
        legend(evidence),
        said=(CARDS, *_asked(evidence, again)),
        more=(_confirmed(evidence, again),) if again else (),
        files=tuple(f"{prices.folder}price.parquet" for prices in evidence.material.beside.prices),
    )


def _played_again(evidence: Evidence) -> dict[Case, Row]:
    """What fresh games say of the cases that were played again with a bonus."""
    kept = (row for prices in evidence.material.beside.prices for row in prices.found.to_dicts() if row["bonus"] is not None)
    by_cell = {(row["variant"], row["players"], row["line_up"]): row for row in kept}
    return {case: by_cell[case[:3]] for case in evidence.cases if case[:3] in by_cell}


def _title(evidence: Evidence, again: dict[Case, Row]) -> str:
    """Whether whole points make it fair; while nobody knows, what would."""
    judged = [style.Case(*case[:3], row, row["verdict"]) for case, row in again.items() if case.credible]
    if judged:
        limit = style.margin_words(judged[0].row["margin"])
        phrases = {
            WITHIN: f"everybody wins within {limit} of a fair share",
            UNDECIDED: f"undecided whether everybody wins within {limit} of a fair share",
            OUTSIDE: f"somebody still wins more than {limit} too often or too seldom",
        }
        part = f" ({len(judged)} of {len(evidence.credible)} cases)" if len(judged) < len(evidence.credible) else ""
        return str(style.finding(f"{OPENING}{part}", judged, phrases))
    prices = [x for place in range(1, max(evidence.players)) for x in evidence.estimates(PRICE, place)]
    if not prices:
        return "No bonus was found that would make the game fair"
    return f"With {span_words(prices, 1, unit='points')} for later players, everybody would win equally often"


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    places = range(case.players)
    prices, whole, left = (
        [row for place in places if (row := evidence.row(case, name, place))]
        for name in (PRICE, f"{PRICE}:whole", "win_share:whole")
    )
    return (
        evidence.name(case),
        " / ".join(_price(row) for row in prices),
        bonus_words([row["estimate"] for row in whole]),
        _cards([row["estimate"] for row in whole], evidence.material.display_points.get(case.variant, 0)),
        " / ".join(f"{100 * row['estimate']:.1f}" for row in left),
    )


def _price(row: Row) -> str:
    """A bonus with its sign."""
    price = row["estimate"]
    if not style.is_number(price):
        return "none"
    words = f"{price:+.1f}"
    return words if float(words) else "0"


CARDS = (
    "In cards: so many cards from the pile, laid aside face down, that count at the end like the display. The pile is shorter "
    "by these cards, which no game here has tried."
)


def _cards(bonus: Sequence[float], worth: float) -> str:
    """Cards that are worth a bonus: nobody can lay aside fewer than none, so who gets the least has none."""
    if worth <= 0:
        return "-"
    return " / ".join(style.plain((x - min(bonus)) / worth, 2) for x in bonus)


def _asked(evidence: Evidence, again: dict[Case, Row]) -> tuple[str, ...]:
    """The command that confirms what nobody has confirmed."""
    waiting = [case for case in evidence.credible if case not in again]
    if not waiting:
        return ()
    return (f"Not confirmed: {_names(evidence, waiting)}. Fresh games would tell: {commands.price(evidence.material)}",)


def _names(evidence: Evidence, cases: Sequence[Case]) -> str:
    """Cases by their names if they are few."""
    if len(cases) > 3:
        return f"{len(cases)} of {len(evidence.credible)} cases"
    return str(style.listed(evidence.name(case) for case in cases))


def _confirmed(evidence: Evidence, again: dict[Case, Row]) -> Table:
    lines = (
        (
            evidence.name(case), bonus_words(row["bonus"]), points(row, "before", " "), points(row, "after", " "),
            furthest(row, " "), verdict_words(row), size_words([row]),
        )
        for case, row in again.items()
    )  # fmt: skip
    return Table(CONFIRMED, tuple(lines), "Played again with the bonus, on fresh decks")


def _how(rows: Sequence[Row | None], again: dict[Case, Row]) -> str:
    most = max(row["games"] for row in rows if row)
    found = (
        "Bonuses are added to the scores of finished games until all positions win equally often; intervals by drawing decks "
        f"anew. n = {most:,} games at most for each case, the first ones of the run. Their players knew of no bonus, and who "
        "knows of one may play otherwise: only fresh games can confirm a price."
    )
    if not again:
        return found
    return (
        f"{found} The verdict on these is on all positions, with intervals that hold at once (Bonferroni); those of the start "
        f"player's advantage are plain ones. {worth_words(list(again.values()))}"
    ).rstrip()


SECTION = Section("price", 20, "Fair price of the start", show, measure, (rows_with("hand", "win_share"),))
