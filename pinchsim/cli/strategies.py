"""`pinchsim strategies`: list, make and check strategies."""

from pathlib import Path

import click

from pinchsim.cli.listing import listing, wrapped
from pinchsim.cli.options import strategy_folders, tell_mistakes


@click.group()
def strategies() -> None:
    """List, make and check strategies."""


@strategies.command("list")
@strategy_folders
@tell_mistakes
def list_strategies(strategy_folders: tuple[Path, ...]) -> None:
    """List every strategy that can be found, with its idea and where it comes from."""
    from pinchsim import games
    from pinchsim.strategy import library

    game = games.load("pinch")
    entries = []
    for name, strategy in library.all_strategies(game.name, strategy_folders).items():
        where = "" if strategy.built_in else f" [{strategy.path}]"
        default = " (the default line-up)" if name == game.default_strategy else ""
        entries.append((name, f"{strategy.idea}{default}{where}"))
    for line in listing(entries, fewest=12):
        click.echo(line)


@strategies.command("new")
@click.argument("name")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where.  [default: strategies/pinch]")
@tell_mistakes
def new_strategy(name: str, folder: Path | None) -> None:
    """Write a commented strategy NAME that works, to be changed."""
    from pinchsim.strategy.template import write_template

    path = write_template("pinch", name, folder)
    where = "" if folder is None else f" --strategies {folder}"
    click.echo(f"Wrote {path}. Change it, then:\n  pinchsim strategies check {name}{where}")


@strategies.command("view")
def show_view() -> None:
    """List what a strategy sees: the fields of its view."""
    from pinchsim.games.pinch.state import VIEW, VIEW_DOCS

    shapes = {name: VIEW[name].shape for name in VIEW_DOCS}
    sizes = {name: f"[{', '.join(map(str, shape))}]" if shape else "" for name, shape in shapes.items()}
    for line in listing((f"view.{name}{sizes[name]}", meaning) for name, meaning in VIEW_DOCS.items()):
        click.echo(line)


@strategies.command("check")
@click.argument("name")
@strategy_folders
@tell_mistakes
def check_strategy(name: str, strategy_folders: tuple[Path, ...]) -> None:
    """Check strategy NAME: compiles, legal, deterministic, deaf to hidden cards, and how fast."""
    from pinchsim import games
    from pinchsim.strategy import library
    from pinchsim.strategy.check import check

    game = games.load("pinch")
    strategy = library.find(game.name, name, strategy_folders)
    for line in check(strategy):
        click.echo(wrapped(line, further="  "))
