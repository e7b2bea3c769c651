"""Which cells of two runs belong together, and whether their decks are the same."""

import pytest

import pinchsim
from pinchsim.errors import UsageError

SMALL = {"base": None, "players": [3], "line_ups": ["greedy"], "games": 120, "jobs": 1}


@pytest.fixture
def sweep(tmp_path):
    def played(name, **fields):
        return pinchsim.sweep(out=tmp_path / name, **(SMALL | fields))

    return played


def turns(found):
    return found.table.filter(measure="turns").to_dicts()


def test_compare__with_the_same_seed_it_agrees_with_the_comparison_of_one_run(sweep):
    """Two runs of a variant each say what one run of both says."""
    both = sweep("both", variants=["pinch", "classic"], base="pinch")
    found = pinchsim.compare(sweep("a"), sweep("b", variants=["classic"]))
    assert found.paired and found.seeds == (1, 1)
    for row in found.table.to_dicts():
        (told,) = both.summary.differences.filter(measure=row["measure"], position=row["position"]).to_dicts()
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx(
            (told["estimate"], told["low"], told["high"]), abs=1e-9
        )
        assert row["variance_reduction"] == pytest.approx(told["variance_reduction"], rel=1e-6, nan_ok=True)
    own = both.summary.estimates.filter(variant="classic", measure="end:hand_empty").to_dicts()[0]
    (row,) = found.table.filter(measure="end:hand_empty").to_dicts()
    assert (row["estimate_b"], row["low_b"], row["high_b"]) == pytest.approx((own["estimate"], own["low"], own["high"]))


def test_compare__with_other_seeds_they_are_independent(sweep):
    found = pinchsim.compare(sweep("a"), sweep("b", seed=2))
    assert not found.paired
    assert found.seeds == (1, 2)
    assert turns(found)[0]["estimate"] == pytest.approx(turns(found)[0]["estimate_b"] - turns(found)[0]["estimate_a"])
    factors = [run.summary.estimates.filter(measure="turns")["variance_reduction"][0] for run in (found.a, found.b)]
    assert min(factors) <= turns(found)[0]["variance_reduction"] <= max(factors)


def test_compare__a_longer_run_on_the_decks_that_both_have(sweep):
    (row,) = turns(pinchsim.compare(sweep("a"), sweep("b", games=240)))
    assert (row["decks_a"], row["decks_b"], row["estimate"], row["high"]) == (40, 40, 0, 0)


def test_compare__cells_by_name_or_the_only_one(sweep):
    several = sweep("a", variants=["pinch", "classic"], line_ups=["greedy", "uniform"])
    found = turns(pinchsim.compare(several, sweep("b", variants=["classic"])))
    assert [(row["variant_a"], row["line_up_a"], row["variant_b"]) for row in found] == [("classic", "greedy", "classic")]
    (other,) = turns(pinchsim.compare(sweep("c", line_ups=["uniform"]), sweep("d")))
    assert (other["line_up_a"], other["line_up_b"]) == ("uniform", "greedy")


def test_compare__what_has_nothing_in_common(sweep):
    with pytest.raises(UsageError, match="no cells in common to compare: pinch 3p greedy; and pinch 4p greedy"):
        pinchsim.compare(sweep("a"), sweep("b", players=[4]))
    with pytest.raises(UsageError, match="they play 'pinch' as 'game' and 'pinch' as 'match'"):
        pinchsim.compare(sweep("a"), sweep("c", session="match", games=12))


def test_compare__sessions(sweep):
    a, b = (sweep(name, session="match", games=12, line_ups=[who]) for name, who in (("a", "greedy"), ("b", "uniform")))
    assert "single_game_advantage" in pinchsim.compare(a, b).table["measure"]
