"""The two questions of the first screen that other folders answer: one best strategy, and dead or dangerous rules."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from pinchsim.measure.audit import CARE, OPEN, Finding
from pinchsim.measure.exploit import FOUND, Exploit
from pinchsim.measure.metagame_dominance import DOMINATED
from pinchsim.measure.tournament_analysis import Analysis, games_to_settle
from pinchsim.measure.verdict import OUTSIDE
from pinchsim.report import commands, style
from pinchsim.report.audit_table import kept_together, needed, told_effects
from pinchsim.report.beside import Readings, Search
from pinchsim.report.commands import Where
from pinchsim.report.evidence import Evidence, Material
from pinchsim.report.exploit_table import edge_words
from pinchsim.report.rule_counts import DEAD, by_rule, fewest, most_unseen
from pinchsim.report.sections.strategies import edge_words as leaving_words
from pinchsim.report.told import NOT_MEASURED, Group, Told
from pinchsim.report.tournament_table import leader, other_words

BEST, RULES = "One best strategy?", "Any rule dead or dangerous?"
MOST_NAMED = 3


def answers(evidence: Evidence, group: Group) -> list[Told]:
    """Both questions about one group."""
    material = evidence.material
    at = Where(group.variant, group.players, commands.strongest(material, group.line_ups))
    return [_best(material, group, at), _rules(material, group, at)]


def needed_words(games: int | None) -> str:
    """How many games would decide."""
    return f"About {style.count_words(games)} games would decide." if games else "Even far more games may not decide."


# -- one best strategy ------------------------------------------------------------------------------------


def _best(material: Material, group: Group, at: Where) -> Told:
    where = (group.variant, group.players)
    contests = [x.analysis for x in material.beside.contests if (x.analysis.shares.variant, x.analysis.shares.players) == where]
    searches = [x for x in material.beside.searches if (x.exploit.variant, x.exploit.players) == where]
    if contests:
        return _of_contest(material, contests[0], searches, at)
    command = commands.tournament(material, at)
    if not searches:
        return Told(BEST, NOT_MEASURED, "Strategies would have to meet in a tournament.", "", "strategies", command, "Yes")
    found = searches[0].exploit
    words = f"{_search_words(found)} Whether one way of playing is best against all others takes a tournament."
    return Told(BEST, "Undecided", words, _search_numbers(found), "exploit", command, "Yes")


def _of_contest(material: Material, analysis: Analysis, searches: list[Search], at: Where) -> Told:
    """What a tournament says, and whether a search beats its best strategy."""
    best, replies = leader(analysis), analysis.replies
    name = analysis.shares.strategies[best]
    against = next((search for search in searches if search.exploit.target == name), None)
    word, sentence, command = "Undecided", "", ""
    if replies.sure[best] == replies.fields:
        word, sentence = "Yes", f"{style.clean(name)} is the best answer to whatever the others play here."
        if against and against.exploit.verdict == FOUND:
            word, sentence = "Undecided", f"{style.clean(name)} is the best of those that met in the tournament."
            command = commands.tournament(material, at, _attacker(against), f"{against.folder}strategies")
    elif replies.beaten.all():
        word, sentence = "No", "What is best depends on what the others play."
    else:
        games = games_to_settle(analysis.shares, best)
        sentence = f"These games do not tell yet whether {style.clean(name)} is always best. {needed_words(games)}"
    parts = [sentence, _search_words(against.exploit) if against else "", "Let it play there, too." if command else ""]
    numbers = "; ".join(filter(None, [_contest_numbers(analysis, best), _search_numbers(against.exploit) if against else ""]))
    return Told(BEST, word, " ".join(filter(None, parts)), numbers, "strategies", command, "Yes")


def _attacker(search: Search) -> str:
    best = search.exploit.best
    return str(best["strategy"]) if best else ""


def _contest_numbers(analysis: Analysis, best: int) -> str:
    """The strategy's win share, how often it is the best answer, who is never worth playing, and what leaving the mix gains."""
    shares, replies = analysis.shares, analysis.replies
    found = analysis.field[best] if analysis.field is not None else analysis.others[best]
    name, fair = style.clean(shares.strategies[best]), style.plain(100 / shares.players)
    told = [
        f"{name} wins {style.with_interval(found._asdict(), 100, '%')} among all strategies, {fair} % is fair",
        f"surely the best answer to {replies.sure[best]} of {replies.fields} choices of {other_words(shares.players)} others",
    ]
    if analysis.dominance is not None:
        worse = len({d.strategy for d in analysis.dominance if d.verdict == DOMINATED})
        told.append(f"{worse} of {len(shares.strategies)} strategies are never worth playing")
    if analysis.balance is not None:
        edge = max(analysis.balance.edge, key=lambda x: x.estimate)
        told.append(f"best edge against the field in which it settles: {leaving_words(edge)}")
    return "; ".join([*told, f"{int(shares.games.sum()):,} games"])


def _search_words(found: Exploit) -> str:
    best, target = found.best, style.clean(found.target)
    if best is not None and found.verdict == FOUND:
        return f"A search found a player who beats {target}."
    return f"Nothing that a search tried surely beats {target}."


def _search_numbers(found: Exploit) -> str:
    best = found.best
    if best is None:
        return ""
    return (
        f"best attacker of {style.clean(found.target)}: {edge_words(best)}, at most {max(100 * found.bound[1], 0):.1f} pp for "
        f"all that were tried; {best['games']:,} games"
    )


