"""The report of a run: one page that stands by itself, can be read by everybody, claims no more than the rows, and its Markdown."""

import os
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import pinchsim
from pinchsim.errors import UsageError
from pinchsim.report.inline import COLOURS
from pinchsim.report.section import FOLDER, sections
from tests.report.report_run import Page, swept

HOSTILE = "<script>alert(1)<b>&'|*x"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("run"), variants=["aces-bite"], question="Who starts?")


@pytest.fixture(scope="module")
def path(run):
    return pinchsim.write_report(run)


@pytest.fixture(scope="module")
def page(path):
    return Page(path.read_text())


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    levels = [{"strategy": "uniform", "credible": False}, "greedy", "sniper"]
    levels = [{"strategy": level} if isinstance(level, str) else level for level in levels]
    folder = tmp_path_factory.mktemp("ladder")
    return pinchsim.sweep(out=folder, jobs=1, variants=["pinch"], ladder=levels, games=400, players=[3])


def page_of(run, **options):
    return Page(pinchsim.write_report(run, **options).read_text())


def section_of(text, name):
    """The source of one section."""
    return re.search(rf'<section id="{name}">.*?</section>', text, re.DOTALL)[0]


# -- the page ---------------------------------------------------------------------------------------------


def test_report__elements_are_closed(page):
    assert page.open == []


def test_report__every_picture_is_told_in_words(page):
    figures = sum(tag == "figure" for tag, _ in page.elements)
    assert len(page.pictures) == figures > 16, "a panel for each number of players and section, and more for some"
    ids = page.values("id")
    for picture in page.pictures:
        attributes = picture["attributes"]
        assert attributes["role"] == "img"
        assert attributes["aria-labelledby"] in ids and attributes["aria-describedby"] in ids
        assert picture["title"].strip() and re.search(r"\d", picture["desc"])


def test_report__needs_no_network(path, page):
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.elements}
    assert not re.search(r"https?:", path.read_text())
    assert not re.search(r"@import|url\((?!#)", path.read_text())


def test_report__ids_are_there_once_and_links_lead_somewhere(path, page):
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    links = page.values("href")
    assert {"#short", "#start", "#glossary", "#sure"} <= set(links)
    for link in links:
        assert link[1:] in ids if link.startswith("#") else (path.parent / unquote(link)).exists(), link
    assert all(found in ids for found in re.findall(r"url\(#([^)]*)\)", path.read_text()))


def test_report__headings_go_down_by_one(page):
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))
    assert all(words.strip() for _, words in page.headings)


def test_report__pictures_take_their_colours_from_the_page(path):
    text = path.read_text()
    svg = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert not re.search(r"#[0-9a-fA-F]{6}\b", svg), "a colour without a name would not change in the dark"
    dark = text.split("prefers-color-scheme: dark", 1)[1].split("}\n}", 1)[0]
    for name in set(COLOURS.values()):
        assert text.count(f"--{name}: ") == 2
        assert f"--{name}: " in dark


def test_report__is_made_for_screens_and_paper(path):
    text = path.read_text()
    assert 'name="viewport" content="width=device-width' in text
    assert "size: A4" in text and "@media print" in text


def test_report__same_run_same_bytes(run, path, tmp_path):
    first = path.read_bytes(), path.with_suffix(".md").read_bytes()
    pinchsim.write_report(run.folder)
    assert (path.read_bytes(), path.with_suffix(".md").read_bytes()) == first


def test_report__in_another_folder_links_to_the_rows(run, tmp_path):
    path = pinchsim.write_report(run, out=tmp_path / "elsewhere")
    links = [link for link in Page(path.read_text()).values("href") if not link.startswith("#")]
    assert links
    assert all((path.parent / unquote(link)).resolve().parent == run.folder.resolve() for link in links)
    there = Path(os.path.relpath(run.folder, path.parent)).as_posix()
    assert f"pinchsim sweep {there}/experiment.toml --ladder" in Page(path.read_text()).text


