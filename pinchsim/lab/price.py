"""The fair price of the start, confirmed (METHODS M3.2): cells of a finished sweep played again with the best whole points.

A price is found by adding bonuses to games whose players did not know of them. Here they do, on fresh decks. Each cell is a
price and a run of its own on disk, so an interrupted confirmation goes on where it stopped.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.games.seam import Game
from pinchsim.lab import manifest as manifests
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Cell, Experiment, games_of, make_experiment
from pinchsim.lab.folder import MANIFEST, digest, open_folder, results_folder, save_manifest, versions, write_table
from pinchsim.lab.replays import replays_of
from pinchsim.lab.rows import check_kept
from pinchsim.lab.run import Run, run_experiment
from pinchsim.lab.settings import with_switches
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.price import fairness, price_of_first, whole_points
from pinchsim.measure.sample import samples
from pinchsim.measure.summary import CELL, CellName

FORMAT = "pinchsim-price/2"
FOUND = "price.parquet"
CELLS = "cells"
PACKAGES = ("pinchsim", "numba", "numpy", "polars")
ADVANTAGE, WIN_SHARE = "start_player_advantage", "win_share"
SPANS = ("before", "after", "off")
SCHEMA: dict[str, Any] = {
    **CELL,
    "bonus": pl.List(pl.Float64),
    **{f"{span}{end}": pl.Float64 for span in SPANS for end in ("", "_low", "_high")},
    "position": pl.Int8,
    "verdict": pl.String,
    "games_to_decide": pl.Int64,
    "margin": pl.Float64,
    "games_before": pl.Int64,
    "games": pl.Int64,
    "decks": pl.Int64,
    "variance_reduction": pl.List(pl.Float64),
}


@dataclass(frozen=True)
class Plan:
    """What is confirmed: `cells` of `run`, by `experiment`, which is the run's with fresh decks."""

    run: Run
    game: Game
    cells: tuple[Cell, ...]
    experiment: Experiment
    folders: tuple[Path, ...]

    def deciding(self) -> dict[str, Any]:
        """All that decides the result, plain enough for a manifest."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "run": manifests.identity(self.run.manifest),
            "cells": [list(cell.name) for cell in self.cells],
            "games": self.experiment.games,
            "seed": self.experiment.seed,
        }

    def facts(self) -> dict[str, Any]:
        """What a manifest says beside that."""
        return {"command": self.command(), "versions": versions(PACKAGES)}

    def command(self) -> str:
        """The command that does this again."""
        words = ["pinchsim", "price", str(self.run.folder), "--games", str(self.experiment.games)]
        words += ["--seed", str(self.experiment.seed)]
        return shlex.join([*words, *(word for folder in self.folders for word in ("--strategies", str(folder)))])

    def games(self, cell: Cell) -> int:
        """How many games confirm a cell, in whole decks; a level of the ladder may get fewer."""
        rotations = self.game.rotations(cell.name.players)
        return -(-games_of(self.experiment, cell.name.line_up) // rotations) * rotations

    def with_bonus(self, cell: Cell, bonus: Sequence[float]) -> Experiment:
        """The experiment that plays a cell with a bonus by position on top of those of its rules."""
        own = switches_of(self.run.manifest)[cell.name.variant]["start_bonus"]
        points = [round(x + (own[p] if p < len(own) else 0), 3) for p, x in enumerate(bonus)]
        spelled = ",".join(str(int(x) if x == int(x) else x) for x in points)
        fields = {
            "question": f"Does the best bonus in whole points make the start of {cell.name.variant} fair?",
            "game": self.experiment.game,
            "variants": [with_switches(cell.variant.source, {"start_bonus": f"[{spelled}]"})],
            "base": None,
            "players": [cell.name.players],
            "line_ups": [cell.name.line_up],
            "games": self.games(cell),
            "seed": self.experiment.seed,
            "margin": self.experiment.margin,
        }
        return make_experiment(fields, "The price")


class Prices(NamedTuple):
    """Prices of the start with what fresh games say of them.

    Attributes
    ----------
    folder : Path
        Where the table lies.
    manifest : dict
        What made it.
    found : polars.DataFrame
        A row for each finished cell: the `bonus` by position (null if no price was found), the start player's advantage
        `before` it and `after`, by how much the win share of the `position` furthest from a fair share is `off`, all three with
        the ends of their intervals, the `verdict` on all positions against the `margin`, and about how many games would decide.
        `variance_reduction` says by position what a game was worth for the win share with the bonus (METHODS M1.5), so for
        position 0 also for the advantage `after`; not for the change from `before`, whose games are others.
    """

    folder: Path
    manifest: dict[str, Any]
    found: pl.DataFrame

    @property
    def complete(self) -> bool:
        """Whether all cells were played."""
        return bool(self.manifest["state"] == "complete")


def switches_of(manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The switches of each variant of a run, by its name."""
    return {name: rules["switches"] for name, rules in manifest["rules"].items()}


def fewer_hand_wins(switches: Mapping[str, Any]) -> bool:
    """Whether among equal scores fewer cards in hand win."""
    return switches.get("tie_break") == "fewer_hand"


