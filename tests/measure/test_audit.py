"""Effects of an audit: known answers from constructed summaries, intervals that hold all at once, verdicts and their order."""

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from scipy.special import stdtrit

from pinchsim.measure.audit import CARE, LINES, OPEN, SAME, UNNOTICED, effects, findings, line_of, unseen
from pinchsim.measure.quantities import Described, Rows
from pinchsim.measure.summary import _DIFFERENCES, _ESTIMATES, CellName, Summary, Tally, reduce_chunk
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN

MEASURES = {"start_player_advantage": 0.02, "turns": 40.0, "end:hand_empty": 0.9, "end:turn_limit": 0.0, "points": 30.0}
MANY = 10_000


def row(measure, estimate, error, decks, players):
    """What the tables of a summary have after the names."""
    half = 1.96 * error
    return (measure, -1, "", estimate, estimate - half, estimate + half, error, decks * players, decks, math.nan)


def cell_rows(variant, changes, players=4, line_up="greedy", decks=MANY, limit=0.0):
    """The rows of one variant: estimates, and differences of `changes` (measure: change, standard error)."""
    cell = (variant, players, line_up)
    base = MEASURES | {"end:turn_limit": limit}
    estimates = [(*cell, *row(m, base[m] + changes.get(m, (0, 0))[0], 0.0, decks, players)) for m in MEASURES]
    other = (variant, "base", players, line_up)
    differences = [(*other, *row(m, *changes.get(m, (0.0, 0.0)), decks, players)) for m in MEASURES]
    return estimates, [] if variant == "base" else differences


def summary_of(*cells, margin=0.01, complete=True):
    """A summary of cells (`cell_rows`), with things that no audit looks at."""
    estimates, differences = ([part for cell in cells for part in cell[k]] for k in (0, 1))
    noise = [(*d[:4], "pinches", -1, *d[6:]) for d in differences[:1]] + [(*d[:5], 0, *d[6:]) for d in differences[:1]]
    return Summary(
        pl.DataFrame(estimates, _ESTIMATES, orient="row"),
        pl.DataFrame(differences + noise, _DIFFERENCES, orient="row"),
        pl.DataFrame(),
        margin,
        "base",
        complete,
    )


BASE = cell_rows("base", {})


def table_of(changes, **settings):
    """Effects of one variant by measure."""
    base = cell_rows("base", {}, **settings)
    return by_measure(effects(summary_of(base, cell_rows("other", changes, **settings))))


def by_measure(table, **cell):
    return {r["measure"]: r for r in table.filter(*(pl.col(k) == v for k, v in cell.items())).iter_rows(named=True)}


def finding_of(changes, **settings):
    summary = summary_of(BASE, cell_rows("other", changes, **settings))
    (found,) = findings(summary, effects(summary))
    return found


# Effects


def test_line_of__whole_names_and_beginnings():
    words = ("start_player_advantage", "turns", "end:hand_empty", "end:", "points")
    assert [line_of(name).words for name in words] == ["start", "length", "ends", "ends", "score"]
    assert not any(map(line_of, ("turns_x", "pinches", "points_per_turn", "game_end:hand_empty", "win_share:greedy")))


def test_effects__units():
    """Shares in points of 100, turns in percent of the base's, the points of all players for each of them."""
    found = table_of(
        {"start_player_advantage": (0.013, 0.001), "turns": (-2.0, 0.1), "end:hand_empty": (-0.05, 0.01), "points": (6.0, 0.4)}
    )
    assert list(found) == list(MEASURES), "nothing by position, no other measure"
    shown = {m: (r["line"], r["unit"], r["effect"], r["noticeable"]) for m, r in found.items()}
    assert shown["start_player_advantage"] == ("start", "pp", pytest.approx(1.3), pytest.approx(1.0))
    assert shown["turns"] == ("length", "%", pytest.approx(-5.0), 5.0)
    assert shown["end:hand_empty"] == ("ends", "pp", pytest.approx(-5.0), 2.0)
    assert shown["end:turn_limit"] == ("ends", "pp", 0, 2.0)
    assert shown["points"] == ("score", "points", pytest.approx(1.5), 0.5)
    assert {(r["players"], r["line_up"], r["variant"], r["games"], r["decks"]) for r in found.values()} == {
        (4, "greedy", "other", 4 * MANY, MANY)
    }


