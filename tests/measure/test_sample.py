"""Rows of whole cells: taken from a run's frames, and summed up by deck as the summary of a run does it."""

import math
from weakref import WeakSet

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pinchsim
from pinchsim.measure import sample as sample_module
from pinchsim.measure.cards import seat_wins
from pinchsim.measure.columns import LazyColumns
from pinchsim.measure.drama import drama
from pinchsim.measure.ending import ending
from pinchsim.measure.interaction import interaction
from pinchsim.measure.length import length
from pinchsim.measure.moments import Moments, deck_average, interval
from pinchsim.measure.price import fair_price
from pinchsim.measure.runaway import runaway
from pinchsim.measure.sample import Estimates, Piece, Scan, samples
from pinchsim.measure.showcase import showcase
from pinchsim.measure.summary import CellName
from tests.measure.made import made, rows_of

ENDS = {1: "hand_empty", 2: "cards_exhausted", 3: "turn_limit"}


def scans(*pieces, rotations=2, players=2):
    """Rows as a run has them, of two cells, each in pieces of these decks."""
    cells = [CellName(variant, players, "greedy") for variant in ("pinch", "classic")]
    return [Scan(cell, [frames(decks, rotations, players) for decks in pieces]) for cell in cells]


def frames(decks, rotations=2, players=2):
    """A row per game, and a row per game and position."""
    games = [(deck, rotation, 10 * deck + rotation) for deck in decks for rotation in range(rotations)]
    seats = [
        (deck, rotation, position, 100 * turns + position) for deck, rotation, turns in games for position in range(players)
    ]
    by_game = pl.DataFrame(games, ["deck", "rotation", "turns"], orient="row")
    by_player = pl.DataFrame(seats, ["deck", "rotation", "position", "score"], orient="row")
    return by_game.lazy(), by_player.lazy()


def test_samples__every_cell_in_the_order_of_its_decks():
    first, second = samples(scans([4], [7]))
    assert [x.cell.variant for x in (first, second)] == ["pinch", "classic"]
    assert (first.rotations, first.size) == (2, 4)
    assert first.game("turns").tolist() == [40, 41, 70, 71]
    assert first.player("score").tolist() == [[4000, 4001], [4100, 4101], [7000, 7001], [7100, 7101]]


def test_samples__a_deck_without_all_its_games_is_refused():
    games, players = frames([1, 2, 3])
    here = (pl.col("deck") == 1) & (pl.col("rotation") == 1)

    def checked(*pieces):
        return list(samples([Scan(CellName("pinch", 2, "greedy"), pieces)]))

    assert len(checked((games, players))) == 1
    damaged = [
        (games.filter(~here), players.filter(~here)),
        (games, players.filter(~here)),
        (games, players.filter(~here | (pl.col("position") == 0))),
        (games.filter(~here), players),
        (games.reverse(), players.reverse()),
        (games, players.reverse()),
        (games.with_columns(rotation=1 - pl.col("rotation")), players.with_columns(rotation=1 - pl.col("rotation"))),
        (games, players.with_columns(position=1 - pl.col("position"))),
        (games, players.with_columns(rotation=1 - pl.col("rotation"))),
        (games, players.with_columns(deck=4 - pl.col("deck"))),
        (pl.concat([games, games]), pl.concat([players, players])),
    ]
    for pair in damaged:
        with pytest.raises(ValueError, match="every deck needs all its games, and every game all its players, in order"):
            checked(pair)
    for later in ([3, 4], [2]):
        with pytest.raises(ValueError, match="in order"):
            checked((games, players), frames(later))


def test_sample__a_missing_column_is_named():
    with pytest.raises(ValueError, match="no column 'ended_by', which this measure needs; they have: turns"):
        made(turns=[1]).game("ended_by")
    (part,) = made(turns=[1], score=[[1, 2]]).parts()
    with pytest.raises(ValueError, match="no column 'hand', which this measure needs; they have: score"):
        part.player("hand")


def test_total__adds_columns_of_games_and_players():
    sample = made(turns=[5, 7], takes=[[1, 2], [0, 4]], passes=[[1, 0], [1, 1]])
    (part,) = sample.parts()
    assert part.total({"turns": 1, "takes": -2, "passes": 0.5}).tolist() == [5 - 6 + 0.5, 7 - 8 + 1]


