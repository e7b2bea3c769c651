"""Tuning on the toy game, whose optimum is known: it is found, whatever the threads, and after interruptions, too."""

import json
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from pinchsim import api, games
from pinchsim.errors import UsageError
from pinchsim.lab.tuning import crew, learners, store
from pinchsim.lab.tuning import tune as loop
from pinchsim.lab.tuning.evolution import Evolution
from pinchsim.lab.tuning.league import RECENT, League
from pinchsim.lab.tuning.tune import TuneWatcher
from pinchsim.measure.tuning import STRONGER, UNSURE
from pinchsim.paths import shipped
from tests.lab.toy_tunable import BEST, OPTIMUM, TunableToy, exact_share, levels_of

START = "# The middle.\npolicy = 'toy'\nweights = [0, 1, 0, 0]\nnumbers = [0, 0]\n"
QUICK = {"iterations": 7, "games": 400, "start": "middle"}


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path):
    monkeypatch.setattr(games, "load", lambda name: TunableToy())
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "strategies" / "toy"
    folder.mkdir(parents=True)
    (folder / "middle.toml").write_text(START, encoding="utf-8")


def tuned(form="large", out=None, jobs=2, watcher=None, **fields):
    fields = {"variant": "fair", "players": [2]} | QUICK | fields
    return api.tune("better", form=form, out=out, jobs=jobs, watcher=watcher, **fields)


def vector_of(found):
    data = tomllib.loads(found.plan.path.read_text(encoding="utf-8"))
    return np.array(data.get("weights", data.get("numbers")))


