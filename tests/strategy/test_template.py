"""A new strategy works as it is written, and the contract that it is checked against finds those that break it."""

import pytest

from pinchsim.errors import RunError, UsageError
from pinchsim.strategy import check as checking
from pinchsim.strategy import kernels
from pinchsim.strategy.library import Strategy
from pinchsim.strategy.template import write_template

MOVES = "from pinchsim.games.pinch.moves import *\n"
LEGAL = """

def play(view):
    for value in range(1, view.n_values + 1):
        if view.hand[value] > 0:
            return group(value, 1, 0)
    return lone_jokers(view.hand[JOKER])
"""


@pytest.fixture
def without_fast(monkeypatch):
    """Strategies that fail under supervision never play at full speed; this saves compiling for it."""
    load = kernels.load_kernel
    monkeypatch.setattr(kernels, "load_kernel", lambda game, used, mode: load(game, used, mode) if mode == "check" else None)


def strategy_of(folder, text, name="mine"):
    path = folder / f"{name}.py"
    path.write_text(MOVES + text, encoding="utf-8")
    return Strategy(name, path, False)


def failure(strategy):
    with pytest.raises(RunError) as caught:
        list(checking.check(strategy, games=60))
    message = str(caught.value)
    assert message.startswith(f"{strategy.path}: ")
    return message


def test_write_template__into_the_folder_where_it_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_template("pinch", "my_first", None)
    assert path.resolve() == tmp_path / "strategies" / "pinch" / "my_first.py"
    text = path.read_text(encoding="utf-8")
    assert text.startswith('"""My first: ')
    assert "pinchsim strategies check my_first" in text
    assert "{" not in text, "a place that was not filled in"


def test_write_template__into_a_given_folder(tmp_path):
    assert write_template("pinch", "mine", tmp_path / "deep" / "er") == tmp_path / "deep" / "er" / "mine.py"


def test_write_template__refuses_to_overwrite(tmp_path):
    path = write_template("pinch", "mine", tmp_path)
    path.write_text("my work", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mine.py' exists already; choose another name"):
        write_template("pinch", "mine", tmp_path)
    assert path.read_text(encoding="utf-8") == "my work"


@pytest.mark.parametrize("name", ["", "1st", "my-first", "my first", "_mine", "mine.py", "../mine", "a/b", "a,b", "mine;"])
def test_write_template__bad_name(tmp_path, name):
    with pytest.raises(UsageError) as caught:
        write_template("pinch", name, tmp_path)
    assert str(caught.value).startswith(f"'{name}' cannot name a strategy")
    assert list(tmp_path.iterdir()) == []


def test_write_template__name_that_a_line_up_reads_otherwise(tmp_path):
    """A line-up 'default' is the game's default strategy; a file of that name could never play."""
    with pytest.raises(UsageError, match="'default'"):
        write_template("pinch", "default", tmp_path)


def test_check__template_as_it_is_written(tmp_path):
    path = write_template("pinch", "mine", tmp_path)
    lines = list(checking.check(Strategy("mine", path, False), games=60))
    starts = ["compiles: yes", "legal: yes", "deaf to hidden cards", "deterministic: yes", "speed: "]
    assert len(lines) == len(starts)
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))
    assert "60 games of each of pinch, classic, aces-bite, linko, duel," in lines[1]
    assert float(lines[4].split()[1].replace(",", "")) > 0


def test_check__illegal_answer_names_decision_and_rule(tmp_path, without_fast):
    """Two cards of a value that the hand may hold once or never."""
    message = failure(strategy_of(tmp_path, "\n\ndef play(view):\n    return group(1, 2, 0)\n"))
    assert "breaks the rules in variant pinch with 3 players" in message
    assert "the hand does not hold this group (R3.2)" in message


def test_check__writes_into_the_view_behind_the_compilers_back(tmp_path, without_fast):
    text = "\n\ndef spoil(cards):\n    cards[1] = 0\n    return TAKE\n\n\ndef take(view):\n    return spoil(view.market)\n"
    assert "must not write into the view" in failure(strategy_of(tmp_path, LEGAL + text)).lower()


def test_check__chance_of_its_own(tmp_path, without_fast):
    """Random numbers from elsewhere: the same question is answered differently."""
    text = "import numpy as np\n" + LEGAL + "\n\ndef take_back(view):\n    return np.random.randint(2)\n"
    assert "the answer changed" in failure(strategy_of(tmp_path, text)).lower()


def test_check__own_file_with_the_name_of_the_opponent(tmp_path):
    """Others are checked against `uniform`; an own file of that name is what is to be checked."""
    wrong = strategy_of(tmp_path, "\n\ndef play(view):\n    return 1.5\n", "uniform")
    with pytest.raises(UsageError, match=r"line 4: 'play' must return a whole number"):
        list(checking.check(wrong, games=60))


def test_check__wrong_file_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match=r"mine.py, line 4: 'fancy' is not defined"):
        list(checking.check(strategy_of(tmp_path, "\ndef play(view):\n    return fancy\n"), games=60))
