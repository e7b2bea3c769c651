"""Figures: what their titles claim, that nothing rare is lost, and that the same data gives the same file."""

import math
from dataclasses import dataclass
from xml.etree import ElementTree

import polars as pl
import pytest

from pinchsim.report import plot_pages, style
from pinchsim.report.plots import write_plots
from pinchsim.report.position_plots import position_names

NAMES = ["win_share_by_position", "score_distribution", "game_length", "end_reasons"]
WINS = "the start player wins"
ENDS = {"end:hand_empty": 0.9, "end:cards_exhausted": 0.1, "end:turn_limit": 0.0}


@dataclass(frozen=True)
class Summary:
    estimates: pl.DataFrame
    differences: pl.DataFrame
    histograms: pl.DataFrame
    margin: float = 0.01
    base: str | None = None
    complete: bool = True


def estimates(case, advantage, half, games=1_000_000, ends=ENDS):
    """The rows of one case (variant, players, line-up); the others pay for the start player's advantage."""
    variant, players, line_up = case

    def row(measure, position, unit, estimate, half=half):
        return {
            "variant": variant,
            "players": players,
            "line_up": line_up,
            "measure": measure,
            "position": position,
            "unit": unit,
            "estimate": estimate,
            "low": estimate - half,
            "high": estimate + half,
            "standard_error": half / 1.96,
            "games": games,
            "decks": games // players,
        }

    shares = [1 / players + advantage] + [1 / players - advantage / (players - 1)] * (players - 1)
    return [
        *(row("win_share", place, "share", share) for place, share in enumerate(shares)),
        row("start_player_advantage", -1, "share", advantage),
        row("start_score_advantage", -1, "points", 50 * advantage, 50 * half),
        *(row("score", place, "points", 12.0, 1.0) for place in range(players)),
        row("turns", -1, "turns", 50.0, 0.2),
        *(row(measure, -1, "share", share, 0.0) for measure, share in ends.items()),
    ]


def histograms(case, turns):
    """Turns as given (value: count), scores the same for every position."""
    variant, players, line_up = case
    named = {"variant": variant, "players": players, "line_up": line_up}
    lengths = [
        named | {"measure": "turns", "position": -1, "value": float(value), "count": count} for value, count in turns.items()
    ]
    return lengths + [
        named | {"measure": "score", "position": place, "value": float(value), "count": 10}
        for place in range(players)
        for value in range(-5, 30)
    ]


def summary(cases, turns=None, differences=(), **settings):
    """A summary from {(variant, players, line_up): (advantage, half-width, ...)}."""
    rows = [row for case, numbers in cases.items() for row in estimates(case, *numbers)]
    counts = [row for case in cases for row in histograms(case, turns or {40: 5, 50: 90, 60: 5})]
    frame = pl.DataFrame(rows)
    changes = pl.DataFrame(differences) if differences else frame.clear().with_columns(base=pl.lit(""))
    return Summary(frame, changes, pl.DataFrame(counts), **settings)


def words(path):
    """All text of an SVG, in order, with single blanks."""
    texts = ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    return " ".join(" ".join("".join(text.itertext()).split()) for text in texts)


