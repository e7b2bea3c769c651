"""What starting is worth over a whole match, beside a single game (METHODS M3.3)."""

from typing import NamedTuple

from pinchsim.measure.verdict import verdict
from pinchsim.report import commands, style
from pinchsim.report.beside import Sessions
from pinchsim.report.charts import Line, Mark, Row, axis_over, dots, told
from pinchsim.report.evidence import Evidence, Material
from pinchsim.report.section import Missing, Panel, Section, Shown, Table, place_words, span_words

LOOK = style.Look(style.BASE_COLOUR, "o")


class Pair(NamedTuple):
    """One cell: what starting is worth over a session, and in its first game."""

    of: Sessions
    session: Row
    game: Row

    @property
    def words(self) -> str:
        """What was played, and by whom."""
        place = place_words(self.session["variant"], self.session["players"])
        return f"{place}, {style.clean(self.session['line_up'])}, {_session_words(self.of.session)}"


def need(material: Material) -> Missing | None:
    if material.beside.sessions:
        return None
    return Missing("a sweep of whole matches", commands.sessions(material))


def show(evidence: Evidence) -> Shown:
    found = [pair for sessions in evidence.material.beside.sessions for pair in _pairs(sessions)]
    margin = evidence.summary.margin
    rows = [row for pair in found for row in (pair.session, pair.game)]
    axis = axis_over("wins above a fair share (pp)", rows, 100, (0,), band=(-100 * margin, 100 * margin), fair=0)
    return Shown(
        _title(found),
        tuple(_panel([pair for pair in found if pair.session["players"] == n], n, axis) for n in _players(found)),
        Table(("what is played", "over the session", "verdict", "in a single game"), tuple(_line(x, margin) for x in found)),
        "Several games in a row, everybody starting in turn, scores added up; the start player of a session starts its first "
        f"game. n = {_sizes(found)}.",
        (),
        files=tuple(f"{sessions.folder}estimates.parquet" for sessions in evidence.material.beside.sessions),
        seen="Filled: the session; hollow: its first game, on the same decks. Green: the margin of "
        f"±{style.margin_words(margin)}.",
    )


def _pairs(sessions: Sessions) -> list[Pair]:
    rows = style.by_key(sessions.summary.estimates)
    cells = dict.fromkeys(sessions.summary.estimates.select("line_up", "players", "variant").iter_rows())
    both = ([rows.get((*cell, name, -1)) for name in (style.ADVANTAGE, style.SINGLE_ADVANTAGE)] for cell in cells)
    return [Pair(sessions, session, game) for session, game in both if session and game]


def _players(found: list[Pair]) -> list[int]:
    return sorted({pair.session["players"] for pair in found})


def _title(found: list[Pair]) -> str:
    many, single = ([getattr(pair, name)["estimate"] for pair in found] for name in ("session", "game"))
    return (
        f"Starting is worth {span_words(many, 1, 100, 'pp', '+')} over a whole session, and "
        f"{span_words(single, 1, 100, 'pp', '+')} in a single game"
    )


def _panel(found: list[Pair], players: int, axis) -> Panel:
    lines = [Line(_label(pair), [Mark(LOOK, pair.session), Mark(LOOK, pair.game, hollow=True)]) for pair in found]
    words = " ".join(
        f"{pair.words}: {told([Line('over the session', [Mark(LOOK, pair.session)])], {LOOK: ''}, 100, 'pp', '+')} "
        f"{told([Line('in a single game', [Mark(LOOK, pair.game)])], {LOOK: ''}, 100, 'pp', '+')}"
        for pair in found
    )
    caption = f"{players} players"
    return Panel(caption, f"{caption}. {words}", dots(lines, axis))


def _label(pair: Pair) -> str:
    return f"{pair.session['variant']}, {_session_words(pair.of.session)}"


def _session_words(session: str) -> str:
    """What a session is: "match", "to 50 points"."""
    kind, _, points = session.partition(":")
    return f"to {points} points" if points else kind


def _line(pair: Pair, margin: float) -> tuple[str, ...]:
    session, game = (style.with_interval(row, 100, "pp", "+") for row in (pair.session, pair.game))
    return (pair.words, session, verdict(pair.session["low"], pair.session["high"], margin), game)


def _sizes(found: list[Pair]) -> str:
    sizes = dict.fromkeys((pair.session["games"], pair.session["decks"]) for pair in found)
    return " or ".join(style.size_words(f"{games:,}", f"{decks:,}", "sessions") for games, decks in sizes)


SECTION = Section("session", 25, "A whole match", show, needs=(need,))
