"""A run made ready for its report: beside `api`, as the report floor does not know the laboratory and the other way round."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim import games as all_games
from pinchsim.beside import Place, path_from, read
from pinchsim.errors import UsageError
from pinchsim.games import session as sessions
from pinchsim.lab.layout import ROWS
from pinchsim.lab.price import fewer_hand_wins, switches_of
from pinchsim.lab.replays import replays_of
from pinchsim.lab.rows import described
from pinchsim.lab.run import Run
from pinchsim.measure.judged import Limits
from pinchsim.measure.sample import Scan
from pinchsim.report.beside import Beside, Sessions
from pinchsim.report.evidence import Material


def material_of(
    run: Run,
    out: Path,
    minutes: tuple[float, float] | None = None,
    others: Sequence[Place] = (),
    strategies: tuple[Path, ...] = (),
) -> Material:
    """What a report in the folder `out` is made of.

    `minutes` is the wished length, `others` lie beside the run, and `strategies` are folders that are searched first.

    Raises
    ------
    UsageError
        There are no games, a folder beside the run has nothing to show, or the wished length is no range.
    """
    if run.summary.estimates.is_empty():
        raise UsageError(f"'{run.folder}' holds no finished games.")
    if minutes is not None and not 0 <= minutes[0] < minutes[1]:
        raise UsageError(
            f"Games can't be wished to take {minutes[0]:g} to {minutes[1]:g} minutes: the shorter time comes first."
        )
    plain = all_games.load(run.manifest["game"])
    game = sessions.of(plain, run.manifest["experiment"]["session"])
    switches = switches_of(run.manifest)
    games, players, each = _rows(run)
    return Material(
        run.summary,
        run.ladder,
        games,
        players,
        each,
        counted=run.measures,
        folder=path_from(out, run.folder),
        beside=_beside(run, others, out),
        joined=tuple(path_from(out, place.folder) for place in others),
        levels=tuple(level.strategy for level in plain.ladder if level.games == 1),
        sources=_sources(plain, run.manifest["experiment"]["variants"], out),
        question=run.manifest["experiment"]["question"],
        end_labels=described(game).end_labels,
        fewer_hand_wins={name: fewer_hand_wins(found) for name, found in switches.items()},
        display_points={name: found.get("score_display", 0.0) for name, found in switches.items()},
        minutes=Limits(*minutes) if minutes is not None else None,
        facts=_facts(run.manifest),
        replays=replays_of(run, strategies),
    )


def _beside(run: Run, others: Sequence[Place], out: Path) -> Beside:
    """What lies beside the run; a run of sessions is also among those."""
    found, session = read(others, out), run.manifest["experiment"]["session"]
    if session == sessions.SINGLE:
        return found
    own = Sessions(path_from(out, run.folder), run.summary, session)
    return found._replace(sessions=(own, *found.sessions))


def _sources(game: Any, asked: Sequence[str], out: Path) -> dict[str, str]:
    """How each variant is named in a command that is given in the folder `out`, by its own name."""
    found = {}
    for source in asked:
        first, *switches = source.split("+")
        with suppress(UsageError):  # its file is gone
            name = game.load_variant(source).name
            there = Path(os.path.relpath(first, out)).as_posix() if Path(first).is_file() else first
            found[name] = "+".join([there, *switches])
    return found


def _rows(run: Run) -> tuple[pl.LazyFrame | None, pl.LazyFrame | None, Sequence[Scan] | None]:
    """The rows, unless somebody threw them away; that some are missing or damaged is a failure."""
    if not all(any((run.folder / table).glob("*/part-*.parquet")) for table in ROWS):
        return None, None, None
    return run.scan_games(), run.scan_players(), run.scan_cells()


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
