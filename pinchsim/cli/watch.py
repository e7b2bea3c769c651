"""`pinchsim watch`: single games as readable text."""

from typing import Any

import click

from pinchsim.cli.options import one_game, tell_mistakes


@click.command()
@one_game
@tell_mistakes
def watch(**which: Any) -> None:
    """Tell single games of a sweep in words; the same games as `pinchsim trace` records."""
    from pinchsim import api
    from pinchsim.games.pinch.text import tell

    for number, record in enumerate(api.trace(**which)):
        if number:
            click.echo()
        click.echo(tell(record), nl=False)
