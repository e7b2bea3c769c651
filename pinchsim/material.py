"""A run made ready for its report: beside `api`, as the report floor does not know the laboratory and the other way round."""

import os
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.lab.rows import described
from pinchsim.lab.run import Run
from pinchsim.measure.judged import Limits
from pinchsim.report.evidence import Material


def material_of(run: Run, out: Path, minutes: tuple[float, float] | None = None) -> Material:
    """What a report in the folder `out` is made of; `minutes` is the wished length.

    Raises
    ------
    UsageError
        There are no games, or the wished length is no range.
    """
    if run.summary.estimates.is_empty():
        raise UsageError(f"'{run.folder}' holds no finished games.")
    if minutes is not None and not 0 <= minutes[0] < minutes[1]:
        raise UsageError(
            f"Games can't be wished to take {minutes[0]:g} to {minutes[1]:g} minutes: the shorter time comes first."
        )
    there = os.path.relpath(run.folder, out)
    game = session.of(all_games.load(run.manifest["game"]), run.manifest["experiment"]["session"])
    switches = {name: rules["switches"] for name, rules in run.manifest["rules"].items()}
    games, players = _rows(run)
    return Material(
        run.summary,
        run.ladder,
        games,
        players,
        folder="" if there == "." else f"{Path(there).as_posix()}/",
        question=run.manifest["experiment"]["question"],
        end_labels=described(game).end_labels,
        fewer_hand_wins={name: found.get("tie_break") == "fewer_hand" for name, found in switches.items()},
        minutes=Limits(*minutes) if minutes is not None else None,
        facts=_facts(run.manifest),
    )


def _rows(run: Run) -> tuple[pl.LazyFrame | None, pl.LazyFrame | None]:
    """The rows, unless they are gone."""
    try:
        return run.scan_games(), run.scan_players()
    except UsageError:
        return None, None


def _facts(manifest: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What produced the run, in short."""
    short = {
        "rules": {name: rules["digest"] for name, rules in manifest["rules"].items()},
        "strategies": manifest["strategies"],
    }
    found = {
        "seed": str(manifest["experiment"]["seed"]),
        "engine": manifest["engine"][:12],
        **{what: ", ".join(f"{name} {digest[:12]}" for name, digest in of.items()) for what, of in short.items()},
        "versions": ", ".join(f"{name} {number}" for name, number in manifest["versions"].items()),
        "played again by": "pinchsim sweep experiment.toml, in the folder of the run",
    }
    return tuple(found.items())
