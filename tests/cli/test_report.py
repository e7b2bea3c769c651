"""`pinchsim report` and `pinchsim sweep --report`: what they write, and what they refuse."""

from pathlib import Path

import pytest

from tests.cli.commands import Command, write

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


def test_report__of_several_runs(run):
    SWEEP.done(*SMALL, "--out", "other", "--seed", "2")
    assert REPORT.done(run, "other") == "Report: run/report.html\nReport: other/report.html\n"
    assert "--out is the folder of one report" in REPORT.refused(run, "other", "--out", "x")


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
    assert not (run / "report.html").exists(), "all runs are looked at before the first report"


def test_report__without_a_run():
    assert "Missing argument 'RUN...'" in REPORT.refused()
