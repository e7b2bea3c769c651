"""The first screen on made-up numbers: which word each verdict has, and that levels which disagree are named."""

import re
from statistics import NormalDist

import polars as pl
import pytest

from pinchsim.measure.audit import CARE, OPEN
from pinchsim.measure.judged import Limits
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import Summary
from pinchsim.measure.tournament_analysis import analyse
from pinchsim.report.answers import groups, judged_together
from pinchsim.report.beside import Beside, Contest, Search
from pinchsim.report.evidence import Evidence, Material
from tests.measure.test_exploit import attacker, exploit
from tests.measure.test_tournament import luce, played, ring
from tests.report.test_audit_table import finding
from tests.report.test_sections_beside import counts, readings

BEST, RULES = "One best strategy?", "Any rule dead or dangerous?"
SMALL = 0.004


def row(measure, estimate, half=SMALL, line_up="greedy", games=10_000):
    return {
        "variant": "pinch", "players": 4, "line_up": line_up, "measure": measure, "position": -1, "unit": "share",
        "estimate": estimate, "low": estimate - half, "high": estimate + half, "standard_error": half / 2,
        "games": games, "decks": games // 4,
    }  # fmt: skip


def table(rows):
    return pl.DataFrame(rows, SCHEMA, orient="row")


def evidence(starts, measured=(), ladder=None, minutes=None, **beside):
    """A run whose start-player advantages by line-up are given, and what lies beside it."""
    estimates = table([row("start_player_advantage", *span, line_up=line_up) for line_up, span in starts.items()])
    changes = estimates.clear().with_columns(base=pl.lit(""))
    material = Material(
        Summary(estimates, changes, pl.DataFrame(), 0.01, None, True),
        ladder,
        None,
        None,
        minutes=minutes,
        beside=Beside(**beside),
    )
    return Evidence(material, table(list(measured)))


def told(found, section):
    ((_, answers),) = groups(found)
    return next(answer for answer in answers if answer.section == section)


@pytest.mark.parametrize(
    ("span", "word", "words"),
    [
        ((0.001, SMALL), "Yes", "as often as is fair"),
        ((0.05, SMALL), "No", "too often: fair would be 25 %"),
        ((-0.05, SMALL), "No", "too rarely"),
        ((0.008, SMALL), "Undecided", "About 40,000 games would decide."),
        ((0.01, SMALL), "Undecided", "Even far more games may not decide."),
    ],
)
def test_groups__fair_start(span, word, words):
    found = told(evidence({"greedy": span}), "start")
    assert found.word == word
    assert words in found.sentence
    assert "percentage points; 1 is allowed; 10,000 games" in found.numbers


@pytest.mark.parametrize(
    ("share", "word", "words"),
    [
        (0.5, "Yes", "does not settle"),
        (0.8, "No", "Settled early"),
        (0.27, "No", "Like a lottery"),
        (0.75, "Undecided", "do not tell yet"),
    ],
)
def test_groups__open_but_no_lottery(share, word, words):
    found = told(evidence({"greedy": (0.0, SMALL)}, [row("alone_wins:50", share)]), "runaway")
    assert found.word == word
    assert words in found.sentence
    assert "32.5 to 75 % counts as open; 10,000 games with one leader half-way" in found.numbers


@pytest.mark.parametrize(("outside", "word"), [(0.05, "Yes"), (0.2, "No"), (0.1, "Undecided")])
def test_groups__right_length(outside, word):
    found = told(evidence({"greedy": (0.0, SMALL)}, [row("outside:minutes", outside)], minutes=Limits(15, 30)), "length")
    assert found.word == word
    assert "wished: 15 to 30 minutes, but for 10 %" in found.numbers


def test_groups__what_was_not_measured_is_not_judged():
    found = evidence({"greedy": (0.0, SMALL)})
    assert {told(found, name).word for name in ("length", "runaway")} == {"Not judged"}
    assert {told(found, name).look for name in ("length", "runaway")} == {"open"}


def ladder_of(*levels):
    names = {"level": [name.strip("()") for name in levels], "credible": [not name.startswith("(") for name in levels]}
    return pl.DataFrame(names | {"rank": range(len(levels))})


def test_groups__of_a_ladder_judge_credible_levels_together():
    starts = {"random": (0.0, SMALL), "good": (0.05, SMALL), "best": (0.06, SMALL)}
    found = told(evidence(starts, ladder=ladder_of("(random)", "good", "best")), "start")
    assert found.word == "No"
    assert "So it is at every level of play: good and best." in found.sentence
    assert "good +5.00 ± 0.40 percentage points, best +6.00 ± 0.40 percentage points" in found.numbers


def test_groups__of_a_ladder_name_levels_that_disagree():
    starts = {"good": (0.0, SMALL), "best": (0.06, SMALL)}
    found = told(evidence(starts, ladder=ladder_of("good", "best")), "start")
    assert (found.word, found.look) == ("It depends", "open")
    assert "That changes with how well people play. Yes at good; No at best." in found.sentence


