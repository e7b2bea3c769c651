"""`pinchsim luck`: how much of a game is luck."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import only_given, strategy_folders, tell_mistakes
from pinchsim.cli.sweep import INTERRUPTED


@click.command()
@click.option("--variant", default="pinch", show_default=True, help="Variant, or the path of a variant file.")
@click.option("--players", type=int, help="Players at a table.  [default: 4, or 2 in a duel]")
@click.option(
    "--line-up", "line_ups", multiple=True, metavar="NAME[,NAME...]",
    help="Strategies by seat; the last one fills the table (repeatable).  [default: weak, strong, noisy and mixed play]",
)  # fmt: skip
@click.option("--roots", type=int, help="Games that others branch off from, for each line-up.  [default: 20000]")
@click.option("--decks", type=int, help="Decks that are played again and again.  [default: 400]")
@click.option("--replays", type=int, help="How often each of these is played.  [default: 50]")
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@click.option("--jobs", type=click.IntRange(1), help="Threads.  [default: one per core]")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@strategy_folders
@tell_mistakes
def luck(
    variant: str,
    players: int | None,
    line_ups: tuple[str, ...],
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    out: Path | None,
    **given: Any,
) -> None:
    """Say how much of who wins is luck: the start, the deal, the pile, random choices; and how much is who plays.

    Games are played again with some of their chances held and the others taken anew. The same command goes on with a run that
    was interrupted, and pinchsim report shows what was found beside a sweep.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.report.luck_table import print_luck

    with Progress() as progress:
        found = api.luck(
            variant, players=players, line_ups=line_ups, out=out, jobs=jobs, strategies=strategy_folders, watcher=progress,
            **only_given(given),
        )  # fmt: skip
    print_luck(found.found, found.sources, Console(width=None if Console().is_terminal else 80))
    click.echo(f"Tables: {found.folder}")
    if not found.complete:
        click.echo("Interrupted: what is shown are the finished line-ups. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
