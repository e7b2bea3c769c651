"""`pinchsim tournament`: which strategy beats which."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import only_given, strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import INTERRUPTED


@click.command()
@click.argument("strategies", nargs=-1, metavar="STRATEGIES...")
@click.option("--variant", default="pinch", show_default=True, help="Variant, or the path of a variant file.")
@click.option("--players", type=int, help="Players at a table.  [default: 4, or 2 in a duel]")
@click.option(
    "--tables", type=click.Choice(["all", "pairs"]),
    help="Every mixture of strategies in every order, or only one of each among players of each other.  "
    "[default: all, or pairs if these are more than 400 orders]",
)  # fmt: skip
@click.option("--games", type=int, help="Games for each order around a table, rounded up to whole decks.  [default: 4000]")
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@strategy_folders
@tell_mistakes
def tournament(
    strategies: tuple[str, ...],
    variant: str,
    players: int | None,
    tables: str | None,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    plots: bool,
    **given: Any,
) -> None:
    """Let strategies play against each other, and say which of them is how strong.

    Name at least two STRATEGIES (pinchsim strategies list). They meet on common decks, at tables of every mixture and in every
    order around the table. The same command goes on with a run that was interrupted.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.lab.tournament import MOST_ORDERS, PAIRS, plan

    fields = only_given(given)
    planned = plan(strategies, variant, players, tables, fields, strategy_folders)
    if tables is None and planned.tables == PAIRS:
        others = planned.players - 1
        click.echo(
            f"All mixtures of {len(planned.strategies)} strategies are {planned.orders_of_all:,} orders around a table, more "
            f"than {MOST_ORDERS}: only one of each against {others} of each other is played. --tables all plays them all.",
            err=True,
        )
    with Progress() as progress:
        found = api.tournament(
            *strategies, variant=variant, players=players, tables=tables, out=out, jobs=jobs, cluster=cluster,
            strategies=strategy_folders, watcher=progress, **fields,
        )  # fmt: skip
    console = Console(width=None if Console().is_terminal else 80)
    if found.analysis is None:
        done, all_orders = found.orders_done
        click.echo(f"Rows: {found.run.folder}")
        click.echo(
            f"Interrupted: {done:,} of {all_orders:,} orders around a table are played, and nothing can be said before all of "
            "them are. The same command goes on from here.",
            err=True,
        )
        raise SystemExit(INTERRUPTED)
    from pinchsim.report.style import SHARE_OF
    from pinchsim.report.table import print_worth
    from pinchsim.report.tournament_table import print_tournament

    print_tournament(found.analysis, found.complete, console)
    print_worth(found.run.summary.estimates, SHARE_OF, "a strategy's win share at a table", console)
    if plots:
        from pinchsim.report.tournament_plots import write_tournament_plots

        write_tournament_plots(found.analysis, found.complete, found.run.folder / "plots")
    click.echo(f"{'Rows, tables and plots' if plots else 'Rows and tables'}: {found.run.folder}")
    if not found.complete:
        click.echo("Interrupted: what is shown covers the finished games only. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
