"""What pinch gives to be tuned: lessons whose gains are gradients, shares like those of a run, and exact files."""

import numpy as np
import pytest

from pinchsim import api
from pinchsim.errors import UsageError
from pinchsim.games.pinch.game import PINCH
from pinchsim.games.pinch.policy import files, layout, learning, small, tunable, writing
from pinchsim.games.pinch.policy.learning import LEARNING_STATE
from pinchsim.lab.tuning.crew import BATCH_DECKS, Crew
from pinchsim.lab.watcher import Watcher
from pinchsim.strategy import library

DOZEN = library.find("pinch", "dozen")


def tunable_of(variant="pinch", players=4):
    return PINCH.tunable(PINCH.load_variant(variant), players)


def noisy(seed=1, scale=0.5):
    """Weights that play in all sorts of ways."""
    weights = small.expand({}) + np.random.default_rng(seed).normal(size=layout.N_WEIGHTS) * scale
    weights[: layout.N_SETTINGS] = 0
    weights[layout.STARTS[-1] :] = 0
    return weights


def with_settings(weights, temperature):
    weights = weights.copy()
    weights[layout.TEMPERATURE], weights[layout.MEMORY] = temperature, 1
    return weights


# Lessons


def log_chance(block, mind, fixed):
    """Log of the softmax probability of the chosen option under a block of weights, float64[contexts, features]."""
    scores = fixed + mind["features"][: len(fixed), : block.shape[1]] @ (mind["context"] @ block)
    return scores[mind["chosen"]] - scores.max() - np.log(np.exp(scores - scores.max()).sum())


def test_lessons__gains_are_the_gradient_of_the_log_probability():
    """Finite differences on the last decision of games that are cut off, as its mind still shows it."""
    weights, seen = noisy(), set()
    for game in range(80):
        pinch = tunable_of(f"{('pinch', 'classic')[game % 2]}+turn_limit={5 + game % 9}")
        memory = pinch.new_memory()
        lessons = pinch.lessons([weights] * 4, [True] * 4, 3, np.array([game]), memory)
        mind = memory[0].view(LEARNING_STATE)[0]["mind"]
        n = int(mind["options"])
        if n < 2:
            continue  # the last decision left no choice, and no lesson
        kind = int(lessons.kinds[-1])
        first, last = layout.BLOCKS[list(layout.BLOCKS)[kind]]
        block = weights[first:last].reshape(layout.N_CONTEXTS, -1)
        fixed = mind["scores"][:n] - mind["features"][:n, : block.shape[1]] @ (mind["context"] @ block)
        slope = np.outer(lessons.contexts[-1], lessons.gains[-1, : block.shape[1]])
        np.testing.assert_allclose(lessons.contexts[-1], mind["context"], rtol=1e-6)
        for c, f in [np.unravel_index(np.abs(slope).argmax(), slope.shape), (0, 0), (1, 3), (3, 5), (10, 2)]:
            step = np.zeros_like(block)
            step[c, f] = 1e-5
            found = (log_chance(block + step, mind, fixed) - log_chance(block - step, mind, fixed)) / 2e-5
            assert found == pytest.approx(slope[c, f], abs=2e-5)
        seen.add(list(layout.BLOCKS)[kind])
    assert seen >= {"play", "draw", "take_back"}


def test_lessons__gains_average_out():
    """The mean of the gradient of the log probability is zero, whatever the weights."""
    pinch = tunable_of()
    lessons = pinch.lessons([noisy()] * 4, [True] * 4, 1, np.arange(600), pinch.new_memory())
    for kind in (0, 1, 3):
        gains = lessons.gains[lessons.kinds == kind].astype(float)
        errors = gains.std(axis=0) / np.sqrt(len(gains))
        assert (np.abs(gains.mean(axis=0)) <= 4.5 * errors + 1e-9).all()


def test_lessons__only_those_who_learn():
    pinch, games = tunable_of(players=3), np.arange(30)
    places = [noisy(1), noisy(2), noisy(3)]
    alone = pinch.lessons(places, [True, False, False], 1, games, pinch.new_memory())
    both = pinch.lessons(places, [True, True, False], 1, games, pinch.new_memory())
    assert 0 < len(alone.kinds) < len(both.kinds)
    assert set(np.unique(alone.outcomes)) <= {np.float32(x) for x in (0, 1 / 3, 0.5, 1)}
    assert set(alone.players.tolist()) == {0, 1, 2}, "the place moves over the seats"


