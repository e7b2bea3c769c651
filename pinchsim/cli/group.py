"""A group of commands that live in files of their own and are loaded when they are called."""

import importlib
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name; their help lines are known without loading them, so that --help is quick.

    The command `name` is the object of that name in the module `prefix` + name.
    """

    def __init__(self, *args: Any, prefix: str, help_lines: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prefix = prefix
        self.help_lines = help_lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(self.help_lines)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in self.help_lines:
            return None
        command = getattr(importlib.import_module(f"{self.prefix}{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.help_lines.items()))
