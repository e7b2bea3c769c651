"""No table of the terminal cuts anything off: whatever the names and the numbers, it fits 80 columns without an ellipsis."""

import io
import re
from dataclasses import replace

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from pinchsim.games.seam import Level
from pinchsim.lab.price import SCHEMA as PRICES
from pinchsim.measure.audit import CARE
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.luck import LUCK, WHO_PLAYS, WHO_STARTS
from pinchsim.measure.sample import SCHEMA as MEASURED
from pinchsim.measure.skill_report import Found, Noise, judge_levels
from pinchsim.measure.tournament_analysis import analyse
from pinchsim.measure.verdict import OUTSIDE
from pinchsim.report.audit_table import print_audit
from pinchsim.report.certificate_table import print_certificate
from pinchsim.report.exploit_table import print_exploit
from pinchsim.report.ladder_table import print_ladder
from pinchsim.report.layout import first_fitting, fitted, folded, natural_width
from pinchsim.report.luck_table import print_luck
from pinchsim.report.price_table import print_prices
from pinchsim.report.skill_table import print_skill
from pinchsim.report.tournament_table import print_tournament
from pinchsim.report.tuning_table import print_tuning
from tests.measure.test_exploit import attacker, exploit
from tests.measure.test_ladder import Effect
from tests.measure.test_ladder import summary as ladder_summary
from tests.measure.test_tournament import luce, played
from tests.measure.test_tuning import confirmed, tuning
from tests.report import test_audit_table, test_certificate
from tests.report.test_sections_price import price
from tests.report.test_skill_table import noise, trace
from tests.report.test_table import printed as print_swept
from tests.report.test_table import rows as swept

NAMES = ["my-own-strategy-that-thinks-long-and-well", "anotherwithouthyphensbutmanyletters", "champion:temperature=0.125"]
BIG = 1_234_567_890


def audit(console):
    big = {"start": (-99.99, 0.01), "length": (-112345.34, 9.01), "ends": (-88.88, 0.01), "score": (-11111.123, 0.001)}
    labels = {name: f"{name} = {name}, again = yes" for name in NAMES}
    found = [test_audit_table.finding(name, CARE, **big) for name in NAMES]
    print_audit("pinch", found, labels, dict.fromkeys(NAMES, "R1: So?"), 0.01, True, console)


def certificate(console):
    cell = test_certificate.cell
    cells = [
        cell("undecided", variant=a, line_up=b, estimate=-0.99, low=-1.0, high=0.5, games=BIG) for a in NAMES for b in NAMES
    ]
    turns = cell(
        "undecided", unit="points", variant=NAMES[1], line_up=NAMES[1], estimate=-12345.0, low=-23456.0, high=1.5, games=BIG
    )
    lines = test_certificate.line(*cells), test_certificate.line(turns, measure="score", high=21)
    print_certificate(test_certificate.told(*lines), console)


def exploited(console):
    found = [
        attacker("library", 0.5, 0.3, strategy=name, iterations=1000, starts=10_000, searched_games=BIG, games=BIG, seconds=1e8)
        for name in NAMES
    ]
    print_exploit(exploit(*found, target=NAMES[0]), console)


def ladder(console):
    levels = [Level(name) for name in NAMES]
    cases = {(variant, 4, name): Effect(-0.1234, 0.0678) for variant in NAMES for name in NAMES}
    run = ladder_summary(cases, NAMES[0])
    print_ladder(ladder_table(run, levels).with_columns(low=-0.9999, high=0.9999), run, console)


