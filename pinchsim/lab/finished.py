"""Records of finished chunks: what files each consists of, and what its rows were reduced to.

A record is written when the rows are on disk, and makes the chunk finished. A run that goes on takes the reduced results from
the records and need not read the rows; it reduces rows again only if the code that reduces has changed, or if a difference
was not yet stored. Each record names its run, cell and chunk, so that one from elsewhere is noticed.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from inspect import getfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pinchsim.lab.layout import ROWS, pair_path, part_path, record_path
from pinchsim.lab.stored import Stored, Unusable, check, seal, unseal
from pinchsim.measure import moments as moments_code
from pinchsim.measure import quantities as quantities_code
from pinchsim.measure import summary as summary_code
from pinchsim.measure.moments import Moments
from pinchsim.measure.summary import CellName, ChunkResult

FORMAT = "pinchsim-chunk/1"
FACTS, REDUCED = 0, 1  # lines of a record


class Finished(NamedTuple):
    """A finished chunk: its two files, and its reduced rows; None if they were reduced by other code than today's."""

    files: dict[str, Stored]
    result: ChunkResult | None


@cache
def reduced_by() -> str:
    """Digest of the code that reduces rows."""
    texts = [Path(getfile(code)).read_bytes() for code in (moments_code, quantities_code, summary_code)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


@dataclass(frozen=True)
class Records:
    """The records in the folder of a run; `identity` is the digest of all that decides its rows."""

    run: Path
    identity: str

    def has(self, cell: CellName, chunk: int) -> bool:
        """Whether there is a record, whatever it is worth."""
        return record_path(self.run, cell, chunk).exists()

    def write(self, cell: CellName, chunk: int, files: dict[str, Stored], result: ChunkResult) -> None:
        """Make a chunk finished; its rows must be on disk."""
        facts = {"of": self._of(cell, chunk), "files": {table: list(files[table]) for table in ROWS}}
        self._write(record_path(self.run, cell, chunk), facts, _plain_result(result))

    def files(self, cell: CellName, chunk: int, fully: bool = False) -> dict[str, Stored]:
        """The files of a finished chunk, which are checked (`pinchsim.lab.stored.check`); raises `Unusable`."""
        return self._files(self._read(record_path(self.run, cell, chunk), cell, chunk), cell, chunk, fully)

    def read(self, cell: CellName, chunk: int, fully: bool = False) -> Finished:
        """A finished chunk, whose files are checked as by `files`; raises `Unusable`."""
        lines = self._read(record_path(self.run, cell, chunk), cell, chunk)
        files = self._files(lines, cell, chunk, fully)
        return Finished(files, _result(json.loads(lines[REDUCED])) if _is_current(lines) else None)

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
        lines = self._read(path, cell, chunk)
        return _moments(json.loads(lines[REDUCED])) if _is_current(lines) else None

    def remove(self, cell: CellName, chunk: int) -> None:
        """Remove what there is of a chunk, the record first: whoever reads meanwhile finds it unfinished, not half."""
        for path in (record_path(self.run, cell, chunk), *(part_path(self.run, table, cell, chunk) for table in ROWS)):
            path.unlink(missing_ok=True)

    def _of(self, cell: CellName, chunk: int) -> dict[str, Any]:
        return {"format": FORMAT, "run": self.identity, "cell": list(cell), "chunk": chunk}

    def _write(self, path: Path, facts: dict[str, Any], reduced: Any) -> None:
        seal(path, [json.dumps(facts | {"reduced_by": reduced_by()}), json.dumps(reduced)])

    def _read(self, path: Path, cell: CellName, chunk: int) -> list[str]:
        """Lines of a record, which must belong here."""
        lines = unseal(path)
        of, expected = json.loads(lines[FACTS]).get("of", {}), self._of(cell, chunk)
        if of != expected:
            differing = ", ".join(name for name in expected if of.get(name) != expected[name])
            raise Unusable(f"'{path}' is from elsewhere: another {differing}")
        return lines

    def _files(self, lines: list[str], cell: CellName, chunk: int, fully: bool) -> dict[str, Stored]:
        files = {table: Stored(*told) for table, told in json.loads(lines[FACTS])["files"].items()}
        for table, stored in files.items():
            check(part_path(self.run, table, cell, chunk), stored, fully)
        return files


def _is_current(lines: list[str]) -> bool:
    """Whether a record was reduced by today's code."""
    return bool(json.loads(lines[FACTS])["reduced_by"] == reduced_by())


def _plain_result(result: ChunkResult) -> dict[str, Any]:
    """A reduced chunk without its deck means, as JSON has it; Python writes floats so that the same bits come back."""
    histograms = [[*key, values.tolist(), counts.tolist()] for key, (values, counts) in result.histograms.items()]
    return {"moments": _plain_moments(result.moments), "histograms": histograms}


def _result(plain: dict[str, Any]) -> ChunkResult:
    histograms = {
        (measure, position): (np.array(values, np.float64), np.array(counts, np.int64))
        for measure, position, values, counts in plain["histograms"]
    }
    return ChunkResult(_moments(plain["moments"]), histograms, None)


def _plain_moments(moments: Moments) -> list[Any]:
    sums = (moments.mean, moments.deck_squares, moments.game_squares)
    return [moments.decks, moments.games, *(x.tolist() for x in sums)]


def _moments(plain: list[Any]) -> Moments:
    decks, games, *sums = plain
    return Moments(decks, games, *(np.array(x, np.float64) for x in sums))
