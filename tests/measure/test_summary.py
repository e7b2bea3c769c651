"""From rows to the tables of a summary: nothing depends on who finished first, and only equal decks are compared."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchsim.measure import summary as summary_module
from pinchsim.measure.moments import wilson
from pinchsim.measure.quantities import Described, Rows, quantities, values
from pinchsim.measure.summary import CellName, Tally, reduce_chunk
from pinchsim.measure.verdict import UNDECIDED, verdict

PLAYERS = 3
DESCRIBED = Described(
    {1: "hand_empty", 2: "turn_limit"},
    (("pinches", "pinches", "pinches", False), ("pinches_per_turn", "pinches", "pinches", True)),
)
BASE, OTHER, THIRD = (CellName(variant, PLAYERS, "greedy") for variant in ("pinch", "classic", "aces-bite"))


GREEDY = BASE.places
MIXED = CellName("pinch", PLAYERS, "greedy,uniform")


def rows_of(seed, decks, winner=None):
    """Rows of so many decks, made up; `winner` is an array [games] of the positions that win.

    With each rotation the strategies move on by a seat, as they do in mixed line-ups.
    """
    rng = np.random.default_rng(seed)
    games = decks * PLAYERS
    winner = rng.integers(PLAYERS, size=games) if winner is None else np.asarray(winner)
    score = rng.integers(-9, 10, size=(games, PLAYERS)).astype(np.float32)
    return Rows(
        {
            "turns": rng.integers(10, 60, size=games).astype(np.int16),
            "lead_changes": rng.integers(0, 9, size=games).astype(np.int16),
            "winners": np.ones(games, np.int8),
            "end_reason": rng.integers(1, 3, size=games).astype(np.int8),
        },
        {
            "win_share": np.eye(PLAYERS, dtype=np.float32)[winner],
            "score": score,
            "strategy": (np.arange(PLAYERS) - np.arange(games)[:, None]).astype(np.int8) % PLAYERS,
            "pinches": rng.integers(0, 5, size=(games, PLAYERS)).astype(np.int16),
        },
    )


def joined(parts):
    """Rows of several chunks as one."""
    return Rows(*({name: np.concatenate([part[k][name] for part in parts]) for name in parts[0][k]} for k in (0, 1)))


def reduced(rows, cell=BASE, keep=True):
    return reduce_chunk(rows, cell, PLAYERS, DESCRIBED, keep)


def tables(tally, complete=True):
    summary = tally.summary(0.01, complete)
    return summary.estimates, summary.differences, summary.histograms


def one(frame, measure, position=-1, **cell):
    """The one row of a measure."""
    found = frame.filter(
        pl.col("measure") == measure, pl.col("position") == position, *(pl.col(k) == v for k, v in cell.items())
    )
    assert found.height == 1
    return found.row(0, named=True)


def deck_means(rows, measure, position=-1):
    """Mean of a measure over each deck's games."""
    index = [(q.measure, q.position) for q in quantities(GREEDY, DESCRIBED)].index((measure, position))
    return values(rows, GREEDY, DESCRIBED)[index].reshape(-1, PLAYERS).mean(axis=1)


# Quantities


def test_values__by_hand():
    """Two games: position 1 wins the first alone, positions 0 and 2 share the second."""
    rows = Rows(
        {
            "turns": np.array([20, 40], np.int16),
            "lead_changes": np.array([3, 4], np.int16),
            "winners": np.array([1, 2], np.int8),
            "end_reason": np.array([2, 1], np.int8),
        },
        {
            "win_share": np.array([[0, 1, 0], [0.5, 0, 0.5]], np.float32),
            "score": np.array([[1, 5, 3], [9, -1, 9]], np.float32),
            "pinches": np.array([[1, 2, 2], [0, 0, 10]], np.int16),
        },
    )
    found = {
        (q.measure, q.position): x.tolist()
        for q, x in zip(quantities(GREEDY, DESCRIBED), values(rows, GREEDY, DESCRIBED), strict=True)
    }
    third = 1 / 3
    expected = {
        ("win_share", 0): [0, 0.5],
        ("win_share", 1): [1, 0],
        ("win_share", 2): [0, 0.5],
        ("score", 0): [1, 9],
        ("score", 1): [5, -1],
        ("score", 2): [3, 9],
        ("start_player_advantage", -1): [-third, 0.5 - third],
        ("start_score_advantage", -1): [1 - 4, 9 - 4],
        ("turns", -1): [20, 40],
        ("lead_changes", -1): [3, 4],
        ("shared_wins", -1): [0, 1],
        ("end:hand_empty", -1): [0, 1],
        ("end:turn_limit", -1): [1, 0],
        ("pinches", -1): [5, 10],
        ("pinches_per_turn", -1): [0.25, 0.25],
    }
    assert list(found) == list(expected), "in this order"
    for key, numbers in expected.items():
        assert found[key] == pytest.approx(numbers), key


