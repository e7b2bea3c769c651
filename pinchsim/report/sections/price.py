"""What later players would have to be given for a fair start (METHODS M3.2)."""

import polars as pl

from pinchsim.measure.price import confirmation, fair_price
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import Row, axis_over
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_group, legend
from pinchsim.report.section import ROWS, Section, Shown, Table, rows_with, span_words

PRICE = "fair_price"
MOST_GAMES = 40_000  # of a cell: enough for a tenth of a point, and the search takes its time


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return fair_price(sample.first(MOST_GAMES), material.fewer_hand_wins.get(sample.cell.variant, False))


def show(evidence: Evidence) -> Shown:
    places = range(1, max(evidence.players))
    groups = [(f"position {place + 1}", lambda case, place=place: evidence.row(case, PRICE, place)) for place in places]
    rows = [evidence.row(case, PRICE, place) for case in evidence.cases for place in places]
    axis = axis_over("bonus for a fair game (points)", rows, 1, (0,), fair=0)
    return Shown(
        _title(evidence, rows),
        by_group(evidence, groups, axis, "points", "+"),
        _table(evidence),
        "Bonuses are added to the scores of finished games until all positions win equally often; intervals by drawing decks "
        f"anew. {_confirmation(evidence)} {_games(rows)}",
        ROWS,
        legend(evidence),
    )


def _title(evidence: Evidence, rows: list[Row | None]) -> str:
    prices = [x for place in range(1, max(evidence.players)) for x in evidence.estimates(PRICE, place)]
    if not prices:
        return "No bonus was found that would make the game fair"
    return f"With {span_words(prices, 1, unit='points')} for later players, everybody would win equally often"


def _table(evidence: Evidence) -> Table:
    columns = ("variant", "fair price by position (points)", "best whole points", "wins then (%)")
    return Table(columns, tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    places = range(case.players)
    prices = [evidence.row(case, PRICE, place) for place in places]
    whole, left = ([evidence.row(case, name, place) for place in places] for name in (f"{PRICE}:whole", "win_share:whole"))
    return (
        evidence.name(case),
        " / ".join(_price(row, 1) for row in prices if row),
        " / ".join(_price(row, 0) for row in whole if row),
        " / ".join(f"{100 * row['estimate']:.1f}" for row in left if row),
    )


def _price(row: Row, digits: int) -> str:
    """A bonus with its sign."""
    price = row["estimate"]
    if not style.is_number(price):
        return "none"
    words = f"{price:+.{digits}f}"
    return words if float(words) else "0"


def _confirmation(evidence: Evidence) -> str:
    """What would confirm the prices, for the first credible case."""
    case = (evidence.credible or evidence.cases)[0]
    whole = [evidence.row(case, f"{PRICE}:whole", place) for place in range(case.players)]
    words = confirmation([row["estimate"] for row in whole if row])
    return f"{words.removesuffix('.')} (so for {evidence.name(case)})."


def _games(rows: list[Row | None]) -> str:
    most = max(row["games"] for row in rows if row)
    return f"n = {most:,} games at most for each case, the first ones of the run."


SECTION = Section("price", 20, "Fair price of the start", show, measure, (rows_with("hand", "win_share"),))