def test_groups__a_level_that_was_not_played_leaves_it_open():
    found = told(evidence({"good": (0.0, SMALL)}, ladder=ladder_of("good", "best")), "start")
    assert found.word == "Undecided"
    assert "Yes at good; Undecided at best." in found.sentence


def test_groups__line_ups_without_a_ladder_stand_by_themselves():
    found = groups(evidence({"greedy": (0.0, SMALL), "greedy,uniform": (0.05, SMALL)}))
    assert [group.heading for group, _ in found] == [
        "Pinch, 4 players, everyone plays greedy",
        "Pinch, 4 players, greedy, 3 x uniform",
    ]


def test_groups__of_players_of_different_strength_are_asked_for_a_fair_start_alone():
    found = dict(groups(evidence({"greedy": (0.0, SMALL), "greedy,uniform": (0.05, SMALL)})))
    alike, mixed = found.values()
    assert len(alike) == 5
    assert [told.question for told in mixed] == ["Fair start?"]
    assert mixed[0].word == "No"
    assert (
        "The players are of different strength" in mixed[0].sentence and "only this question is answered" in mixed[0].sentence
    )
    assert "different strength" not in alike[0].sentence


# -- all answers to a question are one family -------------------------------------------------------------


def many(estimate, half, line_ups):
    """The same start-player advantage in many groups."""
    return evidence(dict.fromkeys([f"s{k}" for k in range(line_ups)], (estimate, half)))


def test_groups__intervals_hold_at_once():
    alone, eight = many(0.0055, SMALL, 1), many(0.0055, SMALL, 8)
    assert (judged_together(alone), judged_together(eight)) == (1, 8)
    assert told(alone, "start").word == "Yes"
    found = [answers[0] for _, answers in groups(eight)]
    assert {answer.word for answer in found} == {"Undecided"}
    wider = 0.4 * NormalDist().inv_cdf(1 - 0.025 / 8) / NormalDist().inv_cdf(0.975)
    assert all(f"+0.55 ± {wider:.2f} percentage points" in answer.numbers for answer in found)
    assert all("games would decide." in answer.sentence for answer in found)


def test_groups__what_is_clear_stays_clear_in_a_family():
    assert {answers[0].word for _, answers in groups(many(0.05, SMALL, 8))} == {"No"}


def test_groups__a_share_keeps_between_none_and_all():
    starts = dict.fromkeys([f"s{k}" for k in range(8)], (0.0, SMALL))
    measured = [row("outside:minutes", 0.003, 0.003, line_up=name) for name in starts]
    found = evidence(starts, measured, minutes=Limits(15, 30))
    assert {answer.word for _, answers in groups(found) for answer in answers if answer.section == "length"} == {"Yes"}


# -- one best strategy ------------------------------------------------------------------------------------


def answer(found, question):
    ((_, answers),) = groups(found)
    return next(told for told in answers if told.question == question)


def best(*contests, searches=()):
    contests = tuple(Contest("../t/", analyse(shares), True) for shares in contests)
    return answer(evidence({"greedy": (0.0, SMALL)}, contests=contests, searches=searches), BEST)


def test_best__not_measured_says_how():
    found = best()
    assert (found.word, found.look) == ("Not measured", "open")
    assert found.command.startswith(
        "pinchsim tournament greedy STRATEGY --variant pinch --players 4 --out tournament-pinch-4p && "
    )
    assert found.command.endswith("pinchsim report . tournament-pinch-4p")


def test_best__of_another_number_of_players_is_not_measured():
    assert best(played(luce(1, 2, 4), players=3)).word == "Not measured"


def test_best__one_that_is_best_whatever_the_others_play():
    found = best(played(luce(1, 2, 4), players=4, decks=2000))
    assert (found.word, found.look) == ("Yes", "no"), "nobody wishes for it"
    assert "c is the best answer to whatever the others play here." in found.sentence
    assert "surely the best answer to 10 of 10 choices of three others" in found.numbers
    assert "2 of 3 strategies are never worth playing" in found.numbers
    assert "best edge against the field in which it settles: 0; " in found.numbers
    assert "among all strategies, 25 % is fair" in found.numbers and " games" in found.numbers
    assert found.section == "strategies"


def test_best__none_is_always_best():
    found = best(played(ring, players=4, decks=4000))
    assert (found.word, found.look) == ("No", "yes")
    assert "depends on what the others play" in found.sentence


def test_best__undecided_says_what_would_decide():
    found = best(played(luce(1, 1.2), ("a", "b"), 4, decks=60))
    assert (found.word, found.look) == ("Undecided", "open")
    assert re.search(
        r"whether b is always best\. (About [\d,]+ games would decide|Even far more games may not decide)\.", found.sentence
    )


