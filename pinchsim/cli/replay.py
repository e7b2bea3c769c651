"""`pinchsim replay`: check a game record against the rules."""

from pathlib import Path

import click

from pinchsim.cli.listing import wrapped
from pinchsim.cli.options import tell_mistakes
from pinchsim.errors import UsageError


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@tell_mistakes
def replay(file: Path) -> None:
    """Play the decisions of the records in FILE again and check every line of them."""
    from pinchsim.games.pinch.record import check, read_records

    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{file}: not a text file in UTF-8.") from None
    for record in read_records(text, str(file)):
        check(record)
        header, end = record[0], record[-1]
        winners = " and ".join(map(str, end["winners"]))
        told = (
            f"Game {header['game']} of seed {header['seed']} is sound: {len(record)} lines, {end['turns']} turns, "
            f"{end['reason']}, won by seat {winners}."
        )
        click.echo(wrapped(told, further="  "))
