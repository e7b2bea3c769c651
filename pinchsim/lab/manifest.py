"""The manifest of a run: what produced it, so that every number can be traced and made again."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pinchsim.errors import UsageError
from pinchsim.games.seam import Game
from pinchsim.lab.chunks import CHUNK_DECKS, SLOW_CHUNK_DECKS
from pinchsim.lab.experiment import Cell, Experiment, base_name, to_toml
from pinchsim.lab.folder import MANIFEST, digest, make_folder, refuse_another, versions, write_manifest, write_text

EXPERIMENT = "experiment.toml"
FORMAT = "pinchsim-run/1"
PACKAGES = ("pinchsim", "numba", "numpy", "polars")


def describe_run(game: Game, experiment: Experiment, cells: Sequence[Cell]) -> dict[str, Any]:
    """The manifest before the first game."""
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
        "state": "running",
    }


def _deciding(manifest: dict[str, Any]) -> dict[str, Any]:
    """What decides the rows, and so must be equal for the chunks of an earlier run to be gone on with."""
    keys = ("format", "game", "base", "cells", "chunk_decks", "engine", "rules", "strategies")
    experiment = {key: manifest["experiment"][key] for key in ("session", "seed", "games", "margin")}
    ladder = manifest["experiment"].get("ladder")  # its levels may have fewer games
    experiment |= {"ladder": ladder} if ladder else {}
    certificate = manifest["experiment"].get("certificate")  # like the margin, its lines are fixed before the run
    experiment |= {"certificate": certificate} if certificate else {}
    plain: dict[str, Any] = json.loads(json.dumps({key: manifest[key] for key in keys} | experiment))
    return plain


def identity(manifest: dict[str, Any]) -> str:
    """Digest of what decides the rows."""
    return digest(_deciding(manifest))


def open_run(run: Path, manifest: dict[str, Any], experiment: Experiment) -> None:
    """Make the run's folder, or go on with one that the same experiment began.

    Raises
    ------
    UsageError
        The folder holds something else; says what differs.
    """
    if (run / MANIFEST).exists():
        _check_same(run, load_manifest(run), manifest)
    make_folder(run, MANIFEST, "run of pinchsim")
    write_text(run / EXPERIMENT, to_toml(experiment))
    write_manifest(run, manifest)


def _check_same(run: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    there, asked = _deciding(old), _deciding(new)
    refuse_another(run, "run", [key for key in there | asked if there.get(key) != asked.get(key)])


def load_manifest(run: Path) -> dict[str, Any]:
    """The manifest of a run's folder.

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    try:
        manifest: dict[str, Any] = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
        _deciding(manifest)
    except FileNotFoundError:
        raise UsageError(f"'{run}' is not the folder of a run: it has no {MANIFEST}.") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"'{run / MANIFEST}' is damaged or not of this version; choose another folder with --out.") from None
    return manifest
