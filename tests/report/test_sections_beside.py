"""Sections of what other commands found, on made-up findings: what they claim, their pictures, and that names are only text."""

import re
import shlex

import polars as pl
import pytest

from pinchsim.measure.audit import CARE, OPEN
from pinchsim.measure.exploit import difference_rows
from pinchsim.measure.judged import Limits
from pinchsim.measure.sample import SCHEMA
from pinchsim.measure.summary import Summary
from pinchsim.measure.tournament_analysis import analyse
from pinchsim.report.beside import Beside, Contest, Coverage, Readings, Search, Sessions, Skills
from pinchsim.report.evidence import Material
from pinchsim.report.page import make_pages
from tests.measure.test_exploit import PINCHES, TAKES, attacker, drawn, exploit
from tests.measure.test_tournament import luce, played, ring
from tests.report.report_run import Page
from tests.report.test_audit_table import QUESTION, finding
from tests.report.test_skill_table import levels, noise, trace

HOSTILE = "<script>alert(1)<b>&'|*x"


def row(measure, estimate, half=0.004, players=4, variant="pinch", games=10_000):
    return {
        "variant": variant, "players": players, "line_up": "greedy", "measure": measure, "position": -1, "unit": "share",
        "estimate": estimate, "low": max(estimate - half, -1), "high": estimate + half, "standard_error": half / 2,
        "games": games, "decks": games // players,
    }  # fmt: skip


def summary(*rows, base=None):
    estimates = pl.DataFrame(rows or [row("start_player_advantage", 0.05)], SCHEMA, orient="row")
    return Summary(estimates, estimates.clear().with_columns(base=pl.lit("")), pl.DataFrame(), 0.01, base, True)


def pages(*rows, **found):
    """The page and the Markdown of a run without rows, with what lies beside it."""
    more = {name: found.pop(name) for name in ("folder", "joined", "minutes", "levels", "sources") if name in found}
    return make_pages(Material(summary(*rows), None, None, None, beside=Beside(**found), **more))


def section(name, *rows, **found):
    """The source of one section."""
    return re.search(rf'<section id="{name}">.*?</section>', pages(*rows, **found).html, re.DOTALL)[0]


def text(part):
    """What is to be read there, but for the pictures."""
    return Page(re.sub(r"<svg.*?</svg>", "", part, flags=re.DOTALL)).text


def contest(chances=None, names=("a", "b", "c"), players=3, folder="../contest/", **options):
    found = analyse(played(chances or luce(1, 2, 4), names, players, decks=options.pop("decks", 400), **options))
    return Contest(folder, found, True)


def readings(*findings, labels=None, sentences=None):
    names = dict.fromkeys(f.variant for f in findings)
    labels = labels or {name: name.removeprefix("pinch+").replace("=", " = ") for name in names}
    rows = [row("end:turn_limit", f.endless, 0.0, f.players, f.variant) for f in findings]
    return Readings(
        "../audit/", summary(*rows, base="pinch"), list(findings), labels, sentences or dict.fromkeys(names, QUESTION)
    )


def counts(*rules, variant="pinch", games=2000, decks=500, players=4):
    """Counts from (rule, what is counted, times, whether it applies)."""
    rows = [
        {
            "variant": variant, "players": players, "line_up": "uniform", "rule": rule, "counted": counted, "applies": applies,
            "times": times, "games": games, "decks": decks, "per_game": times / games,
        }
        for rule, counted, times, applies in rules
    ]  # fmt: skip
    return Coverage("../count/", pl.DataFrame(rows))


ALL = {
    "sessions": lambda name: (Sessions("../s/", summary(*_session(name)), "match"),),
    "contests": lambda name: (contest(names=("a", "b", name)),),
    "skills": lambda name: (Skills("../k/", levels(1, 2, 4, names=("a", "b", name)), [trace(0.4, 0.3)], noise()),),
    "searches": lambda name: (Search("../x/", exploit(attacker(strategy=name), attacker("library", strategy=name), target=name)),),
    "readings": lambda name: (readings(finding("v", CARE, start=(3, 1)), labels={"v": name}, sentences={"v": f"{name} Ruled: {name}"}),),
    "coverages": lambda name: (counts(("R1", name, 0, True), ("R2", name, 5, True), variant=name),),
}  # fmt: skip
NAMES = {
    "sessions": "session", "contests": "strategies", "skills": "skill", "searches": "exploit", "readings": "readings",
    "coverages": "coverage",
}  # fmt: skip


