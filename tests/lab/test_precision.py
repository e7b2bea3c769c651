"""Runs that play until something is known precisely enough: what they play, why they stop, and going on with them (M2.2)."""

import shutil
from types import SimpleNamespace

import polars as pl
import pytest

import pinchsim
from pinchsim import api, games
from pinchsim.errors import UsageError
from pinchsim.lab import chunks
from pinchsim.lab.chunks import Chunk
from pinchsim.lab.experiment import make_experiment, read_experiment, to_toml
from pinchsim.lab.schedule import UntilPrecise
from pinchsim.lab.work import Work
from pinchsim.measure.moments import quantile
from pinchsim.measure.precision import Look
from pinchsim.measure.sequential import BUDGET, INTERRUPTED, PRECISION, VERDICT
from pinchsim.measure.summary import CellName
from pinchsim.paths import shipped
from tests.lab.runs import Listener, before_chunk, contents
from tests.lab.toy import TOY

ADVANTAGE = "start_player_advantage"


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: TOY)
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 50)


def play(out, **fields):
    fields = {"variants": ["biased"], "line_ups": ["uniform"], "games": 40_000, "seed": 3} | fields
    strategies = (shipped("strategies") / "pinch",)
    return api.sweep(out=out, jobs=fields.pop("jobs", 2), watcher=fields.pop("watcher", None), strategies=strategies, **fields)


def half(row):
    return (row["high"] - row["low"]) / 2


def rows_of(run):
    """The targets, by variant and base."""
    return {(row["variant"], row["base"]): row for row in run.summary.precision.to_dicts()}


# What is played


def test_precision__reached_and_hardly_surpassed(toy, tmp_path):
    run = play(tmp_path / "run", precision="3pp")
    found = rows_of(run)
    assert found.keys() == {("fair", None), ("biased", None), ("biased", "fair")}
    assert {row["reason"] for row in found.values()} == {PRECISION}
    assert all(row["reached"] and row["wished"] == 0.03 for row in found.values())
    widest = max(row["half_width"] for row in found.values())
    assert 0.02 < widest <= 0.03
    (change,) = run.summary.differences.filter(measure=ADVANTAGE).to_dicts()
    assert half(change) == pytest.approx(found["biased", "fair"]["half_width"])
    for row in run.summary.estimates.filter(measure=ADVANTAGE).to_dicts():
        assert half(row) == pytest.approx(found[row["variant"], None]["half_width"])


def test_precision__other_measures_have_the_wider_intervals_too(toy, tmp_path):
    run = play(tmp_path / "run", precision="3pp")
    wide = run.summary.estimates.filter(measure="score", position=0, variant="fair").row(0, named=True)
    assert half(wide) == pytest.approx(quantile(wide["decks"], 0.05 / 0.04) * wide["standard_error"]), "of the closing look"


def test_precision__of_another_measure(toy, tmp_path):
    run = play(tmp_path / "run", precision="0.03", measure="score")
    assert [row["position"] for row in run.summary.precision.filter(pl.col("base").is_null()).to_dicts()] == [0, 1] * 2
    assert (run.summary.precision["half_width"] <= 0.03).all()


def test_variance_reduction__is_told_for_equal_numbers_of_games(toy, tmp_path):
    """Here the base has more games than its variant, and so more than are paired."""
    run = play(tmp_path / "run", precision="verdict", margin=0.04)
    games = dict(run.summary.estimates.filter(measure=ADVANTAGE).select("variant", "games").iter_rows())
    assert games["fair"] >= 2 * games["biased"]
    same = play(tmp_path / "same", games=games["biased"]).summary.differences.filter(measure=ADVANTAGE)
    adaptive = run.summary.differences.filter(measure=ADVANTAGE)
    assert adaptive["variance_reduction"][0] == pytest.approx(same["variance_reduction"][0], rel=0.05)


def test_budget__is_the_most_that_is_played(toy, tmp_path):
    run = play(tmp_path / "run", precision="0.1pp", games=900)
    assert {row["reason"] for row in rows_of(run).values()} == {BUDGET}
    assert not any(row["reached"] for row in rows_of(run).values())
    assert set(run.summary.estimates["games"]) == {900}
    assert run.complete


