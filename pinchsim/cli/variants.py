"""`pinchsim variants`: the rules as data."""

import click

from pinchsim.cli.options import tell_mistakes


@click.group()
def variants() -> None:
    """List and show the variants of the rules."""


@variants.command("list")
@tell_mistakes
def list_variants() -> None:
    """List the built-in variants."""
    from pinchsim import games

    game = games.load("pinch")
    for name in game.variant_names():
        click.echo(f"{name:<12} {game.load_variant(name).description}")


@variants.command("show")
@click.argument("name")
@tell_mistakes
def show_variant(name: str) -> None:
    """Show every switch of a variant (NAME, or the path of a variant file); changes to the base game are marked."""
    from rich.console import Console
    from rich.table import Table

    from pinchsim import games
    from pinchsim.games.pinch.rules import RuleSet, allowed_values

    game = games.load("pinch")
    variant = game.load_variant(name)
    base = game.load_variant(game.base_variant).rules.switches()
    console = Console(width=None if Console().is_terminal else 80)
    console.print(f"{variant.name}: {variant.description}", markup=False)
    table = Table(box=None, pad_edge=False)
    for header in ("", "switch", "value", "allowed", "meaning"):
        table.add_column(header, no_wrap=header in ("", "switch", "value"))
    for switch, value in variant.rules.switches().items():
        mark = "*" if value != base[switch] else ""
        meaning = str(RuleSet.model_fields[switch].description)
        table.add_row(mark, switch, _words(value), allowed_values(switch), meaning)
    console.print(table)
    console.print(f"* differs from {game.base_variant}")


def _words(value: object) -> str:
    """A value as a variant file spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