# -- dead or dangerous rules ------------------------------------------------------------------------------


class Found(NamedTuple):
    """What one audit says of the rules: what is bad or open, in sentences, and the numbers behind it."""

    bad: list[str]
    undecided: list[str]
    numbers: str


def _rules(material: Material, group: Group, at: Where) -> Told:
    """What both audits of the rules say, or the one that is there."""
    dead, dangerous = _dead(material, group), _dangerous(material, group)
    lacking = [name for name, found in (("coverage", dead), ("readings", dangerous)) if found is None]
    command = commands.rules(material, at, lacking) if lacking else ""
    there = [found for found in (dead, dangerous) if found is not None]
    if not there:
        words = "The rules would have to be counted, and read otherwise."
        return Told(RULES, NOT_MEASURED, words, "", "coverage", command, "Yes")
    bad, undecided = ([words for found in there for words in getattr(found, name)] for name in ("bad", "undecided"))
    word = "Yes" if bad else "Undecided" if undecided or lacking else "No"
    read_first = dead is None or (dangerous is not None and bool(dangerous.bad or dangerous.undecided))
    section = "readings" if read_first else "coverage"
    words = _rules_words(bad or undecided, lacking)
    return Told(RULES, word, words, "; ".join(found.numbers for found in there), section, command, "Yes")


def _rules_words(told: list[str], lacking: list[str]) -> str:
    """What is bad, or else open, and what was not measured; without either that all is well, as far as it is known."""
    seen, unread = "Every rule comes into play", "players would notice no other reading"
    if not lacking:
        return " ".join(told) if told else f"{seen}, and {unread}."
    if lacking == ["coverage"]:
        return " ".join([*(told or [f"{style.sentence_name(unread)}."]), "Which rules come into play was not counted."])
    return " ".join([*(told or [f"{seen}."]), "Whether a sentence can be misread was not measured."])


def _dead(material: Material, group: Group) -> Found | None:
    """Rules that surely hardly ever come into play; None if they were not counted for this variant."""
    if group.variant not in {name for coverage in material.beside.coverages for name in coverage.counts["variant"]}:
        return None
    counts = by_rule(material.beside.coverages, [group.variant])
    never = [f"{row['rule']} ({row['counted']})" for row in counts.filter(times=0).to_dicts()]
    most, games = most_unseen(counts), fewest(counts, "games")
    numbers = f"{len(never)} of {counts.height} rules never seen in {games:,} games"
    if not never:
        return Found([], [], numbers)
    words = f"{_some(never)} never came into play"
    numbers += f", so in at most {100 * most:.2g} % of them"
    if most <= DEAD:
        return Found([f"Dead: {words}."], [], numbers)
    return Found([], [f"{words}. {needed_words(_games_until_dead(counts, most))}"], numbers)


def _games_until_dead(counts: pl.DataFrame, most: float) -> int:
    """How many games make the limit for what was never seen as small as it must be: it goes about with 1 / games."""
    return math.ceil(fewest(counts, "games") * math.log1p(-most) / math.log1p(-DEAD) / 100) * 100


def _dangerous(material: Material, group: Group) -> Found | None:
    """Sentences whose other readings players would notice; None without an audit of this variant and number of players."""
    audits = [(x, f) for x in material.beside.readings for f in x.findings if x.variant == group.variant]
    here = [(audit, f) for audit, f in audits if f.players == group.players]
    if not here:
        return None
    care, undecided = ([(a, f) for a, f in here if f.verdict == kind] for kind in (CARE, OPEN))
    games = min(row["games"] for _, f in here for row in f.largest.values())
    numbers = f"{len(care)} of {len(here)} other readings would be noticed"
    if care:
        numbers += f", most of all {_gravest(*care[0])}"
    bad, still = [], []
    if care:
        bad = [f"Dangerous, as players who read them otherwise play another game: {_some(map(_asked, care))}"]
    if undecided:
        still = [f"Whether this can be misread is open: {_some(map(_asked, undecided))} {needed_words(_needed(undecided))}"]
    return Found(bad, still, f"{numbers}; {games:,} games for each")


def _asked(at: tuple[Readings, Finding]) -> str:
    """The question of a contested sentence, with its rule."""
    audit, found = at
    return str(style.clean(audit.sentences[found.variant].partition(" Ruled: ")[0]))


def _label(audit: Readings, found: Finding) -> str:
    return str(kept_together(audit.labels[found.variant]))


def _gravest(audit: Readings, found: Finding) -> str:
    return f"{_label(audit, found)}: {told_effects(found, OUTSIDE)}"


def _needed(undecided: list[tuple[Readings, Finding]]) -> int | None:
    """About how many games would settle all that is undecided; None: far too many."""
    games = [needed(found) for _, found in undecided]
    return None if None in games else max(n for n in games if n is not None)


def _some(names: Iterable[str]) -> str:
    """Rules or questions, each once and a few by name."""
    found = list(dict.fromkeys(names))
    more = f" (and {len(found) - MOST_NAMED} more)" if len(found) > MOST_NAMED else ""
    return " ".join(found[:MOST_NAMED]) + more if found[0].endswith("?") else style.listed(found[:MOST_NAMED]) + more
