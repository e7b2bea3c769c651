"""`pinchsim skill`: how much skill the game rewards."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import only_given, strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import INTERRUPTED


@click.command()
@click.option("--variant", default="pinch", show_default=True, help="Variant, or the path of a variant file.")
@click.option("--players", type=int, help="Players at a table.  [default: 4, or 2 in a duel]")
@click.option("--part", "parts", metavar="PART[,PART...]", help="Of ladder, trace and noise.  [default: all]")
@click.option("--games", type=int, help="Games for each table, rounded up to whole decks.  [default: 20000]")
@click.option(
    "--slow-games", type=int, help="The same for tables with a slow player, such as a search; 0 leaves them out.  [default: 80]"
)
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@click.option(
    "--chess-elo", type=float, metavar="POINTS",
    help="Standard deviation of Elo ratings in chess that you assume, for 'x %-chess'. There is no default: sources disagree.",
)  # fmt: skip
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the report.  [default: a name under results/]")
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@strategy_folders
@tell_mistakes
def skill(
    variant: str,
    players: int | None,
    parts: str | None,
    chess_elo: float | None,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    plots: bool,
    **given: Any,
) -> None:
    """Say how much skill the game rewards, and what it is like for beginners.

    Three parts: the ladder (how strong each level of play is, and how many can be told apart), the trace (what each doubling
    of strength is worth) and noise (what random and forgetful players lose, and whether the game is as fair for them). The
    same command goes on with a report that was interrupted.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.lab.skill import PARTS, Stage
    from pinchsim.report.skill_table import print_skill

    def watch(stage: Stage) -> Progress:
        click.echo(f"{stage.name}:", err=True)
        return Progress()

    fields = only_given(given)
    asked = PARTS if parts is None else tuple(part.strip() for part in parts.split(","))
    found = api.skill(
        variant, players=players, parts=asked, chess_elo=chess_elo, out=out, jobs=jobs, cluster=cluster,
        strategies=strategy_folders, watch=watch, **fields,
    )  # fmt: skip
    print_skill(found.levels, found.traces, found.noise, found.unfinished, Console(width=None if Console().is_terminal else 80))
    if plots:
        from pinchsim.report.skill_plots import write_skill_plots

        write_skill_plots(found.levels, found.traces, found.noise, found.folder / "plots")
    click.echo(f"{'Rows, tables and plots' if plots else 'Rows and tables'}: {found.folder}")
    if not found.complete:
        click.echo("Interrupted: what is shown are the finished parts. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
