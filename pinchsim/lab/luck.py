"""How much is luck (METHODS M4): games that share some of their sources of chance, and decks played many times.

Each line-up is a part of its own on disk, so an interrupted run goes on with those that are missing. Decks are played many
times by mirror line-ups only: at a mixed table their rates would tell who sits where.
"""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Game, IllegalAnswer, Source
from pinchsim.lab.batches import play_batches
from pinchsim.lab.experiment import MAX_SEED, Cell, cells, make_experiment
from pinchsim.lab.folder import MANIFEST, digest, open_folder, results_folder, save_manifest, versions, write_table
from pinchsim.lab.rows import rows_of_blocks
from pinchsim.lab.settings import usual_players, whole_numbers
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.deck_effect import deck_effect
from pinchsim.measure.luck import LUCK, LUCK_POINTS, Branches, luck_budget
from pinchsim.strategy import kernels, library

FORMAT = "pinchsim-luck/1"
DEFAULTS = {"roots": 20_000, "decks": 400, "replays": 50, "seed": 1}
LIMITS = {"roots": (30, 10_000_000), "decks": (30, 1_000_000), "replays": (2, 100_000), "seed": (0, MAX_SEED)}
BATCH_GAMES = 1000
FOUND, RATES = "luck", "decks"  # tables of a folder
PARTS = "parts"
RATE = {"line_up": pl.String, "deck": pl.Int64, "rate": pl.Float64}
PACKAGES = ("pinchsim", "numba", "numpy", "polars")


@dataclass(frozen=True)
class Plan:
    """What is played: `cells` of one variant and number of players, a line-up each, and how often."""

    game: Game
    cells: tuple[Cell, ...]
    roots: int
    decks: int
    replays: int
    seed: int

    @property
    def players(self) -> int:
        return self.cells[0].name.players

    def deciding(self) -> dict[str, Any]:
        """All that decides the result, plain enough for a manifest."""
        used = {s.name: s.digest for cell in self.cells for s in cell.strategies}
        variant = self.cells[0].variant
        return {
            "format": FORMAT,
            "game": self.game.name,
            "variant": variant.name,
            "rules": variant.rules.digest(),
            "players": self.players,
            "line_ups": [cell.name.line_up for cell in self.cells],
            "strategies": dict(sorted(used.items())),
            **{name: getattr(self, name) for name in DEFAULTS},
            "engine": self.game.engine_digest(),
        }

    def facts(self) -> dict[str, Any]:
        """What a manifest says beside that."""
        return {"command": self.command(), "versions": versions(PACKAGES)}

    def command(self) -> str:
        """The command that does this again."""
        words = ["pinchsim", "luck", "--variant", self.cells[0].variant.source, "--players", str(self.players)]
        words += [word for cell in self.cells for word in ("--line-up", cell.name.line_up)]
        words += [word for name in DEFAULTS for word in (f"--{name}", str(getattr(self, name)))]
        return shlex.join(words)


class Luck(NamedTuple):
    """What a run about luck found.

    Attributes
    ----------
    folder : Path
        Where the tables lie.
    manifest : dict
        What made them.
    found : polars.DataFrame
        Luck budgets and effects of decks, with the columns of `pinchsim.measure.sample.SCHEMA`.
    rates : polars.DataFrame
        `line_up`, `deck` and the `rate` at which its start player won.
    sources : dict
        Words for each source of chance, in order.
    """

    folder: Path
    manifest: dict[str, Any]
    found: pl.DataFrame
    rates: pl.DataFrame
    sources: dict[str, str]

    @property
    def complete(self) -> bool:
        """Whether all line-ups were played."""
        return bool(self.manifest["state"] == "complete")


def make_plan(
    variant: str, players: int | None, line_ups: Sequence[str], folders: tuple[Path, ...], numbers: dict[str, Any]
) -> Plan:
    """A plan from words; without line-ups the usual ones are played.

    Raises
    ------
    UsageError
        Something cannot be done as it was asked for.
    """
    game = all_games.load("pinch")
    counts = whole_numbers(numbers, DEFAULTS, LIMITS, "a run about luck")
    seated = usual_players(game, game.load_variant(variant).rules) if players is None else players
    asked = tuple(line_ups) or usual_line_ups(game, seated)
    fields = {"variants": [variant], "base": None, "players": [seated], "line_ups": asked}
    return Plan(game, tuple(cells(make_experiment(fields, "A run about luck"), folders)), **counts)