def test_effects__the_margin_is_the_experiments():
    summary = summary_of(BASE, cell_rows("other", {"start_player_advantage": (0.015, 0.0001)}), margin=0.02)
    row = by_measure(effects(summary))["start_player_advantage"]
    assert (row["noticeable"], row["verdict"]) == (2.0, WITHIN)


def test_effects__bonferroni_over_everything():
    """Two variants, two line-ups, two numbers of players: forty intervals with one chance of 5 % to miss."""
    cells = [
        cell_rows(v, {"points": (1.0, 0.1)}, n, line_up)
        for n in (3, 5)
        for line_up in ("greedy", "greedy,uniform")
        for v in ("base", "one", "two")
    ]
    table = effects(summary_of(*cells))
    assert table.height == 40
    quantile = NormalDist().inv_cdf(1 - 0.05 / 2 / 40)
    for r in table.filter(measure="points").iter_rows(named=True):
        assert r["standard_error"] == pytest.approx(0.1 / r["players"])
        assert r["high"] - r["effect"] == pytest.approx(quantile * 0.1 / r["players"])
        assert r["effect"] - r["low"] == pytest.approx(quantile * 0.1 / r["players"])


def test_effects__few_decks_get_students_t():
    row = table_of({"points": (1.0, 0.4)}, decks=12)["points"]
    assert row["high"] - row["effect"] == pytest.approx(float(stdtrit(11, 1 - 0.025 / 5)) * 0.1)
    assert row["high"] - row["effect"] > NormalDist().inv_cdf(1 - 0.025 / 5) * 0.1


def test_effects__a_single_deck_decides_nothing():
    found = table_of({"points": (9.0, math.nan), "turns": (0.0, math.nan)}, decks=1)
    assert {r["verdict"] for r in found.values()} == {UNDECIDED}
    assert found["points"]["low"] == -math.inf


@pytest.mark.parametrize(("decks", "tests"), [(1, 1), (3, 5), (100, 70), (25_000, 400)])
def test_unseen__exact_binomial(decks, tests):
    """With such a share, none of so many decks is seen to differ just this rarely."""
    assert (1 - unseen(decks, tests)) ** decks == pytest.approx(0.05 / tests)


def test_unseen__no_deck_says_nothing():
    assert unseen(0) == 1


def test_effects__nothing_seen_is_not_nothing():
    """No deck differs: of few decks this says little, of many that it is rare."""
    few, many = table_of({}, decks=50), table_of({})
    share = unseen(50, 5)
    assert few["end:hand_empty"]["high"] == pytest.approx(100 * share)
    assert few["points"]["low"] == pytest.approx(-10 * share)
    assert {r["verdict"] for r in few.values()} == {UNDECIDED}
    assert {r["verdict"] for r in many.values()} == {WITHIN}
    assert many["end:hand_empty"]["high"] == pytest.approx(100 * math.log(100) / MANY, rel=1e-3)


# The same decks, made up


DESCRIBED = Described({1: "hand_empty", 2: "turn_limit"}, (("points", "score", "points", False),))
TWO = [CellName(name, 2, "greedy") for name in ("base", "one", "two", "three")]


def made_up(rng, decks, turns):
    """Rows of so many decks for two players, in which only luck differs; `turns` are given."""
    games = 2 * decks
    wins = rng.integers(2, size=games)
    return Rows(
        {
            "turns": turns,
            "lead_changes": np.zeros(games, np.int16),
            "winners": np.ones(games, np.int8),
            "end_reason": rng.integers(1, 3, size=games).astype(np.int8),
        },
        {"win_share": np.eye(2, dtype=np.float32)[wins], "score": rng.integers(-9, 10, size=(games, 2)).astype(np.float32)},
    )


def summary_of_rows(rows, decks):
    tally = Tally(TWO[: len(rows)], "base", DESCRIBED)
    for cell, part in zip(TWO, rows, strict=False):
        tally.add(cell, 0, reduce_chunk(part, cell, 2, DESCRIBED, True))
    return tally.summary(0.01, True)


