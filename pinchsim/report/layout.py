"""Tables that fit the width of a terminal: what has no room goes over several lines, and nothing is ever cut off."""

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table

NAME = 12  # columns that names keep for as long as numbers can be parted instead
_WIDE = Console(width=10_000)  # wider than any table, to measure what one would like to take


def folded(name: str, width: int) -> str:
    """A name in lines of a width, parted behind its signs where it has some: "start_player_" and "advantage"."""
    lines = [""]
    for part in re.findall(r"[^\s_:+,=-]*[\s_:+,=-]+|[^\s_:+,=-]+", name):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        line = lines[-1] + part
        lines[-1:] = chop_cells(line if cell_len(line) <= width else line.rstrip(), width) or [""]
    return "\n".join(line.rstrip() for line in lines)


def first_fitting(tables: Sequence[Table], width: int) -> Table:
    """The first of several layouts of a table that fits; if none does, the last one is made to."""
    return next((table for table in tables if natural_width(table) <= width), None) or fitted(tables[-1], width)


def natural_width(table: Table) -> int:
    """Columns that a table takes if all of its cells have the room that they like."""
    return _measured(table).maximum


def fitted(table: Table, width: int) -> Table:
    """A table that shows all of its cells within a width; modified in place.

    Where room is short its columns stand closer; then its names fold, which are the columns that may wrap; then numbers are
    parted between their words; and only where even that is not enough, anywhere.
    """
    if natural_width(table) <= width:
        return table
    table.padding = (0, 1, 0, 0)
    cells = [[_measured(cell) for cell in (column.header, *column.cells)] for column in table.columns]
    widths = [max(cell.maximum for cell in some) for some in cells]
    words = [max(cell.minimum for cell in some) for some in cells]
    room = width - (natural_width(table) - sum(widths))
    folding = [own if column.no_wrap else min(own, NAME) for own, column in zip(widths, table.columns, strict=True)]
    parting = [min(pair) for pair in zip(folding, words, strict=True)]
    for least in (folding, parting, [1] * len(widths)):
        widths = _shrunk(widths, least, room)
    for column, own in zip(table.columns, widths, strict=True):
        column.width, column.no_wrap, column.overflow = own, False, "fold"
    return table


def _measured(what: RenderableType) -> Measurement:
    """Columns that something takes at least, without parting a word, and at most."""
    return Measurement.get(_WIDE, _WIDE.options, what)


def _shrunk(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths of columns, the widest ones narrowed until all fit into the room, or have the least width that they may have."""
    found = [*widths]
    while sum(found) > room and any(own > low for own, low in zip(found, least, strict=True)):
        widest = max((place for place, own in enumerate(found) if own > least[place]), key=found.__getitem__)
        found[widest] -= 1
    return found
