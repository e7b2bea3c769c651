"""What the time of something goes to: functions are replaced by ones that are timed, for a while."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch


@contextmanager
def timed(*functions: tuple[object, str, str]) -> Iterator[dict[str, float]]:
    """Seconds that functions take, several of which may add up; each is given by its owner, its name and what it is called."""
    spent: dict[str, float] = {}
    with ExitStack() as stack:
        for owner, name, what in functions:
            stack.enter_context(patch.object(owner, name, _timing(getattr(owner, name), what, spent)))
        yield spent


def _timing(real: Callable[..., object], what: str, spent: dict[str, float]) -> Callable[..., object]:
    def call(*args: object, **kwargs: object) -> object:
        start = time.perf_counter()
        try:
            return real(*args, **kwargs)
        finally:
            spent[what] = spent.get(what, 0.0) + time.perf_counter() - start

    return call