def test_values__of_sessions_by_hand():
    """Two sessions of three and four games, after the usual quantities."""
    described = Described({1: "target_reached"}, (), {"hand_empty": "games_hand_empty", "turn_limit": "games_turn_limit"})
    rows = Rows(
        {
            "turns": np.array([90, 120], np.int32),
            "lead_changes": np.array([1, 2], np.int16),
            "winners": np.array([1, 1], np.int8),
            "end_reason": np.array([1, 1], np.int8),
            "games": np.array([3, 4], np.int16),
            "games_hand_empty": np.array([3, 3], np.int16),
            "games_turn_limit": np.array([0, 1], np.int16),
        },
        {
            "win_share": np.array([[0, 1, 0], [1, 0, 0]], np.float32),
            "score": np.array([[1, 50, 3], [50, -1, 9]]),
            "first_win_share": np.array([[0.5, 0.5, 0], [0, 0, 1]], np.float32),
        },
    )
    names = quantities(GREEDY, described)
    found = {
        (q.measure, q.unit): x.tolist() for q, x in zip(names, values(rows, GREEDY, described), strict=True) if q.position < 0
    }
    assert found["lead_changes", "games"] == [1, 2]
    assert found["single_game_advantage", "share"] == pytest.approx([0.5 - 1 / 3, -1 / 3])
    assert found["games", "games"] == [3, 4]
    assert found["game_end:hand_empty", "share"] == [1, 0.75]
    assert found["game_end:turn_limit", "share"] == [0, 0.25]
    assert described.unit == "sessions" and DESCRIBED.unit == "games"
    assert not any(q.measure.startswith(("single", "game")) for q in quantities(GREEDY, DESCRIBED))


def test_quantities__what_is_a_share():
    """Shares of games are; points are not. The advantage, a share less what is fair, is left open here."""
    shares = {q.measure for q in quantities(MIXED.places, DESCRIBED) if q.is_share} - {"start_player_advantage"}
    of_strategies = {"win_share:greedy", "win_share:uniform"}
    assert shares == {"win_share", "shared_wins", "end:hand_empty", "end:turn_limit"} | of_strategies


@pytest.mark.parametrize(
    ("line_up", "places"),
    [
        ("greedy", ("greedy", "greedy", "greedy")),
        ("greedy,uniform", ("greedy", "uniform", "uniform")),
        ("greedy,uniform,greedy", ("greedy", "uniform", "greedy")),
    ],
)
def test_places__last_strategy_fills_the_table(line_up, places):
    assert CellName("pinch", 3, line_up).places == places


def test_values__win_share_of_a_strategy_wherever_it_sits():
    """Greedy alone against two of uniform: its share is its own, theirs is that of one of them on the average."""
    rows = rows_of(1, 2, winner=[0, 1, 2, 1, 1, 1])
    found = dict(
        zip((q.measure for q in quantities(MIXED.places, DESCRIBED)), values(rows, MIXED.places, DESCRIBED), strict=True)
    )
    # Greedy is place 0 of the line-up; in rotation r it sits at position r.
    greedy = [1, 1, 1, 0, 1, 0]
    assert rows.players["strategy"][:3].tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert found["win_share:greedy"].tolist() == greedy
    assert found["win_share:uniform"].tolist() == [(1 - won) / 2 for won in greedy]


# Estimates


