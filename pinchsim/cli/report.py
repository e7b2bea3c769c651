"""`pinchsim report`: the balance report of a run, joined with what other commands found."""

from pathlib import Path

import click

from pinchsim.cli.options import strategy_folders, tell_mistakes
from pinchsim.errors import UsageError


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the report.  [default: that of the sweep]")
@click.option(
    "--minutes", metavar="A-B",
    help="How long a game should be, such as 15-30. Without it the length is told, but not judged.",
)  # fmt: skip
@strategy_folders
@tell_mistakes
def report(runs: tuple[Path, ...], out: Path | None, minutes: str | None, strategy_folders: tuple[Path, ...]) -> None:
    """Write the balance report of a sweep, joined with what other commands found: a page of its own and report.md.

    Each RUN is a folder: the sweep that the report is about and, in any order, those of sweeps of sessions, tournament, skill,
    exploit, luck, audit rules and audit coverage. The page begins with the verdicts in plain sentences and refers to nothing on
    the net. Two sweeps are set side by side by compare.
    """
    from pinchsim import api

    wished = _minutes(minutes) if minutes is not None else None
    click.echo("Measuring and drawing; the first report on a machine compiles, too, which may take a minute ...", err=True)
    click.echo(f"Report: {api.write_report(*runs, out=out, minutes=wished, strategies=strategy_folders)}")


def _minutes(text: str) -> tuple[float, float]:
    """Both ends of a range such as 15-30."""
    try:
        low, high = map(float, text.split("-"))
    except ValueError:
        raise UsageError(f"--minutes '{text}': expected two numbers, such as 15-30.") from None
    return low, high
