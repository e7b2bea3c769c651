"""The report loads alone and in silence, its pictures are there and told in words, its links lead somewhere."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.browser.conftest import NASTY

pytestmark = pytest.mark.xdist_group("browser")

SMUGGLE = """async () => {
    const refused = new Promise(done => document.addEventListener("securitypolicyviolation", done, {once: true}));
    const image = document.body.appendChild(new Image());
    image.src = "https://pinchsim.invalid/image.png";
    const allowed = new Promise(done => setTimeout(() => done({effectiveDirective: "nothing"}), 2000));
    return (await Promise.race([refused, allowed])).effectiveDirective;
}"""


def test_report__is_loaded_without_a_word_on_the_console(browser, report):
    with browser.new_context() as context:
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message) or dialog.dismiss())
        page.goto(report.as_uri(), wait_until="networkidle")
        assert said == []


def test_report__asks_for_nothing_but_itself(browser, report):
    with browser.new_context() as context:
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report.as_uri(), wait_until="networkidle")
        assert asked == [report.as_uri()]
        assert page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_report__forbids_the_browser_to_ask_for_more(opened, report):
    with opened(report) as page:
        assert page.evaluate(SMUGGLE) == "img-src"


def test_report__names_are_shown_as_they_are(opened, reports):
    with opened(reports["nasty"]) as page:
        assert NASTY in page.inner_text("h1")
        assert "</style><script>alert(1)</script>" in page.inner_text("header")


def test_report__every_picture_has_a_size(opened, report):
    with opened(report) as page:
        sizes = [picture.bounding_box() for picture in page.locator("svg[role=img]").all()]
        assert len(sizes) == page.locator("svg").count() > 0
        assert all(size["width"] > 200 and size["height"] > 50 for size in sizes)


def test_report__every_picture_has_a_name_and_a_description(opened, report):
    with opened(report) as page:
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        pictures = [node for node in tree if node.get("role", {}).get("value") == "image"]
        assert len(pictures) == page.locator("svg").count()
        names = [picture["name"]["value"] for picture in pictures]
        assert all(names) and len(set(names)) == len(names)
        assert all(picture.get("description", {}).get("value") for picture in pictures)


def test_report__links_lead_somewhere(opened, report):
    with opened(report) as page:
        links = page.eval_on_selector_all("a", "links => links.map(link => link.href)")
        inner = [link.split("#")[1] for link in links if "#" in link]
        outer = [Path(url2pathname(urlsplit(link).path)) for link in links if "#" not in link]
        assert inner and outer
        assert all(page.locator(f"[id='{name}']").count() == 1 for name in inner)
        assert all(path.exists() for path in outer)


def test_report__a_click_leads_to_the_section(opened, report):
    with opened(report) as page:
        for link in page.locator("nav a").all():
            page.evaluate("scrollTo(0, 0)")
            link.click()
            target = page.locator(f"[id='{link.get_attribute('href')[1:]}']").bounding_box()
            assert -1 <= target["y"] < 900