@pytest.mark.parametrize("decks", [15, 60])
def test_effects__all_intervals_hold_at_once(decks):
    """Three readings that change nothing, 300 audits: all 15 intervals hold the truth in 95 % of them or a little more."""
    rng = np.random.default_rng(2403)
    held = 0
    for _ in range(300):
        rows = [made_up(rng, decks, rng.integers(20, 60, size=2 * decks)) for _ in TWO]
        table = effects(summary_of_rows(rows, decks))
        assert table.height == 15
        held += table.select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).all()).item()
    # Two end reasons are each the other's opposite and so on: Bonferroni is a little cautious.
    assert 0.92 * 300 <= held <= 0.995 * 300


def test_effects__length_in_percent_counts_the_bases_error():
    """Every game a tenth longer: the base's length is uncertain, the percentage is not; then against the textbook's formula."""
    rng = np.random.default_rng(5)
    plain = 10 * rng.integers(2, 9, size=400)
    rows = made_up(rng, 200, plain)
    longer = Rows(rows.games | {"turns": plain + plain // 10}, rows.players)
    found = by_measure(effects(summary_of_rows([rows, longer], 200)))["turns"]
    assert found["effect"] == pytest.approx(10)
    assert found["standard_error"] == pytest.approx(0, abs=1e-6)
    other = rng.integers(20, 99, size=400)
    found = by_measure(effects(summary_of_rows([rows, Rows(rows.games | {"turns": other}, rows.players)], 200)))["turns"]
    x, b = (turns.reshape(-1, 2).mean(axis=1) for turns in (other, plain))
    rest = x - x.mean() / b.mean() * b
    assert found["standard_error"] == pytest.approx(100 * rest.std(ddof=1) / math.sqrt(200) / b.mean())


def test_effects__length_of_an_interrupted_run_is_cautious():
    """Other decks in the pairs than in the means: no covariance is known, the errors are added."""
    base, other = cell_rows("base", {}), cell_rows("other", {"turns": (4.0, 0.1)}, decks=MANY // 2)
    summary = summary_of(base, other)
    known = pl.when(pl.col("measure") == "turns").then(0.2).otherwise(pl.col("standard_error"))
    summary = Summary(summary.estimates.with_columns(standard_error=known), *tuple(vars(summary).values())[1:])
    assert by_measure(effects(summary))["turns"]["standard_error"] == pytest.approx(100 * (0.1 + 0.1 * 0.2) / 40)


# Pairs


def test_effects__pair_against_the_sum_of_both():
    one, two = {"points": (4.0, 0.1), "turns": (2.0, 0.1)}, {"points": (-1.0, 0.1)}
    both = {"points": (5.0, 0.1), "turns": (2.0, 0.1)}
    cells = [BASE, cell_rows("one", one), cell_rows("two", two), cell_rows("both", both)]
    summary = summary_of(*cells)
    table = effects(summary, {"both": ["one", "two"], "lost": ["one"]})
    assert table.filter(pl.col("variant") != "both")["beyond_sum"].null_count() == 10
    found = {m: r["beyond_sum"] for m, r in by_measure(table, variant="both").items()}
    assert found == dict.fromkeys(MEASURES, 0) | {"points": pytest.approx((5 - 4 + 1) / 4)}
    order = findings(summary, table)
    assert [f.variant for f in order] == ["one", "two", "both"], "pairs after single readings, though this one is largest"
    assert [f.beyond and f.beyond["measure"] for f in order] == [None, None, "points"]


def test_effects__pair_without_its_parts():
    """An interrupted run may lack one of the two."""
    summary = summary_of(BASE, cell_rows("one", {}), cell_rows("both", {}))
    assert effects(summary, {"both": ["one", "two"]})["beyond_sum"].null_count() == 10


# Findings


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"points": (4.0, 0.1)}, CARE),
        ({"points": (4.0, 0.1), "turns": (1.0, 5.0)}, CARE),  # one measure is enough
        ({"points": (1.0, 0.1)}, UNNOTICED),
        ({"points": (1.9, 0.1)}, OPEN),
        ({"start_player_advantage": (0.0, 0.01)}, OPEN),  # never "not significant, so unnoticed"
        ({"start_player_advantage": (0.0, 0.0001)}, UNNOTICED),
        ({}, SAME),
    ],
)
def test_findings__verdicts(changes, kind):
    assert finding_of(changes).verdict == kind