def _session(name):
    return [row("start_player_advantage", 0.001, variant=name), row("single_game_advantage", 0.08, variant=name)]


@pytest.fixture(scope="module")
def hostile():
    return pages(**{kind: make(HOSTILE) for kind, make in ALL.items()})


@pytest.mark.parametrize("kind", ALL)
def test_sections__have_finding_picture_table_size_and_files(hostile, kind):
    part = re.search(rf'<section id="{NAMES[kind]}">.*?</section>', hostile.html, re.DOTALL)[0]
    assert part.count("<h2>") == 1 and "<svg" in part and '<th scope="row">' in part
    assert "n = " in part and re.search(r'<a href="\.\./\w/\w+\.parquet"|<a href="\.\./\w+/\w+\.parquet"', part)


def test_sections__names_are_only_text(hostile):
    page = Page(hostile.html)
    assert page.open == [] and "script" not in {tag for tag, _ in page.elements}
    assert page.text.count("<script>alert(1)") > 6
    assert "<" not in re.sub(r"`[^`\n]*`", "", hostile.markdown)
    for words in page.headings:
        if words[0] == 2:
            assert words[1].strip() in re.sub(r"\\(.)", r"\1", hostile.markdown).replace("&lt;", "<").replace(
                "&gt;", ">"
            ).replace("&amp;", "&")


def test_sections__pictures_take_their_colours_from_the_page(hostile):
    svg = "".join(re.findall(r"<svg.*?</svg>", hostile.html, re.DOTALL))
    assert not re.search(r"#[0-9a-fA-F]{6}\b", svg)


def test_sections__same_findings_same_bytes(hostile):
    assert pages(**{kind: make(HOSTILE) for kind, make in ALL.items()}) == hostile


# -- one after the other ----------------------------------------------------------------------------------


def test_session__beside_the_single_game():
    part = text(section("session", sessions=(Sessions("../s/", summary(*_session("pinch")), "first-to:50"),)))
    assert "Starting is worth +0.1 pp over a whole session, and +8.0 pp in a single game" in part
    assert "pinch, 4 players, greedy, to 50 points +0.10 ± 0.40 pp within margin +8.00 ± 0.40 pp" in part


def test_strategies__say_what_the_tournament_says():
    found = contest()
    part = section("strategies", contests=(found,))
    assert "pinch, 3 players: c is the best reply to everything here" in text(part)
    svg = "".join(re.findall(r"<svg.*?</svg>", part, re.DOTALL))
    for cells in found.analysis.matrix:
        for cell in cells:
            assert f">{100 * cell.estimate:.1f}<" in svg
    assert "c 100 0" in " ".join(re.sub(r"[+-]\d\S* ± \d\S*( pp)?|\d+\.\d+ ± \d\S* %", "", text(part)).split()), "it is the mix"
    assert "Dominated, worse against every choice of opponents" in text(part)


def test_strategies__a_cell_is_the_fuller_the_further_it_is_off():
    svg = section("strategies", contests=(contest(luce(1, 1, 8)),)).split("wins of one of each row")[-1]
    cells = re.findall(r"fill: var\(--(c\d)\); opacity: ([\d.]+)", svg)
    depths = {colour: [float(depth) for name, depth in cells if name == colour] for colour in ("c1", "c2")}
    assert max(depths["c1"]) == max(depths["c2"]) == 0.5, "below a fair share and above it"
    assert min(depths["c1"]) < 0.2


def test_strategies__of_several_tournaments_name_each():
    part = text(section("strategies", contests=(contest(), contest(ring, players=3, folder="../other/", decks=2000))))
    assert "pinch, 3 players: c is the best reply to everything here; pinch, 3 players: no strategy is best against" in part
    assert part.count("strategy rating wins in the field") == 2
    assert "../contest/ratings.parquet" in part and "../other/ratings.parquet" in part
    assert "They beat each other in a circle" in part


