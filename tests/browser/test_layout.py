"""Nothing sticks out of the page or of a picture, on a telephone and on a desk."""

import pytest

from tests.browser.conftest import DESK, PHONE

pytestmark = pytest.mark.xdist_group("browser")

WIDTH = "document.scrollingElement.scrollWidth"
STICKING_OUT = """() => [...document.querySelectorAll("body *")].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && !element.closest("svg, thead") && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(element => element.outerHTML.slice(0, 80))"""
CUT = """() => [...document.querySelectorAll("svg text")].filter(text => {
    const box = text.getBoundingClientRect(), picture = text.closest("svg").getBoundingClientRect();
    return box.left < picture.left - 1 || box.right > picture.right + 1
        || box.top < picture.top - 1 || box.bottom > picture.bottom + 1;
}).map(text => text.textContent)"""
SMALL = """() => [...document.querySelectorAll("svg text")].filter(text => {
    const {a, b} = text.getScreenCTM();
    return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize) < 11;
}).map(text => text.textContent)"""


@pytest.fixture(params=[PHONE, DESK])
def page(request, opened, report):
    with opened(report, request.param) as page:
        yield page


def test_report__does_not_scroll_sideways(page):
    assert page.evaluate(WIDTH) <= page.viewport_size["width"]
    assert page.evaluate(STICKING_OUT) == []


def test_report__letters_of_pictures_are_neither_cut_nor_tiny(page):
    assert page.locator("svg text").count() > 0
    assert page.evaluate(CUT) == []
    assert page.evaluate(SMALL) == []


def test_report__long_tables_are_folded_away(browser, reports):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(reports["ladder"].as_uri())
        folded = page.locator("#start details").first
        assert not folded.locator("table").is_visible()
        folded.locator("summary").click()
        assert folded.locator("table").is_visible()
