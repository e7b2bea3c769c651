"""Who hears how a run goes on."""


class Watcher:
    """Hears how a run goes on; the command line shows it, others need not."""

    def compiling(self, strategies: int) -> None:
        """The kernel must be compiled first; takes seconds."""

    def started(self, games: int, unit: str = "games") -> None:
        """The run begins and has so many games to play, or sessions if `unit` says so."""

    def goes_on(self, games: int, found: str) -> None:
        """What was `found` is not precise enough: so many more games will be played."""

    def played(self, games: int, found: bool = False) -> None:
        """So many more games are there, `found` on disk or played now; called from several threads."""

    def waiting(self, text: str) -> None:
        """Nothing goes on: for what it is waited."""

    def warned(self, text: str) -> None:
        """Something that was on disk is no good, and what is done about it."""
