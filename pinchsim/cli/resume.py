"""`pinchsim resume`: a run is gone on with, wherever and however it ended."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pinchsim.cli.main import COMMANDS
from pinchsim.cli.options import strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import draw_run, say_where, show_run

if TYPE_CHECKING:
    from pinchsim.lab.run import Run

OWN = ("sweep", "resume")  # commands whose runs are shown as sweeps


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Look at all bytes of the rows that are there, and play damaged chunks again.")
@who_plays
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@strategy_folders
@tell_mistakes
def resume(
    folder: Path, strategy_folders: tuple[Path, ...], check: bool, jobs: int | None, cluster: str | None, plots: bool
) -> None:
    """Go on with the run in FOLDER, as the command would that began it: it ends with the same rows as an undisturbed run.

    Variants and strategies of yours are looked for where they were then; --strategies says where else.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress

    with Progress() as progress:
        run = api.resume(folder, jobs=jobs, cluster=cluster, strategies=strategy_folders, watcher=progress, check=check)
    if other := _other_command(run):
        click.echo(f"What the rows say is shown by the command that began them, in {run.manifest['working_folder']}: {other}")
        plots = False
    else:
        show_run(run, Console(width=None if Console().is_terminal else 80))
        if plots:
            draw_run(run)
    say_where(run.folder, run.complete, plots, run.keeps_rows)


def _other_command(run: "Run") -> str:
    """The command that began a run which is part of something else, as a tournament is; empty for a sweep."""
    words = run.manifest["command"][1:]  # of a program of somebody's own, if the first is not a command
    is_other = bool(words) and words[0] in COMMANDS and words[0] not in OWN
    return shlex.join(["pinchsim", *words]) if is_other else ""
