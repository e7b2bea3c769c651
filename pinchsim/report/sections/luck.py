"""How much of who wins is luck, and what a deck leaves open (METHODS M4.1, M4.2)."""

from collections.abc import Iterator, Sequence

from pinchsim.measure.luck import LUCK, WHO_PLAYS, WHO_STARTS
from pinchsim.report import commands, style
from pinchsim.report.beside import Lucky
from pinchsim.report.charts import Axis, Line, Mark, dots, told
from pinchsim.report.evidence import Evidence, Row
from pinchsim.report.luck_table import DECKS, OUTER, by_line_up, short, size_words
from pinchsim.report.section import Panel, Section, Shown, Table, beside, place_words, span_words

LOOK = style.Look(style.COLOURS[0], "o")
AXIS = Axis("part of the variance (%)", -6, 106, 100)


def show(evidence: Evidence) -> Shown:
    found = evidence.material.beside.lucks
    decks = tuple(row for luck in found for row in _deck_rows(luck))
    words = ("line-up", *DECKS.values())
    sizes = " ".join(dict.fromkeys(size_words(by_line_up(luck.found)) for luck in found))
    return Shown(
        _title(found),
        tuple(panel for luck in found for panel in _panels(luck)),
        _table(found),
        "Games are played again with some of their chances held and the others taken anew; how alike the results stay tells "
        "what the held ones decide. Parts of the variance of a seat's win share, which add up to 100 %; what a source does "
        "together with those before it counts for it, and what the two kinds of random choices do together is halved. Only a "
        f"table of different strategies tells how much who plays decides. n = {sizes}",
        (),
        more=(Table(words, decks, "The same decks again and again: the start player's win share (%)"),) if decks else (),
        files=tuple(f"{luck.folder}{name}.parquet" for luck in found for name in ("luck", "decks")),
    )


def _title(found: Sequence[Lucky]) -> str:
    """How much is luck where players differ, otherwise what the start decides."""
    books = [book for luck in found for book in by_line_up(luck.found).values()]
    who = [row["estimate"] for book in books if (row := book.get(f"{LUCK}:{WHO_PLAYS}"))]
    if who:
        part = span_words(who, 0, 100, "%")
        return f"Where weak and strong players meet, who plays decides {part} of who wins; the rest is luck"
    starts = [book[f"{LUCK}:{WHO_STARTS}"]["estimate"] for book in books]
    return f"Among equals who starts decides {span_words(starts, 1, 100, '%')} of who wins"


def _sources(luck: Lucky) -> dict[str, str]:
    return {**OUTER, **luck.sources}


def _panels(luck: Lucky) -> Iterator[Panel]:
    """A panel for each line-up with a line for each source of chance."""
    for line_up, book in by_line_up(luck.found).items():
        rows = {words: row for name, words in _sources(luck).items() if (row := book.get(f"{LUCK}:{name}"))}
        lines = [Line(words, [Mark(LOOK, row)]) for words, row in rows.items()]
        caption = _name(luck, line_up)
        yield Panel(caption, f"{caption}. {told(lines, {LOOK: 'part'}, 100, '%')}", dots(lines, AXIS))


def _name(luck: Lucky, line_up: str) -> str:
    first = luck.found.row(0, named=True)
    return f"{place_words(first['variant'], first['players'])}: {style.clean(line_up.replace(',', ', '))}"


def _table(found: Sequence[Lucky]) -> Table:
    sources = _sources(found[0])
    rows = [
        (_name(luck, line_up), *(_percent(book.get(f"{LUCK}:{name}")) for name in sources))
        for luck in found
        for line_up, book in by_line_up(luck.found).items()
    ]
    return Table(("line-up", *(f"{words} (%)" for words in sources.values())), tuple(rows))


def _deck_rows(luck: Lucky) -> Iterator[tuple[str, ...]]:
    for line_up, book in by_line_up(luck.found).items():
        if "deck_spread" in book:
            yield (_name(luck, line_up), *(_percent(book.get(name)) for name in DECKS))


def _percent(row: Row | None) -> str:
    return short(row).replace("±", " ± ") if row else "-"


SECTION = Section(
    "luck", 82, "Luck or skill?", show, needs=(beside("lucks", "games with some chances held", commands.luck),)
)  # fmt: skip
