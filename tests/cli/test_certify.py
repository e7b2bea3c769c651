"""`pinchsim certify`: exit codes, what it writes and what it refuses."""

import json
from pathlib import Path

import pytest

from pinchsim.paths import shipped
from tests.cli.commands import Command, end_otherwise, flat, write

CERTIFY = Command("certify")
HEAD = 'question = "Is it fair?"\nplayers = [3]\nbase = ""\nline_ups = ["greedy"]\ngames = 120\n'
PASS = '[[certificate]]\nmeasure = "start_player_advantage"\nlow = -0.9\n'
FAIL = '[[certificate]]\nmeasure = "turns"\nhigh = 1\n'
OPEN = '[[certificate]]\nmeasure = "start_player_advantage"\nlow = 0.1\nhigh = 0.11\n'


@pytest.mark.parametrize(
    ("lines", "code", "verdict"),
    [(PASS, 0, "passes"), (PASS + FAIL + OPEN, 1, "fails"), (PASS + OPEN, 3, "undecided")],
)
def test_certify__exit_code_says_how_it_was_judged(lines, code, verdict):
    write("fair.toml", HEAD + lines)
    result = CERTIFY.run("fair.toml", "--out", "run", "--jobs", "1")
    assert result.exit_code == code, result.output
    assert json.loads(Path("run/certificate.json").read_text())["verdict"] == verdict
    assert f"balance: {verdict}" in Path("run/certificate.svg").read_text()
    assert result.stdout.startswith("The balance ") and verdict in result.stdout.splitlines()[0]
    assert result.stdout.endswith("Certificate and badge: run\n")
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD, ["draws no lines to judge", "[[certificate]]"]),
        (HEAD + PASS.replace("start_player", "start"), ["'start_advantage' is not a measure", "'start_player_advantage'"]),
        (HEAD + PASS.replace("low", "lo"), ["fair.toml: line 1 of the certificate: 'lo' is not a field"]),
        (HEAD + PASS + "players = [5]\n", ["asks for players 5"]),
        (HEAD + PASS.replace("-0.9", "0.9"), ["no number of games could show it"]),
    ],
)
def test_certify__a_mistake_exits_with_2(text, words):
    write("fair.toml", text)
    message = CERTIFY.refused("fair.toml")
    assert [word for word in words if word not in message] == []
    assert not Path("results").exists(), "nothing is begun"


def test_certify__without_its_file():
    assert "There is no experiment file 'none.toml'" in CERTIFY.refused("none.toml")
    assert "Missing argument 'EXPERIMENT'" in CERTIFY.refused()


def test_certify__options_replace_what_the_file_says():
    write("fair.toml", HEAD + PASS)
    text = CERTIFY.done("fair.toml", "--games", "60", "--seed", "5", "--to", "there", "--jobs", "1")
    assert text.endswith("Certificate and badge: there\n")
    told = json.loads(Path("there/certificate.json").read_text())
    assert (told["experiment"]["games"], told["experiment"]["seed"], told["lines"][0]["cells"][0]["games"]) == (60, 5, 60)
    assert told["command"].startswith("pinchsim certify ../results/fair-")


def test_certify__the_run_of_a_sweep_is_gone_on_with():
    write("fair.toml", HEAD + PASS)
    Command("sweep", width=None).done("fair.toml", "--out", "run", "--no-plots", "--jobs", "1")
    result = CERTIFY.run("fair.toml", "--out", "run", "--jobs", "1")
    assert result.exit_code == 0
    assert "120 of them found finished" in flat(result.stderr)


def test_certify__the_experiment_that_comes_with_pinchsim():
    result = CERTIFY.run("balance", "--games", "40", "--jobs", "1")
    assert result.exit_code in (1, 3), result.output


def test_certify__interrupted(monkeypatch):
    write("fair.toml", HEAD + PASS)
    end_otherwise("certify", lambda found: found.run.manifest.update(state="interrupted"), monkeypatch)
    result = CERTIFY.run("fair.toml", "--jobs", "1")
    assert result.exit_code == 130
    assert result.stdout == ""
    assert "The same command goes on from here." in result.stderr


def test_certify__hostile_words_of_the_question_and_a_variant():
    """They come out as words, on the screen, in the badge and in the file."""
    question = "</title><script>&\\u001b[31m[red]"
    write("a&b <c>.toml", 'base = "pinch"\n')
    lines = PASS + 'variants = ["a&b <c>"]\n'
    write(
        "fair.toml",
        f'question = "{question}"\nvariants = ["./a&b <c>.toml"]\nplayers = [3]\nbase = ""\ngames = 60\nline_ups = ["greedy"]\n{lines}',
    )
    result = CERTIFY.run("fair.toml", "--out", "run", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout and "[red]" in result.stdout and "a&b <c>" in result.stdout
    svg = Path("run/certificate.svg").read_text()
    assert "<script" not in svg and "\x1b" not in svg and "&lt;script&gt;&amp;?[31m" in svg
    assert json.loads(Path("run/certificate.json").read_text())["lines"][0]["cells"][0]["variant"] == "a&b <c>"


def test_certify__the_page_shows_the_experiment_as_it_is():
    page = (shipped("experiments").parent / "docs" / "certificate.md").read_text(encoding="utf-8")
    assert (shipped("experiments") / "balance.toml").read_text(encoding="utf-8").strip() in page
