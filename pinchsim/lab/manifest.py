"""The manifest of a run: what produced it, so that every number can be traced and made again."""

import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pinchsim.errors import UsageError
from pinchsim.games.seam import Game
from pinchsim.lab.changes import told
from pinchsim.lab.chunks import CHUNK_DECKS, SLOW_CHUNK_DECKS
from pinchsim.lab.experiment import Cell, Experiment, base_name, to_toml
from pinchsim.lab.folder import MANIFEST, digest, make_folder, refuse_another, versions, write_manifest, write_text
from pinchsim.lab.layout import ALL_ROWS
from pinchsim.lab.lock import locked

EXPERIMENT = "experiment.toml"
FORMAT = "pinchsim-run/2"
BEGINNING = ("command", "decks")  # facts that stay as they were when a run is gone on with
PACKAGES = ("pinchsim", "numba", "numpy", "polars")


def describe_run(
    game: Game, experiment: Experiment, cells: Sequence[Cell], strategy_folders: Sequence[Path] = ()
) -> dict[str, Any]:
    """The manifest before the first game; `strategy_folders` are those that are searched first."""
    rules = {cell.variant.name: cell.variant.rules for cell in cells}
    used = {s.name: s for cell in cells for s in cell.strategies}
    return {
        "format": FORMAT,
        "game": game.name,
        "experiment": experiment.model_dump(),
        "base": base_name(game, experiment),
        "cells": [list(cell.name) for cell in cells],
        "chunk_decks": [CHUNK_DECKS, SLOW_CHUNK_DECKS],
        "engine": game.engine_digest(),
        "rules": {name: {"digest": r.digest(), "switches": r.switches()} for name, r in rules.items()},
        "strategies": {name: s.digest for name, s in sorted(used.items())},
        "versions": versions(PACKAGES),
        "host": {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()},
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "working_folder": str(Path.cwd()),
        "strategy_folders": [str(folder.resolve()) for folder in strategy_folders],
        "state": "running",
    }


def _deciding(manifest: dict[str, Any]) -> dict[str, Any]:
    """What decides the rows, and so must be equal for the chunks of an earlier run to be gone on with."""
    keys = ("format", "game", "base", "cells", "chunk_decks", "engine", "rules", "strategies")
    experiment = {key: manifest["experiment"][key] for key in ("session", "seed", "games", "margin")}
    ladder = manifest["experiment"].get("ladder")  # its levels may have fewer games
    experiment |= {"ladder": ladder} if ladder else {}
    rows = kept_rows(manifest)
    experiment |= {"rows": rows} if rows != ALL_ROWS else {}
    precision = {key: manifest["experiment"].get(key) for key in ("precision", "measure")}
    experiment |= precision if precision["precision"] else {}
    experiment |= {"controls": True} if manifest["experiment"].get("controls") else {}
    certificate = manifest["experiment"].get("certificate")  # like the margin, its lines are fixed before the run
    experiment |= {"certificate": certificate} if certificate else {}
    plain: dict[str, Any] = json.loads(json.dumps({key: manifest[key] for key in keys} | experiment))
    return plain


def kept_rows(manifest: dict[str, Any]) -> str:
    """Which rows a run keeps: "all" or "none"; runs of older versions kept all."""
    return str(manifest["experiment"].get("rows", ALL_ROWS))


def identity(manifest: dict[str, Any]) -> str:
    """Digest of what decides the rows."""
    return digest(_deciding(manifest))


@contextmanager
def opened_run(run: Path, manifest: dict[str, Any], experiment: Experiment) -> Iterator[None]:
    """Make the run's folder, or go on with one that the same experiment began; meanwhile nobody else can.

    What a manifest that is there says of its beginning is taken over. The manifest is written first: a run that was killed
    right then can be resumed by it.

    Raises
    ------
    UsageError
        The folder holds something else; says what differs.
    RunError
        Another process is at work in it.
    """
    make_folder(run, MANIFEST, "run of pinchsim")
    with locked(run):
        if (run / MANIFEST).exists():
            old = load_manifest(run, "; choose another folder with --out")
            _check_same(run, old, manifest)
            manifest |= {name: old[name] for name in BEGINNING if name in old}
        write_manifest(run, manifest)
        write_text(run / EXPERIMENT, to_toml(experiment))
        yield


def _check_same(run: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    there, asked = _deciding(old), _deciding(new)
    differing = [key for key in there | asked if there.get(key) != asked.get(key)]
    refuse_another(run, "run", differing, told(there, asked))


def load_manifest(run: Path, advice: str = "") -> dict[str, Any]:
    """The manifest of a run's folder; `advice` says what else can be done if it is damaged.

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    try:
        manifest: dict[str, Any] = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
        _deciding(manifest)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"'{run}' is not the folder of a run: it has no {MANIFEST}.") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"'{run / MANIFEST}' is damaged or not of this version{advice}.") from None
    return manifest