# -- the first screen -------------------------------------------------------------------------------------


def test_report__begins_with_a_verdict_for_each_variant_and_number_of_players(page):
    cards = [words for level, words in page.headings if level == 3]
    assert cards == [f"{name}, {players} players" for players in (3, 4) for name in ("Pinch", "Aces bite")]
    assert page.text.count("Fair start?") == page.text.count("Open, but no lottery?") == 4
    assert "Who starts?" in page.text


def test_report__of_many_variants_has_a_short_title(tmp_path):
    run = swept(tmp_path, variants=["all"], players=[2, 3], games=20)
    assert page_of(run).headings[0][1] == "Balance of pinch and 7 other variants"


def test_report__numbers_of_a_verdict_are_those_of_the_summary(run, page):
    (row,) = run.summary.estimates.filter(measure="start_player_advantage", variant="pinch", players=3).to_dicts()
    assert f"{100 * row['estimate']:+.1f} ± " in page.text
    assert "percentage points; 1 is allowed; 2,001 games" in page.text


def test_report__undecided_says_what_would_decide(tmp_path):
    found = page_of(swept(tmp_path, variants=["pinch"], players=[4], games=40))
    assert "Undecided" in found.text
    assert re.search(r"About [\d,]+ games would decide\.|Even far more games may not decide\.", found.text)


def test_report__length_is_judged_only_against_a_wish(run, page, tmp_path):
    assert "Nobody said how long they should be." in page.text
    long, short = (page_of(run, out=tmp_path / str(low), minutes=(low, low + 60)).text for low in (0, 90))
    assert "Nearly all games are as long as was wished." in long
    assert "Too many games are shorter or longer than was wished." in short
    assert "wished: 90 to 150 minutes" in short


def test_report__says_what_is_not_measured(page):
    assert "Not measured:" in page.text
    assert "pinchsim skill" in page.text and "pinchsim exploit" in page.text


def test_report__of_a_ladder_names_the_levels(ladder):
    found = page_of(ladder)
    assert "greedy" in found.text and "(uniform)" in found.text
    card = found.text.split("Pinch, 3 players", 1)[1].split("Not measured", 1)[0]
    assert "uniform" not in card, "a level that nobody would play has no say"
    assert "greedy" in card and "sniper" in card
    assert "#ladder" in found.values("href")


# -- sections ---------------------------------------------------------------------------------------------


def test_sections__are_found_in_the_folder_in_their_order():
    found = sections()
    assert len(found) == len(list(FOLDER.glob("[!_]*.py")))
    orders = [section.order for section in found]
    assert orders == sorted(set(orders))
    assert len({section.name for section in found}) == len(found)


def test_report__sections_have_finding_picture_table_method_and_link(path):
    text = path.read_text()
    names = [section.name for section in sections() if f'<section id="{section.name}">' in text]
    assert {"start", "price", "length", "endless", "variants"} <= set(names)
    for name in names:
        part = section_of(text, name)
        assert part.count("<h2>") == 1 and "<svg" in part and '<th scope="row">' in part
        assert "n = " in part and "<a href=" in part


def test_report__yardsticks_stand_beside_the_start_player(path):
    part = section_of(path.read_text(), "start")
    assert all(word in part for word in ("chess", "Dominion", "Red7", "Deckchairs"))


def test_report__left_out_says_which_command_would_make_it(page):
    text = page.text.split("Left out", 1)[1]
    assert "Weak and strong players: for lack of a ladder of levels of play. pinchsim sweep experiment.toml --ladder" in text
    assert "ladder" not in page.values("id")


def test_report__of_one_variant_has_nothing_to_compare(tmp_path):
    found = page_of(swept(tmp_path, variants=["pinch"], players=[4], games=200))
    assert "variants" not in found.values("id")
    assert "pinchsim sweep experiment.toml --variant all" in found.text


