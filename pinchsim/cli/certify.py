"""`pinchsim certify`: the balance certificate of an experiment."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import only_given, strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import INTERRUPTED

EXIT_CODES = {"passes": 0, "fails": 1, "undecided": 3}


@click.command()
@click.argument("experiment", type=click.Path(path_type=Path))
@click.option("--games", type=int, help="Games (or sessions) a cell, instead of what the experiment says.")
@click.option("--seed", type=int, help="Seed of all decks and decisions, instead of the experiment's.")
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@click.option("--to", type=click.Path(path_type=Path), help="Folder of the certificate.  [default: that of the run]")
@strategy_folders
@tell_mistakes
def certify(
    experiment: Path,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    to: Path | None,
    **given: Any,
) -> None:
    """Judge the lines that EXPERIMENT drew beforehand ([[certificate]] in its file), and write the certificate.

    The experiment is played, or its run gone on with. Exit code 0: every line passes; 1: one fails; 3: none fails, but more
    games are needed; 2: something is wrong with what was asked for.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.report.certificate_table import print_certificate

    with Progress() as progress:
        found = api.certify(
            experiment,
            out=out,
            to=to,
            jobs=jobs,
            cluster=cluster,
            strategies=strategy_folders,
            watcher=progress,
            **only_given(given),
        )
    if not found.run.complete:
        click.echo("Interrupted: lines are judged when all games are played. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
    print_certificate(found.told(), Console(width=None if Console().is_terminal else 80))
    click.echo(f"Certificate and badge: {found.folder}")
    raise SystemExit(EXIT_CODES[found.verdict])