def test_best__a_search_that_beats_the_best_leaves_it_open():
    shares = played(luce(1, 2, 4), players=4, decks=2000)
    beaten = best(shares, searches=(Search("../x/", exploit(attacker("same", 0.05), target="c")),))
    assert beaten.word == "Undecided"
    assert "A search found a player who beats c." in beaten.sentence
    assert "best attacker of c: +5.0 ± 1.0 pp" in beaten.numbers.replace("\N{NO-BREAK SPACE}", " ")
    assert (
        "exploit_same --variant pinch --players 4 --strategies ../x/strategies --out tournament-more-pinch-4p" in beaten.command
    )
    safe = best(shares, searches=(Search("../x/", exploit(attacker("same", 0.0), target="c")),))
    assert safe.word == "Yes" and "Nothing that a search tried surely beats c." in safe.sentence
    assert "at most 1.0 pp for all that were tried" in safe.numbers
    other = best(shares, searches=(Search("../x/", exploit(attacker("same", 0.05), target="a")),))
    assert other.word == "Yes" and "search" not in other.sentence, "it beats another one"


def test_best__a_search_alone_needs_a_tournament():
    found = best(searches=(Search("../x/", exploit(attacker("same", 0.05))),))
    assert found.word == "Undecided" and found.section == "exploit"
    assert "beats sniper" in found.sentence and found.command.startswith("pinchsim tournament ")


# -- dead or dangerous rules ------------------------------------------------------------------------------

FINE = (("R1", "cards dealt", 9000, True), ("R2", "duels", 0, False))
DEAD = (*FINE, ("R3", "wonders", 0, True))


def rules(coverage=None, audit=None):
    beside = {"coverages": (coverage,)} if coverage else {}
    beside |= {"readings": (audit,)} if audit else {}
    return answer(evidence({"greedy": (0.0, SMALL)}, **beside), RULES)


def test_rules__not_measured_says_how():
    found = rules()
    assert (found.word, found.look) == ("Not measured", "open")
    assert found.command == (
        "pinchsim audit coverage --variant pinch --out coverage-pinch && pinchsim audit rules --variant pinch --players 4 "
        "--line-up greedy --out readings-pinch-4p && pinchsim report . coverage-pinch readings-pinch-4p"
    )


def test_rules__all_is_well():
    found = rules(counts(*FINE), readings(finding("pinch+refill=card")))
    assert (found.word, found.look, found.command) == ("No", "yes", "")
    assert "Every rule comes into play, and players would notice no other reading." in found.sentence
    assert (
        "0 of 1 rules never seen in 2,000 games; 0 of 1 other readings would be noticed; 4,000 games for each" in found.numbers
    )


def test_rules__a_dead_one():
    found = rules(counts(*DEAD), readings(finding("pinch+refill=card")))
    assert (found.word, found.look, found.section) == ("Yes", "no", "coverage")
    assert "Dead: R3 (wonders) never came into play." in found.sentence
    assert "1 of 2 rules never seen in 2,000 games, so in at most 0.74 % of them" in found.numbers


def test_rules__too_few_games_to_call_one_dead():
    found = rules(counts(*DEAD, games=80, decks=20), readings(finding("pinch+refill=card")))
    assert found.word == "Undecided"
    assert "R3 (wonders) never came into play. About 800 games would decide." in found.sentence
    assert rules(counts(*DEAD, games=800, decks=200), readings(finding("pinch+refill=card"))).word == "Yes"


def test_rules__a_dangerous_one():
    found = rules(counts(*FINE), readings(finding("pinch+refill=card", CARE, start=(3, 0.5))))
    assert (found.word, found.section) == ("Yes", "readings")
    assert "play another game: R5.2: When is the market refilled?" in found.sentence
    assert "1 of 1 other readings would be noticed, most of all refill = card: start-player advantage" in found.numbers.replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_rules__an_open_one_says_what_would_decide():
    found = rules(counts(*FINE), readings(finding("pinch+refill=card", OPEN, start=(0.9, 0.5))))
    assert found.word == "Undecided"
    assert re.search(r"is open: R5\.2: When is the market refilled\? About [\d,]+ games would decide\.", found.sentence)


@pytest.mark.parametrize("known", ["coverage", "readings"])
def test_rules__one_half_alone_is_not_enough(known):
    found = rules(counts(*FINE)) if known == "coverage" else rules(audit=readings(finding("pinch+refill=card")))
    assert found.word == "Undecided"
    assert ("audit rules" in found.command, "audit coverage" in found.command) == (known == "coverage", known == "readings")


def test_rules__a_dead_rule_is_told_without_the_other_half():
    found = rules(counts(*DEAD))
    assert found.word == "Yes" and "audit rules" in found.command


def test_rules__of_other_variants_and_tables_do_not_count():
    assert (
        rules(counts(*DEAD, variant="classic"), readings(finding("pinch+refill=card", CARE, players=3))).word == "Not measured"
    )