def test_report__of_sessions_leaves_out_what_only_games_have(tmp_path):
    found = page_of(swept(tmp_path, variants=["pinch"], players=[4], games=200, session="match"))
    assert {"start", "sure"} <= set(found.values("id"))
    assert not {"drama", "length", "runaway", "price"} & set(found.values("id"))
    (line,) = re.findall(
        r"Fair price of the start,[^.]*: for lack of rows of single games\. pinchsim sweep \S+ --session game", found.text
    )
    assert all(f"{name}, " in line for name in ("Length", "How games end", "Games without end", "Drama"))
    assert "A whole match: for lack of" not in found.text
    assert "200 sessions" in found.text
    assert "--minutes" not in found.text, "the length can't be judged"


def test_report__without_rows_keeps_what_the_summary_tells(tmp_path):
    run = swept(tmp_path, variants=["pinch"], players=[4], games=200)
    for part in [*tmp_path.glob("games/*/*"), *tmp_path.glob("players/*/*")]:
        part.unlink()
    found = page_of(run)
    assert "start" in found.values("id") and "drama" not in found.values("id")
    assert "the rows of this run, which are gone. pinchsim sweep experiment.toml --out ." in found.text


# -- strange names, Markdown ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    variant = folder / f"{HOSTILE}.toml"
    variant.write_text('base = "pinch"\ndescription = "x"\nmarket_size = 8\n')
    question = "</style><script>alert(2)</script> [x](javascript:alert(3))"
    run = swept(folder / "run", variants=[str(variant)], players=[4], games=200, question=question)
    return pinchsim.write_report(run)


def test_report__strange_names_are_only_text(hostile):
    page = Page(hostile.read_text())
    assert "script" not in {tag for tag, _ in page.elements}
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert HOSTILE in page.text and "</style><script>alert(2)" in page.text


def test_report__strange_names_are_only_text_in_markdown(hostile):
    text = hostile.with_suffix(".md").read_text()
    assert "<" not in re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL), "but letter by letter, in code"
    assert "\\[x\\](javascript" in text
    rows = [line for line in text.splitlines() if line.startswith("|") and "alert" in line]
    assert rows and all(len(re.findall(r"(?<!\\)\|", line)) >= 4 for line in rows)


def test_report__markdown_says_the_same(path, page):
    text = path.with_suffix(".md").read_text()
    for level, words in page.headings:
        if level == 2:
            assert words.strip() in text.replace("\\", "")
    assert text.count("Fair start? **") == 4
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) == sum(tag == "table" for tag, _ in page.elements)
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, "every line has as many cells as the first"
    assert "\n\n\n" not in text


# -- refusals ---------------------------------------------------------------------------------------------


def test_write_report__refuses_what_is_no_run(tmp_path):
    with pytest.raises(UsageError, match="is not the folder of a run"):
        pinchsim.write_report(tmp_path)


@pytest.mark.parametrize("minutes", [(30, 15), (-1, 5), (5, 5)])
def test_write_report__refuses_a_wish_that_is_no_range(run, minutes):
    with pytest.raises(UsageError, match="the shorter time comes first"):
        pinchsim.write_report(run, minutes=minutes)


# -- joined -----------------------------------------------------------------------------------------------


def test_write_report__takes_what_other_functions_return(run, tmp_path):
    rules = pinchsim.audit_coverage("pinch", players=[4], games=40, out=tmp_path / "count")
    path = pinchsim.write_report(rules, run, out=tmp_path)
    page = Page(path.read_text())
    assert "coverage" in page.values("id") and "count/counts.parquet" in page.values("href")
    assert f"pinchsim report {Path(os.path.relpath(run.folder, tmp_path)).as_posix()} count" in page.text.replace("\u200b", "")


def test_write_report__needs_a_sweep_among_what_it_joins(tmp_path):
    rules = pinchsim.audit_coverage("pinch", players=[4], games=4, out=tmp_path / "count")
    with pytest.raises(UsageError, match="A report is about a sweep, and none was named"):
        pinchsim.write_report(rules)
