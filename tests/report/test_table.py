"""The terminal summary: fits 80 columns, hides nothing that happened, claims no more than the intervals."""

import io
import math
from dataclasses import dataclass

import polars as pl
import pytest
from rich.console import Console

from pinchsim.measure.verdict import verdict
from pinchsim.report import style
from pinchsim.report.table import print_summary


@dataclass(frozen=True)
class Summary:
    estimates: pl.DataFrame
    differences: pl.DataFrame
    histograms: pl.DataFrame
    margin: float = 0.01
    base: str | None = None
    complete: bool = True
    precision: pl.DataFrame | None = None


def row(variant, measure, estimate, half, unit="share", players=4, line_up="greedy", games=1_000_000):
    """One row of the estimates with a symmetric interval."""
    return {
        "variant": variant,
        "players": players,
        "line_up": line_up,
        "measure": measure,
        "position": -1,
        "unit": unit,
        "estimate": estimate,
        "low": estimate - half,
        "high": estimate + half,
        "standard_error": half / 1.96,
        "games": games,
        "decks": games // 4,
    }


def rows(variant, advantage=0.001, half=0.001, limit=0.0, **place):
    """The usual measures of one case."""
    return [
        row(variant, "win_share", 0.25, half, **place) | {"position": 0},
        row(variant, "start_player_advantage", advantage, half, **place),
        row(variant, "turns", 48.123, 0.15, unit="turns", **place),
        row(variant, "pinches", 12.34, 0.03, unit="per game", **place),
        row(variant, "end:hand_empty", 0.9 - limit, 0.0006, **place),
        row(variant, "end:cards_exhausted", 0.1, 0.0006, **place),
        row(variant, "end:turn_limit", limit, limit / 2, **place),
        row(variant, "shared_wins", 0.021, 0.0003, **place),
    ]


def printed(estimates, differences=(), width=80, terminal=False, **settings):
    """What print_summary writes."""
    frame = pl.DataFrame(estimates)
    changes = pl.DataFrame(differences) if differences else frame.clear().with_columns(base=pl.lit(""))
    colours = "standard" if terminal else "auto"
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=colours, no_color=False)
    print_summary(Summary(frame, changes, pl.DataFrame(), **settings), console)
    return console.file.getvalue()


def flat(text):
    """Text without line breaks."""
    return " ".join(text.split())


LONG = ["plain", "duel+aces-bite+market-of-five-cards-refilled-at-once", "no-lone-jokers-and-shadow-display"]
EIGHT = [f"variant-{letter}" for letter in "abcdefgh"]


@pytest.mark.parametrize("names", [["plain"], ["plain", "aces-bite"], LONG, EIGHT])
@pytest.mark.parametrize("width", [60, 80, 200])
def test_print_summary__never_wider_than_80(names, width):
    line_ups = ("greedy", "greedy,uniform,uniform")
    estimates = [
        part
        for name in names
        for players in (3, 5)
        for line_up in line_ups
        for part in rows(name, players=players, line_up=line_up)
    ]
    differences = [row(name, "start_player_advantage", 0.0123, 0.001, players=3) for name in names[1:]]
    text = printed(estimates, differences, width=width, base="plain")
    assert max(len(line) for line in text.split("\n")) <= min(width, 80)


def test_print_summary__no_colour_without_a_terminal():
    assert "\x1b" not in printed(rows("plain"))
    assert "\x1b" in printed(rows("plain"), terminal=True)


def test_print_summary__the_numbers_of_a_case():
    text = printed(
        rows("plain") + rows("aces-bite", 0.0123, 0.0015),
        [row("aces-bite", "start_player_advantage", 0.0111, 0.001)],
        base="plain",
    )
    assert "4 players: everyone plays greedy" in text
    assert "1,000,000 games of 250,000 decks for each variant" in text
    assert "+1.23 ± 0.15 pp  outside margin  +1.11 ± 0.10 pp" in text
    assert "+0.10 ± 0.10 pp  within margin            (base)" in text
    assert "48.12 ± 0.15  12.34 ± 0.03" in text
    assert "90.00 ± 0.06 %  10.00 ± 0.06 %" in text
    assert "2.10 ± 0.03 %" in text


def test_print_summary__rare_turn_limit_is_seen():
    text = printed(rows("plain") + rows("aces-bite", limit=13e-6))
    assert "Rare: turn limit in 13 of 1,000,000 games (aces-bite)." in text
    assert "<0.01 %" in text
    assert " 0.0 %" not in text
    assert " 0.00 %" not in text


def test_print_summary__never_happened_says_what_is_still_possible():
    never = row("plain", "end:turn_limit", 0.0, 0.0, games=30) | {"high": 0.11}
    always = row("plain", "end:hand_empty", 1.0, 0.0, games=30) | {"low": 0.89}
    text = printed([row("plain", "start_player_advantage", 0.0, 0.2, games=30), always, never])
    assert "(above 89 %)  (below 11 %)" in text


def test_print_summary__findings_name_margin_and_games_needed():
    text = flat(printed(rows("plain") + rows("aces-bite", 0.02) + rows("mild", 0.006, 0.008), margin=0.01))
    assert "The start player, against a margin of 1 pp" in text
    assert "more than 1 pp above a fair 25 % with aces-bite" in text
    assert "within 1 pp of a fair 25 % with plain" in text
    assert "undecided with mild (about 4,000,000 games would decide)" in text
    assert "95 % intervals, clustered by deck" in text