def test_strategies__one_against_others_alone_has_no_mix():
    part = text(section("strategies", contests=(contest(pairs=True),)))
    assert "wins against two others" in part and "in the mix" not in part


def test_skill__levels_traces_and_noise():
    part = text(section("skill", skills=(Skills("../k/", levels(1, 2, 4), [trace(0.4, 0.3, 0.25)], noise()),)))
    assert "pinch, 4 players: all 3 levels can be told apart" in part
    assert "search: 2 of 3 steps surely gain" in part and "25 → 50" in part
    assert "temperature 2 20.1 ± 0.6 % +3.0 ± 0.6 pp 31.0 ± 0.1" in part
    assert "../k/levels.parquet" in part and "../k/noise.parquet" in part


def test_skill__shows_what_is_finished():
    part = text(section("skill", skills=(Skills("../k/", None, [trace(0.4, 0.3)], None),)))
    assert "what strength is worth" in part and "../k/trace.parquet" in part
    assert "A game of this design is worth 0.90 to 1.90 independent games for a step of a trace." in part
    assert "levels.parquet" not in part and "memory" not in part.split("A step is")[0]


def test_exploit__edges_and_what_is_done_otherwise():
    import numpy as np

    sums = [np.concatenate([drawn(a, 800, k), drawn(b, 800, k + 1)], axis=1) for a, b, k in ((0.6, 0.7, 1), (0.4, 0.9, 3))]
    rows = difference_rows("same", [TAKES, PINCHES], *sums, 1)
    part = text(section("exploit", searches=(Search("../x/", exploit(attacker("same", 0.05), differences=rows)),)))
    assert "pinch, 4 players: sniper can be exploited: exploit_same has an edge of +5.0 ± 1.0 pp" in part
    assert "all weights +5.0 ± 1.0 pp 2 x 20 480,000 12,000 61 s" in part
    assert "exploit_same, unlike sniper, takes more: " in part
    assert "within ±1 pp, the margin of a fair start" in part
    assert "A game of this design is worth 0.80 independent games for an edge and " in part


def test_exploit__of_several_targets():
    searches = (Search("../x/", exploit(attacker())), Search("../y/", exploit(attacker(edge=-0.05), target="champion")))
    part = text(section("exploit", searches=searches))
    assert "1 of 2 strategies can be exploited: sniper" in part
    assert "pinch, 4 players: Nothing beats champion here" in part
    assert "one among three of sniper" in part and "one among three of champion" in part


def test_readings__care_is_told_in_sentences():
    audit = readings(
        finding("pinch+refill=card", CARE, start=(3.0, 0.5)), finding("pinch+discards=reshuffled", OPEN, length=(4.9, 0.5)),
    )  # fmt: skip
    part = text(section("readings", readings=(audit,))).replace("\N{NO-BREAK SPACE}", " ")
    assert "Write with care: R5.2 (refill = card)" in part
    assert "refill = card. R5.2: When is the market refilled? Ruled: when a player has finished drawing." in part
    assert "Write this with care: start-player advantage +3.00 pp (+2.50 to +3.50)." in part
    assert re.search(r"Undecided, with about how many games would decide: discards = reshuffled \([\d,]+\)", part)
    assert "refill = card +3.00 !" in part


def test_readings__claim_no_more_than_the_audit():
    same = readings(finding("pinch+refill=card"))
    assert "Players would notice no other reading" in text(section("readings", readings=(same,)))
    still = readings(finding("pinch+refill=card", OPEN, start=(0.9, 0.5)))
    assert "No other reading of the rules is shown to be noticed" in text(section("readings", readings=(still,)))


def test_readings__by_number_of_players():
    audit = readings(finding("pinch+refill=card", CARE, start=(3, 1)), finding("pinch+refill=card", players=3))
    part = text(section("readings", readings=(audit,)))
    assert "pinch, 4 players, everyone plays greedy" in part and "pinch, 3 players, everyone plays greedy" in part
    assert "4 players: refill" in part.replace("\N{NO-BREAK SPACE}", " ")


