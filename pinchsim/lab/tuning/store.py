"""A tuning on disk: a folder with a manifest, and for each number of players the state after the last finished iteration."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pinchsim.errors import UsageError
from pinchsim.lab import folder as folders
from pinchsim.lab.folder import digest, replacing, results_folder, save_manifest, write_table
from pinchsim.lab.tuning.league import League
from pinchsim.lab.tuning.plan import Plan
from pinchsim.measure.tuning import HISTORY

__all__ = ["State", "default_folder", "open_folder", "save_manifest", "write_table"]

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
        with replacing(folder / STATE) as file:
            np.savez(
                file, vector=self.vector, tail=self.tail, tail_count=self.tail_count, members=np.array(self.league.members),
                joined=np.array(self.league.joined), history=rows, memory=self.memory,
            )  # fmt: skip

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


def default_folder(plan: Plan) -> Path:
    """Folder under `results/` that the same command finds again."""
    return results_folder(f"tune-{plan.name}", digest(plan.deciding()))


def open_folder(folder: Path, plan: Plan) -> None:
    """Make the folder, or go on with one that the same plan began.

    Raises
    ------
    UsageError
        The folder holds something else.
    """
    folders.open_folder(folder, plan, "tuning", "something else than a tuning")
