"""What each measure means, found in the docstrings of this folder: there is no list to edit.

A function or class is a measure if its docstring has a section "Measure": a name with its number in METHODS and, after a
colon, the names that it has in tables, as in `length (M3.4): turns, rounds`, then a blank line and the measure in one sentence.
The sections of `SECTIONS` follow. The files are read and not imported, so this costs nothing.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SECTIONS = ("Definition", "Formula", "Units", "Traps", "Source")
_HEADER = re.compile(r"^(\w+)\n-{3,}$", re.MULTILINE)
_TITLE = re.compile(r"(\w+) \((M\d+\.\d+)\)(?:: (.+))?")


class Measure(NamedTuple):
    """A measure as its docstring tells it.

    `rows` are the names that it has in tables, `line` says in a sentence what it is, `where` is the function that computes it.
    """

    name: str
    number: str
    rows: tuple[str, ...]
    line: str
    sections: dict[str, str]
    where: str

    @property
    def order(self) -> tuple[int, ...]:
        """By which measures are sorted: their number."""
        return tuple(int(part) for part in self.number[1:].split("."))

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return (self.name, self.number.lower(), *self.rows)


def measures(folder: Path = Path(__file__).parent) -> list[Measure]:
    """All measures of the files in a folder, by number, those of one number by name."""
    found = [measure for path in folder.glob("*.py") for measure in _measures_of(path)]
    return sorted(found, key=lambda measure: (measure.order, measure.name))


def called(word: str, known: Sequence[Measure]) -> list[Measure]:
    """The measures that a word may mean: a name, a number, or a name in tables, with or without what follows a colon."""
    word = word.lower().replace("-", "_")
    exactly = [measure for measure in known if word in measure.names]
    return exactly or [measure for measure in known if word.partition(":")[0] in measure.names]


def _measures_of(path: Path) -> Iterator[Measure]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            sections = split(ast.get_docstring(node) or "")
            if "Measure" in sections:
                yield _measure(sections, f"{path.stem}.{node.name}")


def _measure(sections: dict[str, str], where: str) -> Measure:
    title, _, line = (" ".join(part.split()) for part in sections["Measure"].partition("\n\n"))
    found = _TITLE.fullmatch(title)
    if found is None:
        raise ValueError(f"{where}: a measure is titled 'name (M1.2): names, in, tables', not '{title}'")
    rows = tuple(found[3].split(", ")) if found[3] else ()
    return Measure(found[1], found[2], rows, line, {name: sections.get(name, "") for name in SECTIONS}, where)


def split(docstring: str) -> dict[str, str]:
    """The sections of a docstring by name."""
    _, *parts = _HEADER.split(docstring)
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}
