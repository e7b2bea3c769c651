"""A skill report (METHODS M5.1, M5.2): the ladder of the game, traces of strength, and what noise does.

It is a few runs of the lab, each in a folder of its own, so that whatever was finished is found again. Who is slow (a level of
the ladder that gets fewer games, a searcher) plays less.
"""

import json
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Game, Level
from pinchsim.lab import manifest as manifests
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Experiment, cells, make_experiment
from pinchsim.lab.folder import MANIFEST, make_folder, results_folder, write_text
from pinchsim.lab.run import Run, load, run_experiment
from pinchsim.lab.settings import check_names, usual_players
from pinchsim.lab.tournament import orders, pairs, read_shares
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.skill_report import (
    CLEAN,
    EFFORT,
    MEMORY,
    TEMPERATURE,
    Levels,
    Noise,
    NoiseFound,
    Step,
    Trace,
    judge_levels,
    judge_noise,
    judge_trace,
    levels_frame,
    measures_frame,
    noise_frame,
    trace_frame,
)
from pinchsim.measure.summary import CellName

LADDER, TRACE, NOISE = "ladder", "trace", "noise"
PARTS = (LADDER, TRACE, NOISE)
DEFAULT_GAMES, DEFAULT_SLOW_GAMES = 20_000, 80
TRACE_MARGIN = 0.01  # edge per doubling that is as good as none
MARK, FORMAT = "skill.json", "pinchsim-skill/2"
FIELDS = ("game", "games", "slow_games", "seed")


class Stage(NamedTuple):
    """One run of the report: the part it belongs to, the name of its folder, and what it plays."""

    part: str
    name: str
    experiment: Experiment


@dataclass(frozen=True)
class SkillPlan:
    """What a skill report plays.

    Attributes
    ----------
    game, variant, players
        Where; the variant by its name.
    parts : tuple of str
        The parts that are asked for.
    stages : list of Stage
        Of all parts, so that the folder is the same whichever are asked for.
    levels : list of Level
        The ladder, without slow levels if these get no games.
    traces : dict
        By stage: kind, unit and steps of a trace.
    noises : list of Noise
        Clean play first.
    """

    game: Game
    variant: str
    players: int
    parts: tuple[str, ...]
    stages: list[Stage]
    levels: list[Level]
    traces: dict[str, tuple[str, str, list[Step]]]
    noises: list[Noise]

    @property
    def asked(self) -> list[Stage]:
        """The stages of the parts that are asked for."""
        return [stage for stage in self.stages if stage.part in self.parts]


class Outline(NamedTuple):
    """What a report is about, as its folder tells it: parts by stage, the ladder, the traces by stage, and the noises."""

    variant: str
    players: int
    stages: dict[str, str]
    levels: list[Level]
    traces: dict[str, tuple[str, str, list[Step]]]
    noises: list[Noise]
    chess_elo: float | None

    def of(self, part: str) -> list[str]:
        """The stages of a part."""
        return [name for name, own in self.stages.items() if own == part]


class Judged(NamedTuple):
    """What the finished stages say."""

    levels: Levels | None
    traces: list[Trace]
    noise: NoiseFound | None


@dataclass
class Skill:
    """A skill report; parts that were not asked for, or not finished, are None or empty.

    Attributes
    ----------
    folder : Path
        Where the tables lie, and the runs below.
    plan : SkillPlan
    runs : dict
        Runs by the name of their stage.
    levels : Levels or None
    traces : list of Trace
    noise : NoiseFound or None
    """

    folder: Path
    plan: SkillPlan
    runs: dict[str, Run]
    levels: Levels | None
    traces: list[Trace]
    noise: NoiseFound | None

    @property
    def complete(self) -> bool:
        """Whether all that was asked for was played."""
        return self.unfinished == []

    @property
    def unfinished(self) -> list[str]:
        """Stages that were asked for and are not finished."""
        return [stage.name for stage in self.plan.asked if not self.has(stage.name)]

    def has(self, name: str) -> bool:
        """Whether a stage is finished."""
        return name in self.runs and self.runs[name].complete