@given(st.integers(2, 40), st.integers(1, 4), st.booleans(), st.randoms(use_true_random=False))
@settings(deadline=None)  # a busy machine
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
    (sample,) = samples(run.scan_cells())
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
    for pieces in (1, 2, 3):
        sample = made(2, pieces=pieces, turns=[1, 2, 3, 4, 5, 6], score=np.arange(18).reshape(6, 3))
        first = sample.first(3)
        assert (first.game("turns").tolist(), first.size) == ([1, 2, 3, 4], 4)
        assert first.player("score")[-1].tolist() == [9, 10, 11]
        assert (sample.first(100).game("turns").tolist(), sample.first(100).size) == ([1, 2, 3, 4, 5, 6], 6)
        assert len(sample.first(2).pieces) == 1, "nothing else is read"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The only cell of a run of 300 games with two strategies, three players."""
    fields = {
        "variants": ["pinch"],
        "players": [3],
        "line_ups": ["greedy,uniform,sniper"],
        "base": None,
        "games": 300,
        "jobs": 1,
    }
    run = pinchsim.sweep(**fields, out=tmp_path_factory.mktemp("run"))
    (sample,) = samples(run.scan_cells())
    return sample


def cut(sample, *sizes):
    """The same games in pieces of these sizes."""
    ((games, players, _),), n = sample.pieces, sample.cell.players
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    pieces = [Piece(games.slice(a, k), players.slice(a * n, k * n), k) for a, k in zip(starts, sizes, strict=True)]
    return sample._replace(pieces=pieces)


MEASURES = {
    "length": lambda sample: length(sample, bands={"minutes": (5, 15), "turns": (20, 30)}),
    "interaction": interaction,
    "drama": drama,
    "runaway": runaway,
    "ending": lambda sample: ending(sample, ENDS),
    "showcase": showcase,
    "fair_price": lambda sample: fair_price(sample, fewer_hand_wins=True),
    "hands": lambda sample: pl.DataFrame(seat_wins(sample)),
}


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure__says_the_same_to_the_bit_whatever_the_pieces(played, name):
    measure = MEASURES[name]
    whole = measure(cut(played, 300))
    assert whole.height > 0
    for sizes in ((150, 150), (3, 60, 237), (99, 3, 3, 195)):
        assert measure(cut(played, *sizes)).equals(whole), sizes


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "fair_price"])
def test_every_measure__lets_go_of_what_it_has_seen(played, name, monkeypatch):
    """No more than the rows of two pieces are in memory, however many there are; what the price does needs all, of few games."""
    alive, most = WeakSet(), []

    class Watched(LazyColumns):
        __hash__ = object.__hash__

        def __init__(self, *args):
            super().__init__(*args)
            alive.add(self)
            most.append(len(alive))

    monkeypatch.setattr(sample_module, "LazyColumns", Watched)
    MEASURES[name](cut(played, *[30] * 10))
    tables, pieces = 2, 2
    assert len(most) >= 20 and max(most) <= tables * pieces


def test_parts__what_was_asked_of_the_first_is_read_of_the_others_at_once(played, monkeypatch):
    reads, collect = [], pl.LazyFrame.collect
    monkeypatch.setattr(pl.LazyFrame, "collect", lambda frame: reads.append(1) or collect(frame))
    counts = []
    for part in cut(played, 30, 30, 30).parts():
        before = len(reads)
        sums = [part.player(name).sum() for name in ("takes", "passes", "score")] + [part.game("turns").sum()]
        sums += [part.player("takes").sum(), part.game("turns").sum()]
        assert sums[0] == sums[4] and sums[3] == sums[5]
        counts.append(len(reads) - before)
    assert counts == [4, 2, 2]


def test_parts__columns_that_only_some_need(played):
    """What one measure reads another does not: each goes through the parts on its own."""
    sample = cut(played, 30, 30)
    for part in sample.parts():
        assert part.game("turns").size == 30
    for part in sample.parts():
        assert part.player("takes").shape == (30, 3)
        assert set(part.rows.players.kept) == {"takes"} and not part.rows.games.kept
        assert "turns" in part.rows.games and "nothing" not in part.rows.games and not part.rows.games.kept
