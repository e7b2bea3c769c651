"""The folders that a report joins: which kind each is, and what it holds.

It stands beside `api`, as `material` does: the report floor does not know the laboratory.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pinchsim.errors import UsageError
from pinchsim.games import session
from pinchsim.lab import audit, coverage, luck, manifest, price, skill, tournament
from pinchsim.lab.exploiting import plan as exploiting
from pinchsim.lab.exploiting import store
from pinchsim.lab.folder import MANIFEST
from pinchsim.lab.run import load
from pinchsim.report.beside import Beside, Contest, Coverage, Lucky, Priced, Readings, Search, Sessions, Skills

Manifest = dict[str, Any]
SWEEP, SESSIONS = "a sweep of single games", "a sweep of sessions"


class Kind(NamedTuple):
    """A kind of folder: what it is in words, how it is told from others, its place in `Beside`, and how it is read.

    `load` gets the folder, what its manifest says, and its path from the report. The main run has no place.
    """

    words: str
    is_one: Callable[[Path, Manifest], bool]
    place: str = ""
    load: Callable[[Path, Manifest, str], Any] | None = None


class Place(NamedTuple):
    """A folder that was named, with its kind and its manifest."""

    folder: Path
    kind: Kind
    told: Manifest


class Joined(NamedTuple):
    """The main run of a report, and the folders beside it."""

    main: Place
    others: list[Place]


def sorted_out(folders: Sequence[Path]) -> Joined:
    """Which folder is the main run: the sweep of single games or, for lack of one, the first sweep of sessions.

    Raises
    ------
    UsageError
        A folder is of no known kind or of another game, or there is no main run, or more than one.
    """
    places = [_place(folder) for folder in {folder.resolve(): folder for folder in folders}.values()]
    sweeps = [place for place in places if place.kind.words == SWEEP]
    if len(sweeps) > 1:
        first, second = (place.folder for place in sweeps[:2])
        raise UsageError(
            f"'{first}' and '{second}' are both sweeps of single games, and a report is about one. "
            f"Set them side by side with: pinchsim compare {first} {second}"
        )
    mains = sweeps or [place for place in places if place.kind.words == SESSIONS]
    if not mains:
        found = "; ".join(f"'{place.folder}' is {place.kind.words}" for place in places)
        raise UsageError(f"A report is about a sweep, and none was named: {found}. Name the folder of one, too.")
    main = mains[0]
    others = [place for place in places if place is not main]
    for place in others:
        if place.told.get("game") != main.told.get("game"):
            games = (f"'{p.folder}' is of the game '{p.told.get('game')}'" for p in (main, place))
            raise UsageError(f"{', but '.join(games)}. A report joins folders of one game.")
    return Joined(main, others)


def read(others: Sequence[Place], out: Path) -> Beside:
    """What the folders beside the main run hold, for a report in the folder `out`.

    Raises
    ------
    UsageError
        A folder has nothing finished to show.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for place in others:
        kind = place.kind
        assert kind.load is not None
        found[kind.place] = (*found.get(kind.place, ()), kind.load(place.folder, place.told, path_from(out, place.folder)))
    return Beside(**found)


def path_from(out: Path, folder: Path) -> str:
    """The path of a folder from another, with a slash at its end; empty if they are the same."""
    there = Path(os.path.relpath(folder, out)).as_posix()
    return "" if there == "." else f"{there}/"


def _place(folder: Path) -> Place:
    told = _told(folder)
    kind = next((kind for kind in KINDS if kind.is_one(folder, told)), None)
    if kind is None:
        raise UsageError(f"'{folder}' holds nothing that a report can join. Expected: {_expected()}.")
    return Place(folder, kind, told)


def _told(folder: Path) -> Manifest:
    """The manifest of a folder, or the mark of a skill report."""
    if (folder / skill.MARK).exists():
        return skill.read_mark(folder)
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"'{folder}' is not the folder of a run: it has no {MANIFEST}. Expected: {_expected()}.") from None
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise UsageError(f"'{folder / MANIFEST}' is damaged.")
    return manifest.load_manifest(folder) if told.get("format") == manifest.FORMAT else told


def _expected() -> str:
    return ", ".join(kind.words for kind in KINDS[:-1]) + f" or {KINDS[-1].words}"


# -- the kinds --------------------------------------------------------------------------------------------


def _is_run(told: Manifest) -> bool:
    return bool(told.get("format") == manifest.FORMAT)


def _is_single(told: Manifest) -> bool:
    return bool(told["experiment"]["session"] == session.SINGLE)


def _sessions(folder: Path, told: Manifest, path: str) -> Sessions:
    run = load(folder)
    if run.summary.estimates.is_empty():
        raise UsageError(f"'{folder}' holds no finished sessions.")
    return Sessions(path, run.summary, told["experiment"]["session"])


def _contest(folder: Path, told: Manifest, path: str) -> Contest:
    run = load(folder)
    found = tournament.analysis_of(run)
    if found is None:
        raise UsageError(f"The tournament in '{folder}' has a table without games; give the same command again.")
    return Contest(path, found, run.complete)


def _readings(folder: Path, told: Manifest, path: str) -> Readings:
    kept = audit.load_audit(folder)
    if not kept.findings:
        raise UsageError(f"The audit in '{folder}' has no games to compare; give the same command again.")
    return Readings(path, kept.run.summary, kept.findings, kept.labels, kept.sentences)


def _lucky(folder: Path, told: Manifest, path: str) -> Lucky:
    kept = luck.load_luck(folder, told)
    return Lucky(path, kept.found, kept.sources)


KINDS = (
    Kind(
        "a tournament", lambda folder, told: _is_run(told) and (folder / tournament.MARK).exists(), "contests", _contest
    ),
    Kind(
        "an audit of the rules", lambda folder, told: _is_run(told) and (folder / audit.EFFECTS).exists(),
        "readings", _readings,
    ),
    Kind(SWEEP, lambda folder, told: _is_run(told) and _is_single(told)),
    Kind(SESSIONS, lambda folder, told: _is_run(told), "sessions", _sessions),
    Kind(
        "a skill report", lambda folder, told: told.get("format") == skill.FORMAT,
        "skills", lambda folder, told, path: Skills(path, *skill.load_skill(folder)),
    ),
    Kind(
        "a search for what beats a strategy", lambda folder, told: told.get("format") == exploiting.FORMAT,
        "searches", lambda folder, told, path: Search(path, store.load(folder, told)),
    ),
    Kind(
        "a count of the rules", lambda folder, told: told.get("format") == coverage.FORMAT,
        "coverages", lambda folder, told, path: Coverage(path, coverage.read_counts(folder)),
    ),
    Kind("a run about luck", lambda folder, told: told.get("format") == luck.FORMAT, "lucks", _lucky),
    Kind(
        "a confirmation of the fair price", lambda folder, told: told.get("format") == price.FORMAT,
        "prices", lambda folder, told, path: Priced(path, price.load_prices(folder, told).found),
    ),
)  # fmt: skip
"""What can be joined; a kind stands before those that it would be taken for."""