def text_of(made, folder, name):
    """Draw a summary and return the text of one of its figures."""
    write_plots(made, folder)
    return words(folder / f"{name}.svg")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two variants with three and four players, one of them with 13 games of a million at the turn limit."""
    rare = {"end:hand_empty": 0.9 - 13e-6, "end:cards_exhausted": 0.1, "end:turn_limit": 13e-6}
    cases = {
        ("plain", 3, "greedy"): (0.001, 0.002),
        ("plain", 4, "greedy"): (0.001, 0.002),
        ("aces-bite", 3, "greedy"): (0.02, 0.002),
        ("aces-bite", 4, "greedy"): (0.02, 0.002, 1_000_000, rare),
    }
    made = summary(cases, turns={40: 5, 50: 999_990, 60: 5, 1000: 13}, base="plain")
    folder = tmp_path_factory.mktemp("two")
    return made, folder, write_plots(made, folder)


def test_write_plots__writes_every_figure_twice(two):
    _, folder, paths = two
    assert paths == [folder / f"{name}.{kind}" for name in NAMES for kind in ("png", "svg")]
    assert all(path.stat().st_size > 5000 for path in paths)


def test_write_plots__same_data_same_bytes(two, tmp_path):
    made, folder, paths = two
    write_plots(made, tmp_path)
    for path in paths:
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert b"<dc:date>" not in (folder / "game_length.svg").read_bytes()


def test_write_plots__rare_end_keeps_its_count(two):
    _, folder, _ = two
    found = words(folder / "end_reasons.svg")
    assert "13 of 1,000,000 games" in found
    assert "turn limit below 0.01 %" in found
    assert "0.0 %" not in found.replace("90.0 %", "").replace("10.0 %", "")


def test_write_plots__says_what_the_axis_leaves_out(two):
    _, folder, _ = two
    found = words(folder / "game_length.svg")
    assert "Beyond the right edge: <0.01 % of a variant's games at most" in found
    assert "the longest took 1,000 turns." in found


def test_write_plots__caption_names_games_and_line_up(two):
    _, folder, _ = two
    found = words(folder / "win_share_by_position.svg")
    assert "n = 1,000,000 games of 250,000 to 333,333 decks for each variant and panel." in found
    assert "everyone plays greedy" in found
    assert "3 players, fair: 33.3 %" in found


def test_write_plots__positions_by_name(two):
    _, folder, _ = two
    for name in ("win_share_by_position", "score_distribution"):
        found = words(folder / f"{name}.svg")
        assert "start player 2nd 3rd position in turn order" in found
        assert "start player 2nd 3rd 4th position in turn order" in found


def test_position_names__short_where_there_are_many():
    assert position_names(2) == ["start player", "2nd"]
    assert position_names(6) == ["start", "2nd", "3rd", "4th", "5th", "6th"]


@pytest.mark.parametrize(
    ("advantage", "half", "title"),
    [
        (0.013, 0.002, f"{WINS} 1.30 ± 0.20 pp more often than a fair 25 %, beyond the margin of 1 pp"),
        (-0.013, 0.002, f"{WINS} 1.30 ± 0.20 pp less often than a fair 25 %, beyond the margin of 1 pp"),
        (0.005, 0.002, f"{WINS} 0.50 ± 0.20 pp more often than a fair 25 %, within the margin of 1 pp"),
        (0.001, 0.002, f"{WINS} within 1 pp of a fair 25 % (+0.10 ± 0.20 pp)"),
        (0.008, 0.004, "undecided whether the start player stays within 1 pp of a fair 25 % (+0.80 ± 0.40 pp)"),
        (0.02, 0.03, "undecided whether the start player stays within 1 pp of a fair 25 % (+2.0 ± 3.0 pp)"),
    ],
)
def test_start_finding__one_case(advantage, half, title):
    made = summary({("aces-bite", 4, "greedy"): (advantage, half)})
    assert start_title(made) == f"Aces bite, 4 players: {title}"


def start_title(made):
    """The title of the win share figure."""
    cases = style.cases(made.estimates, style.ADVANTAGE, lambda row: style.start_kind(row, made.margin))
    return style.start_finding(cases, made.margin)


def test_start_finding__names_the_cases():
    made = summary(
        {
            ("plain", 3, "greedy"): (0.001, 0.002),
            ("plain", 4, "greedy"): (0.008, 0.004),
            ("aces-bite", 3, "greedy"): (0.02, 0.002),
            ("aces-bite", 4, "greedy"): (0.03, 0.002),
        }
    )
    assert start_title(made) == (
        "Start player against a fair share: more than 1 pp above for aces-bite; "
        "within 1 pp for plain (3 players); undecided for plain (4 players)"
    )


def test_start_finding__all_alike():
    made = summary({("plain", 3, "greedy"): (0.008, 0.004), ("aces-bite", 3, "greedy"): (0.02, 0.03)})
    assert start_title(made) == "Start player against a fair share: undecided in both cases"


def test_start_finding__counts_where_names_are_too_many():
    names = [f"a-variant-with-a-long-name-{number}" for number in range(9)]
    made = summary({(name, 4, "greedy"): (0.02 * (place % 2), 0.002) for place, name in enumerate(names)})
    assert start_title(made) == ("Start player against a fair share: more than 1 pp above in 4 of 9 cases, within 1 pp in 5")


def test_write_plots__title_is_in_the_figure(tmp_path):
    made = summary({("aces-bite", 4, "greedy"): (0.008, 0.004)}, complete=False)
    found = text_of(made, tmp_path, "win_share_by_position")
    assert start_title(made) in found
    assert "The run was interrupted" in found


def test_write_plots__score_title_says_no_clear_difference(tmp_path):
    made = summary({("aces-bite", 4, "greedy"): (0.008, 0.02)})
    found = text_of(made, tmp_path, "score_distribution")
    assert "mean score is not clearly different from the others' (+0.4 ± 1.0 points)" in found


def test_write_plots__length_title_from_paired_differences(tmp_path):
    cases = {(name, 3, "greedy"): (0.0, 0.002) for name in ("plain", "slow", "same")}
    change = {"players": 3, "line_up": "greedy", "measure": "turns", "position": -1, "unit": "turns"}
    differences = [
        change | {"variant": "slow", "estimate": 5.0, "low": 4.0, "high": 6.0},
        change | {"variant": "same", "estimate": 0.1, "low": -0.4, "high": 0.6},
    ]
    found = text_of(summary(cases, differences=differences, base="plain"), tmp_path, "game_length")
    assert "Mean length against plain: longer for slow; no clear difference for same" in found


def test_write_plots__many_endless_games_get_a_log_scale(tmp_path):
    made = summary({("plain", 3, "greedy"): (0.0, 0.002)}, turns={40: 50, 50: 40, 1000: 10})
    found = text_of(made, tmp_path, "game_length")
    assert "length (turns, log scale)" in found
    assert "half of the games are over within 40 turns, 95 % within 1,000" in found


def test_write_plots__strange_names_are_only_text(tmp_path):
    name = "a$b_{x}$<i>&\x1b[31m[red]"
    paths = write_plots(summary({(name, 3, "greedy"): (0.0, 0.002)}), tmp_path)
    for path in paths:
        if path.suffix == ".svg":
            assert "a$b_{x}$<i>&?[31m[red]" in words(path)


def test_write_plots__more_line_ups_than_a_page_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(plot_pages, "MOST_PANELS", 1)
    made = summary({("plain", 3, f"strategy-{number}"): (0.0, 0.002) for number in range(2)})
    assert len(write_plots(made, tmp_path)) == 16
    first, second = words(tmp_path / "end_reasons.svg"), words(tmp_path / "end_reasons-2.svg")
    assert "everyone plays strategy-0" in first
    assert "everyone plays strategy-1" in second
    assert "page 2 of 2" in second


def test_write_plots__variant_without_interval_is_drawn(tmp_path):
    made = summary({("plain", 3, "greedy"): (0.0, math.nan)})
    assert "undecided" in text_of(made, tmp_path, "win_share_by_position")


def test_write_plots__nothing_played(tmp_path):
    made = summary({("plain", 3, "greedy"): (0.0, 0.002)})
    empty = Summary(made.estimates.clear(), made.differences, made.histograms.clear())
    assert write_plots(empty, tmp_path / "plots") == []


def test_write_plots__figures_without_data_are_left_out(tmp_path):
    made = summary({("plain", 3, "greedy"): (0.0, 0.002)})
    paths = write_plots(Summary(made.estimates, made.differences, made.histograms.clear()), tmp_path)
    assert [path.stem for path in paths[::2]] == ["win_share_by_position", "end_reasons"]