def test_reduce_chunk__in_slices_as_in_one_piece(monkeypatch):
    """Chunks are reduced a few decks at a time; here the last slice holds one deck."""
    rows = rows_of(1, 10)
    whole = reduced(rows)
    monkeypatch.setattr(summary_module, "SLICE_DECKS", 3)
    sliced = reduced(rows)
    np.testing.assert_array_equal(sliced.deck_means, whole.deck_means)
    assert (sliced.moments.decks, sliced.moments.games) == (10, 30)
    for name in ("mean", "deck_squares", "game_squares"):
        np.testing.assert_allclose(getattr(sliced.moments, name), getattr(whole.moments, name), atol=1e-9)
    for key, (seen, counts) in whole.histograms.items():
        np.testing.assert_array_equal(sliced.histograms[key][0], seen)
        np.testing.assert_array_equal(sliced.histograms[key][1], counts)


def test_summary__estimates_equal_direct_computation():
    parts = [rows_of(seed, decks) for seed, decks in ((1, 20), (2, 20), (3, 7))]
    tally = Tally([BASE], None, DESCRIBED)
    for number, part in enumerate(parts):
        tally.add(BASE, number, reduced(part))
    estimates, differences, _ = tables(tally)
    assert differences.height == 0
    whole = joined(parts)
    for q in quantities(GREEDY, DESCRIBED):
        means = deck_means(whole, q.measure, q.position)
        row = one(estimates, q.measure, q.position)
        assert row["estimate"] == pytest.approx(means.mean())
        assert row["standard_error"] == pytest.approx(means.std(ddof=1) / math.sqrt(47))
        assert (row["games"], row["decks"], row["unit"]) == (141, 47, q.unit)
        assert row["low"] - 1e-12 <= row["estimate"] <= row["high"] + 1e-12


def test_summary__variance_reduction_factor_by_hand():
    """Every deck is won once from each position: the share is exact, and so no factor can be given."""
    tally = Tally([BASE], None, DESCRIBED)
    tally.add(BASE, 0, reduced(rows_of(1, 40, winner=[0, 1, 2] * 40)))
    row = one(tables(tally)[0], "win_share", 0)
    assert row["standard_error"] == 0
    assert math.isnan(row["variance_reduction"])
    # A deck is won by one position throughout: three games say as much as one. With a share of 1/2, the variance is
    # 0.25 * 120/119 / 120 from 120 independent games, and 0.25 * 40/39 / 40 from 40 decks.
    tally.add(BASE, 0, reduced(rows_of(1, 40, winner=np.repeat([0, 1, 2, 0] * 10, 3))))
    row = one(tables(tally)[0], "win_share", 0)
    assert row["variance_reduction"] == pytest.approx(39 / 119)


def test_summary__few_decks_that_agree_by_chance_decide_nothing():
    """Two decks, each won once by the start player: the advantage is 0 as far as one sees, which is not far.

    The win share itself gets Wilson's interval; the advantage is the same number shifted, and so must its interval be.
    """
    tally = Tally([BASE], None, DESCRIBED)
    tally.add(BASE, 0, reduced(rows_of(1, 2, winner=[0, 1, 2] * 2)))
    estimates = tables(tally)[0]
    share, advantage = one(estimates, "win_share", 0), one(estimates, "start_player_advantage")
    assert verdict(share["low"] - 1 / PLAYERS, share["high"] - 1 / PLAYERS, 0.01) == UNDECIDED
    assert verdict(advantage["low"], advantage["high"], 0.01) == UNDECIDED


def test_summary__advantage_is_the_win_share_shifted():
    """Start player never won: both intervals must leave room for luck."""
    tally = Tally([BASE], None, DESCRIBED)
    tally.add(BASE, 0, reduced(rows_of(1, 20, winner=[1, 2, 1] * 20)))
    estimates = tables(tally)[0]
    share, advantage = one(estimates, "win_share", 0), one(estimates, "start_player_advantage")
    assert share["high"] == pytest.approx(wilson(0, 20)[1], rel=0.3)
    assert advantage["high"] == pytest.approx(share["high"] - 1 / PLAYERS, abs=0.02)


# Pairs


ARRIVALS = [(cell, chunk) for cell in (BASE, OTHER, THIRD) for chunk in range(3)]
PARTS = {
    (cell, chunk): rows_of(10 * cells + chunk, 5 + chunk)
    for cells, cell in enumerate((BASE, OTHER, THIRD))
    for chunk in range(3)
}


def tallied(arrivals):
    tally = Tally([BASE, OTHER, THIRD], "pinch", DESCRIBED)
    for cell, chunk in arrivals:
        tally.add(cell, chunk, reduced(PARTS[cell, chunk], cell, tally.is_compared(cell)))
    return tally