def test_findings__no_difference_only_if_nothing_differs():
    """A measure that is in no line, or by position, differs in some deck: that is not "no difference"."""
    summary = summary_of(BASE, cell_rows("other", {}))
    for place in ({"measure": "pinches", "position": -1}, {"measure": "score", "position": 2}):
        extra = summary.differences[:1].with_columns(
            measure=pl.lit(place["measure"]), position=pl.lit(place["position"], pl.Int8), standard_error=pl.lit(0.001)
        )
        more = Summary(summary.estimates, pl.concat([summary.differences, extra]), summary.histograms, 0.01, "base", True)
        assert [f.verdict for f in findings(more, effects(more))] == [UNNOTICED]


def test_findings__too_few_decks_for_no_difference():
    assert finding_of({}, decks=60).verdict == OPEN


def test_findings__most_first():
    """Size is in what is noticeable: 3 pp of an end reason is 1.5, 10 % of the length is 2; care comes before doubt."""
    cells = {
        "doubtful": {"points": (20.0, 9.0)},
        "end": {"end:hand_empty": (-0.03, 0.001)},
        "length": {"turns": (4.0, 0.01)},
        "same": {},
        "small": {"points": (0.1, 0.001)},
    }
    summary = summary_of(BASE, *(cell_rows(name, changes) for name, changes in cells.items()))
    found = findings(summary, effects(summary))
    assert [f.variant for f in found] == ["length", "end", "doubtful", "small", "same"]
    assert [f.size for f in found] == pytest.approx([2.0, 1.5, 10.0, 0.05, 0.0])


def test_findings__gravest_end_reason():
    """The largest of its kind, but what is noticeable is not hidden by what is only large and unknown."""
    both = {"end:hand_empty": (-0.05, 0.001), "end:turn_limit": (0.04, 0.001)}
    assert finding_of(both).largest["ends"]["measure"] == "end:hand_empty"
    found = finding_of({"end:hand_empty": (-0.06, 0.03), "end:turn_limit": (0.04, 0.001)})
    assert (found.verdict, found.largest["ends"]["measure"]) == (CARE, "end:turn_limit")
    found = finding_of({"end:hand_empty": (-0.018, 0.0001), "end:turn_limit": (0.01, 0.01)})
    assert (found.verdict, found.largest["ends"]["verdict"]) == (OPEN, UNDECIDED)
    assert list(found.largest) == [line.words for line in LINES]


def test_findings__endless_games_beside_the_rulings():
    summary = summary_of(cell_rows("base", {}, limit=0.01), cell_rows("other", {"end:turn_limit": (0.02, 0.001)}, limit=0.01))
    (found,) = findings(summary, effects(summary))
    assert (found.endless, found.ruled_endless) == (pytest.approx(0.03), 0.01)
    assert finding_of({}).endless == 0


def test_findings__each_table_for_itself():
    """Players and line-ups in the order of the run, each with its own order of readings."""
    big, small = {"points": (10.0, 0.1)}, {"points": (0.5, 0.01)}
    cells = [
        cell_rows(v, changes, n, line_up)
        for line_up, n, one, two in [("uniform", 4, big, small), ("uniform", 3, small, big), ("greedy", 3, big, small)]
        for v, changes in [("base", {}), ("one", one), ("two", two)]
    ]
    summary = summary_of(*cells)
    found = [(f.line_up, f.players, f.variant, f.verdict) for f in findings(summary, effects(summary))]
    assert found == [
        ("uniform", 4, "one", CARE),
        ("uniform", 4, "two", UNNOTICED),
        ("uniform", 3, "two", CARE),
        ("uniform", 3, "one", UNNOTICED),
        ("greedy", 3, "one", CARE),
        ("greedy", 3, "two", UNNOTICED),
    ]


def test_findings__nothing_was_played():
    summary = summary_of()
    assert findings(summary, effects(summary)) == []


def test_findings__gravity_knows_all_verdicts():
    changes = {"points": (4.0, 0.1), "turns": (2.0, 0.1), "start_player_advantage": (0.01, 0.01)}
    kinds = {line: row["verdict"] for line, row in finding_of(changes).largest.items()}
    assert kinds == {"start": UNDECIDED, "length": UNDECIDED, "ends": WITHIN, "score": OUTSIDE}
