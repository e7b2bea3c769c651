"""The report can be read by everybody: axe-core finds nothing to object to, pictures are legible in the dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import DESK, PHONE

pytestmark = pytest.mark.xdist_group("browser")

ENOUGH = 4.5  # contrast, as the Web Content Accessibility Guidelines define it
ENOUGH_FOR_MARKS = 3
MARKS = """() => [...document.querySelectorAll(".legend li")].map(mark => getComputedStyle(mark, "::before").color)"""
FILLS = """() => [...document.querySelectorAll("svg text")].map(text => {
    const style = getComputedStyle(text);
    return [style.fill, Number(style.fillOpacity) * Number(style.opacity), text.textContent];
})"""
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def dark(request):
    return request.param


def test_report__axe_finds_nothing(opened, report, dark):
    with opened(report, PHONE if dark else DESK, dark) as page:
        found = Axe().run(page, {"exclude": [["svg > g"]]}, {"resultTypes": ["violations", "passes"]})
        assert found.violations_count == 0, found.generate_report()
        judged = {rule["id"]: len(rule["nodes"]) for rule in found.response["passes"]}
        assert judged["color-contrast"] > 20 and judged["svg-img-alt"] == page.locator("svg").count()


def test_report__letters_of_pictures_are_legible(opened, report, dark):
    with opened(report, dark=dark) as page:
        paper = _light(page.evaluate(PAPER))
        assert (paper < 0.1) == dark
        fills = page.evaluate(FILLS)
        assert fills
        pale = {(fill, text) for fill, opacity, text in fills if opacity < 1 or _contrast(_light(fill), paper) < ENOUGH}
        assert pale == set()


def test_report__marks_of_legends_are_seen(opened, reports, dark):
    with opened(reports["ladder"], dark=dark) as page:
        paper = _light(page.evaluate(PAPER))
        marks = page.evaluate(MARKS)
        assert len(set(marks)) == 3
        assert all(_contrast(_light(mark), paper) >= ENOUGH_FOR_MARKS for mark in marks)


def test_report__is_dark_on_white_paper_whatever_the_screen(opened, reports):
    with opened(reports["ladder"], dark=True) as page:
        page.emulate_media(media="print")
        assert _light(page.evaluate(PAPER)) == 1
        assert all(_contrast(_light(fill), 1) >= ENOUGH for fill, _, _ in page.evaluate(FILLS))


def _light(colour):
    """Relative luminance of a colour such as `rgb(0, 0, 0)`: 0 is black, 1 is white."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    """From 1, the same, to 21, black on white."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
