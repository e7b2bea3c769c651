"""Options that several commands share, and how mistakes are told."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pinchsim.errors import RunError, UsageError

Command = Callable[..., Any]
MAX_SEED = 2**63 - 1
MAX_GAME = 2**31 - 1  # deck numbers are 32-bit columns


def tell_mistakes(command: Command) -> Command:
    """Turn the two kinds of errors into click's: exit code 2 for usage, 1 for failed work, never a traceback."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except UsageError as error:
            raise click.UsageError(str(error)) from None
        except RunError as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            click.echo("\nInterrupted. The same command begins again; what a run had finished is kept and found.", err=True)
            raise SystemExit(130) from None
        except PermissionError as error:
            raise click.ClickException(f"'{error.filename}' cannot be written or read: permission denied.") from None
        except BrokenPipeError:  # whoever read our output has gone: click ends quietly
            raise
        except OSError as error:
            raise click.ClickException(f"'{error.filename}': {error.strerror}.") from None

    return wrapped


def strategy_folders(command: Command) -> Command:
    """`--strategies DIR`: folders that are searched first."""
    return click.option(
        "--strategies",
        "strategy_folders",
        multiple=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Search this folder for strategies first (repeatable).",
    )(command)


def who_plays(command: Command) -> Command:
    """`--jobs N` and `--cluster ADDRESS`: threads of this process, or a cluster."""
    options = (
        click.option("--jobs", type=click.IntRange(1), help="Threads.  [default: one per core]"),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Instead of threads: a cluster of dask.distributed, by the address of its scheduler, or local:N for N "
            "processes here (docs/scaling.md).",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def one_game(command: Command) -> Command:
    """The options that name a game of a sweep."""
    options = (
        click.option("--variant", default="pinch", show_default=True, help="Variant, or the path of a variant file."),
        click.option("--players", type=int, help="Players.  [default: 4, or 2 in a duel]"),
        click.option("--line-up", default="default", show_default=True, help="Strategies by seat; the last fills up."),
        click.option("--seed", default=1, show_default=True, type=click.IntRange(0, MAX_SEED), help="Seed of the sweep."),
        click.option("--game", default=0, show_default=True, type=click.IntRange(0, MAX_GAME), help="Index of the first game."),
        click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="How many games."),
        strategy_folders,
    )
    for option in reversed(options):
        command = option(command)
    return command


def only_given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given: neither left out, nor empty, nor a flag that is not set."""
    return {name: value for name, value in options.items() if value is not None and value != () and value is not False}


def player_counts(text: str) -> list[int]:
    """Player counts from words like '4', '3-5' or '3,5'.

    Raises
    ------
    UsageError
        The text is none of these.
    """
    counts: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            counts.extend(range(int(first), int(last or first) + 1))
    except ValueError:
        counts = []
    if not counts:
        raise UsageError(f"--players '{text}': expected a number, a range or a list, such as 4, 3-5 or 3,5.")
    return counts
