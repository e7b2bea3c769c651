"""The games of a finished run looked at again: turn by turn, by what was dealt, and as texts (METHODS M3.7, M3.9).

Only for a run whose strategies, rules and engine are still the same, so that its games come out as they did.
"""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import numpy as np

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.games.seam import Dealt, Game
from pinchsim.lab.experiment import Cell, cells, make_experiment
from pinchsim.lab.manifest import describe_run
from pinchsim.lab.run import Run
from pinchsim.measure.summary import CellName
from pinchsim.measure.win_probability import Chances, Progress, fit_halves, progress_of
from pinchsim.strategy import kernels, library
from pinchsim.strategy.library import Strategy

WORDS = {"engine": "the engine has", "rules": "rules have", "strategies": "strategies have"}


@dataclass
class Replays:
    """Games of a run again, by cell and index.

    Attributes
    ----------
    game : Game
    cells : dict
        The cells of the run by name.
    seed : int
    folders : tuple of Path
        Where strategies are searched first.
    """

    game: Game
    cells: dict[CellName, Cell]
    seed: int
    folders: tuple[Path, ...] = ()
    _loading: Lock = field(default_factory=Lock)
    _models: dict[tuple[CellName, int], Chances] = field(default_factory=dict)

    def is_slow(self, cell: CellName) -> bool:
        """Whether somebody at the table plays out what may happen: a game takes as long as a thousand others."""
        return any(map(self.game.searches, self.cells[cell].strategies))

    def dealt(self, cell: CellName, decks: np.ndarray) -> Dealt:
        """What each seat was dealt from these decks, int64[n]."""
        return self.game.dealt(self.cells[cell].variant.rules, cell.players, self.seed, decks)

    def model(self, cell: CellName, games: int) -> Chances:
        """Chances of winning, fitted to the first games of a cell; once, as `first` has been there before as a rule."""
        return self._models.get((cell, games)) or self.first(cell, games)[1]

    def first(self, cell: CellName, games: int) -> tuple[Progress, Chances]:
        """The first games of a cell turn by turn, in whole decks, and the chances of winning fitted to them."""
        indices = np.arange(games)
        progress = self.progress(cell, indices)
        self._models[cell, games] = fit_halves(progress, indices // self.game.rotations(cell.players))
        return progress, self._models[cell, games]

    def progress(self, cell: CellName, indices: np.ndarray) -> Progress:
        """Games turn by turn."""
        found, strategies = self.cells[cell], self._together()
        with self._loading:  # cells are measured side by side
            kernel = self.game.load_kernel(strategies, [found.variant.rules])
        names = [s.name for s in strategies]
        line_up = [names.index(s.name) for s in found.strategies]
        memory = self.game.new_memory()
        courses = self.game.courses(kernel, found.variant.rules, line_up, self.seed, indices, memory)
        return progress_of(courses.games, courses.signs, courses.win_shares)

    def transcript(self, cell: CellName, index: int) -> str:
        """A game as a text."""
        found = self.cells[cell]
        return self.game.transcript(found.variant, found.strategies, self.seed, index)

    def command(self, cell: CellName, index: int) -> list[str]:
        """The words of the command that shows a game."""
        words = ["pinchsim", "watch", "--variant", self.cells[cell].variant.source, "--players", str(cell.players)]
        words += ["--line-up", cell.line_up, "--seed", str(self.seed), "--game", str(index)]
        return [*words, *(word for folder in self.folders for word in ("--strategies", str(folder)))]

    def _together(self) -> list[Strategy]:
        """The strategies that are compiled together, as in the run: the kernel is on disk."""
        used = list({s.name: s for own in self.cells.values() for s in own.strategies}.values())
        return kernels.kernel_strategies(used, list(library.all_strategies(self.game.name, self.folders).values()))


def replays_of(run: Run, folders: tuple[Path, ...] = ()) -> Replays | str:
    """The games of a run again, or why they can't be had."""
    if run.manifest["experiment"]["session"] != session.SINGLE:
        return "single games"
    try:
        game = all_games.load(run.manifest["game"])
        experiment = make_experiment(run.manifest["experiment"], "The run")
        found = cells(experiment, folders)
    except UsageError as problem:
        return f"the games again: {problem}"
    now = describe_run(game, experiment, found)
    changed = [name for name in WORDS if now[name] != run.manifest[name]]
    if changed:
        return f"the games again: {' and '.join(WORDS[name] for name in changed)} changed since"
    return Replays(game, {cell.name: cell for cell in found}, experiment.seed, folders)
