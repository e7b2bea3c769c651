"""The command `pinchsim`: words in, words out. Each command lives in a file of its own and is loaded when it is called."""

from importlib.metadata import version

import click

from pinchsim.cli.group import LazyGroup

COMMANDS = {
    "sweep": "Play variants against each other and say who wins how often.",
    "resume": "Go on with a sweep that was interrupted, by its folder alone.",
    "report": "Write the balance report of a run as a page.",
    "certify": "Judge the lines that an experiment drew beforehand.",
    "compare": "Set two runs side by side.",
    "price": "Play a sweep again with the bonus that should make its start fair.",
    "tournament": "Let strategies meet, and say how strong each of them is.",
    "skill": "How much skill the game rewards, and what beginners do to it.",
    "luck": "How much of who wins is luck, and of what kind.",
    "tune": "Improve the weights of a strategy by self-play.",
    "exploit": "Search for what beats a strategy, and say how.",
    "trace": "Write the record of single games, one decision a line.",
    "watch": "The same games as readable text.",
    "replay": "Check a game record against the rules.",
    "columns": "Explain every column of the rows.",
    "explain": "Say what a measure means, and where it misleads.",
    "variants": "List, show, compare and check the variants of the rules.",
    "strategies": "List, make and check strategies.",
    "audit": "Which rules matter, and which sentences are dangerous.",
}


@click.command(cls=LazyGroup, prefix="pinchsim.cli.", help_lines=COMMANDS)
@click.version_option(version("pinchsim"), prog_name="pinchsim")
def main() -> None:
    """The laboratory where a card game's rules are tested before people play them.

    Start with: pinchsim sweep --variant aces-bite
    """
