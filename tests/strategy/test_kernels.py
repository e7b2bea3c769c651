"""Kernels on disk: an edited file never runs stale, line-ups share what they can, and a broken cache is no obstacle.

Most tests compile for a game of a few lines, which goes through the same machinery in a second; the last one is Pinch.
"""

import json
import os
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pinchsim._jit import inner
from pinchsim.errors import UsageError
from pinchsim.strategy import kernels
from pinchsim.strategy.library import Strategy

ROOT = Path(__file__).resolve().parents[2]
DAY_S = 86_400

VIEW = np.dtype([("slot", np.int64), ("turn", np.int64)])
ENGINE = "# the engine's text; only its digest counts here\n"


@inner
def play_games(decide, slots, view_bytes, answers):
    """Ask the strategies in `slots` one after the other."""
    view = view_bytes.view(VIEW)[0]
    for k in range(slots.size):
        view.slot = slots[k]
        view.turn = k
        answers[k] = decide(view, view)


@inner
def play_games_twice(decide, slots, view_bytes, answers):
    """A later version of the engine: every answer counts double."""
    play_games(decide, slots, view_bytes, answers)
    for k in range(slots.size):
        answers[k] *= 2


@inner
def unchanged(view):
    return view


def hooks(mode, decide, read):
    (only,) = decide
    return only


def view_type():
    from numba import from_dtype

    return from_dtype(VIEW)


def ask(kernel, *slots):
    """Answers of the strategies in these places of the kernel."""
    answers = np.zeros(len(slots), np.int64)
    kernel(np.array(slots, np.int64), np.zeros(VIEW.itemsize, np.uint8), answers)
    return answers.tolist()


def game_in(folder):
    """A game with one decision, whose engine is the file in the folder."""
    folder.mkdir(exist_ok=True)
    (folder / "engine.py").write_text(ENGINE, encoding="utf-8")
    return SimpleNamespace(
        DECISIONS=("play",),
        REQUIRED=("play",),
        FIELDS=frozenset({"turn"}),
        ENTRY=("slots", "view", "answers"),
        FOLDER=folder,
        defaults=SimpleNamespace(),
        seen=unchanged,
        hooks=hooks,
        play_games=play_games,
        view_type=view_type,
        first_call=lambda kernel: ask(kernel),
    )


def strategy(folder, name, text, built_in=False):
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return Strategy(name, path, built_in)


def answering(folder, name, answer, built_in=False):
    """A strategy that always gives this answer."""
    return strategy(folder, name, f"ANSWER = {answer}\n\n\ndef play(view):\n    return ANSWER\n", built_in)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder, and nothing loaded yet; what is put beside the cache goes away, too."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PINCHSIM_CACHE", str(folder))
    monkeypatch.setattr(kernels, "_loaded", {})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return folder


@pytest.fixture
def game(tmp_path):
    return game_in(tmp_path / "game")


def load(game, *strategies, mode="fast"):
    return kernels.load_kernel(game, strategies, mode)


def forget_process(monkeypatch):
    """As in a new process: everything must come from disk."""
    monkeypatch.setattr(kernels, "_loaded", {})


