"""A skill report in the terminal: never wider than 80 columns, nothing cut off, and no claim beyond the games."""

import io
import math
from dataclasses import replace

import polars as pl
import pytest
from rich.console import Console

from pinchsim.games.seam import Level
from pinchsim.measure.ladder import ABOVE, CHANGES, HOLDS
from pinchsim.measure.skill import skill_trace
from pinchsim.measure.skill_report import Found, Noise, NoiseFound, Step, Trace, judge_levels
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN
from pinchsim.report.skill_table import (
    balance_words,
    cost_words,
    elo_words,
    noise_sentences,
    points,
    print_skill,
    trace_sentences,
)
from tests.measure.test_tournament import luce, played


def levels(*strengths, names="abcdefgh", chess_elo=None, decks=800):
    names = list(names[: len(strengths)])
    ladder = [Level(name, credible=k > 0) for k, name in enumerate(names)]
    return judge_levels([played(luce(*strengths), names, 4, decks=decks, pairs=True)], ladder, chess_elo)


def trace(*shares, half=0.01, efforts=(0, 25, 50, 100, 200)):
    efforts = efforts[: len(shares) + 1]
    steps = [Step(f"search:{e}", f"search:{b}", e, b) for b, e in zip(efforts, efforts[1:], strict=False)]
    found = [Found(share, share - half, share + half, 400, 100, 0.9 + k) for k, share in enumerate(shares)]
    rest = [k for k, step in enumerate(steps) if step.is_doubling]
    skill = skill_trace(efforts[rest[0] :], [shares[k] for k in rest], [half / 1.96] * len(rest), 4)
    return Trace("effort", "playouts", "pinch", 4, steps, found, skill, 0.01)


def noise(robust=HOLDS, kinds=((OUTSIDE, ABOVE),) * 4, players=4, forgetful=0.219):
    noises = [Noise("clean", 0, "champion"), Noise("temperature", 2, "champion:temperature=2")]
    noises += [Noise("memory", m, f"champion:memory={m:g}") for m in (0.5, 0)]
    shares = [None, share(0.201), share(0.248), share(forgetful)]
    elo = [f and Found(-50.0, -60.0, -40.0, 20_000, 5000) for f in shares]
    ends = {"end:hand_empty": share(0.9), "end:cards_exhausted": share(0.1), "end:turn_limit": share(0.0)}
    mirrors = [
        {"start_player_advantage": share(0.03), "turns": Found(30 + k, 29.9 + k, 30.1 + k, 8, 2), **ends} for k in range(4)
    ]
    verdicts = pl.DataFrame([(kind, side, robust) for kind, side in kinds], ["verdict", "side", "robust"], orient="row")
    return NoiseFound("pinch", players, 0.01, noises, shares, elo, mirrors, verdicts)


def share(x):
    return Found(x, x - 0.006, x + 0.006, 20_000, 5000, 1.25)


def printed(*parts, unfinished=()):
    console = Console(width=80, record=True, file=io.StringIO())
    print_skill(*parts, unfinished, console)
    text = console.export_text()
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    return " ".join(text.split())


def test_print_skill__all_parts():
    text = printed(levels(1, 2, 4, 8), [trace(0.4, 0.3, 0.27)], noise())
    assert "pinch, 4 players. The ladder: one of each level against three of each other" in text
    assert "All 4 levels can be told apart: a < b < c < d, each surely beating the one before." in text
    assert "x %-chess is left out" in text and "(a)" in text
    assert "Effort 0 is the policy" in text
    assert "corrected for the number of comparisons (Holm)" in text


def test_print_skill__what_a_game_was_worth():
    text = printed(None, [trace(0.4, 0.3, 0.27)], noise())
    assert "0 → 25 40.0 ± 1.0 % +15.0 ± 1.0 pp 0.90 25 → 50 30.0 ± 1.0 % +5.0 ± 1.0 pp 1.90" in text
    assert "memory 0 21.9 ± 0.6 % -3.1 ± 0.6 pp -50 ± 10 1.25" in text
    assert text.endswith(
        "A game of this design is worth 0.90 to 2.90 independent games for a step of a trace, 1.25 for a share of one noisy player "
        "and 1.25 for the start player's advantage."
    )
    assert "is worth" not in printed(levels(1, 2, 4, 8), [], None), "win shares alone don't tell"


def test_print_skill__lopsided_intervals_leave_room():
    rare = Found(0.0042, 0.0011, 0.0123, 400, 100, 1.31)
    elo = Found(-768.0, -1009.0, -571.0, 400, 100)
    found = replace(noise(), shares=[None, rare, rare, rare], elo=[None, elo, elo, elo])
    line = "memory 0 0.42 % -24.6 pp -768 1.31 (0.11 to 1.23) (-24.9 to -23.8) (-1009 to -571)"
    assert line in printed(None, [], found)


