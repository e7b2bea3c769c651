"""The ladder in the terminal: plain sentences that claim no more than the levels do, within 80 columns."""

import io

import pytest
from rich.console import Console

from pinchsim.games.seam import Level
from pinchsim.measure.ladder import ladder_table
from pinchsim.report.ladder_table import print_ladder
from tests.measure.test_ladder import ABOVE, BELOW, FAIR, OPEN, THREE, Effect, summary


def table(cases, base=None, levels=THREE):
    return ladder_table(summary(cases, base), levels)


def plain(*effects, levels=THREE):
    """One variant with four players."""
    cases = {("plain", 4, level.strategy): effect for level, effect in zip(levels, effects, strict=True) if effect}
    return table(cases, levels=levels)


def both(*pairs, with_base=0.5):
    """(base, other) advantages by level."""
    cases = {}
    for level, (base, other) in zip(THREE, pairs, strict=True):
        cases |= {("plain", 4, level.strategy): Effect(base), ("other", 4, level.strategy): Effect(other, with_base=with_base)}
    return table(cases, "plain")


def printed(frame, unit="games", complete=True, width=80, terminal=False):
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system="standard" if terminal else None)
    print_ladder(frame, 0.01, unit, complete, console)
    return console.file.getvalue()


def flat(text):
    """Text without line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("effects", "sentence"),
    [
        ((FAIR, ABOVE, ABOVE), "- plain: holds at every credible level: more than 1 pp above."),
        ((FAIR, BELOW, BELOW), "- plain: holds at every credible level: more than 1 pp below."),
        ((ABOVE, FAIR, FAIR), "- plain: holds at every credible level: within 1 pp."),
        ((FAIR, FAIR, ABOVE), "- plain: changes with strength: within 1 pp for good; more than 1 pp above for best."),
        ((FAIR, ABOVE, BELOW), "- plain: changes with strength: more than 1 pp above for good; more than 1 pp below for best."),
        ((FAIR, FAIR, OPEN), "- plain: undecided at best (about 160,000 games would decide); within 1 pp for good."),
        (
            (FAIR, OPEN, Effect(0.01)),
            "- plain: undecided at good (about 160,000 games would decide) and best (so close that 1,000 times as many games "
            "may not decide).",
        ),
        ((FAIR, FAIR, None), "- plain: undecided at best (not played yet); within 1 pp for good."),
        (
            (FAIR, FAIR, Effect(0.02, float("nan"), games=4)),
            "- plain: undecided at best (too few decks for an interval); within 1 pp for good.",
        ),
        (
            (FAIR, Effect(0.0079), Effect(0.0121)),
            "- plain: undecided whether it changes with strength: within 1 pp for good; more than 1 pp above for best.",
        ),
    ],
)
def test_print_ladder__sentence_on_the_start_player(effects, sentence):
    text = flat(printed(plain(*effects)))
    assert f"Start player's win share against a fair 25 % {sentence}" in text


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ([(0.03, 0.02)] * 3, "holds at every credible level: fairer."),
        ([(0.02, 0.03)] * 3, "holds at every credible level: less fair."),
        ([(0.03, 0.03)] * 3, "holds at every credible level: as fair within 1 pp."),
        ([(0.03, 0.03), (0.03, 0.02), (0.02, 0.03)], "changes with strength: fairer for good; less fair for best."),
        (
            [(0.03, 0.03), (0.03, 0.02), (0.03, 0.03)],
            "undecided whether it changes with strength: fairer for good; as fair within 1 pp for best.",
        ),
    ],
)
def test_print_ladder__sentence_on_fairness(pairs, sentence):
    text = flat(printed(both(*pairs)))
    assert f"Fairness against plain - other: {sentence}" in text


def test_print_ladder__levels_without_brackets_are_simply_all():
    levels = (Level("good"), Level("best"))
    text = printed(plain(ABOVE, ABOVE, levels=levels))
    assert "holds at every level: more than 1 pp above." in text
    assert "(" not in text.split("Start player's")[0]
    assert "brackets" not in text


def test_print_ladder__a_single_credible_level_says_nothing_about_strength():
    text = flat(printed(plain(FAIR, ABOVE, levels=THREE[:2])))
    assert "- plain: more than 1 pp above for good, the only credible level." in text


def test_print_ladder__marks_levels_that_have_no_say():
    text = printed(plain(FAIR, ABOVE, ABOVE))
    lines = [line.split() for line in text.splitlines()]
    assert ["(random)", "+0.10", "±", "0.20", "pp", "within", "margin"] in lines
    assert ["good", "+2.00", "±", "0.20", "pp", "outside", "margin"] in lines
    assert "Levels in brackets are no credible play" in text


def test_print_ladder__same_sentence_for_several_variants():
    cases = {(variant, 4, level.strategy): ABOVE for level in THREE for variant in ("plain", "b", "c")}
    assert "- plain, b and c: holds at every credible level: more than 1 pp above." in flat(printed(table(cases, "plain")))


def test_print_ladder__changes_stand_beside_the_variant_only():
    text = printed(both(*[(0.03, 0.02)] * 3))
    lines = [flat(line) for line in text.splitlines()]
    assert lines.count("good +3.00 ± 0.20 pp outside margin (base)") == 1
    assert lines.count("good +2.00 ± 0.20 pp outside margin -1.00 ± 0.20 pp fairer") == 1
    assert "change from" not in printed(plain(FAIR, FAIR, FAIR))


def test_print_ladder__says_how_much_was_played_at_each_level():
    assert "40,000 games of 10,000 decks for each variant and level" in printed(plain(FAIR, FAIR, FAIR))
    text = flat(printed(plain(FAIR, FAIR, Effect(0.0, 0.002, games=400))))
    assert "For each variant 40,000 games of 10,000 decks at (random) and good; 400 games of 100 decks at best" in text
    assert "nothing yet at best" in flat(printed(plain(FAIR, FAIR, None)))


def test_print_ladder__number_to_ask_for_counts_the_share_of_a_level():
    levels = (Level("good"), Level("slow", games=0.01))
    text = flat(printed(plain(FAIR, Effect(0.009, 0.002, games=400), levels=levels)))
    assert "slow (about 1,600 games would decide)" in text
    assert "To decide what is undecided takes about --games 160000." in text
    assert "To decide" not in printed(plain(FAIR, FAIR, Effect(0.01))), "nothing would"
    assert "To decide" not in printed(plain(OPEN, FAIR, FAIR)), "it has no say"


def test_print_ladder__interrupted_sessions():
    text = printed(plain(FAIR, FAIR, FAIR), unit="sessions", complete=False)
    assert "The run was interrupted: these numbers cover the sessions finished so far." in text
    assert "40,000 sessions on 10,000 sets of decks" in text


def test_print_ladder__nothing_played():
    assert printed(plain(None, None, None)) == "There are no games to judge.\n"


LONG = "duel+aces-bite+market-of-five-cards-refilled-at-once"


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("wide", [False, True])
def test_print_ladder__never_wider_than_80(width, wide):
    names = ("plain", LONG) if wide else ("plain", "other")
    levels = (Level("my-own-strategy-that-plays-at-random", credible=False), Level("search:200", games=0.01), Level("x" * 30))
    effect = Effect(-0.1234, 0.0678)
    cases = {(name, players, level.strategy): effect for name in names for players in (3, 4) for level in levels}
    text = printed(table(cases, names[-1], levels), width=width)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_print_ladder__colours_only_repeat_words():
    frame = both(*[(0.03, 0.02)] * 3)
    coloured = printed(frame, terminal=True)
    assert "\x1b[" in coloured
    for word in ("outside margin", "fairer", "(random)"):
        assert word in coloured


def test_print_ladder__strange_names_are_only_text():
    levels = (Level("[red]x\x1b"), Level("b"))
    text = printed(table({("[bold]v", 4, level.strategy): FAIR for level in levels}, levels=levels))
    assert "[bold]v" in text
    assert "[red]x?" in text


def test_print_ladder__players_one_after_another():
    cases = {("plain", players, level.strategy): FAIR for players in (5, 3) for level in THREE}
    text = printed(table(cases))
    assert text.index("3 players, everyone") < text.index("a fair 33.3 %") < text.index("5 players, everyone")
