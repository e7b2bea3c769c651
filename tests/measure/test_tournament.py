"""Win shares of a tournament: errors by deck against the plain formulas, and what follows from payoffs that are known."""

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest

from pinchsim.measure import tournament, tournament_analysis
from pinchsim.measure.metagame import compositions, pair_compositions
from pinchsim.measure.moments import Z95
from pinchsim.measure.tournament import (
    Table,
    against_field,
    against_others,
    alone,
    by_place,
    field_weights,
    gather,
    matrix,
    matrix_frame,
    payoffs,
)
from pinchsim.measure.tournament_analysis import (
    ALPHAS,
    analyse,
    best_replies,
    equilibrium_frame,
    ratings_frame,
    restricted,
    undominated,
)

NAMES = ("a", "b", "c")


def played(chances, names=NAMES, players=3, decks=400, pairs=False, games=4, seed=0):
    """A tournament whose games are lots: `chances(counts)` gives the win share of one player of each strategy."""
    rng = np.random.default_rng(seed)
    tables = []
    for counts in (pair_compositions if pairs else compositions)(len(names), players):
        if counts.max() < players:
            wins = rng.multinomial(games, counts * chances(counts), size=decks)
            tables.append(Table(counts, wins / games / np.maximum(counts, 1), 1, games * decks))
    return gather("pinch", names, players, tables)


def luce(*strengths):
    """Chances to win in proportion to strengths."""
    gamma = np.array(strengths, float)
    return lambda counts: np.where(counts > 0, gamma, 0) / (counts @ gamma)


def ring(counts):
    """a beats b beats c beats a."""
    gains = np.array([counts[(k + 1) % 3] - counts[(k + 2) % 3] for k in range(3)])
    return luce(*np.exp(0.8 * gains / counts.sum()))(counts)


# Estimates and their errors


def test_gather__compositions_in_order_with_mirror_tables():
    shares = played(luce(1, 2, 3))
    assert shares.counts.tolist() == compositions(3, 3).tolist()
    assert shares.has_all
    assert shares.means[0].tolist() == pytest.approx([1 / 3, 0, 0])
    assert (shares.counts * shares.means).sum(axis=1) == pytest.approx(1)
    assert not played(luce(1, 2, 3), pairs=True).has_all


def test_combined__is_the_cluster_robust_mean_over_decks():
    shares = played(luce(1, 2, 3), decks=300)
    row = shares.row([1, 2, 0])
    found = shares.combined(alone(shares, 0, 1))
    by_deck = shares.blocks[:, row, 0]
    assert found.estimate == pytest.approx(by_deck.mean())
    assert found.standard_error == pytest.approx(by_deck.std(ddof=1) / math.sqrt(300))
    assert found.high - found.low == pytest.approx(2 * 1.96793 * found.standard_error), "Student's, 299 degrees"
    assert shares.covariance[row, 0, 0] == pytest.approx(found.standard_error**2)
    assert shares.covariance[row, 0, 1] == pytest.approx(np.cov(by_deck, shares.blocks[:, row, 1])[0, 1] / 300)


def test_combined__differences_are_paired_by_deck():
    """Two tables whose shares move together over the decks: the difference is known far better than either."""
    luck = np.random.default_rng(1).uniform(0, 0.5, size=200)
    tables = [
        Table(np.array(counts), np.stack([luck + up, (1 - luck - up) / 2] if counts[0] == 1 else [(1 - luck) / 2, luck], axis=1), 1, 600)
        for counts, up in (([1, 2], 0.1), ([2, 1], 0.0))
    ]  # fmt: skip
    shares = gather("pinch", ("a", "b"), 3, tables)
    weights = alone(shares, 0, 1) - alone(shares, 1, 0)
    found = shares.combined(weights, is_share=False)
    assert found.estimate == pytest.approx(0.1)
    assert found.standard_error == pytest.approx(0, abs=1e-12)


def test_gather__many_decks_in_blocks(monkeypatch):
    """Blocks of neighbours: the same mean exactly, and an error of the same size."""
    whole = played(luce(1, 2, 3), decks=1000)
    monkeypatch.setattr(tournament, "MOST_BLOCKS", 300)
    blocked = played(luce(1, 2, 3), decks=1000)
    assert blocked.sizes.tolist() == [4] * 250
    assert blocked.decks == 1000
    assert blocked.means == pytest.approx(whole.means)
    monkeypatch.setattr(tournament, "MOST_BLOCKS", 299)
    uneven = played(luce(1, 2, 3), decks=1001)
    assert uneven.sizes.tolist() == [4] * 250 + [1]
    for a, b in ((0, 1), (2, 0)):
        errors = [s.combined(alone(s, a, b)).standard_error for s in (whole, blocked, uneven)]
        assert errors == pytest.approx([errors[0]] * 3, rel=0.2)


