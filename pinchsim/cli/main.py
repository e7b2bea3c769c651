"""The command `pinchsim`: words in, words out. Each command lives in a file of its own and is loaded when it is called."""

import importlib
from importlib.metadata import version

import click

COMMANDS = {
    "sweep": "Play variants against each other and say who wins how often.",
    "trace": "Write the record of single games, one decision a line.",
    "watch": "The same games as readable text.",
    "replay": "Check a game record against the rules.",
    "columns": "Explain every column of the rows.",
    "variants": "List and show the variants of the rules.",
    "strategies": "List, make and check strategies.",
}


class Commands(click.Group):
    """Commands by name; their help lines are known without loading them, so that --help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"pinchsim.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Commands)
@click.version_option(version("pinchsim"), prog_name="pinchsim")
def main() -> None:
    """The laboratory where a card game's rules are tested before people play them.

    Start with: pinchsim sweep --variant aces-bite
    """
