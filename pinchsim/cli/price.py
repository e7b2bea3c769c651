"""`pinchsim price`: whether the best bonus in whole points makes the start fair."""

from pathlib import Path

import click

from pinchsim.cli.options import strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import INTERRUPTED


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--games", type=int, help="Games of each cell, rounded up to whole decks.  [default: as many as RUN has]")
@click.option("--seed", type=int, help="Seed of the fresh decks; not that of RUN.  [default: the next one]")
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the prices.  [default: a name under results/]")
@strategy_folders
@tell_mistakes
def price(
    run: Path,
    games: int | None,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    strategy_folders: tuple[Path, ...],
) -> None:
    """Play RUN, a finished sweep of single games, again with the bonus that should make its start fair, on fresh decks.

    The best bonus in whole points for each position is found by adding bonuses to the games of RUN, whose players did not know
    of them. The same command goes on with what was interrupted, and pinchsim report shows it beside the sweep.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.report.price_table import print_prices

    with Progress() as progress:
        found = api.price(
            run, games=games, seed=seed, out=out, jobs=jobs, cluster=cluster, strategies=strategy_folders, watcher=progress
        )  # fmt: skip
    print_prices(found.found, Console(width=None if Console().is_terminal else 80))
    click.echo(f"Table: {found.folder / 'price.parquet'}")
    if not found.complete:
        click.echo("Interrupted: what is shown are the finished cells. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