def test_by_place__rotations_of_a_deck_are_averaged():
    strategy = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
    share = np.array([[1, 0], [1, 0], [0.5, 0.5], [0, 1]], np.float32)
    assert by_place(strategy, share, 2).tolist() == [[0.5, 0.5], [0.75, 0.25]]


def test_field_weights__opponents_drawn_from_a_mix():
    shares = played(luce(1, 2, 3))
    mix = [0.5, 0.2, 0.3]
    assert [field_weights(shares, k, mix).sum() for k in range(3)] == pytest.approx([1, 1, 1])
    expected = shares.table().payoffs(mix)
    assert [x.estimate for x in against_field(shares, mix)] == pytest.approx(expected.tolist())
    assert against_field(played(luce(1, 2, 3), pairs=True)) is None


def test_matrix__is_one_against_the_others():
    shares = played(luce(1, 2, 3), decks=2000)
    found = matrix(shares)
    for a, own in enumerate((1, 2, 3)):
        assert found[a][a][:4] == pytest.approx((1 / 3, 1 / 3, 1 / 3, 0))
        for b, other in enumerate((1, 2, 3)):
            assert a == b or abs(found[a][b].estimate - own / (own + 2 * other)) < 4 * found[a][b].standard_error
    others = against_others(shares)
    assert others[0].estimate == pytest.approx((found[0][1].estimate + found[0][2].estimate) / 2)


def test_table__few_decks_and_rare_wins_leave_doubt():
    """Where every deck came out alike, nothing is known for sure."""
    sure = luce(1, 1e-12, 1e-12)
    one, few, many = (played(sure, decks=decks) for decks in (1, 3, 3000))
    assert best_replies(one.table()).sure.sum() == 0
    assert best_replies(few.table()).sure.sum() == 0
    assert best_replies(many.table()).sure[0] > 0
    at = few.row([1, 2, 0])
    assert few.covariance[at, 0, 0] == 0
    assert 0.1 < math.sqrt(few.table().covariance[at, 0, 0]) < 1
    assert math.sqrt(many.table().covariance[at, 0, 0]) < 0.002


def test_table__ordinary_errors_are_left_alone():
    shares = played(luce(1, 2, 3), decks=2000)
    assert shares.table().covariance == pytest.approx(shares.covariance)


# What follows


def test_best_replies__an_order_of_strength():
    found = best_replies(played(luce(1, 2, 4), decks=2000).table())
    assert found.fields == 6
    assert found.best.tolist() == found.sure.tolist() == [0, 0, 6]
    assert found.beaten.tolist() == [6, 6, 0]


def test_games_to_settle__brings_the_smallest_gap_out_of_its_error():
    shares = played(luce(1, 1.2), ("a", "b"), 2, decks=60)
    found = shares.combined(alone(shares, 1, 0))
    gap = found.estimate - 0.5
    error = (found.high - found.low) / 2 / Z95
    z = NormalDist().inv_cdf(1 - 0.05 / 4)  # each of two against the other, in both fields
    assert 0 < gap < z * error, "not settled yet"
    needed = tournament_analysis.games_to_settle(shares, 1)
    assert needed == pytest.approx(shares.games.sum() * (z * error / gap) ** 2, rel=0.06)


def test_games_to_settle__not_where_another_one_is_better():
    shares = played(luce(1, 1.2), ("a", "b"), 2, decks=60)
    assert tournament_analysis.games_to_settle(shares, 0) is None


def test_best_replies__only_fields_that_were_played():
    assert best_replies(played(luce(1, 2, 4), pairs=True).table()).fields == 3


def test_analyse__an_order_of_strength():
    found = analyse(played(luce(1, 2, 4), decks=2000))
    assert found.names == ["c", "b", "a"]
    truth = 400 * np.log10([1, 2, 4])
    for k, elo in enumerate(truth - truth.mean()):
        assert abs(found.ratings.elo[k] - elo) < 2 * found.rating_halves[k]
    assert {(d.strategy, *d.by) for d in found.dominance if d.verdict == "dominated"} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert found.balance.equilibrium.mix.tolist() == [0, 0, 1]
    assert found.balance.mass[2][:3] == (1, 1, 1)
    assert found.balance.edge[0].high < found.balance.edge[1].high < 0
    assert list(found.balance.alpha) == list(ALPHAS)
    assert found.balance.alpha[10.0][2].estimate > 0.95
    assert found.cycles == []