def plan(
    variant: str,
    players: int | None,
    parts: Sequence[str],
    fields: dict[str, Any],
    folders: tuple[Path, ...] = (),
) -> SkillPlan:
    """What to play.

    Raises
    ------
    UsageError
        A part, field or variant is unknown, or something that the lab does not allow.
    """
    check_names(fields, FIELDS, "a skill report")
    for part in parts:
        if part not in PARTS:
            raise UsageError(f"'{part}' is not a part of a skill report. Known: {', '.join(PARTS)}.")
    game = all_games.load(fields.get("game", "pinch"))
    source = game.load_variant(variant)
    players = usual_players(game, source.rules) if players is None else players
    game.check_deal(source.rules, players, f"Variant '{variant}'")
    games, slow = fields.get("games", DEFAULT_GAMES), fields.get("slow_games", DEFAULT_SLOW_GAMES)
    if isinstance(slow, bool) or not isinstance(slow, int) or slow < 0:
        raise UsageError(f"Slow tables cannot get {slow!r} games: a whole number, 0 to leave them out.")
    slow = min(slow, games) if isinstance(games, int) else slow
    common = {name: value for name, value in fields.items() if name in ("game", "seed")}

    def stage(part: str, name: str, line_ups: Sequence[str], many: int) -> Stage:
        asked = {"variants": [variant], "base": None, "players": [players], "line_ups": list(line_ups), "games": many}
        return Stage(part, name, make_experiment(asked | common, "The skill report"))

    levels = [level for level in game.ladder if slow or level.games >= 1]
    noises, traces = _noises(game), _traces(game, slow > 0)
    stages = [stage(LADDER, name, found, n) for name, found, n in _ladder(levels, players, games, slow)]
    stages += [
        stage(TRACE, name, [step.line_up for step in steps], slow if kind == EFFORT else games)
        for name, (kind, _, steps) in traces.items()
    ]
    clean = noises[0].strategy
    alone = [f"{noise.strategy},{clean}" for noise in noises[1:]]
    stages.append(stage(NOISE, "noise", [*alone, *(noise.strategy for noise in noises)], games))
    chosen = tuple(part for part in PARTS if part in parts) or PARTS
    found = SkillPlan(game, source.name, players, chosen, stages, levels, traces, noises)
    for wanted in found.asked:  # says what is wrong before the first game
        cells(wanted.experiment, folders)
    return found


def _ladder(levels: Sequence[Level], players: int, games: int, slow_games: int) -> list[tuple[str, list[str], int]]:
    """Tables of one level against the others of another, with their games: those with a slow level apart."""
    slow = {level.strategy for level in levels if level.games < 1}
    quick: list[str] = []
    dragging: list[str] = []
    for chosen in pairs([level.strategy for level in levels], players):
        (dragging if slow & set(chosen) else quick).append(orders(chosen)[0].line_up)
    found = [("ladder", quick, games), ("ladder-slow", dragging, slow_games)]
    return [(name, line_ups, many) for name, line_ups, many in found if line_ups]


def _traces(game: Game, slow: bool) -> dict[str, tuple[str, str, list[Step]]]:
    """By stage: kind, unit and steps from weak to strong; no temperature is last, no effort first."""
    dials = game.dials
    hot = [(1 / t, dials.weakened(TEMPERATURE, t)) for t in dials.temperatures] + [(float("inf"), dials.model)]
    found = {"trace-temperature": (TEMPERATURE, "", _steps(hot))}
    if dials.searcher and dials.efforts and slow:
        efforts = [(float(effort), dials.searching(effort)) for effort in (0, *dials.efforts)]
        found["trace-effort"] = (EFFORT, dials.effort_unit, _steps(efforts))
    return found


def _steps(climb: Sequence[tuple[float, str]]) -> list[Step]:
    return [Step(name, below, effort, lower) for (lower, below), (effort, name) in pairwise(climb)]


def _noises(game: Game) -> list[Noise]:
    """Clean play, then growing temperatures, then fading memories."""
    dials = game.dials
    found = [Noise(CLEAN, 0.0, dials.model)]
    found += [Noise(TEMPERATURE, t, dials.weakened(TEMPERATURE, t)) for t in sorted(dials.temperatures)]
    return found + [Noise(MEMORY, m, dials.weakened(MEMORY, m)) for m in sorted(dials.memories, reverse=True)]


