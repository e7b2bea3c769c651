"""Batches of decks on several threads, the same batches and in the same order however many threads there are."""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")


def play_batches(play: Callable[[int, int], T], first: int, decks: int, size: int, jobs: int) -> list[T]:
    """What `play` says of each batch, given its first deck and how many decks it has. Ctrl-C gives up those not begun."""
    starts = range(first, first + decks, size)
    with ThreadPoolExecutor(jobs) as pool:
        batches = [pool.submit(play, at, min(size, first + decks - at)) for at in starts]
        try:
            # Not Future.result: a KeyboardInterrupt must be heard while a batch is played.
            while wait(batches, timeout=0.1, return_when=FIRST_EXCEPTION).not_done:
                if any(batch.done() and batch.exception() for batch in batches):
                    break
        finally:
            for batch in batches:
                batch.cancel()
    return [batch.result() for batch in batches]
