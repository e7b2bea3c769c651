"""`pinchsim audit coverage`: how often each numbered rule comes into play, and which never do (METHODS M6.1)."""

from pathlib import Path
from typing import Any

import click

from pinchsim.cli.options import MAX_SEED, player_counts, strategy_folders, tell_mistakes

GAMES = 2_000


@click.command()
@click.option(
    "--variant", "variants", multiple=True, help="Variant, path of a variant file, or 'all' (repeatable).  [default: all]"
)
@click.option("--players", help="Player counts, such as 4, 3-5 or 3,5.  [default: all that a variant is made for]")
@click.option(
    "--line-up", default="uniform", show_default=True, metavar="NAME[,NAME...]",
    help="Strategies by seat; the last one fills the table.",
)  # fmt: skip
@click.option(
    "--games", default=GAMES, show_default=True, type=click.IntRange(1),
    help="Games of each variant with each number of players, rounded up to whole decks.",
)  # fmt: skip
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, MAX_SEED), help="Seed of all decks and decisions.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the counts.  [default: a name under results/]")
@strategy_folders
@tell_mistakes
def coverage(
    variants: tuple[str, ...],
    players: str | None,
    line_up: str,
    games: int,
    seed: int,
    out: Path | None,
    strategy_folders: tuple[Path, ...],
) -> None:
    """Count how often each numbered rule comes into play in a game, by variant and number of players.

    The strategy uniform tries everything that the rules allow; other line-ups may do what it hardly ever does.
    """
    from pinchsim import api
    from pinchsim.cli.coverage_text import report
    from pinchsim.cli.progress import Progress

    fields: dict[str, Any] = {"line_ups": (line_up,), "games": games, "seed": seed}
    fields |= {"players": player_counts(players)} if players else {}
    with Progress() as progress:
        found = api.audit_coverage(*variants or ("all",), out=out, strategies=strategy_folders, watcher=progress, **fields)
    click.echo(report(found.counts, found.plan.game.rule_texts, found.plan.line_up, seed))
    click.echo(f"\nCounts: {found.folder}")
