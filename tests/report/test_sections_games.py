"""Sections that look at single games again, and at luck: what they claim, and that their pictures have words."""

import re

import numpy as np
import polars as pl
import pytest

import pinchsim
from pinchsim import games
from pinchsim.report.chance_charts import HIGHEST, _apart
from tests.report.report_run import Page, swept


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("run"), variants=["aces-bite"], games=900)


@pytest.fixture(scope="module")
def luck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("luck")
    return pinchsim.luck(out=folder, jobs=1, players=3, line_ups=["greedy", "greedy,uniform"], roots=200, decks=30, replays=5)


@pytest.fixture(scope="module")
def path(run, luck, tmp_path_factory):
    return pinchsim.write_report(run, luck, out=tmp_path_factory.mktemp("report"))


def section(path, name):
    return re.search(rf'<section id="{name}">.*?</section>', path.read_text(), re.DOTALL)[0]


def text(part):
    return Page(re.sub(r"<svg.*?</svg>", "", part, flags=re.DOTALL)).text


def test_cards__the_title_names_a_best_card_only_if_it_is_the_best_everywhere(path):
    part = section(path, "cards")
    best = set(re.findall(r'data-label="best card">([\w ]+?) [+-]', part))
    named = re.search(r"The best card to be dealt is the ([\w ]+): [+-]", text(part))
    assert best and bool(named) == (len(best) == 1)
    assert named is None or {named[1]} == best


def test_cards__all_are_told(path):
    pictures = Page(section(path, "cards")).pictures
    assert len(pictures) == 2
    assert all("four or more" in picture["desc"] and "pinch: ace " in picture["desc"] for picture in pictures)


def test_chances__are_shown_with_their_calibration(path):
    told = text(section(path, "chances"))
    assert re.search(r"In \d+ to \d+ % of the games the later winner once had a chance below 10 %", told)
    assert "n = 800 to 801 games of each line" in told
    assert all("% won" in picture["desc"] for picture in Page(section(path, "chances")).pictures)


def test_slow_players__are_not_played_again_in_numbers(tmp_path):
    run = pinchsim.sweep(
        out=tmp_path / "run", jobs=1, variants=["pinch"], base=None, players=[3], ladder=["greedy", "search:2"], games=6
    )
    path = pinchsim.write_report(run, out=tmp_path)
    assert "Left out, as too slow to play again: search:2." in text(section(path, "chances"))
    assert "n = 6 games" in text(section(path, "chances"))
    assert "Four games of pinch, 3 players, everyone plays greedy" in text(section(path, "showcase"))
    alone = pinchsim.sweep(
        out=tmp_path / "slow", jobs=1, variants=["pinch"], base=None, players=[3], line_ups=["search:2"], games=3
    )
    told = pinchsim.write_report(alone).read_text()
    assert 'id="chances"' not in told and "players who are quick enough to play many games again" in told


def test_showcase__games_can_be_read_and_played_again(run, path):
    part = section(path, "showcase")
    told = text(part)
    longest = (
        run.games.filter(variant="aces-bite", players=4).sort("turns", descending=True, maintain_order=True).row(0, named=True)
    )
    assert f"The game ends after {longest['turns']} turns" in told
    index = longest["deck"] * 4 + longest["rotation"]
    command = re.search(rf"pinchsim watch [^<]*--seed 1 --game {index}\b", told)[0]
    assert "--variant aces-bite --players 4 --line-up greedy" in command
    titles = ("The most typical game", "The biggest comeback", "The longest game", "The start player's advantage at work")
    assert all(f"{title}, move by move" in told for title in titles)
    assert len(Page(part).pictures) == 4
    best = run.games.filter(variant="aces-bite", players=4)["comeback"].max()
    assert re.search(rf"The biggest comeback [\d,]+ \d+ \d+ {best:g} ", told)


def test_showcase__the_texts_are_in_the_markdown_too(path):
    markdown = path.with_name("report.md").read_text()
    assert markdown.count("```text\naces-bite, 4 players, seed 1, game ") == 4


def test_luck__parts_of_each_line_up(path, luck):
    told = text(section(path, "luck"))
    row = luck.found.filter(measure="luck:who_plays").row(0, named=True)
    assert f"who plays decides {100 * row['estimate']:.0f} % of who wins; the rest is luck" in told
    assert "pinch, 3 players: greedy, uniform" in told
    assert "The same decks again and again" in told
    assert len(Page(section(path, "luck")).pictures) == 2


def test_luck__among_equals_tells_of_the_start(run, tmp_path):
    luck = pinchsim.luck(out=tmp_path / "l", jobs=1, players=3, line_ups=["greedy"], roots=200, decks=30, replays=2)
    assert "Among equals who starts decides" in text(section(pinchsim.write_report(run, luck, out=tmp_path), "luck"))


def test_games_again__are_left_out_where_the_engine_has_changed(run, tmp_path, monkeypatch):
    monkeypatch.setattr(type(games.load("pinch")), "engine_digest", lambda game: "another")
    source = pinchsim.write_report(run, out=tmp_path).read_text()
    assert 'id="showcase"' not in source and 'id="cards"' not in source
    assert "for lack of the games again: the engine has changed since" in Page(source).text
    assert 'id="drama"' in source, "what the rows tell is still there"


def test_apart__labels_do_not_overlap_and_keep_their_order():
    found = _apart(np.array([5.0, 3.0, 96.0, 4.0]))
    assert (np.diff(np.sort(found)) >= 9 - 1e-9).all()
    assert np.argsort(found).tolist() == [1, 3, 0, 2]
    assert found.max() <= HIGHEST


def test_tables_of_the_run_are_what_the_sections_link_to(path):
    for name in ("cards", "chances", "showcase"):
        assert "games/" in section(path, name)
    assert isinstance(
        pl.read_parquet(path.parent / re.search(r'href="([^"]*luck\.parquet)"', section(path, "luck"))[1]), pl.DataFrame
    )
