"""`pinchsim sweep --precision`: what it says while it plays and afterwards, and what it refuses."""

import pytest

from pinchsim import games
from pinchsim.lab import chunks
from pinchsim.paths import shipped
from tests.cli.commands import Command, flat
from tests.lab.toy import ToyGame

PINCHSIM = Command(width=None)
run, done, refused = PINCHSIM.run, PINCHSIM.done, PINCHSIM.refused
SWEEP = (
    "sweep", "--variant", "biased", "--line-up", "uniform", "--margin", "0.05", "--jobs", "1", "--no-plots",
    "--strategies", shipped("strategies") / "pinch",
)  # fmt: skip


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: ToyGame())
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 50)


def test_sweep_precision__says_how_near_it_is_and_why_it_stopped():
    result = run(*SWEEP, "--precision", "3pp", "--out", "run")
    assert result.exit_code == 0
    assert "Known to ±" in result.stderr and "more games ..." in result.stderr
    assert "Wished for: start player advantage to ±3 pp. - Precision reached after" in flat(result.stdout)
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[:-1])


def test_sweep_precision__budget():
    text = flat(done(*SWEEP, "--precision", "0.5pp", "--games", "1000"))
    assert "- Budget spent after 1,000 games; not reached: fair, 2 players, uniform (±" in text


def test_sweep_precision__verdicts():
    result = run(*SWEEP, "--precision", "verdict")
    assert "verdicts are clear; playing" in result.stderr
    assert "- Verdict reached after" in flat(result.stdout)


def test_sweep_precision__in_any_case():
    assert "start player advantage to ±3 pp." in flat(done(*SWEEP, "--precision", "3PP", "--out", "a"))
    assert "- Verdict reached after" in flat(done(*SWEEP, "--precision", "Verdict", "--out", "b"))


def test_sweep_precision__of_another_measure():
    text = flat(done(*SWEEP, "--precision", "0.05", "--measure", "score"))
    assert "Wished for: score to ±0.05 points." in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--precision", "fine"), "'precision' cannot be 'fine': expected a half-width such as 0.1pp (shares)"),
        (("--precision", "0"), "'precision' cannot be '0': expected a half-width"),
        (("--precision=-1pp",), "'precision' cannot be '-1pp': expected a half-width"),
        (("--precision", "nan"), "'precision' cannot be 'nan': expected a half-width"),
        (("--precision", "1"), "a share needs a precision in percentage points, such as 1pp"),
        (("--precision", "1pp", "--measure", "fun"), "'fun' is not a measure that a precision can be wished for. Known: "),
        (("--precision", "1pp", "--measure", "scores"), "wished for. Did you mean 'score'? Known: "),
        (("--precision", "1pp", "--measure", "Score"), "wished for. Did you mean 'score'? Known: "),
    ],
)
def test_sweep_precision__mistakes(words, said):
    assert said in flat(refused(*SWEEP, *words))
