"""How much players do to each other (METHODS M3.6)."""

import polars as pl

from pinchsim.measure import interaction as interactions
from pinchsim.measure.sample import Sample
from pinchsim.report import style
from pinchsim.report.charts import axis_over
from pinchsim.report.evidence import Case, Evidence, Material
from pinchsim.report.panels import by_group, legend
from pinchsim.report.section import ROWS, Section, Shown, Table, counted_or_rows, size_words, span_words

SHARES = {
    "takes/pinch": "pinched: taken",
    "take_backs/pinch": "pinched: taken back",
    "discards/pinch": "pinched: discarded",
    "multi_pinches/turn": "turns with two pinches or more",
    "market/draw": "drawn from the market",
    "free_draws/offer": "free draws used",
    "jokers_lone/joker": "jokers played alone",
}
NUMBERS = {"pinches/turn": "pinches a turn", "cards_moved/turn": "cards moved a turn", "cards_drawn/turn": "cards drawn a turn"}
COLUMNS = sorted({name for x in interactions.RATIOS for name in (*x.parts, *x.wholes)})


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return interactions.interaction(sample)


def show(evidence: Evidence) -> Shown:
    groups = [(words, lambda case, name=name: evidence.row(case, name)) for name, words in SHARES.items()]
    pinches = evidence.estimates("pinches/turn")
    return Shown(
        f"There are {span_words(pinches, 2)} pinches a turn" if pinches else "How much players do to each other",
        by_group(evidence, groups, axis_over("share (%)", [], 100, (0, 100)), "%"),
        _table(evidence),
        "Sums over all players and games, set in relation: pinched groups to turns, what becomes of them to pinched groups, "
        f"cards from the market to cards drawn, free draws used to those offered. {size_words(evidence)}",
        ROWS,
        legend(evidence),
    )


def _table(evidence: Evidence) -> Table:
    return Table(("variant", *NUMBERS.values()), tuple(_line(evidence, case) for case in evidence.cases))


def _line(evidence: Evidence, case: Case) -> tuple[str, ...]:
    rows = [evidence.row(case, name) for name in NUMBERS]
    return (evidence.name(case), *(style.with_interval(row) if row else "" for row in rows))


NEEDED = counted_or_rows("pinches/turn", *COLUMNS)
SECTION = Section("interaction", 50, "What players do to each other", show, measure, (NEEDED,))