def test_print_summary__all_positions():
    apart = [row("plain", "win_share", 0.25 + x, 0.001) | {"position": p} for p, x in enumerate((0.03, -0.01, -0.01, -0.01))]
    text = flat(printed(rows("plain")[1:] + apart))
    assert "Positions, root mean square off a fair share (less noise): plain 1.73 pp (1.66 to 1.81; p < 0.001)." in text
    equal = [row("plain", "win_share", 0.25, 0.001) | {"position": p} for p in range(4)]
    assert "plain 0.00 pp (0.00 to 0.13; p = 1)." in flat(printed(rows("plain")[1:] + equal))


def test_print_summary__more_of_one_line_up_than_of_another():
    text = printed(rows("plain") + rows("aces-bite", games=400))
    assert "1,000,000 games of 250,000 decks (plain), 400 games of 100 decks (aces-bite)" in flat(text)


def test_print_summary__lopsided_interval_as_range():
    lopsided = row("plain", "start_player_advantage", 0.05, 0.0) | {"low": -0.10, "high": 0.40}
    text = printed([lopsided])
    assert "+5 pp" in text
    assert "(-10 to +40)" in text
    assert "undecided" in text


def test_print_summary__measures_that_do_not_fit_are_named():
    estimates = rows("plain") + [row("plain", f"extra_{number}", 1.0, 0.1, unit="") for number in range(5)]
    assert "Measured too, but not shown: extra 3 and extra 4." in flat(printed(estimates))


def test_print_summary__names_are_only_text():
    text = printed(rows("[red]a[/red]\x1b[31m"))
    assert "[red]a[/red]?[31m" in text
    assert "\x1b" not in text


def test_print_summary__sessions_have_the_single_game_below():
    estimates = [
        *rows("plain", advantage=0.002),
        row("plain", "single_game_advantage", 0.04, 0.001),
        row("plain", "games", 4.0, 0.0, unit="games"),
        row("plain", "game_end:turn_limit", 0.0004, 0.0001),
        *rows("aces-bite", advantage=0.003),
        row("aces-bite", "single_game_advantage", 0.05, 0.001),
    ]
    changes = [
        row("aces-bite", name, 0.01, 0.001) | {"base": "plain"} for name in ("start_player_advantage", "single_game_advantage")
    ]
    text = printed(estimates, changes, base="plain")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    at = lines.index("plain +0.20 ± 0.10 pp within margin (base)")
    assert lines[at + 1] == "- single game +4.00 ± 0.10 pp outside margin (base)"
    assert lines[at + 2] == "aces-bite +0.30 ± 0.10 pp within margin +1.00 ± 0.10 pp"
    assert lines[at + 3] == "- single game +5.00 ± 0.10 pp outside margin +1.00 ± 0.10 pp"
    assert "1,000,000 sessions on 250,000 sets of decks" in text
    assert "0.04 %" in text and "Rare" not in text, "a share of games is no count of sessions"
    assert "single game is the first one of each session" in flat(text)
    assert max(map(len, text.splitlines())) <= 80
    assert "single game" not in printed(rows("plain"))


def test_print_summary__interrupted():
    assert "The run was interrupted" in printed(rows("plain"), complete=False)
    assert "interrupted" not in printed(rows("plain"))


def test_print_summary__no_games():
    made = Summary(pl.DataFrame(rows("plain")).clear(), pl.DataFrame(), pl.DataFrame())
    console = Console(file=io.StringIO(), width=80)
    print_summary(made, console)
    assert console.file.getvalue() == "There are no games to sum up.\n"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.01, 0.01, "within margin"),
        (0.002, 0.009, "within margin"),
        (0.011, 0.02, "outside margin"),
        (-0.02, -0.011, "outside margin"),
        (0.009, 0.011, "undecided"),
        (-0.5, 0.5, "undecided"),
        (math.nan, math.nan, "undecided"),
        (None, None, "undecided"),
    ],
)
def test_verdict(low, high, expected):
    assert verdict(low, high, 0.01) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, "none"),
        (13e-6, "<0.01 %"),
        (0.0005, "0.05 %"),
        (0.0213, "2.1 %"),
        (0.5, "50.0 %"),
        (0.9995, "99.95 %"),
        (0.999987, ">99.99 %"),
        (1.0, "100 %"),
    ],
)
def test_percent(share, expected):
    assert style.percent(share) == expected


@pytest.mark.parametrize(
    ("estimate", "half", "expected"),
    [
        (0.006, 0.008, 4_000_000),  # 0.4 pp to the margin: twice as exact, four times the games
        (0.015, 0.01, 4_000_000),
        (0.05, 0.08, 64_000_000),  # 0 is still possible: only 1 pp counts, not the 4 pp to the estimate
        (0.01, 0.001, None),
        (0.0099, 0.02, None),
    ],
)
def test_games_to_decide(estimate, half, expected):
    assert style.games_to_decide(row("plain", "start_player_advantage", estimate, half), 0.01) == expected


def test_with_interval__never_shows_a_width_of_nothing():
    assert style.with_interval(row("plain", "turns", 15.0, 0.0004), digits=2) == "15.00 ± 0.01"
    assert style.with_interval(row("plain", "turns", 15.0, 0.0), digits=2) == "15.00 ± 0.00"


def test_line_up_words():
    assert style.line_up_words("greedy") == "everyone plays greedy"
    assert style.line_up_words("greedy,uniform,uniform", 3) == "greedy, 2 x uniform"
    assert style.line_up_words("greedy,uniform", 5) == "greedy, 4 x uniform"
    assert style.line_up_words("greedy,uniform") == "greedy, the rest uniform"
