"""`pinchsim audit rules`: which sentence of the rules is dangerous."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import only_given, player_counts, strategy_folders, tell_mistakes, who_plays
from pinchsim.cli.sweep import INTERRUPTED


@click.command()
@click.option("--variant", default="pinch", show_default=True, help="Variant, path of a variant file, or a combination.")
@click.option("--players", help="Player counts, such as 4, 3-5 or 3,5.  [default: all that the variant is made for]")
@click.option(
    "--line-up", "line_ups", multiple=True, metavar="NAME[,NAME...]",
    help="Strategies by seat; the last one fills the table (repeatable).  [default: default]",
)  # fmt: skip
@click.option("--pairs", is_flag=True, help="Also play each two readings together.")
@click.option("--games", type=int, help="Games for each reading, rounded up to whole decks.  [default: 100000]")
@click.option("--seed", type=int, help="Seed of all decks and decisions.  [default: 1]")
@click.option(
    "--margin", type=float,
    help="A change of the start-player advantage within it goes unnoticed.  [default: 0.01, or 0.02 for duels]",
)  # fmt: skip
@who_plays
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: a name under results/]")
@click.option("--plots/--no-plots", default=True, help="Whether to draw the plots.")
@strategy_folders
@tell_mistakes
def rules(
    variant: str,
    pairs: bool,
    strategy_folders: tuple[Path, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    plots: bool,
    **given: Any,
) -> None:
    """Read each contested sentence of the rules in every other way, and see what players would notice.

    Each reading is played on the same decks as the ruling. The same command goes on with a run that was interrupted.
    """
    from rich.console import Console

    from pinchsim import api
    from pinchsim.cli.progress import Progress
    from pinchsim.report.audit_table import print_audit
    from pinchsim.report.style import ADVANTAGE
    from pinchsim.report.table import print_worth

    fields = only_given(given)
    if "players" in fields:
        fields["players"] = player_counts(fields["players"])
    with Progress() as progress:
        audit = api.audit_rules(
            variant, pairs=pairs, out=out, jobs=jobs, cluster=cluster, strategies=strategy_folders, watcher=progress, **fields
        )
    summary = audit.run.summary
    base = str(summary.base)
    console = Console(width=None if Console().is_terminal else 80)
    print_audit(base, audit.findings, audit.labels(), audit.sentences(), summary.margin, audit.run.complete, console)
    print_worth(summary.differences, ADVANTAGE, "changes of the start player's advantage", console)
    plots = plots and bool(audit.findings)
    if plots:
        from pinchsim.report.audit_plot import write_audit_plots

        write_audit_plots(base, audit.findings, audit.labels(), summary.margin, audit.run.complete, audit.run.folder / "plots")
    click.echo(f"{'Rows, effects and plots' if plots else 'Rows and effects'}: {audit.run.folder}")
    if not audit.run.complete:
        click.echo("Interrupted: what is shown covers the finished games only. The same command goes on from here.", err=True)
        raise SystemExit(INTERRUPTED)
