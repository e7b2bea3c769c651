"""A tuning on disk: a folder with a manifest, and for each number of players the state after the last finished iteration.

Everything is written to another name first and then renamed, so that whoever reads finds the old or the new, never a part.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pinchsim.errors import UsageError
from pinchsim.lab.manifest import MANIFEST, write_text
from pinchsim.lab.tuning.league import League
from pinchsim.lab.tuning.plan import Plan
from pinchsim.measure.tuning import HISTORY

STATE = "state.npz"


@dataclass
class State:
    """Where a tuning stands after some iterations.

    Attributes
    ----------
    vector : float64[n]
        What is tuned.
    tail : float64[n]
        Sum of the vectors after the last iterations, `tail_count` of them.
    league : League
    history : list of dict
        Rows of `pinchsim.measure.tuning.HISTORY`.
    memory : float64 array
        The learner's own.
    """

    vector: np.ndarray
    tail: np.ndarray
    tail_count: int
    league: League
    history: list[dict[str, Any]]
    memory: np.ndarray

    @classmethod
    def begun(cls, start: np.ndarray) -> "State":
        """Before the first iteration."""
        return cls(start.copy(), np.zeros_like(start), 0, League.begun(start), [], np.zeros(0))

    @property
    def done(self) -> int:
        """Iterations that are finished."""
        return len(self.history)

    def save(self, folder: Path) -> None:
        """Write the state in one step."""
        rows = np.array([[row[name] for name in HISTORY] for row in self.history], np.float64).reshape(-1, len(HISTORY))
        temporary = folder / f"{STATE}.tmp"
        with temporary.open("wb") as file:
            np.savez(
                file, vector=self.vector, tail=self.tail, tail_count=self.tail_count, members=np.array(self.league.members),
                joined=np.array(self.league.joined), history=rows, memory=self.memory,
            )  # fmt: skip
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, folder / STATE)

    @classmethod
    def load(cls, folder: Path, start: np.ndarray) -> "State":
        """The state in a folder, or one that has not begun.

        Raises
        ------
        UsageError
            The file is damaged.
        """
        path = folder / STATE
        if not path.exists():
            return cls.begun(start)
        try:
            with np.load(path) as kept:
                league = League(tuple(kept["members"]), tuple(kept["joined"].tolist()))
                rows = [
                    {name: int(x) if kind == pl.Int64 else x for (name, kind), x in zip(HISTORY.items(), row, strict=True)}
                    for row in kept["history"].tolist()
                ]
                return cls(kept["vector"], kept["tail"], int(kept["tail_count"]), league, rows, kept["memory"])
        except (ValueError, KeyError, OSError, EOFError):
            raise UsageError(f"'{path}' is damaged; delete the folder, or choose another with --out.") from None


def identity(plan: Plan) -> str:
    """Digest of all that decides the result."""
    return hashlib.sha256(json.dumps(plan.deciding(), sort_keys=True).encode()).hexdigest()


def default_folder(plan: Plan) -> Path:
    """Folder under `results/` that the same command finds again."""
    return Path("results") / f"tune-{plan.name}-{identity(plan)[:8]}"


def open_folder(folder: Path, plan: Plan) -> None:
    """Make the folder, or go on with one that the same plan began.

    Raises
    ------
    UsageError
        The folder holds something else.
    """
    path = folder / MANIFEST
    if path.exists():
        _check_same(path, plan)
    elif folder.exists() and any(folder.iterdir()):
        raise UsageError(f"The folder '{folder}' is not empty and holds no tuning; choose another with --out.")
    folder.mkdir(parents=True, exist_ok=True)
    save_manifest(folder, plan, "running")


def _check_same(path: Path, plan: Plan) -> None:
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
        differing = [name for name, value in plan.deciding().items() if old.get(name) != value]
    except (ValueError, AttributeError):
        raise UsageError(f"'{path}' is damaged; choose another folder with --out.") from None
    if "format" in differing:
        raise UsageError(f"The folder '{path.parent}' holds something else than a tuning; choose another with --out.")
    if differing:
        raise UsageError(
            f"The folder '{path.parent}' holds another tuning; it differs in: {', '.join(differing)}. Choose another with "
            "--out."
        )


def save_manifest(folder: Path, plan: Plan, state: str) -> None:
    """Write the manifest in one step."""
    manifest = plan.deciding() | plan.facts() | {"state": state}
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a Parquet file in one step."""
    temporary = path.with_suffix(".tmp")
    table.write_parquet(temporary)
    os.replace(temporary, path)