def play_skill(
    plan: SkillPlan,
    out: Path | None,
    executor: Executor,
    strategy_folders: tuple[Path, ...] = (),
    chess_elo: float | None = None,
    watch: Callable[[Stage], AbstractContextManager[Watcher]] | None = None,
) -> Skill:
    """Play a skill report, or go on with it, and write its tables; an interruption leaves out what is not finished.

    Parameters
    ----------
    plan, out, executor, strategy_folders
        As for other runs; without `out` a name under `results/`, whichever parts are asked for.
    chess_elo
        Spread of chess for "x %-chess" (`measure.skill`); it changes no game.
    watch
        Gives each stage somebody who hears of its progress.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    if chess_elo is not None and not 0 < chess_elo < 10_000:
        raise UsageError(f"Ratings of chess cannot have a spread of {chess_elo:g} Elo points: above 0, below 10,000.")
    if chess_elo is not None and LADDER not in plan.parts:
        raise UsageError("A spread of chess is only needed for the ladder, which was not asked for.")
    folder = out or results_folder("skill", _digest(plan, strategy_folders))
    make_folder(folder, MARK, "skill report")  # the runs below check what they hold
    outline = _outline(plan, chess_elo)
    write_text(folder / MARK, _mark(plan.game, outline))
    runs: dict[str, Run] = {}
    for stage in plan.asked:
        with watch(stage) if watch else nullcontext(Watcher()) as watcher:
            runs[stage.name] = run_experiment(stage.experiment, folder / stage.name, executor, strategy_folders, watcher)
        if not runs[stage.name].complete:
            break
    found = _judge(outline, {name: run for name, run in runs.items() if run.complete})
    _write(found, folder)
    return Skill(folder, plan, runs, *found)


def load_skill(folder: Path) -> Judged:
    """What the finished stages of a folder say.

    Raises
    ------
    UsageError
        The folder is of an older version, or nothing is finished.
    """
    outline = _read(folder)
    there = [name for name in outline.stages if (folder / name / MANIFEST).exists()]
    runs = {name: run for name in there if (run := load(folder / name)).complete}
    found = _judge(outline, runs)
    if not (found.levels or found.traces or found.noise):
        raise UsageError(f"The skill report in '{folder}' has no finished part; give the same 'pinchsim skill' command again.")
    return found


def _outline(plan: SkillPlan, chess_elo: float | None) -> Outline:
    stages = {stage.name: stage.part for stage in plan.stages}
    return Outline(plan.variant, plan.players, stages, plan.levels, plan.traces, plan.noises, chess_elo)


def _mark(game: Game, outline: Outline) -> str:
    """The outline as text; an endless effort is null."""
    traces = {
        name: [kind, unit, [[None if x == math.inf else x for x in step] for step in steps]]
        for name, (kind, unit, steps) in outline.traces.items()
    }
    return json.dumps({"format": FORMAT, "game": game.name} | outline._asdict() | {"traces": traces}, allow_nan=False) + "\n"


def read_mark(folder: Path) -> dict[str, Any]:
    """What the mark of a skill report says.

    Raises
    ------
    UsageError
        It is of another version.
    """
    try:
        told: dict[str, Any] = json.loads((folder / MARK).read_text(encoding="utf-8"))
        if told["format"] == FORMAT:
            return told
    except (ValueError, KeyError, TypeError):
        pass
    raise UsageError(
        f"'{folder / MARK}' is damaged or not of this version; give the same 'pinchsim skill' command again, which finds "
        "what it had played."
    )


def _read(folder: Path) -> Outline:
    told = read_mark(folder)
    traces = {name: (kind, unit, [_step(*step) for step in steps]) for name, (kind, unit, steps) in told["traces"].items()}
    levels, noises = [Level(*level) for level in told["levels"]], [Noise(*noise) for noise in told["noises"]]
    return Outline(told["variant"], told["players"], told["stages"], levels, traces, noises, told["chess_elo"])


def _step(strategy: str, below: str, effort: float | None, effort_below: float) -> Step:
    return Step(strategy, below, math.inf if effort is None else effort, effort_below)


def _digest(plan: SkillPlan, folders: tuple[Path, ...]) -> str:
    """Digest of all that decides the rows of all parts; parts that cannot be played here count by their experiment."""
    told = []
    for stage in plan.stages:
        try:
            found = manifests.describe_run(plan.game, stage.experiment, cells(stage.experiment, folders))
            told.append(manifests.identity(found))
        except UsageError:
            told.append(stage.experiment.model_dump_json())
    return sha256("\n".join(told).encode()).hexdigest()


def _judge(outline: Outline, runs: dict[str, Run]) -> Judged:
    """What the finished stages say, which are `runs`; a ladder needs all of its own."""
    cell = CellName(outline.variant, outline.players, "")
    levels, noise = None, None
    rungs = outline.of(LADDER)
    if rungs and all(name in runs for name in rungs):
        groups = [read_shares(runs[name]) for name in rungs]
        summaries = [runs[name].summary for name in rungs]
        levels = judge_levels([shares for shares in groups if shares], outline.levels, outline.chess_elo, summaries)
    traces = [
        judge_trace(*outline.traces[name][:2], cell, outline.traces[name][2], runs[name].summary, TRACE_MARGIN)
        for name in outline.of(TRACE)
        if name in runs
    ]
    if "noise" in runs:
        noise = judge_noise(cell, outline.noises, runs["noise"].summary)
    return Judged(levels, traces, noise)


def _write(found: Judged, folder: Path) -> None:
    """The tables of what was found."""
    if found.levels:
        levels_frame(found.levels).write_parquet(folder / "levels.parquet")
        measures_frame(found.levels).write_parquet(folder / "measures.parquet")
    if found.traces:
        trace_frame(found.traces).write_parquet(folder / "trace.parquet")
    if found.noise:
        noise_frame(found.noise).write_parquet(folder / "noise.parquet")