def test_analyse__a_circle():
    found = analyse(played(ring, decks=2000))
    assert len(found.cycles) == 1
    assert sorted(found.cycles[0].strategies) == ["a", "b", "c"]
    for mass in found.balance.mass:
        assert mass.low < 1 / 3 < mass.high
        assert mass.high - mass.low < 0.1
    assert found.balance.equilibrium.regret == pytest.approx(0, abs=1e-7)
    assert best_replies(found.shares.table()).sure.max() < 6


def test_analyse__an_equilibrium_of_many_has_no_interval(monkeypatch):
    """Where it would take too long to find it anew again and again."""
    monkeypatch.setattr(tournament_analysis, "MOST_MIXED", 2)
    monkeypatch.setattr(tournament_analysis, "FEW_MIXED", 2)
    found = analyse(played(ring, decks=200))
    assert [math.isnan(mass.high) for mass in found.balance.mass] == [True] * 3
    assert sum(mass.estimate for mass in found.balance.mass) == pytest.approx(1)
    assert equilibrium_frame(found).filter(pl.col("measure") == "nash_mass")["low"].is_null().all()
    assert all(math.isfinite(edge.high) for edge in found.balance.edge)


def test_analyse__pairs_say_what_they_can():
    found = analyse(played(luce(1, 2, 4), pairs=True, decks=1000))
    assert found.names == ["c", "b", "a"]
    assert found.dominance is found.balance is found.field is None
    assert equilibrium_frame(found).is_empty()


def test_analyse__ratings_take_their_errors_from_decks():
    """Repeated tournaments scatter as far as the intervals say."""
    runs = [analyse(played(luce(1, 2, 4), pairs=True, decks=100, seed=seed)) for seed in range(40)]
    spread = np.std([run.ratings.elo for run in runs], axis=0, ddof=1)
    said = np.mean([run.ratings.errors for run in runs], axis=0)
    assert spread == pytest.approx(said, rel=0.35)  # the standard error of a deviation from 40 runs is 11 %


def test_undominated__only_what_may_be_in_an_equilibrium():
    table = played(luce(1, 2, 4), decks=2000).table()
    assert undominated(table).strategies == ("c",)
    assert undominated(played(ring, decks=2000).table()).strategies == NAMES
    part = restricted(table, ["a", "c"])
    assert part.counts.tolist() == [[3, 0], [2, 1], [1, 2], [0, 3]]
    mix = [0.25, 0.75]
    assert part.payoffs(mix) == pytest.approx(table.payoffs([0.25, 0, 0.75])[[0, 2]])


# Frames


def test_frames__what_is_stored():
    found = analyse(played(luce(1, 2, 4), decks=100))
    shares = found.shares
    long = payoffs(shares)
    assert long.height == (shares.counts > 0).sum()
    row = long.row(by_predicate=(pl.col("table") == "1 a,2 c") & (pl.col("strategy") == "c"), named=True)
    at = shares.row([1, 0, 2])
    assert (row["count"], row["games"], row["decks"]) == (2, 400, 100)
    assert row["share"] == pytest.approx(shares.means[at, 2])
    assert row["low"] < row["share"] < row["high"]
    mirror = long.row(by_predicate=pl.col("table") == "3 a", named=True)
    assert (mirror["games"], mirror["decks"], mirror["standard_error"]) == (0, 0, 0)
    assert matrix_frame(shares, found.matrix).height == 9
    assert ratings_frame(found)["strategy"].to_list() == ["c", "b", "a"]
    settled = equilibrium_frame(found)
    assert settled["measure"].unique(maintain_order=True).to_list() == [
        "nash_mass",
        "edge",
        *(f"alpha_rank_mass:{alpha:g}" for alpha in ALPHAS),
    ]
    assert settled.filter(pl.col("measure") == "nash_mass")["estimate"].sum() == pytest.approx(1)


def test_frames__without_an_interval():
    found = analyse(played(luce(1, 2, 4), decks=1))
    assert ratings_frame(found)["low"].is_null().all()
    assert payoffs(found.shares).filter(pl.col("games") > 0)["standard_error"].is_null().all()
    assert payoffs(found.shares)["share"].is_not_null().all()