def in_new_process(*strategies):
    """Answers, and whether the kernel was on disk already, in a process of its own."""
    code = (
        "import json, sys\n"
        "from pathlib import Path\n"
        "from tests.strategy import test_kernels as t\n"
        "game = t.game_in(Path(sys.argv[1]))\n"
        "used = [t.Strategy(Path(p).stem, Path(p), False) for p in sys.argv[2:]]\n"
        "known = t.kernels.is_compiled(game, used, 'fast')\n"
        "print(json.dumps([known, t.ask(t.load(game, *used), *range(len(used)))]))\n"
    )
    paths = [str(s.path) for s in strategies]
    folder = str(strategies[0].path.parent / "game")
    return subprocess.Popen(
        [sys.executable, "-c", code, folder, *paths],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def answer_of(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def test_load_kernel__asks_each_strategy_in_its_place(cache, game, tmp_path):
    used = [answering(tmp_path, "a", 7), answering(tmp_path, "b", 8), answering(tmp_path, "c", 9)]
    assert ask(load(game, *used), 2, 0, 1, 1, 2) == [9, 7, 8, 8, 9]


def test_load_kernel__same_files_same_kernel(cache, game, tmp_path):
    used = answering(tmp_path, "a", 7)
    kernel = load(game, used)
    assert load(game, used) is kernel
    assert len(list(cache.iterdir())) == 1


def test_load_kernel__edited_constant(cache, game, tmp_path):
    before = load(game, answering(tmp_path, "a", 7))
    after = load(game, answering(tmp_path, "a", 8))
    assert (ask(before, 0), ask(after, 0)) == ([7], [8])
    assert ask(load(game, answering(tmp_path, "a", 7)), 0) == [7], "and back again"


def test_load_kernel__edited_helper(cache, game, tmp_path):
    text = "def half(n):\n    return n // {}\n\n\ndef play(view):\n    return half(12)\n"
    assert ask(load(game, strategy(tmp_path, "a", text.format(2))), 0) == [6]
    assert ask(load(game, strategy(tmp_path, "a", text.format(3))), 0) == [4]


def test_load_kernel__edited_one_of_several(cache, game, tmp_path):
    other = answering(tmp_path, "b", 5)
    assert ask(load(game, answering(tmp_path, "a", 7), other), 0, 1) == [7, 5]
    assert ask(load(game, answering(tmp_path, "a", 8), other), 0, 1) == [8, 5]


def test_load_kernel__edited_file_with_the_date_of_the_old_one(cache, game, tmp_path):
    """File dates are not looked at: an editor or a checkout may set them back."""
    used = answering(tmp_path, "a", 7)
    date = used.path.stat().st_mtime_ns
    assert ask(load(game, used), 0) == [7]
    answering(tmp_path, "a", 8)
    os.utime(used.path, ns=(date, date))
    assert ask(load(game, used), 0) == [8]


def test_load_kernel__edited_file_in_a_new_process(cache, game, tmp_path):
    used = answering(tmp_path, "a", 7)
    assert ask(load(game, used), 0) == [7]
    assert answer_of(in_new_process(used)) == [True, [7]], "found on disk"
    answering(tmp_path, "a", 8)
    assert answer_of(in_new_process(used)) == [False, [8]]
    assert ask(load(game, used), 0) == [8]
    answering(tmp_path, "a", 7)
    assert answer_of(in_new_process(used)) == [True, [7]]


def test_load_kernel__two_processes_at_once(cache, game, tmp_path):
    """Both compile into the same folder, and both are right."""
    used = answering(tmp_path, "a", 7)
    processes = [in_new_process(used) for _ in range(2)]
    assert [answer_of(p)[1] for p in processes] == [[7], [7]]
    assert answer_of(in_new_process(used)) == [True, [7]]


def test_load_kernel__edited_engine(cache, game, tmp_path):
    used = answering(tmp_path, "a", 7)
    assert ask(load(game, used), 0) == [7]
    game.play_games = play_games_twice
    (game.FOLDER / "engine.py").write_text(ENGINE + "# twice\n", encoding="utf-8")
    assert not kernels.is_compiled(game, [used], "fast")
    assert ask(load(game, used), 0) == [14]


def test_is_compiled__depends_on_everything_that_decides(cache, game, tmp_path, monkeypatch):
    used, other = answering(tmp_path, "a", 7), answering(tmp_path, "b", 7)
    assert not kernels.is_compiled(game, [used], "fast")
    load(game, used)
    forget_process(monkeypatch)
    assert kernels.is_compiled(game, [used], "fast")
    assert not kernels.is_compiled(game, [used], "record")
    assert not kernels.is_compiled(game, [other], "fast")
    assert not kernels.is_compiled(game, [used, other], "fast")
    with monkeypatch.context() as changed:
        changed.setenv("NUMBA_BOUNDSCHECK", "1")
        assert not kernels.is_compiled(game, [used], "fast")
    for package in ("numba", "llvmlite", "numpy"):
        with monkeypatch.context() as changed:
            changed.setattr(kernels, "version", lambda name, p=package: "0" if name == p else version(name))
            assert not kernels.is_compiled(game, [used], "fast"), package
    (game.FOLDER / "new.py").write_text("", encoding="utf-8")
    assert not kernels.is_compiled(game, [used], "fast")


@pytest.mark.parametrize("name", ["_jit.py", "rng.py", "kernels.py", "module.py", "engine.py"])
def test_engine_files__hold_all_that_ends_up_in_a_kernel(game, name):
    assert name in [path.name for path in kernels.engine_files(game)]


def test_kernel_strategies__one_strategy_is_alone(tmp_path):
    mine, shipped = answering(tmp_path, "mine", 1), answering(tmp_path, "shipped", 2, built_in=True)
    assert kernels.kernel_strategies([mine], [mine, shipped]) == [mine]
    assert kernels.kernel_strategies([mine, mine, mine], [mine, shipped]) == [mine]
    assert kernels.kernel_strategies([shipped], [mine, shipped]) == [shipped]


def test_kernel_strategies__mixture_takes_the_shipped_ones_together(tmp_path):
    shipped = [answering(tmp_path, name, 1, built_in=True) for name in ("z", "k", "a")]
    mine, unused = answering(tmp_path, "mine", 2), answering(tmp_path, "unused", 3)
    library = [*shipped, mine, unused]
    names = [s.name for s in kernels.kernel_strategies([shipped[0], shipped[1]], library)]
    assert names == ["a", "k", "z"]
    assert [s.name for s in kernels.kernel_strategies([mine, shipped[0]], library)] == ["a", "k", "mine", "z"]


def test_kernel_strategies__own_file_stands_for_the_shipped_one_of_its_name(tmp_path):
    (tmp_path / "own").mkdir()
    shipped = [answering(tmp_path, name, 1, built_in=True) for name in ("a", "b")]
    own = answering(tmp_path / "own", "a", 2)
    assert kernels.kernel_strategies([own, shipped[1]], [own, shipped[1]]) == [own, shipped[1]]
    assert own in kernels.kernel_strategies([own, shipped[1]], shipped)


def test_load_kernel__order_of_the_line_up_does_not_matter(cache, game, tmp_path):
    """All mixtures of the shipped strategies run from one kernel; each strategy keeps its own answer."""
    library = [answering(tmp_path, name, answer, True) for name, answer in (("a", 1), ("b", 2), ("c", 3))]
    a, b, c = library
    found = []
    for used in ([a, b], [b, a], [c, a], [a, b, c], [c, c, b]):
        together = kernels.kernel_strategies(used, library)
        kernel = load(game, *together)
        assert ask(kernel, *[together.index(s) for s in used]) == [library.index(s) + 1 for s in used]
        found.append(kernel)
    assert all(kernel is found[0] for kernel in found)
    assert len(list(cache.iterdir())) == 1
    assert load(game, *kernels.kernel_strategies([a, a], library)) is not found[0]


@pytest.mark.parametrize("kind", ["nbc", "nbi"])
@pytest.mark.parametrize("left", [0.0, 0.5, 0.98])
def test_load_kernel__cut_off_cache_file(cache, game, tmp_path, monkeypatch, kind, left):
    used = answering(tmp_path, "a", 7)
    load(game, used)
    (path,) = cache.glob(f"**/*.{kind}")
    whole = path.stat().st_size
    os.truncate(path, int(whole * left))
    forget_process(monkeypatch)
    assert ask(load(game, used), 0) == [7]
    (path,) = cache.glob(f"**/*.{kind}")
    assert path.stat().st_size > 0.9 * whole, "written anew"
    forget_process(monkeypatch)
    assert ask(load(game, used), 0) == [7]


def test_load_kernel__lost_cache_file(cache, game, tmp_path, monkeypatch):
    used = answering(tmp_path, "a", 7)
    load(game, used)
    for path in cache.glob("**/*.nbc"):
        path.unlink()
    forget_process(monkeypatch)
    assert ask(load(game, used), 0) == [7]
    assert list(cache.glob("**/*.nbc"))


def test_load_kernel__cache_folder_that_cannot_be_made(cache, game, tmp_path, monkeypatch):
    """No permission to write looks the same, but root may write everywhere; a file in the way stops anybody."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PINCHSIM_CACHE", str(tmp_path / "file" / "cache"))
    used = answering(tmp_path, "a", 7)
    assert not kernels.is_compiled(game, [used], "fast")
    kernel = load(game, used)
    assert ask(kernel, 0) == [7]
    assert load(game, used) is kernel, "compiled once a process"
    assert ask(load(game, answering(tmp_path, "a", 8)), 0) == [8]


def test_load_kernel__forgets_what_nobody_used_for_a_month(cache, game, tmp_path, monkeypatch):
    now = time.time()
    for name, days in {"old": 31, "young": 29, "new": 0}.items():
        (cache / name).mkdir(parents=True)
        (cache / name / "kernel.py").write_text("", encoding="utf-8")
        os.utime(cache / name, (now - days * DAY_S,) * 2)
    (cache / "file").write_text("not ours", encoding="utf-8")
    os.utime(cache / "file", (now - 99 * DAY_S,) * 2)
    load(game, answering(tmp_path, "a", 7))
    left = {path.name for path in cache.iterdir()}
    assert "old" not in left
    assert {"young", "new", "file"} < left
    assert len(left) == 4


def test_load_kernel__what_is_used_stays_young(cache, game, tmp_path, monkeypatch):
    """Loading an old kernel makes it young; it is not thrown away under the feet of its user."""
    used = answering(tmp_path, "a", 7)
    load(game, used)
    (folder,) = cache.iterdir()
    (code,) = cache.glob("**/*.nbc")
    before = code.stat()
    os.utime(folder, (time.time() - 40 * DAY_S,) * 2)
    forget_process(monkeypatch)
    assert kernels.is_compiled(game, [used], "fast")
    load(game, used)
    after = code.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns), "not compiled again"
    assert time.time() - folder.stat().st_mtime < DAY_S


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def play(view)\n    return 1\n", "line 1: not valid Python"),
        ("def play(view):\n    return view.hand\n", "line 2: the view has no field 'hand'"),
        ("def play(view):\n    return 1.5\n", "line 1: 'play' must return a whole number"),
    ],
    ids=["not Python", "unknown field", "fraction"],
)
def test_load_kernel__wrong_file_is_refused_each_time_until_it_is_right(cache, game, tmp_path, text, words):
    wrong = strategy(tmp_path, "a", text)
    for _ in range(2):
        with pytest.raises(UsageError, match=words):
            load(game, wrong)
        assert not kernels.is_compiled(game, [wrong], "fast")
    assert ask(load(game, answering(tmp_path, "a", 7)), 0) == [7]


def test_load_kernel__edited_strategy_plays_pinch_differently(tmp_path):
    """The whole way: the same game of Pinch before and after an edit of one constant."""
    from pinchsim.games.pinch import record
    from pinchsim.games.pinch.rules import load_variant

    text = """from pinchsim.games.pinch.moves import JOKER, group, lone_jokers

FROM_ABOVE = {}


def play(view):
    found = 0
    for value in range(1, view.n_values + 1):
        if view.hand[value] > 0 and (FROM_ABOVE or found == 0):
            found = value
    if found == 0:
        return lone_jokers(view.hand[JOKER])
    return group(found, 1, 0)
"""
    rules = load_variant("classic").rules
    first = []
    for from_above in (False, True):
        mine = strategy(tmp_path, "edited", text.format(from_above))
        game = record.record_game("classic", rules, [mine] * 3, seed=1, game=0)
        hand = [card for card in game[0]["hands"][0] if card != "X"]
        first.append((game[1]["value"], sorted(hand, key="A2345678910JQK".index)[-int(from_above)]))
    assert [value for value, _ in first] == [expected for _, expected in first]
    assert first[0] != first[1]