@given(st.permutations(ARRIVALS))
@settings(max_examples=60)
def test_tally__any_order_of_arrival_gives_the_same_bits(arrivals):
    for mine, theirs in zip(tables(tallied(arrivals)), tables(tallied(ARRIVALS)), strict=True):
        assert mine.equals(theirs)


@given(st.permutations(ARRIVALS))
@settings(max_examples=30)
def test_tally__keeps_decks_only_until_they_are_paired(arrivals):
    """Memory: once everything has arrived, no deck is held any more."""
    tally = tallied(arrivals)
    assert all(chunk.deck_means is None for cell in tally.cells.values() for chunk in cell.chunks.values())


def test_tally__difference_equals_direct_computation():
    differences = tables(tallied(ARRIVALS))[1]
    assert differences["variant"].unique(maintain_order=True).to_list() == ["classic", "aces-bite"]
    base = joined([PARTS[BASE, k] for k in range(3)])
    for cell in (OTHER, THIRD):
        mine = joined([PARTS[cell, k] for k in range(3)])
        for q in quantities(GREEDY, DESCRIBED):
            paired = deck_means(mine, q.measure, q.position) - deck_means(base, q.measure, q.position)
            row = one(differences, q.measure, q.position, variant=cell.variant)
            error = paired.std(ddof=1) / math.sqrt(18)
            assert row["base"] == "pinch"
            assert row["estimate"] == pytest.approx(paired.mean(), abs=1e-12)
            assert row["standard_error"] == pytest.approx(error)
            # Student's quantile for 17 degrees of freedom is 2.1098.
            assert row["high"] - row["low"] == pytest.approx(2 * 2.1098 * error, rel=1e-4)
            assert (row["decks"], row["games"]) == (18, 54)


def test_tally__same_rows_differ_by_nothing():
    """Paired, not independent: a variant that changes nothing differs by exactly 0 in every deck."""
    tally = Tally([BASE, OTHER], "pinch", DESCRIBED)
    for cell in (OTHER, BASE):
        tally.add(cell, 0, reduced(PARTS[BASE, 0]))
    differences = tables(tally)[1]
    assert differences.height == len(quantities(GREEDY, DESCRIBED))
    assert differences["estimate"].abs().max() == 0
    assert differences["standard_error"].max() == 0


def test_tally__common_luck_cancels():
    """Decks that make everybody's games long: the difference is known far better than either."""
    luck = np.repeat(np.random.default_rng(5).integers(0, 1000, size=100), PLAYERS)
    plain, longer = rows_of(1, 100), rows_of(2, 100)
    plain.games["turns"] = (luck + 20).astype(np.int16)
    longer.games["turns"] = (luck + 25).astype(np.int16)
    tally = Tally([BASE, OTHER], "pinch", DESCRIBED)
    tally.add(BASE, 0, reduced(plain))
    tally.add(OTHER, 0, reduced(longer))
    estimates, differences, _ = tables(tally)
    assert one(estimates, "turns", variant="classic")["standard_error"] > 10
    assert one(differences, "turns")["estimate"] == pytest.approx(5)
    assert one(differences, "turns")["standard_error"] == pytest.approx(0, abs=1e-9)


def test_tally__chunk_of_one_of_two_variants_is_not_paired():
    """An interrupted run: of chunk 1 only the base is there, of chunk 2 only the other."""
    tally = Tally([BASE, OTHER], "pinch", DESCRIBED)
    for cell, chunk in ((BASE, 0), (BASE, 1), (OTHER, 2), (OTHER, 0)):
        tally.add(cell, chunk, reduced(PARTS[cell, chunk]))
    estimates, differences, _ = tables(tally, complete=False)
    row = one(differences, "turns")
    expected = deck_means(PARTS[OTHER, 0], "turns") - deck_means(PARTS[BASE, 0], "turns")
    assert row["estimate"] == pytest.approx(expected.mean())
    assert (row["decks"], row["games"]) == (5, 15)
    assert one(estimates, "turns", variant="pinch")["decks"] == 5 + 6
    assert one(estimates, "turns", variant="classic")["decks"] == 5 + 7


def test_tally__nothing_paired_yet_gives_no_difference():
    tally = Tally([BASE, OTHER], "pinch", DESCRIBED)
    tally.add(BASE, 0, reduced(PARTS[BASE, 0]))
    tally.add(OTHER, 1, reduced(PARTS[OTHER, 1]))
    estimates, differences, _ = tables(tally, complete=False)
    assert differences.height == 0
    assert estimates["variant"].unique().to_list() in (["pinch", "classic"], ["classic", "pinch"])


