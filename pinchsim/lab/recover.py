"""What an earlier, interrupted run has left in a folder: taken over where it is sound, named and removed where it is not.

Rows need not be read: their records have what they were reduced to. But the deck means that a difference from the base is made
of are nowhere else. So two chunks are read again if their difference is missing, and one that was finished alone is when the
other one is played. A run without rows has nothing to read: there such chunks are played again, as are those that other code
has reduced.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pinchsim.lab.chunks import Chunk
from pinchsim.lab.finished import Finished, Records
from pinchsim.lab.folder import TEMPORARY
from pinchsim.lab.layout import part_path, record_path
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
    lacking : set
        Chunks that were taken over without their deck means, which are needed if a chunk that is not there is played.
    """

    left: list[Chunk]
    written: dict[Key, dict[str, Stored]] = field(default_factory=dict)
    paired: set[Key] = field(default_factory=set)
    lacking: set[Key] = field(default_factory=set)


def recover(records: Records, chunks: Sequence[Chunk], tally: Tally, fully: bool, warned: Callable[[str], None]) -> Recovered:
    """Add all chunks that are finished to the tally; files that are no good are told of (`warned`) and removed.

    `fully` checks all bytes of all rows, which costs as much as reading them.
    """
    _tidy(records, chunks, warned)
    recovered, left, old = Recovered([]), set[Key](), 0
    families: dict[Key, list[Key]] = {}
    for key in map(_key, chunks):
        families.setdefault((key[0]._replace(variant=""), key[1]), []).append(key)
    for family in families.values():
        found = {key: one for key in family if (one := _read(records, key, fully, warned))}
        old += sum(one.result is None for one in found.values())
        left |= _take_over(family, found, records, tally, recovered, warned)
    recovered.left += [chunk for chunk in chunks if _key(chunk) in left]
    if old and not records.tables:
        warned(f"{old} chunks were counted by another version of pinchsim, and no rows are kept: they are played again.")
    return recovered


def _take_over(
    family: list[Key],
    found: dict[Key, Finished],
    records: Records,
    tally: Tally,
    recovered: Recovered,
    warned: Callable[[str], None],
) -> set[Key]:
    """Take over what is found of the chunks of the same decks of cells that may be compared; says which are left."""
    pairs, left = _read_pairs(records, found, tally, warned), set()
    there = {key for key, one in found.items() if one.result}
    for key in family:
        one, missing = found.get(key), set(_pairs_of(key, tally)) - pairs.keys()
        alone = not any(_chunks_of(pair, tally) <= there for pair in missing)
        if one and records.tables and (missing or not one.result):  # its rows may be read: let them be right
            one = _read(records, key, True, warned)
            recovered.written |= {key: one.files} if one else {}
        if not (one and one.result and alone):
            left.add(key)
            continue
        tally.add(*key, one.result)
        recovered.lacking |= {key} if missing else set()
    for (cell, number), moments in pairs.items():
        tally.pairs[cell][number] = moments
    recovered.paired |= pairs.keys()
    return left


def _key(chunk: Chunk) -> Key:
    return chunk.cell.name, chunk.number


def _tidy(records: Records, chunks: Sequence[Chunk], warned: Callable[[str], None]) -> None:
    """Remove files that a killed process was writing, and chunks that are none of this run's."""
    run, tables = records.run, records.tables
    for path in [*run.glob(f"*{TEMPORARY}"), *run.glob(f"*/*/*{TEMPORARY}")]:
        path.unlink()
    ours: dict[Path, set[str]] = {}
    for key in map(_key, chunks):
        for path in (record_path(run, *key), *(part_path(run, table, *key) for table in tables)):
            ours.setdefault(path.parent, set()).add(path.name)
    for folder, names in ours.items():
        for name in sorted(os.listdir(folder)):
            if name.startswith("part-") and name not in names:
                warned(f"'{folder / name}' is no chunk of this run, and was removed.")
                (folder / name).unlink()


def _read(records: Records, key: Key, fully: bool, warned: Callable[[str], None]) -> Finished | None:
    """A chunk if it is finished and sound; otherwise nothing stays of it."""
    try:
        return records.read(*key, fully)
    except FileNotFoundError:
        pass
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


def partners(key: Key, tally: Tally) -> set[Key]:
    """The chunks that a chunk is compared with."""
    return {partner for pair in _pairs_of(key, tally) for partner in _chunks_of(pair, tally)} - {key}


def _chunks_of(pair: Key, tally: Tally) -> set[Key]:
    """The two chunks of a difference."""
    cell, number = pair
    return {pair, (cell._replace(variant=tally.base or ""), number)}


def _pairs_of(key: Key, tally: Tally) -> list[Key]:
    """The differences that a chunk has a part in, by the chunk that is compared with the base's."""
    cell, number = key
    base = cell._replace(variant=tally.base or "")
    if base not in tally.cells:
        return []
    return [(c, number) for c in tally.order if c[1:] == cell[1:] and c != base and cell in (c, base)]
