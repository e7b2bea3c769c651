"""`pinchsim report` and `pinchsim sweep --report`: what they write, and what they refuse."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from pinchsim.cli.main import main
from pinchsim.lab.exploiting import store
from pinchsim.lab.exploiting.plan import FORMAT
from pinchsim.lab.exploiting.store import Finding
from pinchsim.lab.tournament import MARK
from pinchsim.measure.tuning import frame
from tests.cli.commands import Command, write
from tests.measure.test_exploit import attacker

SWEEP, REPORT = Command("sweep", width=None), Command("report", width=None)
SMALL = ("--players", "4", "--line-up", "greedy", "--games", "40", "--jobs", "1", "--no-plots", "--base", "none")


@pytest.fixture
def run():
    SWEEP.done(*SMALL, "--out", "run")
    return Path("run")


def test_report__writes_both_files_into_the_folder_of_the_run(run):
    assert REPORT.done(run) == "Report: run/report.html\n"
    assert (run / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert (run / "report.md").read_text().startswith("# Balance of pinch\n")


def test_report__of_a_sweep_at_its_end_is_the_same(run):
    REPORT.done(run)
    text = SWEEP.done(*SMALL, "--out", "again", "--report")
    assert "Report: again/report.html\n" in text
    assert (run / "report.md").read_bytes() == Path("again/report.md").read_bytes()
    assert (run / "report.html").read_bytes() == Path("again/report.html").read_bytes()


def test_report__into_another_folder(run):
    assert REPORT.done(run, "--out", "there/it") == "Report: there/it/report.html\n"
    assert not (run / "report.html").exists()
    assert 'href="../../run/games/"' in Path("there/it/report.html").read_text()


def test_report__of_two_sweeps_is_a_comparison(run):
    SWEEP.done(*SMALL, "--out", "other", "--seed", "2")
    message = REPORT.refused(run, "other")
    assert message.startswith("'run' and 'other' are both sweeps of single games")
    assert message.endswith("Set them side by side with: pinchsim compare run other")
    assert not (run / "report.html").exists()
    assert REPORT.done(run, "run") == "Report: run/report.html\n", "the same folder twice is one run"


def test_report__with_a_wished_length(run):
    REPORT.done(run, "--minutes", "5-10.5")
    assert "wished: 5 to 10.5 minutes" in (run / "report.html").read_text()
    assert "'soon': expected two numbers, such as 15-30" in REPORT.refused(run, "--minutes", "soon")
    assert "the shorter time comes first" in REPORT.refused(run, "--minutes", "30-15")


def test_report__of_a_folder_that_is_no_run(run):
    write("empty/note.txt", "nothing")
    result = REPORT.run("empty")
    assert result.exit_code == 2
    assert "Usage: " in result.stderr and "--help" in result.stderr
    assert "'empty' is not the folder of a run" in REPORT.refused("empty")
    assert "is not the folder of a run" in REPORT.refused(run, "nowhere")
    assert not (run / "report.html").exists(), "all folders are looked at before the report"


def test_report__without_a_run():
    assert "Missing argument 'RUN...'" in REPORT.refused()


# -- joined with what other commands found ----------------------------------------------------------------


def of_sessions():
    SWEEP.done(*SMALL, "--session", "match", "--out", "matches")
    return "matches"


def of_tournament(out="contest", players="4"):
    args = ("uniform", "greedy", "--players", players, "--games", "40", "--jobs", "1", "--no-plots", "--out", out)
    Command("tournament").done(*args)
    return out


def of_coverage():
    Command("audit", "coverage").done("--variant", "pinch", "--players", "4", "--games", "40", "--out", "count")
    return "count"


def of_readings():
    args = ("--players", "4", "--line-up", "greedy", "--games", "40", "--jobs", "1", "--no-plots", "--out", "readings")
    Command("audit", "rules").done(*args)
    return "readings"


def of_exploit(**facts):
    """A search that is written by hand, as a real one takes its time."""
    told = {"format": FORMAT, "game": "pinch", "target": "greedy", "variant": "pinch", "players": 4} | facts
    folder = write("search/manifest.json", json.dumps(told)).parent
    empty = [frame([], columns) for columns in store.TABLES.values()]
    store.gather(folder, [Finding(*empty[:3], frame([attacker()], store.TABLES["attackers"]))])
    return str(folder)


KINDS = {
    "session": of_sessions, "strategies": of_tournament, "coverage": of_coverage, "readings": of_readings, "exploit": of_exploit,
}  # fmt: skip


@pytest.mark.parametrize("section", KINDS)
def test_report__shows_what_lies_beside_the_sweep(run, section):
    REPORT.done(run)
    assert f'<section id="{section}">' not in (run / "report.html").read_text()
    other = KINDS[section]()
    assert REPORT.done(other, run) == "Report: run/report.html\n", "in any order"
    text = (run / "report.html").read_text()
    part = text.split(f'<section id="{section}">')[1].split("</section>")[0]
    links = re.findall(r'href="([^"#]+)"', part)
    assert links and all((run / link).exists() for link in links)
    assert f"../{other}/" in links[-1]


def test_report__of_everything_answers_all_questions(run):
    others = [make() for make in KINDS.values()]
    REPORT.done(run, *others, "--minutes", "1-60")
    short = (run / "report.md").read_text().split("## Start player")[0]
    answers = dict(re.findall(r"^- (.*\?) \*\*(.*)\.\*\*", short, re.MULTILINE))
    assert list(answers) == [
        "Fair start?", "Right length?", "Open, but no lottery?", "One best strategy?", "Any rule dead or dangerous?",
    ]  # fmt: skip
    assert not {"Not measured", "Not judged"} & set(answers.values())


def test_report__two_tournaments_are_shown_one_after_the_other(run):
    REPORT.done(run, of_tournament(), of_tournament("three", "3"))
    text = (run / "report.md").read_text()
    assert "pinch, 4 players:\n\n| strategy |" in text and "pinch, 3 players:\n\n| strategy |" in text


def test_report__of_sessions_alone_is_about_these():
    assert REPORT.done(of_sessions()) == "Report: matches/report.html\n"
    assert '<section id="session">' in Path("matches/report.html").read_text()


def test_report__needs_a_sweep(run):
    message = REPORT.refused(of_coverage(), of_exploit())
    assert "A report is about a sweep, and none was named: 'count' is a count of the rules; 'search' is a search" in message


def test_report__of_another_game_is_refused(run):
    message = REPORT.refused(run, of_exploit(game="chess"))
    assert "'run' is of the game 'pinch', but 'search' is of the game 'chess'" in message


def test_report__of_an_unknown_kind_says_what_was_expected(run):
    write("strange/manifest.json", '{"format": "pinchsim-tuning/1"}')
    message = REPORT.refused(run, "strange")
    assert "'strange' holds nothing that a report can join. Expected: a tournament, an audit of the rules, " in message
    assert all(kind in message for kind in ("a skill report", "a search for what beats a strategy", "a count of the rules"))
    write("damaged/manifest.json", "[1")
    assert "manifest.json' is damaged" in REPORT.refused(run, "damaged")
    write("old/skill.json", '{"format": "pinchsim-skill/1"}')
    assert "give the same 'pinchsim skill' command again" in REPORT.refused(run, "old")


def test_report__of_what_is_not_finished_says_so(run):
    count, readings, contest = of_coverage(), of_readings(), of_tournament()
    Path(count, "counts.parquet").unlink()
    assert "The count of the rules in 'count' was not finished" in REPORT.refused(run, count)
    Path(readings, "readings.parquet").unlink()
    assert "lacks readings.parquet; give the same 'pinchsim audit rules' command again" in REPORT.refused(run, readings)
    for part in Path(contest).glob("players/*/*"):
        part.unlink()
    assert Path(contest, MARK).exists()
    assert "has a table without games" in REPORT.refused(run, contest)
    Path("search").mkdir()
    write(
        "search/manifest.json", json.dumps({"format": FORMAT, "game": "pinch", "target": "x", "variant": "pinch", "players": 4})
    )
    assert "has no finished attacker" in REPORT.refused(run, "search")


def test_report__commands_that_it_gives_are_understood(run):
    """Every option that the report names exists, and takes what it is given."""
    REPORT.done(run)
    given = re.findall(r"`(pinchsim .*?)`", (run / "report.md").read_text())
    assert len(given) > 8
    for words in (shlex.split(part) for command in given for part in command.split(" && ")):
        assert words.pop(0) == "pinchsim"
        command, context = main, click.Context(main)
        while isinstance(command, click.Group):
            name = words.pop(0)
            command = command.get_command(context, name)
            assert command is not None, name
        assert command.make_context(name, words).params
