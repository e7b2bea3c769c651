"""Coverage of the rules (METHODS M6.1): how often each numbered rule comes into play, counted and kept in a folder."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import RunError, UsageError
from pinchsim.games.seam import Game, IllegalAnswer
from pinchsim.lab.experiment import Cell, Experiment, cells, make_experiment
from pinchsim.lab.folder import digest, open_folder, results_folder, save_manifest, versions, write_table
from pinchsim.lab.watcher import Watcher

FORMAT = "pinchsim-coverage/1"
COUNTS = "counts.parquet"
GAMES = 2_000
PACKAGES = ("pinchsim", "numba", "numpy")


class Counts(NamedTuple):
    """How often each rule came into play in the games of a variant with one number of players, and which rules can."""

    variant: str
    players: int
    games: int
    decks: int
    times: Mapping[str, int]
    applying: frozenset[str]


@dataclass(frozen=True)
class Plan:
    """What is to be counted: every cell, a variant after the other."""

    game: Game
    experiment: Experiment
    cells: tuple[Cell, ...]

    @property
    def line_up(self) -> str:
        """Who plays."""
        return self.experiment.line_ups[0]

    @cached_property
    def strategies(self) -> list[Any]:
        """The strategies at any table, by name."""
        return sorted({s.name: s for cell in self.cells for s in cell.strategies}.values(), key=lambda s: s.name)

    def games(self, cell: Cell) -> int:
        """Games of a cell, in whole decks."""
        rotations = self.game.rotations(cell.name.players)
        return -(-self.experiment.games // rotations) * rotations

    def deciding(self) -> dict[str, Any]:
        """All that decides the counts, plain enough for a manifest."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "cells": [list(cell.name) for cell in self.cells],
            "rules": {cell.name.variant: cell.variant.rules.digest() for cell in self.cells},
            "strategies": {s.name: s.digest for s in self.strategies},
            "games": self.experiment.games,
            "seed": self.experiment.seed,
            "engine": self.game.engine_digest(),
        }

    def facts(self) -> dict[str, Any]:
        """What a manifest says beside that."""
        return {"versions": versions(PACKAGES)}


@dataclass(frozen=True)
class Coverage:
    """What was counted, and where it lies.

    Attributes
    ----------
    folder : Path
    plan : Plan
        What was asked for.
    counts : list of Counts
        By variant and number of players.
    table : polars.DataFrame
        The same, a row for each rule, variant and number of players.
    """

    folder: Path
    plan: Plan
    counts: list[Counts]
    table: pl.DataFrame


def make_plan(variants: Sequence[str], fields: dict[str, Any], folders: tuple[Path, ...]) -> Plan:
    """What to count; `fields` are `players`, `line_ups`, `games` and `seed` of an experiment.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    """
    asked = {"line_ups": ("uniform",), "games": GAMES} | fields | {"variants": tuple(variants), "base": None}
    experiment = make_experiment(asked, "The audit")
    game = all_games.load(experiment.game)
    names = [game.load_variant(name).name for name in experiment.variants]
    return Plan(game, experiment, tuple(sorted(cells(experiment, folders), key=lambda cell: names.index(cell.name.variant))))


def audit_coverage(plan: Plan, out: Path | None, folders: tuple[Path, ...], watcher: Watcher | None = None) -> Coverage:
    """Count as planned, and keep the counts in a folder.

    Raises
    ------
    UsageError
        The folder holds something else.
    RunError
        A strategy broke the rules.
    """
    folder = out or results_folder("audit-coverage", digest(plan.deciding()))
    open_folder(folder, plan, "count of the rules", "something else")
    counts = list(_count(plan, folders, watcher or Watcher()))
    table = _table(counts, plan.game.rule_texts, plan.line_up)
    write_table(table, folder / COUNTS)
    save_manifest(folder, plan, "complete")
    return Coverage(folder, plan, counts, table)


def read_counts(folder: Path) -> pl.DataFrame:
    """The table of counts of a folder.

    Raises
    ------
    UsageError
        They were not finished.
    """
    if not (folder / COUNTS).exists():
        raise UsageError(f"The count of the rules in '{folder}' was not finished; give the same command again.")
    return pl.read_parquet(folder / COUNTS)


def _count(plan: Plan, folders: tuple[Path, ...], watcher: Watcher) -> Iterator[Counts]:
    """Play the games of all cells and count."""
    game, strategies = plan.game, plan.strategies
    rule_sets = [cell.variant.rules for cell in plan.cells]
    if not game.is_compiled(strategies, rule_sets, counting=True):
        watcher.compiling(len(strategies))
    kernel = game.load_kernel(strategies, rule_sets, counting=True)
    watcher.started(sum(map(plan.games, plan.cells)))
    slots = {strategy.name: slot for slot, strategy in enumerate(strategies)}
    seed, games = plan.experiment.seed, plan.experiment.games
    for cell in plan.cells:
        names, rules, players = [s.name for s in cell.strategies], cell.variant.rules, cell.name.players
        line_up = [slots[name] for name in names]
        try:
            found = game.coverage(kernel, strategies, rules, line_up, seed, games, watcher.played)
        except IllegalAnswer as failure:
            raise _explained(failure, cell, seed, folders) from None
        applying = frozenset(rule for rule in game.rule_texts if game.rule_applies(rule, rules, players, names))
        decks = found.games // game.rotations(players)
        yield Counts(cell.name.variant, players, found.games, decks, found.times, applying)


def _explained(failure: IllegalAnswer, cell: Cell, seed: int, folders: tuple[Path, ...]) -> RunError:
    """An illegal answer with everything needed to look at the game."""
    name = cell.name
    searched = "".join(f" --strategies {folder}" for folder in folders)
    return RunError(
        f"A strategy broke the rules in variant '{name.variant}', {name.players} players, line-up '{name.line_up}', "
        f"{failure}. See that game with: pinchsim watch --variant {cell.variant.source} --players {name.players} "
        f"--line-up {name.line_up} --seed {seed} --game {failure.game}{searched}"
    )


def _table(counts: Sequence[Counts], texts: Mapping[str, str], line_up: str) -> pl.DataFrame:
    """The counts as a long table: a row for each rule, variant and number of players."""
    rows = [
        {
            "variant": c.variant,
            "players": c.players,
            "line_up": line_up,
            "rule": rule,
            "counted": texts[rule],
            "applies": rule in c.applying,
            "times": times,
            "games": c.games,
            "decks": c.decks,
            "per_game": times / c.games,
        }
        for c in counts
        for rule, times in c.times.items()
    ]
    return pl.DataFrame(rows)
