"""The ambiguity audit (METHODS M6.2): every contested reading of a variant played beside the ruling, on common decks."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Flip
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Experiment, make_experiment
from pinchsim.lab.run import Run, default_folder, load, run_experiment
from pinchsim.lab.settings import with_switches
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.audit import Finding, effects, findings

EFFECTS, READINGS = "effects.parquet", "readings.parquet"


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

    def readings(self) -> pl.DataFrame:
        """The words of both, a row for each variant."""
        labels, sentences = self.labels(), self.sentences()
        rows = [(name, labels[name], sentences[name]) for name in self.flips]
        return pl.DataFrame(rows, {"variant": pl.String, "reading": pl.String, "sentence": pl.String}, orient="row")


class Kept(NamedTuple):
    """An audit as its folder has it: the run, the readings in the order of the report, and their words by variant."""

    run: Run
    findings: list[Finding]
    labels: dict[str, str]
    sentences: dict[str, str]


def _told(flip: Flip) -> str:
    """A reading in words."""
    return f"{flip.rule}: {flip.question} Ruled: {flip.ruling}. Read instead: {flip.reading}."


def audit_rules(
    variant: str,
    pairs: bool,
    fields: dict[str, Any],
    out: Path | None,
    executor: Executor,
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
    run = run_experiment(experiment, folder, executor, strategy_folders, watcher)
    table = effects(run.summary, _parts(flips))
    audit = Audit(run, flips, table, findings(run.summary, table))
    table.write_parquet(run.folder / EFFECTS)
    audit.readings().write_parquet(run.folder / READINGS)
    return audit


def load_audit(folder: Path) -> Kept:
    """An audit from its folder.

    Raises
    ------
    UsageError
        The folder holds no audit, or one of an older version.
    """
    run = load(folder)
    if not (folder / READINGS).exists():
        raise UsageError(f"The audit in '{folder}' lacks {READINGS}; give the same 'pinchsim audit rules' command again.")
    words = pl.read_parquet(folder / READINGS)
    labels, sentences = (dict(words.select("variant", name).iter_rows()) for name in ("reading", "sentence"))
    return Kept(run, findings(run.summary, pl.read_parquet(folder / EFFECTS)), labels, sentences)


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
    asked = [with_switches(base.source, {flip.switch: flip.value for flip in flips}) for flips in sets]
    names = [game.load_variant(source).name for source in asked]
    experiment = make_experiment(fields | {"variants": asked, "base": base.source}, "The audit")
    return experiment, dict(zip(names, sets, strict=True))


def _parts(flips: dict[str, tuple[Flip, ...]]) -> dict[str, list[str]]:
    """For the name of each variant of several flips: the names of the variants that have one of them."""
    single = {some[0]: name for name, some in flips.items() if len(some) == 1}
    return {name: [single[flip] for flip in some] for name, some in flips.items() if len(some) > 1}
