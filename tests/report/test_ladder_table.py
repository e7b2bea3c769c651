"""The ladder in the terminal: plain sentences that claim no more than the levels do, within 80 columns."""

import io

import polars as pl
import pytest
from rich.console import Console

from pinchsim.games.seam import Level
from pinchsim.measure.ladder import ladder_table
from pinchsim.measure.sequential import BUDGET
from pinchsim.measure.summary import Summary
from pinchsim.report.ladder_table import print_ladder
from tests.measure.test_ladder import ABOVE, BELOW, FAIR, OPEN, THREE, Effect, summary
from tests.report.test_stopping import frame, target


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


def printed(frame, width=80, terminal=False, **run):
    """What is written of a ladder; `run` is what its run has, if it is more than the advantages of games."""
    usual = {"estimates": worth(), "differences": worth(), "histograms": pl.DataFrame(), "margin": 0.01, "base": None}
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system="standard" if terminal else None)
    print_ladder(frame, Summary(**usual | {"complete": True} | run), console)
    return console.file.getvalue()


def worth(*factors, measure="start_player_advantage"):
    """What is read of a run's rows beside its ladder."""
    rows = {"measure": [measure] * len(factors), "variance_reduction": factors}
    return pl.DataFrame(rows, {"measure": pl.String, "variance_reduction": pl.Float64})


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


LOOKED_AT = {"precision": frame(target("plain", wished=None, reason=BUDGET, verdict="undecided"))}


def test_print_ladder__a_run_that_was_looked_at_is_to_be_decided_by_another_one():
    text = flat(printed(plain(FAIR, OPEN, FAIR), **LOOKED_AT))
    assert (
        "To decide what is undecided takes about 160,000 games of a level, in a run without --precision: of a fixed number of "
        "games, --games 160000." in text
    )
    assert "To decide" not in printed(plain(FAIR, FAIR, Effect(0.01)), **LOOKED_AT), "nothing would"


def test_print_ladder__number_of_a_run_that_was_looked_at_counts_the_share_of_a_level():
    levels = (Level("good"), Level("slow", games=0.01))
    text = flat(printed(plain(FAIR, Effect(0.009, 0.002, games=400), levels=levels), **LOOKED_AT))
    assert "about 1,600 games of a level" in text
    assert "of a fixed number of games, --games 160000, of which slow levels get a part." in text


def test_print_ladder__a_run_that_was_looked_at_says_so():
    text = flat(printed(plain(FAIR, FAIR, FAIR), **LOOKED_AT))
    assert "- Budget spent after 400 games; not reached: plain, 4 players, greedy (undecided)." in text
    assert "The intervals allow for having been looked at after every wave of games." in text
    assert "looked at" not in printed(plain(FAIR, FAIR, FAIR))


def test_print_ladder__what_a_game_was_worth():
    ladder = both(*[(0.03, 0.02)] * 3)
    text = flat(printed(ladder, estimates=worth(1.04, 0.98, float("nan"), 1.5), differences=worth(2.0)))
    assert (
        "A game of this design is worth 0.98 to 1.50 independent games for the start player's advantage and 2.00 for its change."
        in text
    )
    assert "worth 1.50 independent games for the start player's advantage." in flat(printed(ladder, estimates=worth(1.5)))
    assert "is worth" not in printed(ladder, estimates=worth(1.5, measure="turns")), "nobody knows"


def test_print_ladder__interrupted_sessions():
    single = worth(1.0, measure="single_game_advantage")
    text = printed(plain(FAIR, FAIR, FAIR), estimates=single, complete=False)
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
    coloured = printed(both(*[(0.03, 0.02)] * 3), terminal=True)
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
