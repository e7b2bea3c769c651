"""The section on how sure a run is: half-widths are lengths, which have no interval of their own."""

import re

import pytest

from tests.report.test_sections_beside import pages, row


@pytest.mark.parametrize(("half", "words"), [(0.0067, "0.67"), (0.12345, "12"), (0.0004, "0.04")])
def test_precision__half_widths_in_words(half, words):
    found = pages(row("start_player_advantage", 0.05, half))
    assert f"4 players. pinch {words} pp." in " ".join(found.markdown.split())
    part = re.search(r'<section id="precision">.*?</section>', found.html, re.DOTALL)[0]
    assert f"pinch {words} pp" in part
    assert "± 0.0" not in part
