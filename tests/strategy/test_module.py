"""Every beginner's mistake in a strategy file is told in words, with the file and the line; nothing else gets through."""

import pytest

from pinchsim.errors import UsageError
from pinchsim.games.pinch import compiled, sense
from pinchsim.strategy import diagnose, module
from pinchsim.strategy.library import Strategy

MOVES = "from pinchsim.games.pinch.moves import *\n"
VIEW_TYPE = compiled.view_type()


def strategy_of(folder, text, name="mine"):
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return Strategy(name, path, False)


def load(strategy, view_type=VIEW_TYPE):
    return module.decisions(strategy, compiled.DECISIONS, compiled.REQUIRED, compiled.FIELDS, view_type)


def refusal(folder, text):
    strategy = strategy_of(folder, text)
    with pytest.raises(UsageError) as caught:
        load(strategy)
    message = str(caught.value)
    assert message.startswith(str(strategy.path))
    return message.removeprefix(str(strategy.path))


# Name of the mistake: text after the imports, the line at fault (the import is line 1), and what must be said.
MISTAKES = {
    "colon forgotten": ("def play(view)\n    return 1\n", 2, ("not valid Python", "expected ':'")),
    "bracket never closed": ("def play(view):\n    return view.hand[1\n", 3, ("not valid Python", "never closed")),
    "not indented": ("def play(view):\nreturn 1\n", 3, ("not valid Python", "indented")),
    "undefined name": ("def play(view):\n    x = 1\n    return groop(1, x, 0)\n", 4, ("'groop' is not defined", "Did you mean 'group'?")),
    "undefined constant": ("def play(view):\n    return FANCY\n", 3, ("'FANCY' is not defined",)),
    "undefined in a helper": ("def half(x):\n    return y\n\n\ndef play(view):\n    return half(1)\n", 3, ("'y' is not defined",)),
    "undefined in another decision": ("def play(view):\n    return 1\n\n\ndef take(view):\n    return TAK\n", 7, ("'TAK'", "'TAKE'")),
    "unknown field": ("def play(view):\n    return view.hnd[1]\n", 3, ("no field 'hnd'", "Did you mean 'hand'?")),
    "unknown field, other name of the view": ("def play(me):\n    return me.turns\n", 3, ("no field 'turns'", "'turn'")),
    "field of the engine": ("def play(view):\n    return view.slot\n", 3, ("no field 'slot'",)),
    "misspelt decision": ("def play(view):\n    return 1\n\n\ndef takeback(view):\n    return 1\n", 6, ("'takeback'", "Did you mean 'take_back'?")),
    "unknown field in a helper": ("def first(v):\n    return v.hnd[1]\n\n\ndef play(view):\n    return first(view)\n", 3, ("hnd",)),
    "sets a field": ("def play(view):\n    view.turn = 3\n    return 1\n", 3, ("must not write into the view",)),
    "adds to a field": ("def play(view):\n    view.turn += 3\n    return 1\n", 3, ("must not write into the view",)),
    "sets one of many": ("def play(view):\n    view.hand[1] = 3\n    return 1\n", 3, ("must not write into the view",)),
    "adds to one of many": ("def play(view):\n    view.hand[1] -= 1\n    return 1\n", 3, ("must not write into the view",)),
    "no parameter": ("def play():\n    return 1\n", 2, ("'play' must take exactly one argument", "takes 0", "def play(view):")),
    "two parameters": ("def play(view, hand):\n    return 1\n", 2, ("'play' must take exactly one", "takes 2")),
    "two parameters in another decision": ("def play(view):\n    return 1\n\n\ndef draw(view, n=1):\n    return 1\n", 6, ("'draw'", "takes 2")),
    "forbidden import": ("import random\n\n\ndef play(view):\n    return 1\n", 2, ("may import only numpy, math, pinchsim", "'random'")),
    "forbidden from": ("from os.path import join\n\n\ndef play(view):\n    return 1\n", 2, ("'os.path'", "Copy what it needs")),
    "neighbour file": ("from . import helper\n\n\ndef play(view):\n    return 1\n", 2, ("'.'", "one file")),
    "forbidden import inside": ("def play(view):\n    import random\n    return 1\n", 3, ("'random'",)),
    "import that only begins alike": ("import numpyro\n\n\ndef play(view):\n    return 1\n", 2, ("may import only", "'numpyro'")),
    "imports what is not there": ("from pinchsim.games.pinch.moves import grp\n\n\ndef play(view):\n    return 1\n", 2, ("ImportError", "grp")),
    "no return": ("def play(view):\n    x = 1\n", 2, ("'play' can end without an answer", "every path needs a 'return'")),
    "path without return": ("def play(view):\n    if view.turn > 3:\n        return 1\n", 2, ("'play' can end without an answer",)),
    "empty return": ("def play(view):\n    if view.turn > 3:\n        return 1\n    return\n", 2, ("can end without an answer",)),
    "fraction": ("def play(view):\n    return view.turn / 2\n", 2, ("'play' must return a whole number", "a number with a fraction")),
    "fraction in another decision": ("def play(view):\n    return 1\n\n\ndef take_back(view):\n    return 0.5\n", 6, ("'take_back' must", "fraction")),
    "text": ("def play(view):\n    return 'take'\n", 2, ("'play' must return a whole number", "a text")),
    "the view": ("def play(view):\n    return view\n", 2, ("'play' must return a whole number",)),
    "pair": ("def play(view):\n    return 1, 2\n", 2, ("'play' must return a whole number",)),
    "generator": ("def play(view):\n    yield 1\n", 2, ("'play' must return a whole number",)),
    "fails when read": ("X = 1\nY = X / 0\n\n\ndef play(view):\n    return 1\n", 3, ("ZeroDivisionError", "division by zero")),
    "undefined when read": ("X = fancy\n\n\ndef play(view):\n    return 1\n", 2, ("NameError", "'fancy'")),
    "fails in a function when read": ("def f(x):\n    return 1 // x\n\n\nX = f(0)\n\n\ndef play(view):\n    return 1\n", 3, ("ZeroDivisionError",)),
    "class": ("def play(view):\n    class Plan:\n        pass\n\n    return 1\n", 3, ("'play' cannot be compiled", "no texts, lists of lists or classes")),
    "object of a class": ("class Plan:\n    pass\n\n\ndef play(view):\n    Plan()\n    return 1\n", 7, ("'play' cannot be compiled", "classes")),
    "remembers in a global": ("N = 0\n\n\ndef play(view):\n    global N\n    N += 1\n    return N\n", 7, ("'play' cannot be compiled",)),
    "remembers in a list": ("SEEN = []\n\n\ndef play(view):\n    SEEN.append(1)\n    return 1\n", 6, ("'play' cannot be compiled", "SEEN")),
    "unsupported in a helper": ("def first(x):\n    y = x\n    return y.foo\n\n\ndef play(view):\n    return first(1)\n", 4, ("'play' cannot be compiled", "foo")),
    "text or number": ("def play(view):\n    return 1 if view.turn > 2 else 'take'\n", 3, ("'play' cannot be compiled",)),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_decisions__mistake(tmp_path, mistake):
    text, line, words = MISTAKES[mistake]
    message = refusal(tmp_path, MOVES + text)
    assert message.startswith(f", line {line}: ")
    assert [word for word in words if word not in message] == []
    assert len(message) < 400, "a sentence, not a dump"
    assert "\n" not in message


@pytest.mark.parametrize(
    "text", ["", "X = 1\n", "def take(view):\n    return 1\n", "play = 3\n", "def pla(view):\n    return 1\n"]
)
def test_decisions__play_is_missing(tmp_path, text):
    assert refusal(tmp_path, text) == ": a strategy must define 'play(view)', and this file does not."


def test_decisions__file_that_is_no_text(tmp_path):
    strategy = strategy_of(tmp_path, "")
    strategy.path.write_bytes(b"def play(view):\n    return 1  # \xff\n")
    with pytest.raises(UsageError, match="mine.py"):
        load(strategy)


def test_decisions__leaves_the_file_early(tmp_path):
    """A file that ends the program when it is read must not end the program."""
    assert ", line 2" in refusal(tmp_path, MOVES + "raise SystemExit\n")


def test_decisions__what_is_right_is_accepted(tmp_path):
    text = '''"""An idea."""
import math

import numpy as np

from pinchsim.games.pinch.moves import JOKER, below, group, lone_jokers

LEAST = 2
TABLE = np.array([3, 1, 2])


def best(view):
    values = [v for v in range(1, view.n_values + 1) if view.hand[v] >= LEAST]
    return values[0] if len(values) > 0 else 0


def play(view):
    value = best(view)
    if value == 0:
        return lone_jokers(view.hand[JOKER])
    return group(value, min(view.hand[value], TABLE[0] + int(math.sqrt(4))), 0)


def take(view):
    return view.group_size > 2


def draw(view):
    return below(view, 3)
'''
    found = load(strategy_of(tmp_path, text))
    assert list(found) == ["play", "take", "draw"], "in the game's order, and without those that are left out"


def test_decisions__taken_over_from_pinchsim(tmp_path):
    text = "from pinchsim.games.pinch.sense import draw\n\ntake = 3\n\n\ndef play(view):\n    return 1\n"
    found = load(strategy_of(tmp_path, text))
    assert list(found) == ["play", "draw"], "a name that holds no function is no decision"
    assert found["draw"] is sense.draw


def test_decisions__without_a_view_type_nothing_is_compiled(tmp_path):
    """What only the compiler can see is left for later; what stands in the text is still refused."""
    load(strategy_of(tmp_path, "def play(view):\n    return 'text'\n"), view_type=None)
    with pytest.raises(UsageError, match="no field 'hnd'"):
        load(strategy_of(tmp_path, "def play(view):\n    return view.hnd\n"), view_type=None)


def test_decisions__two_files_of_one_name_do_not_mix(tmp_path):
    """Helpers are found in the file they stand in."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = load(strategy_of(tmp_path / "a", "def f():\n    return 1\n\n\ndef play(view):\n    return f()\n"), None)
    second = load(strategy_of(tmp_path / "b", "def f():\n    return 2\n\n\ndef play(view):\n    return f()\n"), None)
    plain = [found["play"].py_func.__globals__["f"].py_func() for found in (first, second)]
    assert plain == [1, 2]


def test_attributes__every_name_after_a_dot(tmp_path):
    text = "def f(v):\n    return v.known[1, 2]\n\n\ndef play(view):\n    return f(view) + view.hand[1].x\n"
    assert diagnose.attributes(strategy_of(tmp_path, text)) == {"known", "hand", "x"}
