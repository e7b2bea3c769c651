"""`pinchsim report`: the balance report of a run."""

from pathlib import Path

import click

from pinchsim.cli.options import tell_mistakes
from pinchsim.errors import UsageError


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the report of a single run.  [default: the run's]")
@click.option(
    "--minutes", metavar="A-B",
    help="How long a game should be, such as 15-30. Without it the length is told, but not judged.",
)  # fmt: skip
@tell_mistakes
def report(runs: tuple[Path, ...], out: Path | None, minutes: str | None) -> None:
    """Write the balance report of each RUN, the folder of a sweep: report.html, a page of its own, and report.md.

    The page begins with the verdicts in plain sentences and refers to nothing on the net.
    """
    from pinchsim import api

    if out is not None and len(runs) > 1:
        raise UsageError("--out is the folder of one report; with several runs each report goes into the folder of its run.")
    wished = _minutes(minutes) if minutes is not None else None
    for run in [api.load(folder) for folder in runs]:
        click.echo(f"Report: {api.write_report(run, out=out, minutes=wished)}")


def _minutes(text: str) -> tuple[float, float]:
    """Both ends of a range such as 15-30."""
    try:
        low, high = map(float, text.split("-"))
    except ValueError:
        raise UsageError(f"--minutes '{text}': expected two numbers, such as 15-30.") from None
    return low, high
