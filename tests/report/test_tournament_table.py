"""A tournament in the terminal: never wider than 80 columns, and no sentence that says more than the games."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tournament_analysis import analyse
from pinchsim.report.tournament_table import (
    cell_interval,
    cell_number,
    findings,
    headline,
    mass_number,
    print_tournament,
    verdict,
)
from tests.measure.test_tournament import luce, played, ring


def printed(analysis, complete=True):
    console = Console(width=80, record=True, file=io.StringIO())
    print_tournament(analysis, complete, console)
    text = console.export_text()
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    return text


def words(analysis, complete=True):
    return " ".join(printed(analysis, complete).split())


@pytest.mark.parametrize("many", [2, 5, 6, 9, 12, 13, 14, 16, 30])
@pytest.mark.parametrize("name", ["s{}", "champion:temperature=0.{}"])
def test_print_tournament__every_number_is_there(many, name):
    names = [name.format(k) for k in range(many)]
    found = analyse(played(luce(*np.linspace(1, 3, many)), names, 4, decks=40, pairs=True))
    text = printed(found)
    assert sum(map(int, re.findall(r"^ *(\d+) +\S+ +[+-]\d+ ±", text, re.M))) == many * (many + 1) / 2, "the ranking"
    part = text.split("One of the row's strategy")[1].split("What it says")[0]
    assert len(re.findall(r"(?<![\d.±])(?:\d+\.\d|100)(?![\d.])", part.replace("=0.", "="))) >= many * (many - 1), "the matrix"
    assert part.count("±") + part.count("+") + len(re.findall(r"-\d", part)) >= many * (many - 1)
    numbers = [int(n) for line in re.findall(r"^ +((?:\d+ +)+\d+) *$", part, re.M) for n in line.split()]
    assert [n for n in numbers if n <= many] == list(range(1, many + 1)), "each column is numbered once"


def test_print_tournament__sizes():
    text = words(analyse(played(luce(1, 2, 4), decks=100)))
    assert "pinch, 3 players: a tournament of 3 strategies" in text
    assert "7 tables (all mixtures), 400 games of the same 100 decks each: 2,800 games." in text
    assert "A fair share is 33.3 %" in text
    assert "interrupted" not in text
    assert words(analyse(played(luce(1, 2, 4), decks=100)), complete=False).startswith("The run was interrupted")
    pairs = words(analyse(played(luce(1, 2, 4), decks=100, pairs=True)))
    assert "6 tables (one against two), 400 games of the same 100 decks each" in pairs


def test_findings__an_order_of_strength():
    found = analyse(played(luce(1, 2, 4), decks=3000))
    said = findings(found)
    assert said[0] == "c is the best reply to everything here: surely to all 6 choices of two opponents."
    assert headline(found) == "c is the best reply to everything here"
    assert re.match(r"c is rated 1[12]\d\s±\s\d Elo points above b, the next\.", said[1])
    assert said[2] == "Dominated, worse against every choice of opponents: b (by c) and a (by c and b)."
    assert said[3] == "No circle of strategies that beat each other is shown."
    assert said[4] == "Equilibrium (the only equilibrium found): everybody plays c. Who leaves it surely loses by it."
    assert len(said) == 5, "the model of the ratings holds here"


def test_findings__a_circle():
    found = analyse(played(ring, decks=3000))
    said = " ".join(findings(found))
    assert said.startswith("No strategy is best against everything. Of 6 choices of two opponents the best reply is surely: ")
    assert sorted(re.findall(r"(\w) to (\d)", verdict(found))) == [("a", "2"), ("b", "2"), ("c", "2")]
    assert re.search(
        r"They beat each other in a circle: (a beats b beats c|b beats c beats a|c beats a beats b) beats \w\.", said
    )
    assert "cannot be told apart" in said
    assert re.search(r"a mix of 3\d % \w, 3\d % \w and 3\d % \w\. Nobody here gains by leaving it", said)
    assert "Ratings are a model. It is furthest off for" in said
    assert headline(found) == "no strategy is best against everything"


def test_findings__few_games_claim_nothing():
    found = analyse(played(luce(1, 1.1, 1.2), decks=5))
    said = " ".join(findings(found))
    assert said.startswith(
        "No strategy is shown to be the best reply to any of 6 choices of two opponents: more games may decide."
    )
    assert "The ratings of" in said
    assert "No strategy is shown to be dominated" in said
    assert headline(found) == "no strategy is shown to be the best reply to any other"


def test_findings__almost_equal_leaders():
    """The best two cannot be told apart in some fields: nothing does better, but it is not the best everywhere."""

    def chances(counts):
        return luce(1, 1, 6)(counts) if counts[2] < 2 else luce(5.99, 1, 6)(counts)

    found = analyse(played(chances, decks=1500))
    assert headline(found) == "nothing here does surely better than c"
    assert verdict(found).startswith(
        "Nothing here does surely better than c. Of 6 choices of two opponents it is surely the best"
    )


def test_findings__pairs_say_what_is_missing():
    found = analyse(played(luce(1, 2, 4), decks=1000, pairs=True))
    said = " ".join(findings(found))
    assert "Equilibrium, alpha-rank and dominance are missing: with 3 players they need mixed tables" in said
    assert "--tables all" in said
    assert headline(found) == "c is the best against two of a kind"
    assert "Nash" not in words(found)


def test_findings__duels_are_complete():
    found = analyse(played(luce(1, 2, 4), players=2, decks=2000, games=2))
    text = words(found)
    assert "surely to all 3 opponents" in text
    assert "in duels with" in text
    assert "missing" not in text


def test_findings__one_deck():
    text = words(analyse(played(luce(1, 2), ("a", "b"), 2, decks=1, games=3)))
    assert "1 table (all mixtures), 3 games of the same 1 deck each" in text
    assert "±?" in text
    assert "nan" not in text
    assert "inf " not in text


def test_findings__a_strategy_that_never_wins():
    said = " ".join(findings(analyse(played(luce(1e-9, 1, 2), decks=500))))
    assert "a has never won against the others: how far below them the rating is means nothing." in said


def test_print_tournament__names_are_never_mark_up():
    assert "[red]x" in printed(analyse(played(luce(1, 2), ("[red]x", "b"), 3, decks=50)))


def estimate(share, low, high):
    return Estimate(share, low, high, 0.1)


@pytest.mark.parametrize(
    ("found", "number", "interval"),
    [
        (estimate(0.2512, 0.24, 0.2624), "25.1", "±1.1"),
        (estimate(0.0, 0.0, 0.004), "0.0", "+0.4"),
        (estimate(1.0, 0.996, 1.0), "100", "-0.4"),
        (estimate(0.9996, 0.99, 1.0), "100", "-1.0"),
        (estimate(0.5, 0.38, 0.62), "50.0", "±12"),
        (estimate(0.25, 0.2499, 0.2501), "25.0", "±0.1"),
        (estimate(0.5, float("nan"), float("nan")), "50.0", "±?"),
    ],
)
def test_cell__four_letters_at_most(found, number, interval):
    assert (cell_number(found.estimate), cell_interval(found)) == (number, interval)
    assert max(len(number), len(interval)) <= 4


@pytest.mark.parametrize(
    ("mass", "text"), [(1, "100"), (0.999, "100"), (0.333, "33"), (0.0213, "2.1"), (0.0004, "."), (0, ".")]
)
def test_mass_number(mass, text):
    assert mass_number(mass) == text