def usual_line_ups(game: Game, players: int) -> tuple[str, ...]:
    """The weakest and the strongest quick level of the ladder that people could play at, two that play with some randomness,
    without which a deck would always be played alike, and a table at which weak and strong levels meet."""
    levels = [level.strategy for level in game.ladder if level.credible and level.games == 1]
    dials = game.dials
    noisy = [dials.weakened("temperature", heat) for heat in dials.temperatures[len(dials.temperatures) // 3 :: 2]][:2]
    spread = np.rint(np.linspace(0, len(levels) - 1, players)).astype(int)
    mixed = ",".join(levels[k] for k in spread)
    return tuple(dict.fromkeys([levels[0], levels[-1], *noisy, mixed]))


def play_luck(
    plan: Plan, out: Path | None, jobs: int, strategy_folders: tuple[Path, ...] = (), watcher: Watcher | None = None
) -> Luck:
    """Play a plan, or go on with it; Ctrl-C leaves out the line-ups that are not finished.

    Raises
    ------
    UsageError
        The folder holds something else.
    RunError
        A strategy broke the rules.
    """
    watcher = watcher or Watcher()
    folder = out or results_folder("luck", digest(plan.deciding()))
    open_folder(folder, plan, "run about luck", "something else")
    (folder / PARTS).mkdir(exist_ok=True)
    table = _Table.set_up(plan, strategy_folders, jobs, watcher)
    watcher.started(sum(map(table.games, plan.cells)))
    state = "complete"
    try:
        for k, cell in enumerate(plan.cells):
            _finish(folder, k, table, cell)
    except KeyboardInterrupt:
        state = "interrupted"
    parts = [read for k in range(len(plan.cells)) if (read := _read_part(folder, k)) is not None]
    if not parts:
        raise KeyboardInterrupt
    for name, frames in zip((FOUND, RATES), zip(*parts, strict=True), strict=True):
        write_table(pl.concat(frames), folder / f"{name}.parquet")
    save_manifest(folder, plan, state)
    return load_luck(folder, json.loads((folder / MANIFEST).read_text(encoding="utf-8")))


def load_luck(folder: Path, manifest: dict[str, Any]) -> Luck:
    """What a folder with this manifest holds.

    Raises
    ------
    UsageError
        No line-up is finished.
    """
    try:
        found, rates = (pl.read_parquet(folder / f"{name}.parquet") for name in (FOUND, RATES))
    except (OSError, pl.exceptions.PolarsError):
        raise UsageError(f"'{folder}' holds no finished line-up; the command in its {MANIFEST} goes on with it.") from None
    words = {source.name: source.words for source in all_games.load(manifest["game"]).luck_sources}
    return Luck(folder, manifest, found, rates, words)


def _part_path(folder: Path, name: str, k: int) -> Path:
    return folder / PARTS / f"{k:02}-{name}.parquet"


def _read_part(folder: Path, k: int) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Both tables of a line-up, of which the budget is written last."""
    if not _part_path(folder, FOUND, k).exists():
        return None
    found, rates = (pl.read_parquet(_part_path(folder, name, k)) for name in (FOUND, RATES))
    return found, rates


def _finish(folder: Path, k: int, table: "_Table", cell: Cell) -> None:
    """Play a line-up and keep what it says, unless that is there."""
    if _read_part(folder, k) is not None:
        table.watcher.played(table.games(cell), found=True)
        return
    found = [luck_budget(branches, table.names, name, cell.name) for name, branches in table.branches(cell).items()]
    rates = pl.DataFrame(schema=RATE)
    if not is_mixed(cell):
        shares = table.replays(cell)
        found.append(deck_effect(shares, cell.name))
        decks = {"line_up": [cell.name.line_up] * len(shares), "deck": np.arange(len(shares))}
        rates = pl.DataFrame(decks | {"rate": shares[:, :, 0].mean(axis=1)}, RATE)
    write_table(rates, _part_path(folder, RATES, k))
    write_table(pl.concat(found), _part_path(folder, FOUND, k))


@dataclass
class _Table:
    """Who plays, with a kernel for all line-ups."""

    plan: Plan
    kernel: Any
    slots: dict[str, int]
    jobs: int
    watcher: Watcher

    @classmethod
    def set_up(cls, plan: Plan, folders: tuple[Path, ...], jobs: int, watcher: Watcher) -> "_Table":
        """Load or compile the kernel."""
        used = list({s.name: s for cell in plan.cells for s in cell.strategies}.values())
        together = kernels.kernel_strategies(used, list(library.all_strategies(plan.game.name, folders).values()))
        rules = [plan.cells[0].variant.rules]
        if not plan.game.is_compiled(together, rules):
            watcher.compiling(len(together))
        return cls(plan, plan.game.load_kernel(together, rules), {s.name: k for k, s in enumerate(together)}, jobs, watcher)

    @property
    def names(self) -> list[str]:
        """The game's own sources of chance."""
        return [source.name for source in self.sources]

    @property
    def sources(self) -> Sequence[Source]:
        return self.plan.game.luck_sources

    def games(self, cell: Cell) -> int:
        """How many games a line-up takes."""
        if is_mixed(cell):
            return self.plan.roots * (3 + len(self.sources))
        return self.plan.roots * (2 + len(self.sources)) + self.plan.decks * self.plan.replays

    def branches(self, cell: Cell) -> dict[str, Branches]:
        """Results of the games that branch off from each root: win share and points ahead of seat 0."""
        players, mixed = self.plan.players, is_mixed(cell)
        worlds, outer = branch_worlds(self.plan.roots, players, len(self.names), mixed, self.plan.seed)
        shares, points = self._results(cell, worlds.reshape(-1, worlds.shape[2]), worlds.shape[1])
        own = shares[:, 0] - 1 / players, points[:, 0] - points[:, 1:].mean(axis=1)
        combinations = players**2 if mixed else players
        return {
            name: Branches(x.reshape(worlds.shape[:2]), outer, combinations, mixed)
            for name, x in zip((LUCK, LUCK_POINTS), own, strict=True)
        }

    def replays(self, cell: Cell) -> np.ndarray:
        """Win shares by seat of decks that are played again and again with other choices: float64[decks, replays, players]."""
        plan = self.plan
        worlds = replay_worlds(plan.decks, plan.replays, self.sources)
        shares, _ = self._results(cell, worlds.reshape(-1, worlds.shape[2]), plan.replays)
        return shares.reshape(plan.decks, plan.replays, plan.players)

    def _results(self, cell: Cell, worlds: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray]:
        """Win shares and scores by seat of these games, in batches of whole groups: float64[games, players]."""
        groups = len(worlds) // group
        size = max(BATCH_GAMES // group, 1)

        def play(first: int, many: int) -> tuple[np.ndarray, np.ndarray]:
            return self._by_seat(cell, worlds[first * group : (first + many) * group])

        shares, scores = zip(*play_batches(play, 0, groups, size, self.jobs), strict=True)
        return np.concatenate(shares), np.concatenate(scores)

    def _by_seat(self, cell: Cell, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        game, players = self.plan.game, self.plan.players
        games = np.empty((len(game.game_columns), len(worlds)), np.int32)
        seats = np.empty((len(game.player_columns), len(worlds), players), np.int32)
        line_up = [self.slots[s.name] for s in cell.strategies]
        memory = game.new_memory()
        try:
            game.replay(self.kernel, cell.variant.rules, line_up, self.plan.seed, worlds, memory, games, seats)
        except IllegalAnswer as failure:
            raise RunError(f"A strategy broke the rules with line-up '{cell.name.line_up}': {failure.why}.") from None
        self.watcher.played(len(worlds))
        rows = rows_of_blocks(game, games, seats)
        by_seat = np.argsort(rows.players["seat"], axis=1)
        shares, scores = (
            np.take_along_axis(rows.players[name].astype(np.float64), by_seat, axis=1) for name in ("win_share", "score")
        )
        return shares, scores


def is_mixed(cell: Cell) -> bool:
    """Whether it matters who plays."""
    return len({s.name for s in cell.strategies}) > 1


def branch_worlds(roots: int, players: int, sources: int, mixed: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Worlds of games that branch off: int64[roots, outer + sources + 1, 2 + sources], and who plays and starts in each.

    Game k of a root shares its first k + 1 sources with it and takes the others anew; the last but one is the root, and the
    last its twin, which takes only the last but one source anew. Outer sources are who plays, if strategies differ, and who
    starts.
    """
    outer = 2 if mixed else 1
    many = outer + sources + 1
    shared = np.arange(many) >= np.arange(many - 1)[:, None]  # [source, game]
    shared[-2, -1] = False
    rng = np.random.default_rng([seed, roots])

    def held(own: np.ndarray, source: int) -> np.ndarray:
        """What each game takes from a source: what the root takes, or its own."""
        return np.where(shared[source], own[:, -2:-1], own)

    start = held(rng.integers(players, size=(roots, many)), outer - 1)
    # Which place of the line-up sits on seat 0, (0 - shift) mod players, is shared by all games of a root.
    who = rng.integers(players if mixed else 1, size=(roots, 1)) + np.zeros_like(start)
    worlds = np.empty((roots, many, 2 + sources), np.int64)
    worlds[:, :, 0], worlds[:, :, 1] = start, -who % players
    own = np.arange(roots * many).reshape(roots, many)  # a world for each game
    for k in range(sources):
        worlds[:, :, 2 + k] = held(own, outer + k)
    return worlds, who * players + start


def replay_worlds(decks: int, replays: int, sources: Sequence[Source]) -> np.ndarray:
    """Worlds of decks played again and again: int64[decks, replays, 2 + sources]; only choices differ, and seat 0 starts."""
    worlds = np.zeros((decks, replays, 2 + len(sources)), np.int64)
    game, deck = np.arange(decks * replays).reshape(decks, replays), np.arange(decks)[:, None]
    for k, source in enumerate(sources):
        worlds[:, :, 2 + k] = game if source.is_choice else deck
    return worlds
