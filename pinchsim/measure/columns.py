"""Columns of rows on disk, read when they are asked for."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl


class LazyColumns(Mapping[str, np.ndarray]):
    """Columns of a lazy frame as arrays, read when they are first asked for, and kept as long as this object.

    Parameters
    ----------
    frame
        Where they are read from.
    names
        Its columns, which whoever made the frame knows.
    wanted
        Columns to read with the first one that is asked for; modified in place. One set for one chunk after the other means
        that what was asked of one is read of the next at once, which is several times as quick as column by column.
    width
        Rows of the frame that make a row of an array, [rows / width, width]; None: an array is [rows].
    """

    def __init__(self, frame: pl.LazyFrame, names: Sequence[str], wanted: set[str], width: int | None = None) -> None:
        self.frame, self.names, self.wanted = frame, names, wanted
        self.shape = (-1,) if width is None else (-1, width)
        self.kept: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise KeyError(name)
        if name not in self.kept:
            self.wanted.add(name)
            found = self.frame.select(sorted(self.wanted - self.kept.keys())).collect()
            self.kept |= {column.name: column.to_numpy().reshape(self.shape) for column in found}
        return self.kept[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