@pytest.mark.parametrize("base", [None, "linko"])
def test_tally__without_a_base_nothing_is_compared(base):
    tally = Tally([BASE, OTHER], base, DESCRIBED)
    assert not tally.is_compared(BASE)
    for cell in (BASE, OTHER):
        tally.add(cell, 0, reduced(PARTS[cell, 0], cell, keep=False))
    estimates, differences, _ = tables(tally)
    assert differences.height == 0
    assert estimates.height == 2 * len(quantities(GREEDY, DESCRIBED))


def test_tally__is_compared_with_the_base_of_its_own_table():
    """Other player counts and line-ups have their own base, or none."""
    lonely = CellName("classic", PLAYERS, "uniform")
    tally = Tally([BASE, OTHER, lonely], "pinch", DESCRIBED)
    assert tally.is_compared(BASE)
    assert tally.is_compared(OTHER)
    assert not tally.is_compared(lonely)
    for cell in (BASE, OTHER, lonely):
        tally.add(cell, 0, reduced(PARTS[BASE, 0]))
    assert tables(tally)[1]["line_up"].unique().to_list() == ["greedy"]


def test_tally__two_line_ups_do_not_mix():
    cells = [CellName(variant, PLAYERS, line_up) for line_up in ("a", "b") for variant in ("pinch", "classic")]
    found = {}
    for arrivals in itertools.permutations(range(4)):
        tally = Tally(cells, "pinch", DESCRIBED)
        for k in arrivals:
            tally.add(cells[k], 0, reduced(rows_of(k, 6)))
        for line_up, mine, base in (("a", 1, 0), ("b", 3, 2)):
            expected = deck_means(rows_of(mine, 6), "turns") - deck_means(rows_of(base, 6), "turns")
            row = one(tables(tally)[1], "turns", line_up=line_up)
            assert row["estimate"] == pytest.approx(expected.mean())
            assert found.setdefault(line_up, row) == row


# Histograms


def test_summary__histograms_count_every_game():
    tally = tallied(ARRIVALS)
    histograms = tables(tally)[2]
    for cell in (BASE, OTHER, THIRD):
        whole = joined([PARTS[cell, k] for k in range(3)])
        keys = [("turns", -1, whole.games["turns"])]
        keys += [("score", p, whole.players["score"][:, p]) for p in range(PLAYERS)]
        for measure, position, numbers in keys:
            found = histograms.filter(
                pl.col("variant") == cell.variant, pl.col("measure") == measure, pl.col("position") == position
            )
            seen, counts = np.unique(numbers, return_counts=True)
            assert found["count"].sum() == 54
            assert found["value"].to_list() == seen.tolist(), "ascending"
            assert found["count"].to_list() == counts.tolist()


@given(st.lists(st.integers(-100_000, 100_000), min_size=6, max_size=6))
def test_summary__histogram_of_fractions(thousandths):
    """A handicap of a fraction of a point: equal scores stay one value over several chunks."""
    tally = Tally([BASE], None, DESCRIBED)
    for chunk in range(2):
        rows = rows_of(1, 1)
        rows.players["score"][:, 0] = np.array(thousandths[3 * chunk : 3 * chunk + 3], np.float32) / np.float32(1000)
        tally.add(BASE, chunk, reduced(rows))
    found = tables(tally)[2].filter(pl.col("measure") == "score", pl.col("position") == 0)
    expected = np.unique(np.array(thousandths), return_counts=True)
    assert [round(1000 * x) for x in found["value"]] == expected[0].tolist()
    assert found["count"].to_list() == expected[1].tolist()


def test_summary__says_whether_it_is_complete():
    tally = tallied(ARRIVALS)
    for complete in (True, False):
        summary = tally.summary(0.02, complete)
        assert (summary.complete, summary.margin, summary.base) == (complete, 0.02, "pinch")


def test_summary__nothing_played():
    estimates, differences, histograms = tables(Tally([BASE, OTHER], "pinch", DESCRIBED), complete=False)
    assert (estimates.height, differences.height, histograms.height) == (0, 0, 0)
    assert "estimate" in estimates.columns
