"""`pinchsim columns`: what stands in the rows."""

import click

from pinchsim.cli.options import tell_mistakes


@click.command()
@tell_mistakes
def columns() -> None:
    """Explain every column of the rows that a sweep writes."""
    from rich.console import Console
    from rich.table import Table

    from pinchsim import games
    from pinchsim.lab.rows import column_table

    console = Console(width=None if Console().is_terminal else 80)
    rows = column_table(games.load("pinch"))
    for name, title in (("games", "games: a row per game"), ("players", "players: a row per game and position")):
        table = Table("column", "type", "unit", "meaning", title=title, title_justify="left", box=None, pad_edge=False)
        for table_name, column in rows:
            if table_name == name:
                table.add_row(column.name, column.dtype, column.unit, f"{column.meaning} ({column.serves})")
        console.print(table)
        console.print()
    console.print(
        "In front of both, pinchsim.load(RUN) puts variant, players and line_up. Numbers in brackets are rules (R) of "
        "docs/rules.md and measures (M) of docs/methods.md."
    )
