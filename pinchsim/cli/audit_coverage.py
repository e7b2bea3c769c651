"""`pinchsim audit coverage`: how often each numbered rule comes into play, and which never do (METHODS M6.1)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pinchsim.cli.coverage_text import Counts, report
from pinchsim.cli.options import MAX_SEED, player_counts, strategy_folders, tell_mistakes

if TYPE_CHECKING:
    from pinchsim.errors import RunError
    from pinchsim.games.seam import Game, IllegalAnswer
    from pinchsim.lab.experiment import Cell

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
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.parquet", help="Keep the counts in a file."
)
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
    from pinchsim import games as all_games
    from pinchsim.lab.experiment import cells, make_experiment

    _check_file(out)
    fields: dict[str, Any] = {"variants": variants or ("all",), "line_ups": (line_up,), "games": games, "seed": seed}
    fields |= {"players": player_counts(players)} if players else {}
    experiment = make_experiment(fields | {"base": None}, "The audit")
    game = all_games.load(experiment.game)
    names = [game.load_variant(name).name for name in experiment.variants]
    in_order = sorted(cells(experiment, strategy_folders), key=lambda cell: names.index(cell.name.variant))
    counts = list(_count(game, in_order, games, seed, strategy_folders))
    click.echo(report(counts, game.rule_texts, experiment.line_ups[0], seed))
    if out is not None:
        _write(counts, game.rule_texts, experiment.line_ups[0], out)


def _check_file(out: Path | None) -> None:
    """Say at once what would be in the way of the file at the end."""
    from pinchsim.errors import UsageError

    if out is None:
        return
    if out.suffix != ".parquet":
        raise UsageError(f"--out '{out}': the counts are kept as Parquet; the name of the file must end in .parquet.")
    if not out.parent.is_dir():
        raise UsageError(f"--out '{out}': there is no folder '{out.parent}'.")


def _count(
    game: "Game", cells: Sequence["Cell"], games: int, seed: int, strategy_folders: tuple[Path, ...]
) -> Iterator[Counts]:
    """Play the games of all cells and count."""
    from pinchsim.cli.progress import Progress
    from pinchsim.games.seam import IllegalAnswer

    strategies = sorted({s.name: s for cell in cells for s in cell.strategies}.values(), key=lambda s: s.name)
    slots = {strategy.name: slot for slot, strategy in enumerate(strategies)}
    rule_sets = [cell.variant.rules for cell in cells]
    with Progress() as progress:
        if not game.is_compiled(strategies, rule_sets, counting=True):
            progress.compiling(len(strategies))
        kernel = game.load_kernel(strategies, rule_sets, counting=True)
        progress.started(sum(_whole_decks(game, cell, games) for cell in cells))
        for cell in cells:
            names, rules, players = [s.name for s in cell.strategies], cell.variant.rules, cell.name.players
            line_up = [slots[name] for name in names]
            try:
                found = game.coverage(kernel, strategies, rules, line_up, seed, games, progress.played)
            except IllegalAnswer as failure:
                raise _explained(failure, cell, seed, strategy_folders) from None
            applying = frozenset(rule for rule in game.rule_texts if game.rule_applies(rule, rules, players, names))
            yield Counts(cell.name.variant, players, found.games, found.times, applying)


def _whole_decks(game: "Game", cell: "Cell", games: int) -> int:
    rotations = game.rotations(cell.name.players)
    return -(-games // rotations) * rotations


def _explained(failure: "IllegalAnswer", cell: "Cell", seed: int, strategy_folders: tuple[Path, ...]) -> "RunError":
    """An illegal answer with everything needed to look at the game."""
    from pinchsim.errors import RunError

    name = cell.name
    folders = "".join(f" --strategies {folder}" for folder in strategy_folders)
    return RunError(
        f"A strategy broke the rules in variant '{name.variant}', {name.players} players, line-up '{name.line_up}', "
        f"{failure}. See that game with: pinchsim watch --variant {cell.variant.source} --players {name.players} "
        f"--line-up {name.line_up} --seed {seed} --game {failure.game}{folders}"
    )


def _write(counts: Sequence[Counts], texts: Mapping[str, str], line_up: str, out: Path) -> None:
    """The counts as a long table: a row for each rule, variant and number of players."""
    import polars as pl

    rows = [
        {
            "variant": c.variant,
            "players": c.players,
            "line_up": line_up,
            "rule": rule,
            "counted": texts[rule],
            "times": times,
            "games": c.games,
            "per_game": times / c.games,
        }
        for c in counts
        for rule, times in c.times.items()
    ]
    with out.open("wb") as file:
        pl.DataFrame(rows).write_parquet(file)
    click.echo(f"The counts: {out}")
