"""A real Chromium, and the reports that it is shown: small real runs with everything that a page can have."""

import os
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright

import pinchsim

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NASTY = "<b>&'\"|*a_very_long_name_that_fits_into_no_line_of_a_telephone"
LADDER = [{"strategy": "uniform", "credible": False}, {"strategy": "greedy"}, {"strategy": "sniper"}]
PHONE, DESK = 390, 1280  # pixels


def _chromium():
    """Where Chromium is. Without one these tests are left out, except where nobody would notice."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("There is no Chromium to show the report in; Debian's packages are called chromium and fonts-dejavu-core.")
    return found


@pytest.fixture(scope="package")
def browser():
    path = _chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def reports(browser, tmp_path_factory):
    """Paths of reports: of a ladder with several variants, of the smallest run there is, and of one with ugly names."""
    folder = tmp_path_factory.mktemp("reports")
    variant = folder / f"{NASTY}.toml"
    variant.write_text('base = "pinch"\ndescription = "x"\nmarket_size = 8\n')
    runs = {
        "ladder": {"variants": ["aces-bite", "classic"], "ladder": LADDER, "players": [3, 4], "games": 60},
        "single": {"variants": ["pinch"], "line_ups": ["sniper"], "players": [4], "games": 40},
        "nasty": {"variants": [str(variant)], "line_ups": ["greedy, uniform"], "players": [3], "games": 40}
        | {"question": "</style><script>alert(1)</script><img src=https://example.org/x.png>?"},
    }
    return {name: _reported(folder / name, fields) for name, fields in runs.items()}


def _reported(folder, fields):
    return pinchsim.write_report(pinchsim.sweep(out=folder, jobs=1, **fields), minutes=(5, 15)).resolve()


@pytest.fixture(params=["ladder", "single", "nasty"])
def report(request, reports):
    return reports[request.param]


@pytest.fixture
def opened(browser):
    """Opens a report as a reader would, with all that is folded away unfolded."""

    @contextmanager
    def opened(path, width=DESK, dark=False):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
        page = context.new_page()
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        yield page
        context.close()

    return opened