def files(folder):
    """All results of a run, by path; of packed arrays what is in them."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix == ".npz":
            with np.load(path) as kept:
                found[path.name] = {name: kept[name].tobytes() for name in kept}
        elif path.suffix == ".parquet":
            found[path.name] = path.read_bytes()
    return found


# The optimum


def test_tune__large_form_finds_the_optimum():
    found = tuned(iterations=25, games=2000)
    (result,) = found.results
    levels = levels_of(vector_of(found))
    assert np.abs(levels - BEST).max() <= 0.2
    assert found.written and result.verdict == STRONGER
    against = {row["against"]: row for row in result.confirmation.iter_rows(named=True)}
    for name in ("start", "middle"):
        error = (against[name]["high"] - against[name]["low"]) / 3.92
        assert abs(against[name]["share"] - exact_share(levels, np.zeros(2))) < 4 * error
    assert list(against) == ["start", "stage 5", "stage 10", "stage 15", "stage 20", "stage 25", "middle"]
    assert result.history["share"][-1] > result.history["share"][0]


def test_tune__small_form_finds_the_optimum():
    found = tuned("small", iterations=25, games=3000)
    assert np.abs(vector_of(found) - OPTIMUM).max() < 0.3
    assert found.written


def test_evolution__answers_with_the_mean():
    """On a noisy bowl the mean comes closer than candidates that were lucky."""
    rng = np.random.default_rng(5)
    evolution = Evolution(np.zeros(12), 1)
    goal = np.linspace(-1, 1, 12)
    for _ in range(120):
        evolution.tell([-float(((x - goal) ** 2).sum()) + 0.05 * rng.normal() for x in evolution.ask()])
    assert np.abs(evolution.mean - goal).max() < 0.25
    assert evolution.told().shape == (120, evolution.size)


def test_evolution__replayed():
    first = Evolution(np.zeros(3), 7)
    for _ in range(5):
        first.tell([-float((x**2).sum()) for x in first.ask()])
    np.random.seed(1)  # the state that all share must not matter, nor be changed
    before = np.random.get_state()[1].copy()
    again = Evolution.replayed(np.zeros(3), 7, first.told())
    assert (np.random.get_state()[1] == before).all()
    np.testing.assert_array_equal(again.mean, first.mean)
    np.testing.assert_array_equal(again.ask(), first.ask())


# Repeatable


@pytest.mark.parametrize("form", ["large", "small"])
def test_tune__same_bytes_for_any_number_of_threads(form, monkeypatch):
    monkeypatch.setattr(crew, "BATCH_DECKS", 7)
    one, many = (files(tuned(form, Path(str(jobs)), jobs).folder) for jobs in (1, 4))
    assert one == many
    assert len(one) == 4


class Interrupted(TuneWatcher):
    """Ctrl-C after an iteration, or amid one after so many games."""

    def __init__(self, iteration=None, games=None):
        self.iteration, self.games = iteration, games

    def iterated(self, players, done, iterations, share):
        if done == self.iteration:
            raise KeyboardInterrupt

    def played(self, games, found=False):
        if self.games is not None:
            self.games -= games
            if self.games < 0:
                raise KeyboardInterrupt


@pytest.mark.parametrize("form", ["large", "small"])
def test_tune__interrupted_and_gone_on_with_is_as_if_undisturbed(form, monkeypatch):
    monkeypatch.setattr(loop, "LEAGUE_EVERY", 2)
    whole = tuned(form, Path("whole"), folder="a")
    for watcher in (Interrupted(iteration=2), Interrupted(games=1500), Interrupted(iteration=7)):
        cut = tuned(form, Path("part"), watcher=watcher, folder="b")
        assert not cut.complete and not cut.written and not cut.results
        assert json.loads(Path("part/manifest.json").read_text(encoding="utf-8"))["state"] == "interrupted"
    assert cut.done == 7
    assert not Path("b").exists(), "nothing is written before the end"
    again = tuned(form, Path("part"), folder="b")
    assert again.complete and again.written == whole.written
    assert files("part") == files("whole")
    assert Path("a/better.toml").read_bytes() == Path("b/better.toml").read_bytes()
    assert json.loads(Path("part/manifest.json").read_text(encoding="utf-8"))["state"] == "complete"


def test_tune__finished_is_read_again(monkeypatch):
    first = tuned(out=Path("r"))
    monkeypatch.setattr(crew.Crew, "_play", None)
    again = tuned(out=Path("r"))
    assert again.results[0].confirmation.equals(first.results[0].confirmation)
    assert again.results[0].chosen == first.results[0].chosen


def test_tune__default_folder():
    assert tuned().folder == tuned().folder
    assert tuned().folder.parent == Path("results")
    assert tuned(seed=2).folder != tuned().folder


def test_tune__fresh_decks():
    """Training, validation and confirmation never share a deck, nor does any of them with sweeps."""
    seen = []

    class Spy(TunableToy):
        def tunable(self, variant, players, rivals=()):
            tunable = super().tunable(variant, players, rivals)
            real, learn = tunable.shares, tunable.lessons
            tunable.shares = lambda *args: seen.append(args[2]) or real(*args)
            tunable.lessons = lambda *args: seen.append(args[3]) or learn(*args)
            return tunable

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "load", lambda name: Spy())
        tuned(jobs=1)
    decks = np.concatenate(seen) // 2
    purposes, counts = np.unique(decks >> 40, return_counts=True)
    assert purposes.tolist() == [1, 2, 3]
    assert decks.min() > 2**31
    assert counts[0] == QUICK["iterations"] * QUICK["games"]
    assert len(np.unique(decks[decks >> 40 == 1])) * 2 == counts[0], "no deck is learnt from twice"


# League


def test_league__grows_and_draws_from_the_latest():
    league = League.begun(np.zeros(1))
    for k in range(1, 10):
        league = league.grown(np.full(1, float(k)), 5 * k)
    assert league.joined == tuple(5 * k for k in range(10))
    drawn = {float(x[0]) for x in league.opponents(np.random.default_rng(1), 200)}
    assert drawn == set(range(10 - RECENT, 10))


def test_tune__league_holds_copies():
    folder = tuned(iterations=10).folder
    state = store.State.load(folder / "2-players", np.zeros(4))
    assert state.league.joined == (0, 5, 10)
    np.testing.assert_array_equal(state.league.members[0], [0, 1, 0, 0])
    np.testing.assert_array_equal(state.league.members[2], state.vector)
    assert not np.array_equal(state.league.members[1], state.vector)
    assert state.tail_count == 3


def test_tune__opponents(monkeypatch):
    """A fifth of the games is played among the league and 30 % among sparring partners: there one learns, alone. Elsewhere all
    are the same learner."""
    calls = []
    real = crew.Crew.lessons

    def spy(self, places, learns, first, decks):
        copies = all(np.array_equal(places[0], other) for other in places[1:])
        calls.append((learns, "copies" if copies else getattr(places[1], "name", "league"), decks))
        return real(self, places, learns, first, decks)

    monkeypatch.setattr(crew.Crew, "lessons", spy)
    tuned(iterations=2)
    both, one = [True, True], [True, False]
    assert calls[:3] == [(both, "copies", 100), (one, "copies", 40), (one, "middle", 60)], "at first the start is the learner"
    assert calls[3:] == [(both, "copies", 100), (one, "league", 40), (one, "middle", 60)]


def test_tune__partners_take_turns(monkeypatch):
    """Each of them has parts of its own, whatever the number of parts in an iteration."""
    monkeypatch.setattr(learners, "FEW_DECKS", 100)
    toy = TunableToy()
    crew_of_two = crew.Crew(toy.tunable(None, 2, ("a", "b")), 2, 1, 1, TuneWatcher())
    met = [
        [part.opponents for part in learners.parts_of(crew_of_two, number, 2000, League.begun(np.zeros(4)))[-3:]]
        for number in (0, 1)
    ]
    assert met == [[["a"], ["b"], ["a"]], [["b"], ["a"], ["b"]]]


@pytest.mark.parametrize("games", [1, 3, 7, 400])
def test_parts_of__no_deck_is_learnt_from_twice(games):
    """Not even with so few games that each kind of part has the one deck that it must have."""
    few = crew.Crew(TunableToy().tunable(None, 2, ("a",)), 2, 1, 1, TuneWatcher())
    parts = [part for number in range(4) for part in learners.parts_of(few, number, games, League.begun(np.zeros(4)))]
    decks = [deck for part in parts for deck in range(part.first, part.first + part.decks)]
    assert len(set(decks)) == len(decks)
    assert len(decks) == 4 * sum(learners.decks_of(few, games))


def test_tune__without_partners():
    crew_alone = crew.Crew(TunableToy().tunable(None, 2), 2, 1, 1, TuneWatcher())
    parts = learners.parts_of(crew_alone, 3, 400, League.begun(np.zeros(4)))
    assert [part.decks for part in parts] == [160, 40]
    assert [part.first - crew.TRAINING for part in parts] == [600, 760]


def test_tune__lessons_in_parts(monkeypatch):
    """As many decks as before, a few at a time; the result is nearly the same."""
    whole = tuned(iterations=3, games=2000, out=Path("a"))
    monkeypatch.setattr(learners, "PART_DECKS", 100)
    parts = tuned(iterations=3, games=2000, out=Path("b"))
    assert parts.results[0].history["lessons"].to_list() == whole.results[0].history["lessons"].to_list()
    states = [store.State.load(Path(name, "2-players"), np.zeros(4)) for name in "ab"]
    np.testing.assert_allclose(states[0].vector, states[1].vector, rtol=0.2, atol=0.1)


# Judgement


def test_tune__what_is_not_stronger_is_not_written():
    """From the optimum nothing better is found."""
    best = "policy = 'toy'\nweights = [20, 40, -60, 0]\n"
    Path("strategies/toy/best.toml").write_text(best, encoding="utf-8")
    found = tuned(start="best", games=200)
    assert found.complete and not found.written
    assert found.results[0].verdict != STRONGER
    assert not found.plan.path.exists()


def test_tune__worth_of_a_game_by_hand(monkeypatch):
    """The last match that is played is the last one of the confirmation."""
    real, seen = crew.Crew.shares, []

    def spy(self, *args):
        seen.append(real(self, *args))
        return seen[-1]

    monkeypatch.setattr(crew.Crew, "shares", spy)
    shares, row = seen, tuned().results[0].confirmation.row(-1, named=True)
    games = shares[-1][:, 0]
    by_deck = games.reshape(-1, 2).mean(axis=1)
    worth = games.var(ddof=1) / games.size / (by_deck.var(ddof=1) / by_deck.size)
    assert row["variance_reduction"] == pytest.approx(worth)


def test_tune__start_kept_where_it_is_best(monkeypatch):
    monkeypatch.setattr("pinchsim.measure.tuning.best_of", lambda candidates: "start")
    found = tuned()
    assert found.results[0].confirmation.is_empty()
    assert found.results[0].verdict == UNSURE
    assert not found.written


def test_tune__provenance():
    found = tuned(iterations=12, games=2000)
    facts = json.loads(tomllib.loads(found.plan.path.read_text(encoding="utf-8"))["facts"])
    assert facts["command"] == (
        "pinchsim tune better --form large --variant fair --players 2 --start middle --iterations 12 --games 2000 --seed 1"
    )
    assert facts["games"] == 24_000
    assert facts["chosen"] in ("last", "average")
    assert list(facts["win_share_against"]) == ["start", "stage 5", "stage 10", "middle"]
    assert facts["win_share_against"]["start"].count("%") == 1


def test_tune__reads_its_own_file_next_time():
    first = tuned(iterations=12, games=2000)
    assert first.written
    written = vector_of(first)
    second = tuned(start=None)
    assert second.plan.start.name == "better"
    np.testing.assert_array_equal(second.plan.starts[2], written)
    assert second.folder != first.folder


def test_tune__history(tmp_path):
    found = tuned(out=tmp_path / "r")
    history = pl.read_parquet(tmp_path / "r/2-players/history.parquet")
    assert history.equals(found.results[0].history)
    assert history["iteration"].to_list() == [1, 2, 3, 4, 5, 6, 7]
    assert history["step"][0] == 0.05 and history["step"][-1] == pytest.approx(0.005)
    assert (history["games"] == 400).all() and (history["missed"] > 0).all()
    assert history["league"].to_list() == [1, 1, 1, 1, 2, 2, 2]


# Mistakes


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"form": "medium"}, "The form cannot be 'medium': expected 'small' .* or 'large'"),
        ({"start": "midle"}, "'midle' is not a strategy. Did you mean 'middle'"),
        ({"players": [3]}, "two players, not 3"),
        ({"iterations": 0}, "'iterations' cannot be 0: expected a whole number from 1 to 10,000"),
        ({"games": 1.5}, "'games' cannot be 1.5"),
        ({"seed": -1}, "'seed' cannot be -1: expected a whole number from 0"),
        ({"turns": 3}, "'turns' is not a setting of a tuning. Known: iterations, games, seed."),
    ],
)
def test_tune__mistakes(fields, words):
    with pytest.raises(UsageError, match=words):
        tuned(**fields)
    assert not Path("results").exists()


@pytest.mark.parametrize("name", ["default", "_x", "a-b", "3x"])
def test_tune__impossible_names(name):
    with pytest.raises(UsageError, match="cannot name a strategy"):
        api.tune(name, variant="fair")


def test_tune__folder_of_something_else():
    tuned(out=Path("r"))
    with pytest.raises(UsageError, match="holds another tuning; it differs in: seed. Choose another with --out"):
        tuned(out=Path("r"), seed=9)
    Path("q").mkdir()
    Path("q/letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty and holds no tuning"):
        tuned(out=Path("q"))
    Path("q/manifest.json").write_text('{"format": "pinchsim-run/1"}', encoding="utf-8")
    with pytest.raises(UsageError, match="something else than a tuning"):
        tuned(out=Path("q"))
    Path("q/manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="is damaged"):
        tuned(out=Path("q"))


def test_tune__damaged_state():
    tuned(out=Path("r"), watcher=Interrupted(iteration=2))
    Path("r/2-players/state.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"state.npz' is damaged; delete the folder"):
        tuned(out=Path("r"))


def test_shipped_start_exists():
    assert (shipped("strategies") / "pinch" / "dozen.toml").exists()