def test_verdict__undecided_cells_get_the_games(toy, tmp_path):
    run = play(tmp_path / "run", precision="verdict", margin=0.04)
    found = rows_of(run)
    assert {(name, row["verdict"]) for name, row in found.items()} == {
        (("fair", None), "within margin"),
        (("biased", None), "outside margin"),
    }
    assert {row["reason"] for row in found.values()} == {VERDICT}
    assert found["biased", None]["games"] * 2 <= found["fair", None]["games"], "10 pp are clear long before 0 pp"
    for row in run.summary.estimates.filter(measure=ADVANTAGE).to_dicts():
        assert half(row) > 3 * row["standard_error"], "passing looks are wide"


def test_verdict__a_case_on_the_margin_spends_its_budget(toy, tmp_path):
    run = play(tmp_path / "run", precision="verdict", margin=0.1, games=2000)
    assert (rows_of(run)["biased", None]["reason"], rows_of(run)["fair", None]["reason"]) == (BUDGET, VERDICT)


def test_waves__first_ones_are_a_part_and_none_is_more_than_there_is(toy, tmp_path):
    class Heard(Listener):
        def __init__(self):
            super().__init__()
            self.waves = []

        def started(self, games, unit="games"):
            self.waves.append(games)

        def goes_on(self, games, found):
            assert "pp at worst" in found
            self.waves.append(games)

    heard = Heard()
    run = play(tmp_path / "run", precision="3pp", watcher=heard)
    assert sum(heard.waves) == sum(run.summary.estimates.filter(measure=ADVANTAGE)["games"]) == heard.played_now
    assert len(heard.waves) > 1
    assert all(wave <= sum(heard.waves[:k]) for k, wave in enumerate(heard.waves) if k)


@pytest.mark.parametrize(
    ("needed", "more"),
    [(130, 3), (121, 3), (120, 2), (40, 1), (200, 10), (1000, 10), (None, 10)],
)
def test_waves__a_cell_gets_what_it_is_expected_to_need(needed, more):
    """Of 10 chunks of 10 decks it grows by the rest, and at most to twice as many."""
    name = CellName("fair", 2, "uniform")
    looks = iter([Look([], {name: needed}), Look([], {})])
    aim = SimpleNamespace(first_decks=lambda cell: 100, look=lambda tally, planned: next(looks))
    some = [Chunk(SimpleNamespace(name=name), k, 10 * k, 10) for k in range(50)]
    waves = UntilPrecise(some, aim).waves(None)
    assert [[chunk.number for chunk in wave] for wave in waves] == [[*range(10)], [*range(10, 10 + more)]]


# However it is played


def test_precision__same_bytes_for_any_number_of_threads(toy, tmp_path):
    found = []
    for jobs in (1, 3):
        folder = play(tmp_path / str(jobs), precision="3pp", jobs=jobs).folder
        found.append(contents(folder) | {"precision": (folder / "precision.parquet").read_bytes()})
    assert found[0] == found[1]


@pytest.mark.parametrize("at", [1, 8, 21])
def test_precision__interrupted_and_gone_on_with(toy, tmp_path, monkeypatch, at):
    class Break(Exception):
        pass

    def fail(chunk):
        raise Break

    whole = play(tmp_path / "whole", precision="3pp", jobs=1).folder
    with monkeypatch.context() as patch:
        before_chunk(at, patch, fail)
        with pytest.raises(Break):
            play(tmp_path / "part", precision="3pp", jobs=1)
    heard = Listener()
    part = play(tmp_path / "part", precision="3pp", jobs=2, watcher=heard).folder
    assert heard.found == (at - 1) * 100
    assert contents(part) == contents(whole)
    assert (part / "precision.parquet").read_bytes() == (whole / "precision.parquet").read_bytes()