def test_print_skill__long_names_and_many_levels():
    names = [f"champion-of-pinch:temperature=0.{k}" for k in range(8)]
    ladder = [Level(name) for name in names]
    many = judge_levels([played(luce(*range(1, 9)), names, 4, decks=200, pairs=True)], ladder, 100.0)
    console = Console(width=80, record=True, file=io.StringIO())
    print_skill(many, [], None, [], console)
    text = console.export_text()
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
    assert "champion-of-p" in text and "rature=0.7" in text


def test_print_skill__nothing_finished():
    assert printed(None, [], None, unfinished=["ladder", "noise"]) == (
        "The run was interrupted: what needs ladder and noise is missing."
    )


def test_print_skill__chess_stands_with_its_assumption():
    text = printed(levels(1, 2, 3, chess_elo=300.0), [], None)
    assert (
        "If ratings of chess have a standard deviation of 300 Elo points, an assumption (--chess-elo), this spread is that of"
        in text
    )
    assert "as wide as that of chess itself, or wider" in printed(levels(1, 2, 9000, chess_elo=20.0), [], None)


def test_print_skill__levels_that_cannot_be_told_apart():
    text = printed(levels(1, 1, 1, decks=30), [], None)
    assert "None of the 3 levels surely beats another" in text


def test_trace_sentences():
    said = trace_sentences(trace(0.45, 0.40, 0.32, 0.252, half=0.004))
    assert said[0].startswith(
        "search: 3 of 4 steps surely gain. Each doubling of the playouts is worth less than the one before"
    )
    assert said[1].startswith("The last doubling of the playouts (100 → 200) gains +0.2 ± 0.4 pp: levelled off, within 1 pp.")
    assert "strength is still rising there" in trace_sentences(trace(0.45, 0.40, 0.45))[1]
    assert "it makes play worse" in trace_sentences(trace(0.45, 0.40, 0.2))[1]
    assert "more games would tell" in trace_sentences(trace(0.3, 0.3, 0.27, half=0.1))[1]


def test_cost_words():
    found = noise()
    assert cost_words(found, 3) == (
        "A player who forgets every card seen wins 21.9 ± 0.6 % of games against three who remember, 3.1 pp less than its share."
    )
    assert cost_words(found, 2).endswith("which is not surely other than its share of 25 %.")
    assert cost_words(found, 1).startswith("A player at temperature 2 wins 20.1 ± 0.6 % of games against three who always take")
    assert "3.0 pp more than its share" in cost_words(noise(forgetful=0.28), 3)
    assert "against one who always takes what it thinks best" in cost_words(noise(players=2), 1)


@pytest.mark.parametrize(
    ("robust", "kinds", "words"),
    [
        (HOLDS, ((WITHIN, None),) * 4, "within 1 pp of fair whatever the noise"),
        (CHANGES, ((OUTSIDE, ABOVE), (WITHIN, None), (UNDECIDED, None), (WITHIN, None)),
         "changes with noise: more than 1 pp above fair for clean; within 1 pp of fair for temperature 2 and memory 0; undecided for "
         "memory 0.5."),
        (UNDECIDED, ((UNDECIDED, None),) * 4, "is not shown to be the same, or another, for beginners: undecided for clean"),
    ],
)  # fmt: skip
def test_balance_words(robust, kinds, words):
    assert words in balance_words(noise(robust, kinds))


def test_elo_words__without_bounds():
    assert elo_words(Found(-math.inf, -math.inf, -310.0, 80, 20)) == "below -310"
    assert elo_words(Found(math.inf, 310.0, math.inf, 80, 20)) == "above +310"
    assert elo_words(Found(-100.0, -math.inf, 20.0, 80, 20)) == "-100 ± ?"
    assert elo_words(Found(-100.0, -120.0, -80.0, 80, 20)) == "-100 ± 20"


def test_noise_sentences__only_what_surely_moves():
    found = noise()
    said = " ".join(noise_sentences(found))
    assert "Where all play with memory 0, a game takes 33.0 turns and not 30.0: 10 % longer." in said
    assert "That advantage" not in said
    found.mirrors[1]["start_player_advantage"] = share(0.01)
    said = " ".join(noise_sentences(found))
    assert "That advantage is +3.00 ± 0.60 pp in clean play, and +1.00 ± 0.60 pp where all play with temperature 2." in said


def test_points__no_negative_zero():
    assert points(Found(0.2499, 0.2459, 0.2539, 8, 2), 4) == "0.0 ± 0.4 pp"
    assert points(share(0.2), 4) == "-5.0 ± 0.6 pp"


def test_trace_sentences__nothing_sure():
    assert trace_sentences(trace(0.3, 0.3, 0.27, half=0.1))[0].startswith("search: none of 3 steps surely gains.")


def test_print_skill__a_ladder_out_of_order():
    words = "The ladder is out of order: c surely wins less than its share against b, the level below."
    assert words in printed(levels(1, 4, 2, 8), [], None)
    assert "out of order" not in printed(levels(1, 2, 4, 8), [], None)
