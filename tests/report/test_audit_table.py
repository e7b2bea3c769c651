"""An audit in the terminal: fits 80 columns, hides nothing, rounds nothing to a false 0, and says what each reading does."""

import io
import math
import re

import pytest
from rich.console import Console

from pinchsim.measure.audit import CARE, LINES, OPEN, SAME, UNNOTICED, Finding
from pinchsim.measure.verdict import OUTSIDE, UNDECIDED, WITHIN, verdict
from pinchsim.report.audit_table import print_audit

MEASURES = {"start": "start_player_advantage", "length": "turns", "ends": "end:hand_empty", "score": "points"}
QUESTION = "R5.2: When is the market refilled? Ruled: when a player has finished drawing. Read instead: after each card drawn."


def effect(line, value=0.0, half=0.1, games=4000, measure=None, beyond=None, players=4):
    """A row of the effects; without a half-width of its interval nothing differed."""
    line = next(x for x in LINES if x.words == line)
    noticeable = line.noticeable(0.01)
    return {
        "measure": measure or MEASURES[line.words],
        "line": line.words,
        "unit": line.unit,
        "effect": value,
        "standard_error": half / 3 if value else 0.0,
        "low": value - half,
        "high": value + half,
        "noticeable": noticeable,
        "verdict": verdict(value - half, value + half, noticeable),
        "games": games,
        "decks": games // players,
        "beyond_sum": beyond,
    }


def finding(variant, kind=UNNOTICED, endless=(0.0, 0.0), players=4, line_up="greedy", beyond=None, **effects):
    """A finding with effects by line: (value, half-width), or a whole row."""
    rows = {line: effect(line) for line in MEASURES}
    for line, given in effects.items():
        rows[line] = given if isinstance(given, dict) else effect(line, *given)
    return Finding(variant, players, line_up, kind, 1.0, rows, *endless, beyond)


def printed(findings, labels=None, width=80, terminal=False, complete=True, base="pinch", margin=0.01, sentences=None):
    """What print_audit writes."""
    labels = labels or {f.variant: f.variant.removeprefix("pinch+").replace("=", " = ").replace("+", ", ") for f in findings}
    sentences = sentences or dict.fromkeys(labels, QUESTION)
    colours = "standard" if terminal else "auto"
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=colours, no_color=False)
    print_audit(base, findings, labels, sentences, margin, complete, console)
    return console.file.getvalue()


def flat(text):
    """Text without line breaks."""
    return " ".join(text.split())


def paragraph(**given):
    """What is said of one reading."""
    text = flat(printed([finding("pinch+refill=card", **given)]))
    return text.split("1. refill = card. ")[1].split(" Changes against the ruling")[0]


def cell(line, *given, **more):
    """How an effect is written in the table."""
    text = printed([finding("pinch+refill=card", **{line: effect(line, *given, **more)})])
    (row,) = [part for part in text.splitlines() if part.startswith("refill = card ")]
    return re.findall(r"[<>]?[-+]?\d[\d.]*(?: [!?])?", row.replace("\N{NO-BREAK SPACE}", " "))[list(MEASURES).index(line)]


LONG = [
    "pinch+pinch_order=counter_clockwise",
    "pinch+last_group_pinches=true+pinch_order=counter_clockwise",
    "pinch+" + "x" * 60 + "=" + "y" * 40,
    "pinch+a=1",
]


@pytest.mark.parametrize("width", [70, 80, 200])
def test_print_audit__never_wider_than_80(width):
    big = {"start": (-12.34, 0.01), "length": (-112.34, 9.01), "ends": (-88.88, 0.01), "score": (-11.123, 0.001)}
    kinds = {CARE: big, OPEN: {"length": (123.4, 400.0)}, SAME: {}, UNNOTICED: {}}
    found = [finding(name, kind, **kinds[kind]) for name in LONG for kind in kinds]
    found += [finding(name, players=3, line_up="greedy,uniform,uniform") for name in LONG]
    text = printed(found, width=width)
    assert max(len(line) for line in text.splitlines()) <= min(width, 80)
    assert all(part in flat(text) for part in ("-112.3 !", "-11.123 !", "-88.88 !", "no difference"))


def test_print_audit__no_colour_without_a_terminal():
    found = [finding("pinch+refill=card", kind, start=(0.5, 1.0)) for kind in (CARE, OPEN, SAME, UNNOTICED)]
    assert "\x1b" not in printed(found)
    assert "\x1b" in printed(found, terminal=True)


def test_print_audit__heading_and_order():
    found = [finding("pinch+b=1"), finding("pinch+a=1"), finding("pinch+a=1", players=3), finding("pinch+b=1", line_up="x,y")]
    text = printed(found)
    headings = [line for line in text.splitlines() if line.startswith("pinch, ")]
    assert headings == [
        "pinch, 4 players: everyone plays greedy",
        "pinch, 3 players: everyone plays greedy",
        "pinch, 4 players: x, 3 x y",
    ]
    assert text.index("b = 1 ") < text.index("a = 1 ")
    assert [line[:2] for line in text.splitlines() if line[2:3] == "."] == [" 1", " 2", " 1", " 1"]
    assert "4,000 games of 1,000 decks for each reading" in text


