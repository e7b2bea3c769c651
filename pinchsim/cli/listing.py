"""Lists of names and what they mean, never wider than 80 columns."""

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 80
MOST = 30  # columns of the names; a longer one moves its own words on


def listing(entries: Iterable[tuple[str, str]], fewest: int = 0) -> Iterator[str]:
    """The lines of a list: a name, then its words; further lines of the words stand below the first.

    A word that is too long for a line, such as a path, stays whole.

    Parameters
    ----------
    entries
        Names with their words.
    fewest
        Columns that the names take at least.
    """
    pairs = list(entries)
    column = max([fewest, *(len(name) for name, _ in pairs if len(name) <= MOST)])
    for name, words in pairs:
        yield wrapped(words, f"{name:<{column}} ", " " * (column + 1))


def wrapped(words: str, first: str = "", further: str = "") -> str:
    """Words in lines of at most 80 columns, with what stands before the first and before each further line."""
    return textwrap.fill(
        words, WIDTH, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )  # fmt: skip