RULES = (
    ("R1", "cards dealt", 9000, True), ("R2", "rare things", 3, True), ("R3", "wonders", 0, True), ("R4", "duels", 0, False),
    ("R5", "games that reached the turn limit", 0, True),
)  # fmt: skip


def test_coverage__names_what_never_came_into_play():
    part = text(section("coverage", coverages=(counts(*RULES),)))
    assert "R3 never came into play" in part and "R3, wonders: never with pinch." in part
    assert "R4" not in part, "it cannot apply"
    assert "R5" not in part, "a guard that nobody should meet"
    assert "pinch 3 R3 0.82 %" in part, "1 - (0.05 / 3) ** (1 / 500)"
    assert part.index("pinch, R2 rare things 0.0015") < part.index("pinch, R1 cards dealt 4.5")


def test_coverage__one_number_of_players_is_enough():
    second = counts(("R1", "cards dealt", 9000, True), ("R3", "wonders", 1, True), players=3)
    part = text(section("coverage", coverages=(counts(*RULES), second)))
    assert "Every rule comes into play" in part


def test_coverage__only_of_the_variants_of_the_run():
    part = text(section("coverage", coverages=(counts(*RULES), counts(*RULES, variant="classic"))))
    assert "classic" not in part
    assert "classic" in text(section("coverage", coverages=(counts(*RULES, variant="classic"),)))


def test_endless__none_seen_has_an_exact_limit():
    rows = [row("start_player_advantage", 0.05), row("end:turn_limit", 0.0, 0.0, games=1200)]
    part = text(section("endless", *rows))
    assert "No game went on until the turn limit; at most 0.99 % would" in part
    assert "pinch, 4 players, greedy none of 1,200 games 0.99 %" in part, "1 - 0.05 ** (1 / 300)"


def test_endless__some_seen_and_the_audit():
    rows = [row("start_player_advantage", 0.05), row("end:turn_limit", 0.002, 0.001)]
    audit = readings(finding("pinch+discards=reshuffled", endless=(0.3, 0.001)), finding("pinch+refill=card"))
    part = text(section("endless", *rows, readings=(audit,)))
    assert "Up to 0.20 % of the games go on until the turn limit" in part
    assert "20 of 10,000 games 0.3 %" in part
    assert (
        "Read as discards = reshuffled (4 players, greedy), 30.00 % of the games reach the turn limit; as ruled, 0.10 %."
        in part
    )
    assert "Read as refill" not in part


def test_endless__is_left_out_without_a_limit():
    assert "Games without end: for lack of a turn limit" in Page(pages().html).text


# -- what is lacking --------------------------------------------------------------------------------------


def commands(page):
    """The commands that a page gives for what it lacks, as words."""
    given = re.findall(r"`(.*?)`", page.markdown.split("## Left out")[1].split("## How sure")[0])
    return [[shlex.split(part) for part in command.split(" && ")] for command in given]


def test_missing__gives_the_command_and_the_report_with_its_folder():
    found = commands(pages(folder="../run/", joined=("../count/",), minutes=Limits(5, 15), levels=("uniform", "greedy")))
    tournament = next(command for command in found if "tournament" in command[0])
    assert tournament == [
        ["pinchsim", "tournament", "uniform", "greedy", "--variant", "pinch", "--players", "4", "--out", "tournament-pinch-4p"],
        ["pinchsim", "report", "../run", "../count", "tournament-pinch-4p", "--minutes", "5-15", "--out", "."],
    ]
    assert sum(len(command) == 2 for command in found) == len(set(Beside._fields) - {"prices"}), "each kind but that of rows"


def test_missing__names_the_file_of_a_variant():
    found = commands(pages(row("start_player_advantage", 0.05, variant="a b"), sources={"a b": "../my files/a b.toml"}))
    tournament = next(command for command in found if "tournament" in command[0])[0]
    assert tournament[tournament.index("--variant") + 1] == "../my files/a b.toml"
    assert tournament[-1] == "tournament-a-b-4p"