def luck(console):
    measures = [f"{LUCK}:{WHO_PLAYS}", f"{LUCK}:{WHO_STARTS}", f"{LUCK}:deal", "deck_spread", "deck_outside", "deck_entropy"]
    rows = [
        {"variant": NAMES[0], "players": 5, "line_up": name, "measure": measure, "position": -1, "unit": "share", "estimate": 0.5,
         "low": 0.1, "high": 1.0, "standard_error": 0.2, "games": BIG, "decks": BIG // 8}
        for name in (*NAMES, ",".join(NAMES)) for measure in measures
    ]  # fmt: skip
    print_luck(pl.DataFrame(rows, MEASURED | {"variance_reduction": pl.Float64}), {"deal": "the deal of the cards"}, console)


def prices(console):
    lopsided = {"before": -0.999, "before_low": -1.0, "before_high": 0.5, "after": -0.999, "after_low": -1.0, "after_high": 0.5}
    found = [price(name, 5, [0.0, 1000.0, -1000.0, 1000.5, 12345.0], OUTSIDE, **lopsided) for name in NAMES]
    print_prices(pl.DataFrame(found, PRICES), console)


def skill(console):
    ladder = [Level(name, credible=k > 0) for k, name in enumerate(NAMES)]
    found = judge_levels([played(luce(1, 1e-9, 4), NAMES, 4, decks=40, pairs=True)], ladder, 100.0)
    climb = replace(trace(0.4, 0.3, 0.27, efforts=(0, 25_000_000, 50_000_000, 100_000_000)), unit=NAMES[1])
    climb = replace(climb, found=[Found(0.0042, 0.0011, 0.0123, 400, 100, 123.45)] * 3)
    noises = noise()
    elo = Found(-12768.0, -13009.0, -12571.0, 400, 100)
    mirrors = [m | {"turns": Found(12345.6, 11345.6, 13345.6, 8, 2), "end:" + NAMES[1]: climb.found[0]} for m in noises.mirrors]
    own = [Noise("clean", 0, NAMES[0]), *(Noise("temperature", 1 / 3 + k, NAMES[0]) for k in range(3))]
    noises = replace(noises, noises=own, shares=[None, *climb.found], elo=[None, elo, elo, elo], mirrors=mirrors)
    print_skill(found, [climb], noises, [], console)


def sweep(console):
    cases = [row for name in NAMES for row in swept(name, half=0.5)]
    cases += [row | {"measure": f"win_share:{NAMES[1]}", "unit": "share"} for row in cases if row["measure"] == "turns"]
    console.file.write(print_swept(cases, base=NAMES[0]))


def tournament(console):
    print_tournament(analyse(played(luce(1e-9, 1, 4), NAMES, 3, decks=40)), True, console)


def tuned(console):
    found = tuning(confirmed(0.7, 0.01), confirmed(0.26, 0.02, NAMES[0]), name=NAMES[0], start=NAMES[1])
    rows = found.confirmation.with_columns(against=pl.lit(NAMES[1]), kind=pl.lit("partner"))
    history = found.history.with_columns(
        lessons=pl.lit(BIG), iteration=pl.lit(BIG), step=pl.lit(0.00001234), explained=pl.lit(-1e6)
    )
    print_tuning(replace(found, confirmation=rows, history=history), console)


@pytest.mark.parametrize(
    "show",
    [audit, certificate, exploited, ladder, luck, prices, skill, sweep, tournament, tuned],
    ids=lambda show: show.__name__,
)
def test_tables__cut_nothing(show):
    console = Console(width=80, file=io.StringIO())
    show(console)
    text = console.file.getvalue()
    assert "…" not in text
    assert all(cell_len(line.rstrip()) <= 80 for line in text.splitlines())


def test_folded__behind_the_signs_of_a_name():
    assert folded("start_player_advantage", 22) == "start_player_advantage"
    assert folded("start_player_advantage", 16) == "start_player_\nadvantage"
    assert folded("win_share:search:200", 16) == "win_share:\nsearch:200"
    assert folded("a, b, greedy", 8) == folded("a, b, greedy", 6) == "a, b,\ngreedy"
    assert folded("greedy, sniper, dozen", 15) == "greedy, sniper,\ndozen"
    assert folded("withoutanysign", 6) == "withou\ntanysi\ngn"
    assert folded("", 6) == folded(" " * 9, 6) == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1, 5, 12, 30])
def test_folded__loses_nothing(name, width):
    lines = folded(name, width).split("\n")
    assert "".join(lines) == name
    assert max(map(cell_len, lines)) <= width


def small(*cells):
    """A table with a name and numbers."""
    table = Table(padding=(0, 2))
    table.add_column("name")
    for _ in cells[1:]:
        table.add_column("number", justify="right", no_wrap=True)
    table.add_row(*cells)
    return table


def shown(table, width):
    console = Console(width=width, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_fitted__what_fits_is_left_alone():
    table = small("name", "1.23 ± 0.45")
    width = natural_width(table)
    assert shown(fitted(table, width), width) == shown(small("name", "1.23 ± 0.45"), width)


def test_fitted__names_fold_first_then_numbers_between_words_then_anything():
    cells = ("a" * 30, "1.23 ± 0.45", "1,234,567")
    assert "│1.23 ± 0.45 │1,234,567 " in shown(fitted(small(*cells), 45), 45)
    parted = shown(fitted(small(*cells), 35), 35)
    assert "1.23 ±" in parted and "0.45" in parted and "1,234,567" in parted and "± 0.45" not in parted
    least = shown(fitted(small(*cells), 16), 16)
    assert sorted(re.sub(r"[^a0-9]", "", least.partition("┡")[2])) == sorted(re.sub(r"[^a0-9]", "", "".join(cells)))


def test_first_fitting__the_first_that_does():
    wide, narrow = small("a", "1.23 ± 0.45"), small("a", "1.23\n± 0.45")
    assert first_fitting([wide, narrow], 80) is wide
    assert first_fitting([wide, narrow], natural_width(wide) - 1) is narrow
    assert "…" not in shown(first_fitting([wide, narrow], 8), 8)
