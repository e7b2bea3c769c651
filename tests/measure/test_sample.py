"""Rows of whole cells: taken from a run's frames, and summed up by deck as the summary of a run does it."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pinchsim
from pinchsim.measure.drama import drama
from pinchsim.measure.ending import ending
from pinchsim.measure.interaction import interaction
from pinchsim.measure.length import length
from pinchsim.measure.moments import Moments, deck_average, interval
from pinchsim.measure.price import fair_price
from pinchsim.measure.runaway import runaway
from pinchsim.measure.sample import Estimates, samples
from tests.measure.made import made, rows_of

ENDS = {1: "hand_empty", 2: "cards_exhausted", 3: "turn_limit"}


def frames(decks, rotations=2, players=2):
    """Frames as a run has them, of two cells whose rows lie in disorder."""
    keys = [(variant, players, "greedy") for variant in ("pinch", "classic")]
    games = [(*key, deck, rotation, 10 * deck + rotation) for key in keys for deck in decks for rotation in range(rotations)]
    seats = [(*row, position, 100 * row[-1] + position) for row in games for position in range(players)]
    names = ["variant", "players", "line_up", "deck", "rotation", "turns"]
    by_game = pl.DataFrame(games, names, orient="row")
    by_player = pl.DataFrame(seats, [*names, "position", "score"], orient="row").drop("turns")
    return by_game[::-1].lazy(), by_player[::-1].lazy()


def test_samples__every_cell_in_the_order_of_its_decks():
    first, second = samples(*frames([4, 7]))
    assert [x.cell.variant for x in (first, second)] == ["classic", "pinch"], "in the order of the rows"
    assert first.rotations == 2
    assert first.game("turns").tolist() == [40, 41, 70, 71]
    assert first.player("score").tolist() == [[4000, 4001], [4100, 4101], [7000, 7001], [7100, 7101]]


def test_samples__a_deck_without_all_its_games_is_refused():
    games, players = frames([1, 2, 3])
    with pytest.raises(ValueError, match="every deck needs all its games"):
        list(samples(games.filter(pl.col("turns") != 11), players))
    with pytest.raises(ValueError, match="every game all its players"):
        list(samples(games, players.filter(pl.col("score") != 1001)))


def test_sample__a_missing_column_is_named():
    with pytest.raises(ValueError, match="no column 'ended_by', which this measure needs; they have: turns"):
        made(turns=[1]).game("ended_by")


def test_total__adds_columns_of_games_and_players():
    sample = made(turns=[5, 7], takes=[[1, 2], [0, 4]], passes=[[1, 0], [1, 1]])
    assert sample.total({"turns": 1, "takes": -2, "passes": 0.5}).tolist() == [5 - 6 + 0.5, 7 - 8 + 1]


@given(st.integers(2, 40), st.integers(1, 4), st.booleans(), st.randoms(use_true_random=False))
def test_mean__is_that_of_the_summary(decks, rotations, is_share, random):
    """A mean is a ratio with a whole of 1 a game: same estimate, error and interval as from moments."""
    x = np.array([random.randint(0, 1) for _ in range(decks * rotations)], float)
    book = Estimates(made(rotations, turns=x))
    book.mean("x", x, "things", is_share)
    row = rows_of(book.frame())["x", -1]
    moments = Moments.of(x[None], deck_average(x[None], rotations))
    mean, error = float(moments.mean[0]), float(moments.standard_errors()[0])
    assert row["estimate"] == pytest.approx(mean, abs=1e-12)
    assert row["standard_error"] == pytest.approx(error, abs=1e-12)
    assert (row["low"], row["high"]) == pytest.approx(interval(mean, error, decks, x.size, is_share), abs=1e-9)
    assert (row["games"], row["decks"], row["unit"]) == (x.size, decks, "things")


def test_ratio__by_hand():
    """Three decks of one game with parts 1, 1, 4 and wholes 1, 2, 3: ratio 1, residuals 0, -1, 1, mean whole 2."""
    book = Estimates(made(turns=[1, 1, 1]))
    book.ratio("x", np.array([1, 1, 4]), np.array([1, 2, 3]), "cards")
    row = rows_of(book.frame())["x", -1]
    assert row["estimate"] == 1
    assert row["standard_error"] == pytest.approx(math.sqrt((0 + 1 + 1) / 4 / 2 / 3))


def test_ratio__only_games_with_an_occasion_count():
    """Decks of two games; the whole is empty in all of one deck, and in one game of another."""
    book = Estimates(made(2, turns=[1] * 6))
    book.ratio("x", np.array([1, 0, 0, 0, 1, 1]), np.array([1, 0, 0, 0, 1, 1]), "share", True)
    row = rows_of(book.frame())["x", -1]
    assert (row["estimate"], row["games"], row["decks"]) == (1, 3, 2)
    book.ratio("never", np.zeros(6), np.zeros(6), "share", True)
    assert book.frame().height == 1, "nothing is said where there was no occasion"


def test_ratio__covers():
    """Decks with luck of their own, wholes of different size: the true ratio is in about 95 % of the intervals."""
    rng = np.random.default_rng(1)
    runs, decks, hits = 400, 60, 0
    for _ in range(runs):
        luck = np.repeat(rng.uniform(0.2, 0.6, decks), 3)
        wholes = rng.poisson(20 * (1 - luck))
        book = Estimates(made(3, turns=np.ones(luck.size)))
        book.ratio("x", rng.binomial(wholes, luck), wholes, "share", True)
        row = book.frame().row(0, named=True)
        hits += row["low"] <= TRUE <= row["high"]
    assert hits / runs == pytest.approx(0.95, abs=3.5 * math.sqrt(0.95 * 0.05 / runs))


# E[luck (1 - luck)] / E[1 - luck] for luck from 0.2 to 0.6: (0.4 - (0.16 + 0.4^2 / 12)) / 0.6
TRUE = (0.4 - 0.16 - 0.16 / 12) / 0.6


def test_single_deck__has_no_interval():
    book = Estimates(made(2, turns=[3, 4]))
    book.mean("turns", np.array([3.0, 4.0]), "turns")
    row = book.frame().row(0, named=True)
    assert row["estimate"] == 3.5
    assert math.isnan(row["low"]) and math.isnan(row["high"]) and math.isnan(row["standard_error"])


def test_every_measure__on_the_rows_of_a_run(tmp_path):
    """What the summary of the run knows, too, is the same."""
    run = pinchsim.sweep(variants=["pinch"], players=[3], line_ups=["uniform"], base=None, games=30, jobs=1, out=tmp_path)
    (sample,) = samples(run.scan_games(), run.scan_players())
    tables = [measure(sample) for measure in (length, interaction, drama, runaway)]
    tables += [ending(sample, ENDS), fair_price(sample, fewer_hand_wins=True)]
    found = {(row["measure"], row["position"]): row for table in tables for row in table.iter_rows(named=True)}
    assert len(found) == sum(table.height for table in tables)
    known = {(row["measure"], row["position"]): row for row in run.summary.estimates.iter_rows(named=True)}
    both = [key for key in found if key in known]
    assert {("turns", -1), ("lead_changes", -1), ("end:hand_empty", -1)} <= set(both)
    for key in both:
        for name in ("estimate", "low", "high", "standard_error", "games", "decks"):
            assert found[key][name] == pytest.approx(known[key][name], abs=1e-9), (key, name)


def test_sample__first_games_in_whole_decks():
    sample = made(2, turns=[1, 2, 3, 4, 5, 6])
    assert sample.first(3).game("turns").tolist() == [1, 2, 3, 4]
    assert sample.first(100).game("turns").tolist() == [1, 2, 3, 4, 5, 6]
