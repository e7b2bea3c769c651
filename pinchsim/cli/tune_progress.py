"""How a tuning goes on: the progress of a run, with a line for every iteration."""

import click

from pinchsim.cli.progress import Progress
from pinchsim.lab.tuning.tune import TuneWatcher


class TuneProgress(Progress, TuneWatcher):
    """Shows the progress of a tuning; use it as a context."""

    def iterated(self, players: int, done: int, iterations: int, share: float) -> None:
        """Say how far it came."""
        words = f"{players} players, iteration {done} of {iterations}: wins {100 * share:.1f} % against the start"
        if self.bar is not None:
            self.bar.console.print(words, highlight=False)
        else:
            click.echo(words, err=True)
