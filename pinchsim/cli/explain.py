"""`pinchsim explain`: what a measure means."""

import difflib
import textwrap
from typing import TYPE_CHECKING

import click

from pinchsim.cli.listing import listing, wrapped
from pinchsim.cli.options import tell_mistakes
from pinchsim.errors import UsageError

if TYPE_CHECKING:
    from pinchsim.measure.explained import Measure

INDENT = "  "


@click.command()
@click.argument("measure", required=False)
@tell_mistakes
def explain(measure: str | None) -> None:
    """Say what a measure means: definition, formula, units, traps and source.

    MEASURE is one of the names that are listed without it, a measure as tables name it (ender_wins), or a number of
    docs/methods.md (M3.4).
    """
    from pinchsim.measure.explained import called, measures

    known = measures()
    if measure is None:
        _list(known)
        return
    found = called(measure, known)
    if not found:
        raise UsageError(_unknown(measure, known))
    for place, one in enumerate(found):
        if place:
            click.echo()
        _tell(one)


def _list(known: list["Measure"]) -> None:
    """A line for each measure, by number."""
    width = max(len(one.name) for one in known)
    for line in listing((f"{one.name:<{width}} {one.number}", one.line) for one in known):
        click.echo(line)
    click.echo("\nOne of them in full: pinchsim explain NAME")


def _tell(one: "Measure") -> None:
    """All that there is to say about a measure."""
    click.secho(f"{one.name} (METHODS {one.number})", bold=True)
    click.echo(wrapped(one.line))
    if one.rows:
        click.echo(wrapped(f"In tables: {', '.join(one.rows)}."))
    for title, text in one.sections.items():
        click.echo()
        click.secho(title, bold=True)
        parts = [textwrap.indent(text, INDENT)] if title == "Formula" else _paragraphs(text)
        click.echo("\n\n".join(parts))
    click.echo(f"\nComputed by pinchsim.measure.{one.where}")


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, broken into lines anew."""
    return [wrapped(" ".join(part.split()), INDENT, INDENT) for part in text.split("\n\n")]


def _unknown(word: str, known: list["Measure"]) -> str:
    """What to say about a name that is none; names in tables are suggested, too."""
    close = difflib.get_close_matches(word.lower(), [name for one in known for name in one.names], n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return f"'{word}' is not a measure.{hint} Known: {', '.join(one.name for one in known)}."
