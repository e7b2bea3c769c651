"""A certificate on the screen and as a badge: 80 columns, and names that mean nothing but themselves."""

import io
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console

from pinchsim.report.certificate_badge import badge
from pinchsim.report.certificate_table import heading, line_words, print_certificate

HOSTILE = "</title><script>alert('x')</script>&\x1b[31m\x00"
SVG = "{http://www.w3.org/2000/svg}"


def cell(verdict="pass", **fields):
    usual = {
        "variant": "pinch",
        "players": 3,
        "line_up": "greedy",
        "estimate": 0.001,
        "low": -0.004,
        "high": 0.006,
        "unit": "share",
        "variance_reduction": 1.2,
        "stopped": "all games played",
    }
    return usual | {"games": 1_000_000, "decks": 250_000, "verdict": verdict, "games_needed": None} | fields


def told(*lines, verdict="passes", question=""):
    family = sum(len(line["cells"]) for line in lines)
    experiment = {"session": "game", "seed": 7}
    return {"verdict": verdict, "question": question, "family": family, "lines": list(lines), "experiment": experiment}


def line(*cells, measure="start_player_advantage", **fields):
    return {"measure": measure, "cells": list(cells)} | (fields or {"low": -0.01, "high": 0.01})


def printed(certificate):
    out = io.StringIO()
    print_certificate(certificate, Console(file=out, width=80))
    assert max(map(len, out.getvalue().splitlines())) <= 80
    return out.getvalue()


@pytest.mark.parametrize("verdict", ["passes", "fails", "undecided"])
def test_badge__says_how_it_was_judged(verdict):
    root = ET.fromstring(badge(verdict, "Is it fair?"))
    assert [text.text for text in root.iter(f"{SVG}text")] == ["balance", verdict]
    (title,) = root.iter(f"{SVG}title")
    assert title.text == f"balance: {verdict}. Is it fair?"
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", title.get("id"))
    assert "http" not in badge(verdict, "").replace("http://www.w3.org/2000/svg", ""), "nothing from outside"


def test_badge__hostile_words_are_only_words():
    svg = badge("passes", HOSTILE)
    root = ET.fromstring(svg)
    assert "<script" not in svg and "\x1b" not in svg and "\x00" not in svg
    assert [element.tag for element in root] == [f"{SVG}title", f"{SVG}rect", f"{SVG}rect", f"{SVG}g"]
    assert "<script>alert('x')</script>&?[31m?" in root[0].text


def test_print_certificate__each_verdict_is_explained():
    text = printed(
        told(
            line(cell(), cell("fail", estimate=0.09, low=0.08, high=0.1), cell("undecided", games_needed=2_000_000)),
            line(cell("undecided", unit="turns", estimate=20.0, low=19.0, high=22.0), measure="turns", high=21),
            line(cell("undecided", estimate=None, low=None, high=None, unit=None, games=0, decks=0), measure="ender_wins", low=0.1),
            line(cell("undecided", low=None, high=None, decks=1, games=3), measure="shared_wins", low=0.1),
            verdict="fails", question="Is it fair?",
        )
    )  # fmt: skip
    assert text.startswith("The balance fails: of 6 verdicts 1 passes, 1 fails and 4 are undecided\nIs it fair?\n")
    assert "1. start_player_advantage: -1 to +1 pp" in text and "+0.10 ± 0.50 pp" in text
    assert "2. turns: 21 turns or less" in text and "(19.0 to 22.0)" in text
    flat = " ".join(text.split())
    assert "about 2,000,000 games would decide" in flat
    assert "so close to a limit" in flat
    assert "there was no occasion for it" in flat and "no data" in flat
    assert "a single deck has no interval" in flat
    assert "the 6 of them hold at once" in flat


def test_print_certificate__long_and_hostile_names_stay_in_80_columns():
    names = {"variant": f"[red]{HOSTILE}-a-very-long-variant-name", "line_up": "first_strategy_of_many,second_strategy,third"}
    text = printed(told(line(cell("undecided", **names, estimate=0.1, low=-0.25, high=0.2)), question=HOSTILE))
    assert "\x1b" not in text and "\x00" not in text
    assert "[red]" in text, "no mark-up is read"
    assert "undecided" in text


def test_line_words__position_and_band():
    assert line_words(line(cell(), measure="win_share", position=2, low=0.3)) == "win_share, position 2: 30 % or more"
    banded = line(cell(), measure="outside:minutes", band=[5, 15.5], high=0.1)
    assert line_words(banded) == "outside:minutes (band 5 to 15.5): 10 % or less"


def test_heading__of_a_single_verdict():
    assert heading(told(line(cell()))) == "passes: of 1 verdict 1 passes"
    undecided = told(line(cell("undecided")), verdict="undecided")
    assert heading(undecided) == "is undecided: of 1 verdict 1 is undecided"


def test_print_certificate__what_the_design_was_worth_and_why_no_more_was_played():
    cells = cell(), cell(variance_reduction=1.344, stopped="budget spent"), cell(variance_reduction=None)
    text = " ".join(printed(told(line(*cells))).split())
    assert "A game of this design is worth 1.20 to 1.34 independent ones." in text
    assert "Stopped: all games played and budget spent. Seed 7." in text
    assert "worth" not in printed(told(line(cell(variance_reduction=None))))
