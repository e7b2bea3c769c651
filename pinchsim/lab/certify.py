"""The certificate of an experiment: where its lines are to hold, the run to judge, and what came of them (M7.1)."""

import difflib
import json
import math
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from pinchsim.errors import UsageError
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Cell, Experiment, cells, game_of
from pinchsim.lab.layout import tables_of
from pinchsim.lab.lines import Line
from pinchsim.lab.manifest import EXPERIMENT
from pinchsim.lab.rows import counted, described
from pinchsim.lab.run import Run, run_experiment
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.certificate import Judgement, judge, together
from pinchsim.measure.counted import measures as measures_counted
from pinchsim.measure.explained import called, measures
from pinchsim.measure.judgeable import Band, Bounds, Key, Row, in_summary, judgeable, rows_of
from pinchsim.measure.looks import longer
from pinchsim.measure.precision import reason_of
from pinchsim.measure.quantities import Described
from pinchsim.measure.sample import samples
from pinchsim.measure.summary import CellName, Summary

FORMAT = "pinchsim-certificate/1"
CERTIFICATE, BADGE = "certificate.json", "certificate.svg"


class Asked(NamedTuple):
    """A line in one cell; `bounds` are those of the measure there, `number` is the line's place in the experiment, from 0."""

    number: int
    line: Line
    cell: CellName
    bounds: Bounds

    @property
    def key(self) -> Key:
        """Measure and position."""
        return self.line.measure, self.line.position


class Found(NamedTuple):
    """What came of a line in one cell; `row` is None if there was no occasion for the measure."""

    asked: Asked
    row: Row | None
    judgement: Judgement