def test_lessons__too_little_room_is_made_good(monkeypatch):
    pinch, games = tunable_of(players=3), np.arange(30)
    whole = pinch.lessons([noisy()] * 3, [True] * 3, 1, games, pinch.new_memory())
    monkeypatch.setattr(tunable, "LESSONS_A_PLAYER", 1)
    again = pinch.lessons([noisy()] * 3, [True] * 3, 1, games, pinch.new_memory())
    for one, other in zip(whole, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert whole.missed == 0


def test_lessons__what_finds_no_room_is_counted():
    pinch, games = tunable_of(players=3), np.arange(30)
    pinch.load()
    everything = pinch.lessons([noisy()] * 3, [True] * 3, 1, games, pinch.new_memory())
    blocks = [np.empty((100, width), np.float32) for width in (layout.WIDTH, layout.N_CONTEXTS, 3)]
    memory = pinch.new_memory()
    n, missed = pinch._learn([noisy()] * 3, 1.0, [True] * 3, 1, games, memory, (*blocks, np.zeros((30, 3))))
    assert (n, n + missed) == (100, len(everything.kinds))
    np.testing.assert_array_equal(blocks[0], everything.gains[:100])
    assert learning.MAX_LESSONS > 1000


# Shares


@pytest.mark.parametrize("jobs", [1, 3])
def test_crew__threads_do_not_matter(jobs):
    pinch = tunable_of(players=3)
    crew = Crew(pinch, 3, 5, jobs, Watcher())
    decks = 2 * BATCH_DECKS + 7
    shares = crew.shares([noisy(1), noisy(2), noisy(2)], 10, decks)
    lessons = crew.lessons([noisy(1), noisy(2), noisy(2)], [True, False, False], 10, decks)
    indices = np.arange(3 * 10, 3 * (10 + decks))
    memory = pinch.new_memory()
    np.testing.assert_array_equal(shares, pinch.shares([noisy(1), noisy(2), noisy(2)], 5, indices, memory))
    expected = pinch.lessons([noisy(1), noisy(2), noisy(2)], [True, False, False], 5, indices, memory)
    for one, other in zip(lessons, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_shares__those_of_a_run(tmp_path):
    """The same decks as a sweep with the same strategies, both with a rival and without."""
    greedy = library.find("pinch", "greedy")
    pinch, weights = PINCH.tunable(PINCH.load_variant("pinch"), 4, (greedy,)), tunable_of().weights(DOZEN)
    run = api.sweep(line_ups=["dozen,greedy"], players=[4], games=80, base=None, out=tmp_path, jobs=1)
    rows = run.players.sort("deck", "rotation", "strategy")
    shares = pinch.shares([weights, greedy, greedy, greedy], 1, np.arange(80), pinch.new_memory())
    np.testing.assert_allclose(shares.ravel(), rows["win_share"].to_numpy(), atol=1e-6)
    assert shares[:, 0].mean() > 0.4
    alike = pinch.shares([weights] * 4, 1, np.arange(80), pinch.new_memory())
    np.testing.assert_allclose(alike.reshape(-1, 4, 4).sum(axis=(1, 2)), 4)
    np.testing.assert_allclose(alike.mean(axis=0), 0.25, atol=0.2)


def test_shares__equals_are_exactly_fair():
    """One among equals, from every seat: each deck is shared out."""
    pinch = tunable_of(players=3)
    shares = pinch.shares([noisy()] * 3, 2, np.arange(60), pinch.new_memory())
    np.testing.assert_allclose(shares[:, 0].reshape(-1, 3).mean(axis=1), 1 / 3)


# Strategies and files


def test_weights__named_numbers_have_the_same_length_whatever_their_size(tmp_path):
    pinch = tunable_of()
    weights, numbers = pinch.weights(DOZEN), pinch.numbers(DOZEN)
    expected = small.expand(DOZEN.data["weights"])
    np.testing.assert_array_equal(pinch.expand(numbers), expected)
    usual = np.array([value for _, value, _ in small.SMALL.values()])
    factor = tunable.SHARPENED * np.linalg.norm(usual) / np.linalg.norm(numbers)
    np.testing.assert_allclose(weights, expected * factor)
    assert (weights[: layout.N_SETTINGS] == 0).all()
    halved = written(tmp_path / "halved.toml", writing.small_text(None, "Half.", numbers / 2, {}))
    np.testing.assert_allclose(pinch.weights(halved), weights, atol=0.02)
    nothing = written(tmp_path / "nothing.toml", writing.small_text(None, "Nothing.", numbers * 0, {}))
    assert not pinch.weights(nothing).any()


def test_weights__of_code_there_are_none():
    greedy = library.find("pinch", "greedy")
    for read in (tunable_of().weights, tunable_of().numbers):
        with pytest.raises(UsageError, match="'greedy' is code and has no weights to begin with"):
            read(greedy)


def read(path):
    return library.find("pinch", path.stem, (path.parent,))


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_trained_text__read_write_read(tmp_path):
    pinch = tunable_of()
    weights = pinch.rounded(noisy(scale=3))
    weights[layout.BLOCKS["shadow"][0] :] = 0
    facts = {"seed": 1, "command": 'pinchsim "x"', "win_share_against": {"stage 5": "30 %"}, "share": 0.5, "sure": True}
    text = writing.trained_text(None, "Mine.", {"pinch/4": weights}, {"pinch/4": facts})
    found = written(tmp_path / "mine.toml", text)
    np.testing.assert_array_equal(pinch.weights(found), weights)
    assert found.idea == "Mine."
    assert found.data["provenance"]["pinch/4"] == facts
    assert "shadow" not in found.data["pinch/4"], "rows of nothing are left out"
    assert len(next(iter(found.data["pinch/4"]["play"].values())).split()) == layout.N_CONTEXTS
    again = writing.trained_text(found, "Other.", {"pinch/4": pinch.weights(found)}, {"pinch/4": facts})
    assert again == text
    assert all(line.isascii() for line in text.splitlines())


def test_trained_text__other_tables_and_settings_stay(tmp_path):
    first = writing.trained_text(None, "Mine.", {"classic/3": noisy(1)}, {"classic/3": {"seed": 7}})
    first = first.replace("\n\n[provenance", "\n\n[settings]\nmemory = 0.5\n\n[provenance", 1)
    found = written(tmp_path / "mine.toml", first)
    found = written(tmp_path / "mine.toml", writing.trained_text(found, "", {"pinch/4": noisy(2)}, {"pinch/4": {"seed": 8}}))
    assert found.data["settings"] == {"memory": 0.5}
    assert found.data["provenance"] == {"classic/3": {"seed": 7}, "pinch/4": {"seed": 8}}
    for variant, players, seed in (("classic", 3, 1), ("pinch", 4, 2)):
        expected = tunable_of().rounded(noisy(seed))
        np.testing.assert_array_equal(tunable_of(variant, players).weights(found), expected)


def test_small_text__read_write_read(tmp_path):
    pinch = tunable_of()
    numbers = pinch.rounded(np.random.default_rng(1).normal(size=len(small.SMALL)))
    found = written(tmp_path / "mine.toml", writing.small_text(None, "Mine.", numbers, {"seed": 1}))
    np.testing.assert_array_equal(pinch.numbers(found), numbers)
    assert writing.small_text(found, "Mine.", numbers, {"seed": 1}) == found.source
    files.read_policy(found)


def test_text__another_form_is_refused(tmp_path):
    trained = written(tmp_path / "trained.toml", writing.trained_text(None, "", {"pinch/4": noisy()}, {}))
    with pytest.raises(UsageError, match=r"trained.toml' is there already and has another form: .* --form large"):
        writing.small_text(trained, "", np.zeros(len(small.SMALL)), {})
    with pytest.raises(UsageError, match=r"dozen.toml' is there already and has another form: .* --form small"):
        writing.trained_text(DOZEN, "", {"pinch/4": noisy()}, {})
    with pytest.raises(UsageError, match=r"it is code, not weights. Choose another name."):
        writing.trained_text(library.find("pinch", "greedy"), "", {"pinch/4": noisy()}, {})
    like = written(tmp_path / "like.toml", 'policy = "search"\nplays_like = "dozen"\n')
    with pytest.raises(UsageError, match="it holds no weights of its own"):
        writing.trained_text(like, "", {"pinch/4": noisy()}, {})
    with pytest.raises(UsageError, match="named after a variant that comes with pinchsim, and 'pinch\\+copies=9' does not"):
        writing.trained_text(None, "", {"pinch+copies=9/4": noisy()}, {})
    with pytest.raises(UsageError, match=r"has no table \[weights\] of named numbers; tune it with --form large"):
        tunable_of().numbers(trained)
