"""`pinchsim compare`: two runs side by side."""

import difflib
from pathlib import Path

import click

from pinchsim.cli.options import tell_mistakes
from pinchsim.errors import UsageError


@click.command()
@click.argument("run_a", type=click.Path(path_type=Path))
@click.argument("run_b", type=click.Path(path_type=Path))
@click.option("--measure", "measures", multiple=True, help="Only this measure (repeatable).  [default: all that both have]")
@tell_mistakes
def compare(run_a: Path, run_b: Path, measures: tuple[str, ...]) -> None:
    """Set RUN_A and RUN_B, the folders of two runs, side by side: the estimate of each and the difference.

    Cells of the same name belong together; so do the variants, or the line-ups, of runs with a single one. With the same seed
    the difference is paired by deck, if both keep rows.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.report.compare_table import print_comparison

    found = api.compare(run_a, run_b)
    known = list(dict.fromkeys(found.table["measure"]))
    for name in measures:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise UsageError(f"--measure '{name}': not a measure that both runs have.{hint} Known: {', '.join(known)}.")
    table = found.table.filter(found.table["measure"].is_in(measures)) if measures else found.table
    console = Console(width=None if Console().is_terminal else 80)
    print_comparison(table, (str(run_a), str(run_b)), found.seeds, found.paired, found.looked, console)
