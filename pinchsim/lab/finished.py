"""Records of finished chunks: what files each consists of, and what its rows were reduced to.

A record is written when the rows are on disk, and makes the chunk finished. A run that goes on takes the reduced results from
the records and need not read the rows; it reduces rows again only if the code that reduces has changed, or if a difference
was not yet stored. Each record names its run, cell and chunk, so that one from elsewhere is noticed.

A run without rows has nothing but its records, which then hold exact counts of all columns, too (`pinchsim.measure.counts`).
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from inspect import getfile
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from pinchsim.lab.layout import ROWS, pair_path, part_path, record_path
from pinchsim.lab.stored import Stored, Unusable, check, seal, unseal
from pinchsim.measure import controls as controls_code
from pinchsim.measure import counted as counted_code
from pinchsim.measure import counts as counts_code
from pinchsim.measure import interaction as interaction_code
from pinchsim.measure import length as length_code
from pinchsim.measure import moments as moments_code
from pinchsim.measure import quantities as quantities_code
from pinchsim.measure import runaway as runaway_code
from pinchsim.measure import summary as summary_code
from pinchsim.measure.controls import Half, Joint
from pinchsim.measure.counts import Counts
from pinchsim.measure.moments import Moments
from pinchsim.measure.summary import CellName, ChunkResult

FORMAT = "pinchsim-chunk/1"
FACTS, REDUCED = 0, 1  # lines of a record


class Finished(NamedTuple):
    """A finished chunk: its files of rows, and its reduced rows; None if they were reduced by other code than today's."""

    files: dict[str, Stored]
    result: ChunkResult | None


@cache
def reduced_by() -> str:
    """Digest of the code that reduces rows."""
    return _digest(controls_code, moments_code, quantities_code, summary_code)


@cache
def counted_by() -> str:
    """Digest of the code that counts games for runs without rows."""
    return _digest(counted_code, counts_code, interaction_code, length_code, runaway_code)


def _digest(*modules: ModuleType) -> str:
    texts = [Path(getfile(code)).read_bytes() for code in modules]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


