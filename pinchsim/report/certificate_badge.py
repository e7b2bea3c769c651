"""The badge of a certificate: a small picture in SVG that says how the balance was judged. It refers to nothing outside."""

from html import escape

from pinchsim.measure.certificate import FAILS, PASSES, UNDECIDED
from pinchsim.report.style import clean

LABEL = "balance"
COLOURS = {PASSES: "#00664d", FAILS: "#a33b00", UNDECIDED: "#555555"}  # white letters on them have a contrast above 6
LETTER, EDGE, HEIGHT = 6.6, 8, 20  # the size of things, in pixels


def badge(verdict: str, title: str) -> str:
    """The badge as an SVG file; `title` is read to people who can't see it, and may hold anything."""
    left, right = (round(len(words) * LETTER + 2 * EDGE) for words in (LABEL, verdict))
    words = escape(clean(f"{LABEL}: {verdict}. {title}"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f'aria-labelledby="title">\n'
        f'<title id="title">{words}</title>\n'
        f'<rect width="{left}" height="{HEIGHT}" fill="#333333"/>\n'
        f'<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{COLOURS[verdict]}"/>\n'
        f'<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" aria-hidden="true">\n'
        f"{_text(LABEL, EDGE)}\n{_text(verdict, left + EDGE)}\n</g>\n</svg>\n"
    )


def _text(words: str, x: int) -> str:
    return f'<text x="{x}" y="14" textLength="{round(len(words) * LETTER)}">{escape(words)}</text>'