def test_print_audit__interrupted():
    found = [finding("pinch+a=1"), finding("pinch+b=1", **{line: effect(line, games=2000) for line in MEASURES})]
    text = printed(found, complete=False)
    assert text.startswith("The run was interrupted")
    assert "2,000 to 4,000 games of 500 to 1,000 decks for each reading" in text
    assert "There are no games to compare." in printed([], complete=False)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("start", 1.5, 0.1), "+1.50 !"),
        (("start", 1.05, 0.1), "+1.05 ?"),
        (("start", 0.5, 0.2), "+0.50"),
        (("start", -0.04, 1.2), "-0.04 ?"),  # one digit would be a false 0
        (("start", 0.0004, 1.2), "<0.001 ?"),
        (("start", -0.0004, 1.2), ">-0.001 ?"),
        (("start", 0.0, 1.2), "0 ?"),
        (("ends", 0.0, 0.1), "0"),
        (("ends", 0.0, math.inf), "0 ?"),
        (("length", -7.0, 12.0), "-7 ?"),
        (("score", 0.2, 0.00004), "+0.200"),
    ],
)
def test_print_audit__marks_and_digits(given, words):
    assert cell(*given) == words


def test_print_audit__the_sentence_that_is_read_otherwise():
    assert paragraph().startswith(QUESTION)


def test_print_audit__with_care():
    """All that is noticeable is named, nothing else."""
    said = paragraph(kind=CARE, score=(0.9, 0.17), ends=(2.5, 1.1), length=(-12.0, 1.0))
    assert said.removeprefix(QUESTION).strip() == (
        "Write this with care: length -12.0 % (-13.0 to -11.0); score +0.90 points a player (+0.73 to +1.07)."
    )


def test_print_audit__undecided_says_how_many_games():
    said = paragraph(kind=OPEN, start=(0.5, 1.0))
    assert said.removeprefix(QUESTION).strip() == (
        "Undecided: start-player advantage +0.5 pp (-0.5 to +1.5); about 16,000 games would decide."
    )
    # No deck differed: twice the games tell twice as much.
    assert paragraph(kind=OPEN, ends=(0.0, 10.0)).endswith(
        'Undecided: games that end by "hand empty" 0 pp (-10 to +10); about 20,000 games would decide.'
    )
    assert "more games would decide, but far more." in paragraph(kind=OPEN, start=(1.0, 1.0))


def test_print_audit__undecided_without_interval():
    said = paragraph(kind=OPEN, score=(-3.0, math.inf))
    assert said.endswith("score -3.00 points a player (no interval); more games would decide, but far more.")


def test_print_audit__unnoticed_and_same():
    assert paragraph().endswith(" Players will not notice.")
    assert paragraph(kind=SAME).endswith(" No difference: not one of these games came out differently.")


def test_print_audit__endless_games():
    assert "Endless" not in paragraph()
    assert paragraph(endless=(0.00123, 0.0)).endswith(" Endless games: 0.12 % reached the turn limit; as ruled, none.")
    assert paragraph(endless=(0.000001, 0.5)).endswith("Endless games: <0.01 % reached the turn limit; as ruled, 50.00 %.")


def test_print_audit__pairs():
    row = effect("score", 3.0, 0.2, beyond=-0.44)
    both = finding("pinch+refill=card+compare=sum", CARE, beyond=row, score=row)
    text = printed([finding("pinch+refill=card"), both])
    assert "refill = card," in text.splitlines()[8]
    assert text.count("Ruled: ") == 1, "a pair's two questions stand in their own paragraphs"
    assert "2. refill = card, compare = sum. Write this with care: score +3.00 points a player (+2.80 to +3.20)." in flat(text)
    assert "Furthest from the sum of both alone: score, by -0.44 points a player." in flat(text)
    assert "a plain difference without interval; it may be chance" in flat(text)
    assert "plain difference" not in flat(printed([finding("pinch+refill=card")]))
    none = printed([both._replace(beyond=row | {"beyond_sum": 0.0})])
    assert "Together they do exactly the sum of what both do alone." in flat(none)


def test_print_audit__notes():
    text = flat(printed([finding("pinch+a=1")], margin=0.0125))
    assert (
        "Noticeable is more than 1.25 pp of the start player's advantage, 5 % of the length, 2 pp of an end reason and "
        "0.5 points of the score a player."
    ) in text
    assert "corrected for their number (Bonferroni)" in text
    assert "try other line-ups, too" in text


def test_print_audit__names_are_only_text():
    strange = "pinch+[red]a[/red]\x1b[31m=\n1"
    found = [finding(strange, OPEN, line_up="[bold]x\x07", ends=effect("ends", 2.5, 1.0, measure="end:[b]\x1b_y"))]
    text = printed(found, {strange: strange}, base="[i]my\x1b", sentences={strange: "What [red]\x1b?"})
    assert "\x1b" not in text and "\x07" not in text
    assert "[i]my?, 4 players: everyone plays [bold]x?" in text
    assert "What [red]??" in text
    assert '"[b]? y"' in flat(text)


def test_verdict_words_have_marks_or_none():
    assert {verdict(*ends, 1.0) for ends in ((0, 0), (2, 3), (0, 3))} == {WITHIN, OUTSIDE, UNDECIDED}
