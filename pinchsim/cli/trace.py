"""`pinchsim trace`: the record of single games."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import one_game, tell_mistakes


@click.command()
@one_game
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead.")
@tell_mistakes
def trace(out: Path | None, **which: Any) -> None:
    """Write the record of single games, one decision a line (docs/trace.md).

    It is the game that a sweep with the same variant, players, line-up and seed plays under this index: the rows' deck
    times the number of players plus their rotation.
    """
    from pinchsim import api

    lines = "".join(api.trace_lines(record) for record in api.trace(**which))
    if out is None:
        click.echo(lines, nl=False)
    else:
        out.write_text(lines, encoding="utf-8")