@dataclass(frozen=True)
class Certificate:
    """The lines of an experiment, judged on a run.

    Attributes
    ----------
    run : Run
        What was played.
    folder : Path
        Where the certificate is to lie.
    found : tuple
        What came of each line in each cell that it names.
    strategy_folders : tuple
        Folders that were searched for strategies first.
    """

    run: Run
    folder: Path
    found: tuple[Found, ...]
    strategy_folders: tuple[Path, ...] = ()

    @property
    def verdict(self) -> str:
        """The whole: "passes", "fails" or "undecided"."""
        return together(one.judgement.verdict for one in self.found)

    @property
    def command(self) -> str:
        """What makes the certificate again, in the folder where it lies."""
        folders = [word for folder in self.strategy_folders for word in ("--strategies", self._from_here(folder))]
        return shlex.join(["pinchsim", "certify", self._from_here(self.run.folder / EXPERIMENT), *folders])

    def _from_here(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def told(self) -> dict[str, Any]:
        """All that the certificate says, plain enough for a file. The same run says the same."""
        manifest = self.run.manifest
        return {
            "format": FORMAT,
            "question": manifest["experiment"]["question"],
            "verdict": self.verdict,
            "family": len(self.found),
            "lines": _told_lines(self.found, self.run.summary),
            "game": manifest["game"],
            "experiment": manifest["experiment"],
            "engine": manifest["engine"],
            "rules": {name: rules["digest"] for name, rules in manifest["rules"].items()},
            "strategies": manifest["strategies"],
            "versions": manifest["versions"],
            "command": self.command,
        }

    def text(self) -> str:
        """The same as a JSON file."""
        return json.dumps(self.told(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _told_lines(found: Sequence[Found], summary: Summary) -> list[dict[str, Any]]:
    lines = {one.asked.number: one.asked.line for one in found}
    return [
        line.given() | {"cells": [_told_cell(one, summary) for one in found if one.asked.number == number]}
        for number, line in lines.items()
    ]


def _told_cell(one: Found, summary: Summary) -> dict[str, Any]:
    """What was found in a cell; variance reduction and gain by controls only of what the summary has (M1.5, M1.6)."""
    row: Row = one.row or {"unit": None, "games": 0, "decks": 0}
    span = {name: None if math.isnan(x) else x for name, x in one.judgement.span._asdict().items()}
    sizes = {name: row[name] for name in ("unit", "games", "decks")}
    more = {"verdict": one.judgement.verdict, "games_needed": one.judgement.needed}
    factor = row.get("variance_reduction")
    more |= {"variance_reduction": factor if factor is not None and math.isfinite(factor) else None}
    gain = {"control_gain": row["control_gain"]} if "control_gain" in row else {}
    more |= {name: x if math.isfinite(x) else None for name, x in gain.items()}
    more |= {"stopped": reason_of(one.asked.cell, summary)}
    return one.asked.cell._asdict() | span | sizes | more


# -- what is asked ----------------------------------------------------------------------------------------


def asked_of(experiment: Experiment, strategy_folders: tuple[Path, ...]) -> list[Asked]:
    """Every line in every cell that it names, in the order of the lines and then of the run.

    Raises
    ------
    UsageError
        There are no lines, or one names no cell, an unknown measure, or limits that nothing could keep.
    """
    if not experiment.certificate:
        raise UsageError(
            "The experiment draws no lines to judge. Add some at the end of its file, each as a table [[certificate]] with "
            'measure = "start_player_advantage", low = -0.01 and high = 0.01, or the like.'
        )
    columns, all_cells = described(game_of(experiment)), cells(experiment, strategy_folders)
    return [
        one
        for number, line in enumerate(experiment.certificate)
        for one in _of_line(number, line, experiment, all_cells, columns)
    ]


def _of_line(number: int, line: Line, experiment: Experiment, all_cells: Sequence[Cell], columns: Described) -> list[Asked]:
    where = f"Line {number + 1} of the certificate ({line.measure})"
    asked = []
    for cell in _named(line, experiment, all_cells, where):
        known = judgeable([strategy.name for strategy in cell.strategies], columns)
        asked.append(Asked(number, line, cell.name, _bounds(line, cell.name, known, where)))
        if not tables_of(experiment.rows):
            _check_counted(line, cell.name, experiment, columns, where)
    return asked


def _named(line: Line, experiment: Experiment, all_cells: Sequence[Cell], where: str) -> list[Cell]:
    """The cells that a line names; of a ladder those of its credible levels, unless the line says otherwise."""
    wished = {"variant": line.variants, "players": line.players, "line_up": line.line_ups}
    for what, names in wished.items():
        played = list(dict.fromkeys(getattr(cell.name, what) for cell in all_cells))
        for name in names:
            if name not in played:
                words = what.replace("_", "-")
                raise UsageError(
                    f"{where} asks for {words} {name!r}, which the experiment doesn't play; it plays: {_listed(played)}."
                )
    if not line.line_ups:
        wished["line_up"] = tuple(level.strategy for level in experiment.ladder if level.credible)
    found = [cell for cell in all_cells if all(not x or getattr(cell.name, what) in x for what, x in wished.items())]
    if not found:
        raise UsageError(f"{where}: no cell of the experiment has all that it names: a variant may not be for so many players.")
    return found


def _bounds(line: Line, cell: CellName, known: dict[Key, Bounds], where: str) -> Bounds:
    """The bounds of a line's measure in a cell; there must be such a measure, and something between the limits."""
    bounds = known.get((line.measure, line.position))
    if bounds is None:
        raise UsageError(f"{where}: {_unknown(line, cell, known)}")
    if line.most <= bounds.low or line.least >= bounds.high:
        ends = f"{bounds.low:.3g} to {bounds.high:.3g}"
        raise UsageError(
            f"{where}: with {cell.players} players the measure lies between {ends}, so no number of games could show it to lie "
            f"between {line.least:g} and {line.most:g}. Shares are written as fractions: 0.05 is 5 %."
        )
    return bounds


def _check_counted(line: Line, cell: CellName, experiment: Experiment, columns: Described, where: str) -> None:
    """A line of an experiment that keeps no rows must be about something that is counted."""
    key = line.measure, line.position
    if key not in measures_counted(counted(game_of(experiment)), cell.players) | in_summary(cell.places, columns).keys():
        raise UsageError(
            f'{where} is judged by rows, and the experiment keeps none: leave out its rows = "none", or this line.'
        )


def _unknown(line: Line, cell: CellName, known: dict[Key, Bounds]) -> str:
    """What to say about a measure that can't be judged here."""
    positions = sorted(position for name, position in known if name == line.measure)
    if positions:
        words = (
            "it is of the whole game; leave out 'position'" if positions == [-1] else f"its positions are {_listed(positions)}"
        )
        return f"there is no position {line.position} with {cell.players} players; {words}."
    names = list(dict.fromkeys(name for name, _ in known))
    close = difflib.get_close_matches(line.measure, names, n=2)
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    if called(line.measure, measures()):
        return f"'{line.measure}' is explained, but can't be judged here.{hint} What can: {_listed(names)}."
    return f"'{line.measure}' is not a measure.{hint} What can be judged: {_listed(names)}. See: pinchsim explain."


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(str, values))


# -- what came of it --------------------------------------------------------------------------------------


def certify(
    experiment: Experiment,
    out: Path,
    to: Path,
    executor: Executor,
    strategy_folders: tuple[Path, ...] = (),
    watcher: Watcher | None = None,
) -> Certificate:
    """Play an experiment, or go on with its run, and judge its lines; of an interrupted run nothing is judged.

    The certificate is to lie in the folder `to`, but isn't written here.

    Raises
    ------
    UsageError
        The experiment can't be played, or its lines can't be judged.
    RunError
        A strategy broke the rules.
    """
    asked = asked_of(experiment, strategy_folders)
    played = run_experiment(experiment, out, executor, strategy_folders, watcher)
    found = _judged(asked, played, described(game_of(experiment))) if played.complete else ()
    return Certificate(played, to, found, strategy_folders)


def _judged(asked: Sequence[Asked], run: Run, columns: Described) -> tuple[Found, ...]:
    rows = {cell: _rows(cell, [one for one in asked if one.cell == cell], run, columns) for cell in {one.cell for one in asked}}
    return tuple(_found(one, rows[one.cell].get((one.key, one.line.band)), len(asked)) for one in asked)


def _found(asked: Asked, row: Row | None, family: int) -> Found:
    nothing = {"estimate": None, "low": None, "high": None, "games": 0, "decks": 0}
    return Found(asked, row, judge(row or nothing, asked.line.least, asked.line.most, asked.bounds, family))


def _rows(cell: CellName, asked: Sequence[Asked], run: Run, columns: Described) -> dict[tuple[Key, Band], Row]:
    """The rows of one cell: from the summary where it has them, else from counts or the games, which are read only then."""
    here = [pl.col(name) == value for name, value in cell._asdict().items()]
    told = {(row["measure"], row["position"]): row for row in run.summary.estimates.filter(*here).to_dicts()}
    summed = in_summary(cell.places, columns)
    found = {(one.key, one.line.band): told[one.key] for one in asked if one.key in summed}
    wanted = [(one.key, one.line.band) for one in asked if one.key not in summed]
    if run.measures is not None:
        kept = {(row["measure"], row["position"]): row for row in run.measures.filter(*here).to_dicts()}
        return found | {(key, band): kept[key] for key, band in wanted if key in kept}
    if wanted:
        (sample,) = samples(run.scan_cells([cell]))
        measured = rows_of(sample, wanted, columns.end_labels)
        found |= dict(zip(measured, map(longer(run.summary), measured.values()), strict=True))
    return found