@dataclass(frozen=True)
class Records:
    """The records in the folder of a run; `identity` is the digest of all that decides its rows, `tables` those it keeps."""

    run: Path
    identity: str
    tables: tuple[str, ...] = ROWS

    def write(self, cell: CellName, chunk: int, files: dict[str, Stored], result: ChunkResult) -> None:
        """Make a chunk finished; its rows must be on disk."""
        facts = {"of": self._of(cell, chunk), "files": {table: list(files[table]) for table in self.tables}}
        self._write(record_path(self.run, cell, chunk), facts, _plain_result(result))

    def files(self, cell: CellName, chunk: int, fully: bool = False) -> dict[str, Stored]:
        """The files of a finished chunk, which are checked (`pinchsim.lab.stored.check`); raises `Unusable`."""
        return self._files(self._read(record_path(self.run, cell, chunk), cell, chunk)[0], cell, chunk, fully)

    def read(self, cell: CellName, chunk: int, fully: bool = False) -> Finished:
        """A finished chunk, whose files are checked as by `files`; raises `Unusable`, or `FileNotFoundError` without one."""
        facts, reduced = self._read(record_path(self.run, cell, chunk), cell, chunk)
        files = self._files(facts, cell, chunk, fully)
        return Finished(files, _result(json.loads(reduced)) if self._is_current(facts) else None)

    def write_pair(self, cell: CellName, chunk: int, moments: Moments) -> None:
        """Store the differences of a chunk from the base's."""
        self._write(pair_path(self.run, cell, chunk), {"of": self._of(cell, chunk)}, _plain_moments(moments))

    def read_pair(self, cell: CellName, chunk: int) -> Moments | None:
        """The differences of a chunk from the base's; None if they are not there or were reduced by other code.

        Raises `Unusable`.
        """
        path = pair_path(self.run, cell, chunk)
        if not path.exists():
            return None
        facts, reduced = self._read(path, cell, chunk)
        return _moments(json.loads(reduced)) if self._is_current(facts) else None

    def remove(self, cell: CellName, chunk: int) -> None:
        """Remove what there is of a chunk, the record first: whoever reads meanwhile finds it unfinished, not half."""
        for path in (record_path(self.run, cell, chunk), *(part_path(self.run, table, cell, chunk) for table in self.tables)):
            path.unlink(missing_ok=True)

    def _of(self, cell: CellName, chunk: int) -> dict[str, Any]:
        return {"format": FORMAT, "run": self.identity, "cell": list(cell), "chunk": chunk}

    def _by(self) -> dict[str, str]:
        """The code that reduces, as records tell it."""
        return {"reduced_by": reduced_by()} | ({} if self.tables else {"counted_by": counted_by()})

    def _is_current(self, facts: dict[str, Any]) -> bool:
        """Whether a record was reduced by today's code."""
        return facts.items() >= self._by().items()

    def _write(self, path: Path, facts: dict[str, Any], reduced: Any) -> None:
        seal(path, [json.dumps(facts | self._by()), json.dumps(reduced, separators=(",", ":"))])

    def _read(self, path: Path, cell: CellName, chunk: int) -> tuple[dict[str, Any], str]:
        """What a record says, which must belong here, and what the chunk was reduced to, as it is written."""
        lines = unseal(path)
        facts: dict[str, Any] = json.loads(lines[FACTS])
        of, expected = facts.get("of", {}), self._of(cell, chunk)
        if of != expected:
            differing = ", ".join(name for name in expected if of.get(name) != expected[name])
            raise Unusable(f"'{path}' is from elsewhere: another {differing}")
        return facts, lines[REDUCED]

    def _files(self, facts: dict[str, Any], cell: CellName, chunk: int, fully: bool) -> dict[str, Stored]:
        files = {table: Stored(*told) for table, told in facts["files"].items()}
        for table, stored in files.items():
            check(part_path(self.run, table, cell, chunk), stored, fully)
        return files


def _plain_result(result: ChunkResult) -> dict[str, Any]:
    """A reduced chunk without its deck means, as JSON has it; Python writes floats so that the same bits come back."""
    histograms = [[*key, values.tolist(), counts.tolist()] for key, (values, counts) in result.histograms.items()]
    counts = {} if result.counts is None else {"counts": result.counts.packed()}
    return {"moments": _plain_moments(result.moments), "histograms": histograms} | counts


def _result(plain: dict[str, Any]) -> ChunkResult:
    histograms = {
        (measure, position): (np.array(values, np.float64), np.array(counts, np.int64))
        for measure, position, values, counts in plain["histograms"]
    }
    counts = Counts.from_packed(plain["counts"]) if "counts" in plain else None
    return ChunkResult(_moments(plain["moments"]), histograms, None, counts)


def _plain_moments(moments: Moments) -> list[Any]:
    sums = (moments.mean, moments.deck_squares, moments.game_squares)
    joint = [] if moments.joint is None else [[_plain_half(half) for half in moments.joint]]
    return [moments.decks, moments.games, *(x.tolist() for x in sums), *joint]


def _moments(plain: list[Any]) -> Moments:
    decks, games, mean, deck_squares, game_squares, *joint = plain
    mean, deck_squares, game_squares = (np.array(x, np.float64) for x in (mean, deck_squares, game_squares))
    return Moments(decks, games, mean, deck_squares, game_squares, Joint(*map(_half, joint[0])) if joint else None)


def _plain_half(half: Half) -> list[Any]:
    decks, *sums = vars(half).values()
    return [decks, *(x.tolist() for x in sums)]


def _half(plain: list[Any]) -> Half:
    decks, *sums = plain
    return Half(decks, *(np.array(x, np.float64) for x in sums))
