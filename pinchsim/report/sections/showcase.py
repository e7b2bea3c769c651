"""Games to look at, chosen by the numbers: how the chances went, and every move (METHODS M3.7)."""

import shlex

import numpy as np
import polars as pl

from pinchsim.measure import showcase as chosen
from pinchsim.measure.sample import Sample
from pinchsim.measure.summary import CellName
from pinchsim.report import style
from pinchsim.report.chance_charts import game_course
from pinchsim.report.evidence import Case, Evidence, Material, Replayed
from pinchsim.report.section import ROWS, Panel, Section, Shown, Table, Text, place_words, quick_games_again, rows_with
from pinchsim.report.sections.chances import MOST_GAMES

USUAL_PLAYERS = 4
TITLES = {
    chosen.TYPICAL: "The most typical game",
    chosen.COMEBACK: "The biggest comeback",
    chosen.LONGEST: "The longest game",
    chosen.START: "The start player's advantage at work",
}
NEEDED = rows_with("turns", "lead_changes", "comeback", "lead_for_good", "score", "win_share")


def measure(sample: Sample, material: Material) -> pl.DataFrame:
    return chosen.showcase(sample)


def show(evidence: Evidence) -> Shown:
    replays = evidence.material.replays
    assert not isinstance(replays, str)
    case = _case(evidence, replays)
    cell, found = CellName(case.variant, case.players, case.line_up), {}
    for kind in chosen.KINDS:
        row = evidence.row(case, f"showcase:{kind}")
        assert row is not None
        found[kind] = row
    picks = {kind: int(row["estimate"]) for kind, row in found.items()}
    where = f"{place_words(case.variant, case.players)}, {style.line_up_words(case.line_up, case.players)}"
    return Shown(
        f"Four games of {where}",
        tuple(_panel(evidence, replays, cell, kind, index) for kind, index in picks.items()),
        _table(evidence, case, picks),
        "Chosen by the rows alone: nearest to the middle in turns, changes of the lead, margin and comeback; the winner "
        "furthest behind; most turns; and of the decks on which whoever starts wins, the most typical. Chances of winning are "
        "told from what a bystander sees, by weights fitted to other games. "
        f"n = {found[chosen.TYPICAL]['games']:,} games to choose from.",
        ROWS,
        texts=tuple(_text(replays, cell, kind, index) for kind, index in picks.items()),
        seen="Thick: the winner. Dashed across: equal chances.",
    )


def _case(evidence: Evidence, replays: Replayed) -> Case:
    """The cell that is shown: of the variant beside the base, with four players if it has that, the strongest quick level."""
    variant = next((name for name in evidence.variants if name != evidence.summary.base), evidence.variants[0])
    mine = [case for case in evidence.cases if case.variant == variant and not replays.is_slow(CellName(*case[:3]))]
    mine = [case for case in mine if case.credible] or mine
    usual = [case for case in mine if case.players == USUAL_PLAYERS]
    return (usual or mine)[-1]


def _text(replays: Replayed, cell: CellName, kind: str, index: int) -> Text:
    return Text(TITLES[kind], tuple(replays.transcript(cell, index).splitlines()), shlex.join(replays.command(cell, index)))


def _panel(evidence: Evidence, replays: Replayed, cell: CellName, kind: str, index: int) -> Panel:
    n = cell.players
    games = min(MOST_GAMES, _games(evidence, cell))
    progress = replays.progress(cell, np.array([index]))
    chances = replays.model(cell, -(-games // n) * n).of(progress.signs, index // n)
    winners = np.flatnonzero(progress.shares[0] > 0).tolist()
    lowest = chances[:, winners].max(axis=1).min() if len(chances) else 1.0
    who = style.listed([f"position {p + 1}" for p in winners])
    words = f"{TITLES[kind]}: {len(chances) + 1} turns; {who} won, with a chance of {100 * lowest:.0f} % at worst."
    return Panel(TITLES[kind], words, game_course(chances, winners))


def _games(evidence: Evidence, cell: CellName) -> int:
    row = evidence.row(Case(*cell), style.ADVANTAGE)
    assert row is not None
    return int(row["games"])


def _table(evidence: Evidence, case: Case, picks: dict[str, int]) -> Table:
    """What the rows say of each game."""
    assert evidence.material.games is not None
    n = case.players
    found = evidence.material.games.filter(
        variant=case.variant, players=n, line_up=case.line_up
    ).with_columns((pl.col("deck").cast(pl.Int64) * n + pl.col("rotation")).alias("index"))  # fmt: skip
    kept = found.filter(pl.col("index").is_in(list(picks.values()))).collect().rows_by_key("index", named=True, unique=True)
    rows = []
    for kind, index in picks.items():
        game = kept[index]
        rows.append((TITLES[kind], f"{index:,}", str(game["turns"]), str(game["lead_changes"]), style.plain(game["comeback"])))
    return Table(("game", "index", "turns", "changes of the lead", "winner behind by up to (points)"), tuple(rows))


SECTION = Section("showcase", 78, "Games to look at", show, measure, (NEEDED, quick_games_again))
