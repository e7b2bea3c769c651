"""The ambiguity audit (METHODS M6.2): every contested reading of a variant played beside the ruling, on common decks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Flip
from pinchsim.lab.experiment import Experiment, make_experiment
from pinchsim.lab.run import Run, Watcher, default_folder, run_experiment
from pinchsim.measure.audit import Finding, effects, findings

EFFECTS = "effects.parquet"


@dataclass
class Audit:
    """An audit that was played.

    Attributes
    ----------
    run : Run
        The run behind it: the variant as ruled, and a variant for every reading.
    flips : dict
        Readings by the name of their variant: one `Flip`, or two of a pair.
    effects : polars.DataFrame
        See `pinchsim.measure.audit.effects`.
    findings : list of Finding
        The readings by players and line-up, in the order of the report.
    """

    run: Run
    flips: dict[str, tuple[Flip, ...]]
    effects: pl.DataFrame
    findings: list[Finding]

    def labels(self) -> dict[str, str]:
        """For the name of each variant: the switches that make the reading, "refill = card"."""
        return {name: ", ".join(f"{f.switch} = {f.value}" for f in flips) for name, flips in self.flips.items()}

    def sentences(self) -> dict[str, str]:
        """For the name of each variant: which sentences are read otherwise, and how."""
        return {name: " And ".join(map(_told, flips)) for name, flips in self.flips.items()}


def _told(flip: Flip) -> str:
    """A reading in words."""
    return f"{flip.rule}: {flip.question} Ruled: {flip.ruling}. Read instead: {flip.reading}."


def audit_rules(
    variant: str,
    pairs: bool,
    fields: dict[str, Any],
    out: Path | None,
    jobs: int,
    strategy_folders: tuple[Path, ...],
    watcher: Watcher | None,
) -> Audit:
    """Play every single flip of a contested reading, and pairs of them on request.

    `fields` are those of an experiment (players, line_ups, games, seed, margin).

    Raises
    ------
    UsageError
        What was asked for is wrong, or the variant has no contested reading.
    RunError
        A strategy broke the rules.
    """
    experiment, flips = plan(variant, pairs, fields)
    folder = out or default_folder(experiment, "audit-rules", strategy_folders)
    run = run_experiment(experiment, folder, jobs, strategy_folders, watcher)
    table = effects(run.summary, _parts(flips))
    table.write_parquet(run.folder / EFFECTS)
    return Audit(run, flips, table, findings(run.summary, table))


def plan(variant: str, pairs: bool, fields: dict[str, Any]) -> tuple[Experiment, dict[str, tuple[Flip, ...]]]:
    """The experiment of an audit, and the readings behind each of its variants."""
    game = all_games.load(fields.get("game", "pinch"))
    base = game.load_variant(variant)
    for players in fields.get("players", ()):
        game.check_deal(base.rules, players, f"Variant '{variant}'")
    single = game.flips(base.rules)
    if not single:
        raise UsageError(f"Variant '{variant}' has no contested reading to audit.")
    sets: list[tuple[Flip, ...]] = [(flip,) for flip in single]
    if pairs:
        sets += [pair for pair in combinations(single, 2) if pair[0].switch != pair[1].switch]
    asked = [_changed(base.source, flips) for flips in sets]
    names = [game.load_variant(source).name for source in asked]
    experiment = make_experiment(fields | {"variants": asked, "base": base.source}, "The audit")
    return experiment, dict(zip(names, sets, strict=True))


def _parts(flips: dict[str, tuple[Flip, ...]]) -> dict[str, list[str]]:
    """For the name of each variant of several flips: the names of the variants that have one of them."""
    single = {some[0]: name for name, some in flips.items() if len(some) == 1}
    return {name: [single[flip] for flip in some] for name, some in flips.items() if len(some) > 1}


def _changed(source: str, flips: Sequence[Flip]) -> str:
    """The variant with some switches set otherwise; a setting that it names already is replaced.

    The first part is a variant or a file, whatever its name looks like.
    """
    switches = {flip.switch for flip in flips}
    first, *others = source.split("+")
    kept = [first, *(part for part in others if part.split("=")[0].strip() not in switches)]
    return "+".join([*kept, *(f"{flip.switch}={flip.value}" for flip in flips)])
