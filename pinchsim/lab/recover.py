"""What an earlier, interrupted run has left in a folder: taken over where it is sound, named and removed where it is not.

Rows need not be read: their records have what they were reduced to. Only chunks that a difference is still missing of are
read again, and there are never more of these than were being played.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pinchsim.lab.chunks import Chunk
from pinchsim.lab.finished import Finished, Records
from pinchsim.lab.folder import TEMPORARY
from pinchsim.lab.layout import RECORDS, ROWS, cell_folder, part_path, record_path
from pinchsim.lab.stored import Stored, Unusable
from pinchsim.measure.moments import Moments
from pinchsim.measure.summary import CellName, Tally

Key = tuple[CellName, int]  # a chunk: cell and number


@dataclass
class Recovered:
    """What is taken over.

    Attributes
    ----------
    left : list of Chunk
        Chunks that still have to be reduced, in their order: played, or read.
    written : dict
        The files of those among them whose rows are there, by cell and number.
    paired : set
        Chunks whose differences from the base are stored.
    """

    left: list[Chunk]
    written: dict[Key, dict[str, Stored]] = field(default_factory=dict)
    paired: set[Key] = field(default_factory=set)


def recover(records: Records, chunks: Sequence[Chunk], tally: Tally, fully: bool, warned: Callable[[str], None]) -> Recovered:
    """Add all chunks that are finished to the tally; files that are no good are told of (`warned`) and removed.

    `fully` checks all bytes of all rows, which costs as much as reading them.
    """
    _tidy(records.run, chunks, warned)
    found = {key: one for chunk in chunks if (one := _read(records, key := _key(chunk), fully, warned))}
    pairs = _read_pairs(records, found, tally, warned)
    recovered = Recovered([], paired=set(pairs))
    for chunk in chunks:
        key = _key(chunk)
        one = found.get(key)
        if one and one.result and pairs.keys() >= set(_pairs_of(key, tally)):
            tally.add(*key, one.result)
            continue
        if one and (sound := _read(records, key, True, warned)):  # its rows will be read, so let them be right
            recovered.written[key] = sound.files
        recovered.left.append(chunk)
    for (cell, number), moments in pairs.items():
        tally.pairs[cell][number] = moments
    return recovered


def _key(chunk: Chunk) -> Key:
    return chunk.cell.name, chunk.number


def _tidy(run: Path, chunks: Sequence[Chunk], warned: Callable[[str], None]) -> None:
    """Remove files that a killed process was writing, and chunks that are none of this run's."""
    for path in [*run.glob(f"*{TEMPORARY}"), *run.glob(f"*/*/*{TEMPORARY}")]:
        path.unlink()
    ours = {record_path(run, *_key(chunk)) for chunk in chunks}
    ours |= {part_path(run, table, *_key(chunk)) for chunk in chunks for table in ROWS}
    for cell in {chunk.cell.name for chunk in chunks}:
        for table in (RECORDS, *ROWS):
            for path in sorted(set(cell_folder(run, table, cell).glob("part-*")) - ours):
                warned(f"'{path}' is no chunk of this run, and was removed.")
                path.unlink()


def _read(records: Records, key: Key, fully: bool, warned: Callable[[str], None]) -> Finished | None:
    """A chunk if it is finished and sound; otherwise nothing stays of it."""
    try:
        if records.has(*key):
            return records.read(*key, fully)
    except Unusable as problem:
        warned(f"{problem}. Its chunk is played again.")
    records.remove(*key)
    return None


def _read_pairs(
    records: Records, found: dict[Key, Finished], tally: Tally, warned: Callable[[str], None]
) -> dict[Key, Moments]:
    """The stored differences between chunks that are both there, by the chunk that is compared with the base's."""
    pairs = {}
    for cell, number in found:
        base = cell._replace(variant=tally.base or "")
        if cell == base or not all((one := found.get(key)) and one.result for key in ((cell, number), (base, number))):
            continue
        try:
            if (moments := records.read_pair(cell, number)) is not None:
                pairs[cell, number] = moments
        except Unusable as problem:
            warned(f"{problem}. Its rows are read again.")
    return pairs


def _pairs_of(key: Key, tally: Tally) -> list[Key]:
    """The differences that a chunk has a part in, by the chunk that is compared with the base's."""
    cell, number = key
    base = cell._replace(variant=tally.base or "")
    if base not in tally.cells:
        return []
    return [(c, number) for c in tally.order if c[1:] == cell[1:] and c != base and cell in (c, base)]
