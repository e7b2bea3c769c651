"""`pinchsim sweep`: the main job."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pinchsim.cli.options import only_given, player_counts, strategy_folders, tell_mistakes, who_plays
from pinchsim.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from pinchsim.lab.run import Run

INTERRUPTED = 130


@click.command()
@click.argument("experiment", required=False, type=click.Path(path_type=Path))
@click.option("--variant", "variants", multiple=True, help="Variant, path of a variant file, or 'all' (repeatable).")
@click.option(
    "--base",
    help="Variant to compare with on the same decks; 'none' for no comparison.  [default: pinch; for duels alone, duel]",
)
@click.option(
    "--players",
    help="Player counts, such as 4, 3-5 or 3,5; each must suit a variant.  [default: all that a variant is made for]",
)
@click.option(
    "--line-up", "line_ups", multiple=True, metavar="NAME[,NAME...]",
    help="Strategies by seat; the last one fills the table (repeatable).  [default: default]",
)  # fmt: skip
@click.option(
    "--ladder",
    is_flag=True,
    help="Instead of line-ups: everyone plays one level of the game's strength ladder, each level in turn; says whether a "
    "verdict holds at every level.",
)
@click.option(
    "--session",
    help="Single games ('game'), or several in a row: 'match' (everyone starts once), 'first-to:X'.  [default: game]",
)
@click.option("--games", type=int, help="Games (or sessions) a cell, rounded up to whole decks.  [default: 100000]")
@click.option(
    "--precision",
    metavar="HALF-WIDTH",
    help="Play until intervals reach so far to each side, such as 0.1pp (in the unit of other measures: 0.05), or until every "
    "'verdict' is clear; --games is the most of it then.  [default: play all games]",
)
@click.option("--measure", help="What --precision is about.  [default: start_player_advantage, and its change]")
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@click.option(
    "--margin",
    type=float,
    help="A start-player advantage within it counts as fair.  [default: 0.01; for duels alone, 0.02]",
)
@click.option(
    "--rows",
    type=click.Choice(["all", "none"]),
    help="Whether every game is kept as a row; without rows exact counts and sums are, for very many games.  [default: all]",
)
@click.option(
    "--controls",
    is_flag=True,
    help="Take the luck of the deal that is known exactly out of the estimates, and say what that was worth (M1.6).",
)
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@click.option("--report", is_flag=True, help="Write the balance report, too; the same as pinchsim report on the run's folder.")
@strategy_folders
@tell_mistakes
def sweep(
    experiment: Path | None,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    plots: bool,
    report: bool,
    **given: Any,
) -> None:
    """Play variants on common decks and compare them.

    Give options, or an EXPERIMENT: a file, or one that comes with pinchsim (start-player, classic-or-free-draw, ladder,
    line-ups, one-against-uniform, session, balance); options replace what it says. The same command goes on with a run that
    was interrupted.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress

    with Progress() as progress:
        run = api.sweep(
            experiment, out=out, jobs=jobs, cluster=cluster, strategies=strategy_folders, watcher=progress, **_fields(given)
        )
    show_run(run, Console(width=None if Console().is_terminal else 80))
    if plots:
        draw_run(run)
    if report:
        click.echo(f"Report: {api.write_report(run)}")
    say_where(run.folder, run.complete, plots, run.keeps_rows)


def show_run(run: "Run", console: "Console") -> None:
    """The summary; of a ladder what its levels say instead."""
    from pinchsim.report import ladder_table, table

    if run.ladder is None:
        table.print_summary(run.summary, console)
    else:
        ladder_table.print_ladder(run.ladder, run.summary, console)


def draw_run(run: "Run") -> None:
    from pinchsim.report import ladder_plot, plots, style

    folder, summary = run.folder / "plots", run.summary
    plots.write_plots(summary, folder)
    if run.ladder is not None:
        unit = style.unit(summary.estimates)
        ladder_plot.write_ladder_plot(run.ladder, summary.base, summary.margin, unit, summary.complete, folder)


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as fields of an experiment."""
    fields = only_given(given)
    if "ladder" in fields and "line_ups" in fields:
        raise UsageError(
            "--ladder and --line-up both say who sits at the table: on a ladder everyone plays the same level. Leave out one; "
            'a ladder of your own is written into an experiment file, as ladder = ["greedy", "mine"].'
        )
    if "players" in fields:
        fields["players"] = player_counts(fields["players"])
    if fields.get("base") == "none":
        fields["base"] = None
    return fields


def say_where(folder: Path, complete: bool, plots: bool, rows: bool = True) -> None:
    kept = "Rows" if rows else "Counts"
    what = f"{kept}, summary and plots" if plots else f"{kept} and summary"
    click.echo(f"{what}: {folder}")
    if not complete:
        click.echo("Interrupted: what is shown covers the finished games only. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
