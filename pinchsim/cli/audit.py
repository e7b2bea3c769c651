"""`pinchsim audit`: the rules themselves on trial."""

import click

from pinchsim.cli.group import LazyGroup

AUDITS = {
    "rules": "What changes if a sentence of the rules is read in another way.",
    "coverage": "How often each numbered rule comes into play, and which never do.",
}


@click.command(cls=LazyGroup, prefix="pinchsim.cli.audit_", help_lines=AUDITS)
def audit() -> None:
    """Which rules matter, and which sentences are dangerous."""