@pytest.fixture(scope="module", params=["all", "none"])
def unequal(request, tmp_path_factory):
    """A run whose base got more games than its variant, with rows and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "load", lambda name: TOY)
        patch.setattr(chunks, "CHUNK_DECKS", 50)
        run = play(tmp_path_factory.mktemp("unequal") / "run", precision="verdict", margin=0.04, rows=request.param)
    played = dict(run.summary.estimates.filter(measure=ADVANTAGE).select("variant", "games").iter_rows())
    assert played["fair"] > played["biased"]
    return run.folder, sum(played.values())


def test_cells_of_unequal_games__nothing_is_played_again(toy, unequal):
    run, played = unequal
    before, heard = contents(run), Listener()
    api.resume(run, jobs=2, watcher=heard)
    assert (heard.found, heard.played_now, heard.warnings) == (played, 0, [])
    assert contents(run) == before


@pytest.mark.parametrize(("lost", "alone"), [("fair", 1), ("biased", 1), ("fair", 30)])
def test_cells_of_unequal_games__what_a_lost_chunk_is_compared_with_is_made_again(toy, unequal, tmp_path, lost, alone):
    """Chunk 1 belongs to both cells, chunk 30 to the base alone."""
    whole, played = unequal
    run = shutil.copytree(whole, tmp_path / "run")
    next(run.glob(f"finished/{lost}-*/part-{alone:06}.json")).unlink()
    heard = Listener()
    api.resume(run, jobs=1, watcher=heard)
    again = alone == 1 and not (run / "games").exists()
    assert (heard.found, heard.played_now) == (played - 100, 200 if again else 100)
    assert contents(run) == contents(whole)
    assert api.resume(run, jobs=1).complete


def test_interrupted__says_so_and_has_intervals_of_a_passing_look(toy, tmp_path, monkeypatch):
    def stop_soon(self, games):
        """Ctrl-C sets this flag."""
        if sum(len(cell.chunks) for cell in self.keeper.tally.cells.values()) >= 20:
            self.stop.set()
        return not self.stop.is_set()

    with monkeypatch.context() as patch:
        patch.setattr(Work, "on_games", stop_soon)
        stopped = play(tmp_path / "run", precision="3pp", jobs=1)
    assert not stopped.complete
    assert set(stopped.summary.precision["reason"]) == {INTERRUPTED}
    row = stopped.summary.estimates.filter(measure=ADVANTAGE, variant="fair").row(0, named=True)
    assert half(row) > 3 * row["standard_error"]
    again = api.resume(stopped.folder, jobs=1)
    assert {row["reason"] for row in rows_of(again).values()} == {PRECISION}


def test_load__has_it_too(toy, tmp_path):
    run = play(tmp_path / "run", precision="3pp")
    assert pinchsim.load(run.folder).summary.precision.equals(run.summary.precision)
    assert play(tmp_path / "fixed", games=200).summary.precision is None


# How it is asked for


def test_another_precision__is_another_run(toy, tmp_path):
    play(tmp_path / "run", precision="5pp")
    with pytest.raises(UsageError, match="precision"):
        play(tmp_path / "run", precision="4pp")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0.1pp", "0.1pp"),
        ("0.10 pp", "0.1pp"),
        ("0.1 %", "0.1pp"),
        ("verdict", "verdict"),
        (0.05, "0.05"),
        (2, "2"),
        ("", None),
    ],
)
def test_precision__has_one_spelling(given, kept):
    assert make_experiment({"precision": given}, "Here").precision == kept


@pytest.mark.parametrize("given", ["0pp", "-1pp", "fine", "1 point", True])
def test_precision__nonsense_is_a_mistake(given):
    with pytest.raises(UsageError, match="precision.*expected a half-width"):
        make_experiment({"precision": given}, "Here")


def test_games__are_many_unless_told(tmp_path):
    assert make_experiment({}, "Here").games == 100_000
    assert make_experiment({"precision": "1pp"}, "Here").games == 10_000_000
    assert make_experiment({"precision": "1pp", "games": 5}, "Here").games == 5
    (tmp_path / "x.toml").write_text(to_toml(make_experiment({"precision": "1pp"}, "Here")))
    assert read_experiment(tmp_path / "x.toml", {}) == make_experiment({"precision": "1pp"}, "Here")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"precision": "1"}, "a share needs a precision in percentage points, such as 1pp"),
        ({"precision": "1pp", "measure": "turns"}, "give a plain number"),
        ({"precision": "1pp", "measure": "fun"}, "'fun' is not a measure .* Known: win_share"),
        ({"precision": "verdict", "measure": "turns"}, "Only 'start_player_advantage' has verdicts"),
    ],
)
def test_precision__must_suit_the_measure(toy, tmp_path, fields, said):
    with pytest.raises(UsageError, match=said):
        play(tmp_path / "run", **fields)
