"""`pinchsim tune`: better weights by self-play."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pinchsim.cli.options import only_given, player_counts, strategy_folders, tell_mistakes
from pinchsim.cli.sweep import INTERRUPTED

if TYPE_CHECKING:
    from pinchsim.lab.tuning.tune import Tuned


@click.command()
@click.argument("name")
@click.option(
    "--form", type=click.Choice(["small", "large"]), default="large", show_default=True,
    help="A dozen named weights, by an evolution strategy; or a table of all weights, by policy gradient.",
)  # fmt: skip
@click.option("--variant", default="pinch", show_default=True, help="Variant; for the small form also a variant file.")
@click.option(
    "--players", help="Players, such as 4 or 3-5: tuned one after the other, a table each.  [default: 4, or 2 in a duel]"
)
@click.option("--start", metavar="STRATEGY", help="Strategy to begin with.  [default: NAME itself, or dozen if there is none]")
@click.option("--iterations", type=int, help="Iterations.  [default: 30]")
@click.option("--games", type=int, help="Games of an iteration, rounded up to whole decks.  [default: 12000]")
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@click.option("--jobs", type=click.IntRange(1), help="Threads.  [default: one per core]")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of NAME.toml.  [default: strategies/pinch]"
)
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@strategy_folders
@tell_mistakes
def tune(
    name: str,
    form: str,
    variant: str,
    players: str | None,
    start: str | None,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    out: Path | None,
    folder: Path | None,
    plots: bool,
    **given: Any,
) -> None:
    """Improve the weights of strategy NAME by self-play, and confirm on fresh decks that they are better.

    It learns from games among copies of itself and against a league of its earlier stages. NAME.toml is written at the end if
    the result is stronger than what it began with; tables for other variants and numbers of players stay. The same command goes
    on with a run that was interrupted.
    """
    from pinchsim import api
    from pinchsim.cli.tune_progress import TuneProgress

    counts = player_counts(players) if players is not None else ()
    progress = TuneProgress()
    with progress:
        found = api.tune(
            name, form=form, variant=variant, players=counts, start=start, out=out, folder=folder, jobs=jobs,
            strategies=strategy_folders, watcher=progress, **only_given(given),
        )  # fmt: skip
    _show(found, plots)
    if not found.complete:
        all_iterations = found.plan.iterations * len(found.plan.players)
        click.echo(
            f"Interrupted: {found.done:,} of {all_iterations:,} iterations are done and kept. The same command goes on from "
            "here.",
            err=True,
        )
        raise SystemExit(INTERRUPTED)


def _show(found: "Tuned", plots: bool) -> None:
    """Tables and plots of what is finished, and what became of the strategy's file."""
    from rich.console import Console

    from pinchsim.report.tuning_table import print_tuning

    console = Console(width=None if Console().is_terminal else 80)
    for tuning in found.results:
        print_tuning(tuning, console)
        if plots:
            from pinchsim.report.tuning_plot import write_tuning_plot

            write_tuning_plot(tuning, found.folder / "plots")
    if found.results:
        click.echo()
    if found.complete:
        click.echo(_file_words(found))
    click.echo(f"{'Tables, weights and plots' if plots and found.results else 'Tables and weights'}: {found.folder}")


def _file_words(found: "Tuned") -> str:
    """Whether the strategy's file was written, and why not."""
    from pinchsim.measure.tuning import STRONGER

    better = [str(tuning.players) for tuning in found.results if tuning.verdict == STRONGER]
    path = found.plan.path
    if not found.written:
        left = f"{path} stays as it is" if found.plan.old is not None else f"{path} was not written"
        return f"{left}.\nMore games or iterations, or another start, may do better."
    if len(better) < len(found.results):
        return f"Wrote {path}, for {' and '.join(better)} players only."
    return f"Wrote {path}."