def make_plan(run: Run, games: int | None, seed: int | None, folders: tuple[Path, ...]) -> Plan:
    """What to play to confirm the prices of a run, by default as many games as it has, with the next seed.

    Raises
    ------
    UsageError
        The run is not a finished sweep of single games, keeps no rows, can't be played again, or would be played on the same
        decks.
    """
    asked = run.manifest["experiment"]
    if asked["session"] != session.SINGLE:
        raise UsageError(f"'{run.folder}' is a sweep of sessions; the price of the start is that of single games.")
    if not run.complete:
        raise UsageError(f"The run in '{run.folder}' is not finished; give its command again.")
    check_kept(run.folder, run.manifest, "The fair price of the start")
    again = replays_of(run, folders)
    if isinstance(again, str):
        raise UsageError(f"'{run.folder}' does not give {again}. Play the sweep again.")
    if any("start_bonus" not in switches for switches in switches_of(run.manifest).values()):
        raise UsageError(f"The game '{run.manifest['game']}' knows no start bonus, so its start has no price.")
    fresh = asked["seed"] + 1 if seed is None else seed
    if fresh == asked["seed"]:
        raise UsageError(f"The seed {fresh} is that of the run: a price is confirmed on other decks than it was found on.")
    changed = {"games": asked["games"] if games is None else games, "seed": fresh}
    experiment = make_experiment(asked | changed, "The price")
    incredible = {level.strategy for level in experiment.ladder if not level.credible}
    cells = tuple(cell for name, cell in again.cells.items() if name.line_up not in incredible)
    return Plan(run, again.game, cells, experiment, folders)


def confirm_prices(plan: Plan, out: Path | None, executor: Executor, watcher: Watcher | None = None) -> Prices:
    """Find and confirm the price of each cell, or go on with it; Ctrl-C leaves out the cells that are not finished.

    Raises
    ------
    UsageError
        The folder holds something else, or the rows of the run are gone.
    RunError
        A strategy broke the rules.
    """
    watcher = watcher or Watcher()
    folder = out or results_folder("price", digest(plan.deciding()))
    open_folder(folder, plan, "confirmation of a price", "something else")
    (folder / CELLS).mkdir(exist_ok=True)
    watcher.started(sum(map(plan.games, plan.cells)))
    rows, state = [], "complete"
    try:
        for k, cell in enumerate(plan.cells):
            rows.append(_confirm(plan, cell, folder / CELLS / f"{k:02}", executor, _OneOfMany(watcher)))
    except KeyboardInterrupt:
        state = "interrupted"
    if not rows:
        raise KeyboardInterrupt
    write_table(pl.DataFrame(rows, SCHEMA), folder / FOUND)
    save_manifest(folder, plan, state)
    return load_prices(folder, json.loads((folder / MANIFEST).read_text(encoding="utf-8")))


def load_prices(folder: Path, manifest: dict[str, Any]) -> Prices:
    """What a folder with this manifest holds.

    Raises
    ------
    UsageError
        No cell is finished.
    """
    try:
        return Prices(folder, manifest, pl.read_parquet(folder / FOUND))
    except (OSError, pl.exceptions.PolarsError):
        raise UsageError(f"'{folder}' holds no confirmed price; the command in its {MANIFEST} goes on with it.") from None


class _OneOfMany(Watcher):
    """Passes on what is heard of a run that is one of many, but not that it begins."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def compiling(self, strategies: int) -> None:
        """Pass it on."""
        self.watcher.compiling(strategies)

    def played(self, games: int, found: bool = False) -> None:
        """Pass it on."""
        self.watcher.played(games, found)

    def warned(self, text: str) -> None:
        """Pass it on."""
        self.watcher.warned(text)


def _confirm(plan: Plan, cell: Cell, folder: Path, executor: Executor, watcher: Watcher) -> dict[str, Any]:
    """What is found out about a cell, as a row of the table.

    Raises
    ------
    KeyboardInterrupt
        Somebody interrupted it.
    """
    bonus = _bonus(plan, cell, folder.with_name(f"{folder.name}-price.parquet"))
    before = _estimates(plan.run, cell.name, ADVANTAGE)[0]
    row: dict[str, Any] = dict(zip(CELL, cell.name, strict=True)) | _span("before", before)
    row |= {"bonus": bonus, "margin": plan.experiment.margin, "games_before": before["games"]}
    if bonus is None:
        return row
    run = run_experiment(plan.with_bonus(cell, bonus), folder, executor, plan.folders, watcher)
    if not run.complete:
        raise KeyboardInterrupt
    return row | _judged(run, plan.experiment.margin)


def _judged(run: Run, margin: float) -> dict[str, Any]:
    """What the games with a bonus say, as part of a row of the table."""
    (name,) = run.cells
    after = _estimates(run, name, ADVANTAGE)[0]
    shares = _estimates(run, name, WIN_SHARE)
    found = fairness(shares, margin)
    return {
        **_span("after", after),
        **_span("off", found.off._asdict()),
        "position": found.position,
        "verdict": found.verdict,
        "games_to_decide": found.games,
        "games": after["games"],
        "decks": after["decks"],
        "variance_reduction": [row["variance_reduction"] for row in shares],
    }


def _bonus(plan: Plan, cell: Cell, path: Path) -> list[float] | None:
    """The best whole points by position, or None; the price is kept, as it takes its time to find."""
    if not path.exists():
        (sample,) = samples(plan.run.scan_cells([cell.name]))
        switches = switches_of(plan.run.manifest)[cell.name.variant]
        write_table(price_of_first(sample, fewer_hand_wins(switches)), path)
    return whole_points(pl.read_parquet(path))


def _estimates(run: Run, cell: CellName, measure: str) -> list[dict[str, Any]]:
    """The estimates of a measure, by position."""
    variant, players, line_up = cell
    found = run.summary.estimates.filter(variant=variant, players=players, line_up=line_up, measure=measure)
    return found.sort("position").to_dicts()


def _span(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """An estimate with the ends of its interval, as part of a row of the table."""
    return {name: found["estimate"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
