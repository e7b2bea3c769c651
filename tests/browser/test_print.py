"""The report on A4 paper: all of it is there, no page is empty, no heading stands alone, no picture is cut."""

import io
import re
import unicodedata

import pytest
from pypdf import PdfReader

pytestmark = pytest.mark.xdist_group("browser")

ABOVE = "h1, h2, h3, dt, .topic, figcaption"  # what must not be the last of a page
TEXTS = "found => found.map(element => element.textContent)"
KEPT = "found => found.map(figure => [getComputedStyle(figure).breakInside, figure.getBoundingClientRect().height])"
SHEET = {"width": 688, "height": 1001}  # pixels of an A4 page without its margins


@pytest.fixture(scope="module")
def printed():
    """The texts of each report's printed pages, without spaces and page numbers."""
    return {}


@pytest.fixture
def paper(opened, report, printed):
    """The page, and what is on each sheet of paper."""
    with opened(report) as page:
        if report not in printed:
            page.evaluate("document.querySelectorAll('details').forEach(details => details.open = false)")
            printed[report] = _sheets(page.pdf(prefer_css_page_size=True, print_background=True))
        yield page, printed[report]


def _sheets(pdf):
    sheets = [_bare(sheet.extract_text()) for sheet in PdfReader(io.BytesIO(pdf)).pages]
    numbers = [f"{place}/{len(sheets)}" for place in range(1, len(sheets) + 1)]
    assert all(sheet.startswith(number) for sheet, number in zip(sheets, numbers, strict=True))
    return [sheet.removeprefix(number) for sheet, number in zip(sheets, numbers, strict=True)]


def _bare(text):
    """Text without spaces and ligatures, so that lines may be broken anywhere."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def _texts(page, selector):
    return [_bare(text) for text in page.eval_on_selector_all(selector, TEXTS)]


def test_print__is_complete(paper):
    page, sheets = paper
    whole = "".join(sheets)
    for text in _texts(page, "h1, h2, h3, .topic, figcaption, main p.quiet, td, tbody th, .pairs dd"):
        assert text in whole
    assert not any(text in whole for text in _texts(page, "summary"))


def test_print__no_page_is_empty(paper):
    _, sheets = paper
    assert all(len(sheet) > 200 for sheet in sheets[:-1])
    assert len(sheets[-1]) > 40


def test_print__no_heading_is_the_last_of_a_page(paper):
    page, sheets = paper
    headings = tuple(_texts(page, ABOVE))
    assert headings
    assert not [sheet[-80:] for sheet in sheets if sheet.endswith(headings)]


def test_print__no_picture_is_cut(opened, report):
    with opened(report, SHEET["width"]) as page:
        page.emulate_media(media="print")
        pictures = page.eval_on_selector_all("figure", KEPT)
        assert pictures
        assert all(kept == "avoid" and 50 < height < SHEET["height"] for kept, height in pictures)


def test_print__games_move_by_move_are_for_the_screen(paper):
    page, sheets = paper
    moves = _texts(page, ".transcript pre")
    assert moves
    assert [move for move in moves if move[-60:] in "".join(sheets)] == []
