"""The loop: iterations of a learner with a growing league, a choice among candidates, and a judgement on fresh decks.

After each iteration the state is on disk, and the same command goes on from there to the same end as if nothing had happened.
The strategy's file is written once, at the very end, and only if the new weights are stronger than the start: the interval of
their share of the win against it, on decks that nothing was tuned or chosen with, lies above a fair share.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pinchsim.lab.folder import write_text
from pinchsim.lab.tuning import store
from pinchsim.lab.tuning.crew import VALIDATION, Crew
from pinchsim.lab.tuning.league import League
from pinchsim.lab.tuning.learners import LargeLearner, Learner, SmallLearner
from pinchsim.lab.tuning.matches import compare, confirm, games_to_judge, match
from pinchsim.lab.tuning.plan import SMALL, Plan
from pinchsim.lab.tuning.store import State
from pinchsim.lab.watcher import Watcher
from pinchsim.measure import tuning as measure
from pinchsim.measure.tuning import HISTORY, MATCHES, START, STRONGER, Tuning

LEAGUE_EVERY = 5  # iterations from one copy in the league to the next
TAIL = 0.3  # of the iterations, the last ones, are averaged: steps to and fro cancel
VALIDATION_PART = 5  # an iteration's games over those that show how far it has come
LAST, AVERAGE = "last", "average"
RESULTS = ("history", "candidates", "confirmation")


class TuneWatcher(Watcher):
    """Hears of iterations, too."""

    def iterated(self, players: int, done: int, iterations: int, share: float) -> None:
        """So many iterations are done for a number of players; the learner's share of the win against the start."""


@dataclass
class Tuned:
    """A tuning that was played.

    Attributes
    ----------
    folder : Path
        Where everything lies.
    plan : Plan
        What was asked for.
    results : list of Tuning
        By number of players, those that are finished.
    done : int
        Iterations that are finished, of all numbers of players together.
    written : bool
        Whether the strategy's file has the new weights.
    """

    folder: Path
    plan: Plan
    results: list[Tuning]
    done: int
    written: bool

    @property
    def complete(self) -> bool:
        """Whether nothing was left undone."""
        return len(self.results) == len(self.plan.players)


def tune(plan: Plan, out: Path | None, jobs: int, watcher: TuneWatcher | None = None) -> Tuned:
    """Tune as planned, or go on with it; Ctrl-C ends it early.

    Raises
    ------
    UsageError
        The folder holds something else.
    RunError
        A strategy broke the rules.
    """
    watcher = watcher or TuneWatcher()
    folder = out or store.default_folder(plan)
    store.open_folder(folder, plan)
    runs = [_Run(plan, players, folder / f"{players}-players", jobs, watcher) for players in plan.players]
    watcher.started(sum(run.all_games() for run in runs))
    results: list[tuple[Tuning, np.ndarray]] = []
    try:
        for run in runs:
            results.append(run.run())
    except KeyboardInterrupt:
        store.save_manifest(folder, plan, "interrupted")
        return Tuned(folder, plan, [tuning for tuning, _ in results], sum(run.state.done for run in runs), False)
    store.save_manifest(folder, plan, "complete")
    written = _write(plan, [(tuning, vector) for tuning, vector in results if tuning.verdict == STRONGER])
    return Tuned(folder, plan, [tuning for tuning, _ in results], sum(run.state.done for run in runs), written)


class _Run:
    """One number of players."""

    def __init__(self, plan: Plan, players: int, folder: Path, jobs: int, watcher: TuneWatcher) -> None:
        self.plan, self.players, self.folder, self.watcher = plan, players, folder, watcher
        folder.mkdir(exist_ok=True)
        self.crew = Crew(plan.tunables[players], plan.game.rotations(players), plan.seed, jobs, watcher)
        start = plan.starts[players]
        kind: Any = SmallLearner if plan.form == SMALL else LargeLearner
        self.learner: Learner = kind(self.crew, start, plan.iterations, plan.games)
        self.state = State.load(folder, start)
        self.check_decks = self.crew.decks(max(1, plan.games // VALIDATION_PART))

    def run(self) -> tuple[Tuning, np.ndarray]:
        """All that is left to do; the result, and the chosen weights or numbers as the file will hold them."""
        tunable = self.crew.tunable
        if not self._is_judged():
            if not tunable.is_compiled():
                self.watcher.compiling(1)
            tunable.load()
        self.watcher.played(self.state.done * self._games_each(), found=True)
        self.learner.recall(self.state.vector, self.state.memory)
        while self.state.done < self.plan.iterations:
            self._iterate()
        return self._judged()

    def all_games(self) -> int:
        """Games that the whole run takes."""
        stages = 1 + self.plan.iterations // LEAGUE_EVERY
        opponents = stages + len(self.crew.tunable.rivals)
        judging = games_to_judge(opponents, 3, self.plan.games, self.crew.rotations)
        return self.plan.iterations * self._games_each() + judging

    def _games_each(self) -> int:
        return self.learner.games() + self.check_decks * self.crew.rotations

    # -- iterations ---------------------------------------------------------------------------------------------------

    def _iterate(self) -> None:
        """One iteration, on disk at its end."""
        state, number = self.state, self.state.done
        told = self.learner.iterate(number, state.league)
        vector = self.learner.vector
        tail = number >= math.floor((1 - TAIL) * self.plan.iterations)
        grows = (number + 1) % LEAGUE_EVERY == 0
        league = state.league.grown(vector, number + 1) if grows else state.league
        found = match(self.crew, self._weights(vector), self._weights(league.members[0]), VALIDATION, self.check_decks)
        values = (number + 1, *told, *found[:3], len(league.members))
        names = ("iteration", *told._fields, "share", "low", "high", "league")
        row = dict(zip(names, values, strict=True))
        self.state = State(
            vector.copy(), state.tail + vector * tail, state.tail_count + tail, league, [*state.history, row],
            self.learner.memory(),
        )  # fmt: skip
        self.state.save(self.folder)
        store.write_table(self._history(), self.folder / "history.parquet")
        self.watcher.iterated(self.players, self.state.done, self.plan.iterations, found.estimate)

    def _weights(self, vector: np.ndarray) -> np.ndarray:
        return self.learner.expand(vector)

    def _history(self) -> pl.DataFrame:
        return measure.frame([{name: row[name] for name in HISTORY} for row in self.state.history], HISTORY)

    # -- judgement ----------------------------------------------------------------------------------------------------

    def _is_judged(self) -> bool:
        return self.state.done == self.plan.iterations and (self.folder / "confirmation.parquet").exists()

    def _judged(self) -> tuple[Tuning, np.ndarray]:
        """Choose a candidate and confirm it, or read what was found."""
        store.write_table(self._history(), self.folder / "history.parquet")
        vectors = self._candidates()
        if self._is_judged():
            candidates, confirmation = (pl.read_parquet(self.folder / f"{name}.parquet") for name in RESULTS[1:])
            self.watcher.played(self.all_games() - self.plan.iterations * self._games_each(), found=True)
        else:
            candidates, confirmation = self._judge(vectors)
        chosen = measure.best_of(candidates)
        plan = self.plan
        tuning = Tuning(
            plan.name, plan.form, plan.variant.name, plan.start.name, self.players, plan.iterations, self._history(),
            candidates, chosen, confirmation,
        )  # fmt: skip
        return tuning, vectors[chosen]

    def _candidates(self) -> dict[str, np.ndarray]:
        """The vectors to choose from, as a file would hold them; the start as it is."""
        rounded = self.crew.tunable.rounded
        state = self.state
        return {
            AVERAGE: rounded(state.tail / state.tail_count),
            LAST: rounded(state.vector),
            START: state.league.members[0],
        }

    def _judge(self, vectors: dict[str, np.ndarray]) -> tuple[pl.DataFrame, pl.DataFrame]:
        candidates = compare(self.crew, {name: self._weights(v) for name, v in vectors.items()}, self.plan.games)
        store.write_table(candidates, self.folder / "candidates.parquet")
        chosen = measure.best_of(candidates)
        confirmation = measure.frame([], MATCHES)
        if chosen != START:
            members = tuple(self._weights(member) for member in self.state.league.members)
            league = League(members, self.state.league.joined)
            confirmation = confirm(self.crew, self._weights(vectors[chosen]), league, self.plan.games)
        store.write_table(confirmation, self.folder / "confirmation.parquet")
        return candidates, confirmation


def _write(plan: Plan, better: list[tuple[Tuning, np.ndarray]]) -> bool:
    """Write the strategy's file with what is stronger than the start; whether there was anything."""
    if not better:
        return False
    keys = [(plan.variant.name, tuning.players) for tuning, _ in better]
    tables = dict(zip(keys, (vector for _, vector in better), strict=True))
    provenance = {key: _provenance(plan, tuning) for key, (tuning, _) in zip(keys, better, strict=True)}
    idea = f"{plan.name}: weights tuned by self-play (pinchsim tune)."
    text = plan.game.tuned_text(plan.old, idea, plan.form == SMALL, tables, provenance)
    plan.path.parent.mkdir(parents=True, exist_ok=True)
    write_text(plan.path, text)
    return True


def _provenance(plan: Plan, tuning: Tuning) -> dict[str, Any]:
    """Where weights come from and what fresh decks said of them, without dates: the same tuning writes the same."""
    shares = {row["against"]: _told(row) for row in tuning.confirmation.iter_rows(named=True)}
    deciding = plan.deciding()
    first = next(tuning.confirmation.iter_rows(named=True))
    return {
        "command": plan.command(),
        "start": plan.start.name,
        "start_digest": deciding["start_digests"][str(tuning.players)],
        "seed": plan.seed,
        "iterations": plan.iterations,
        "games": int(tuning.history["games"].sum()),
        "chosen": tuning.chosen,
        "engine": deciding["engine"],
        "version": plan.facts()["versions"]["pinchsim"],
        "confirmed_on": f"{first['games']:,} games of {first['decks']:,} decks each",
        "win_share_against": shares,
    }


def _told(row: dict[str, Any]) -> str:
    """A share in words: "74.1 % (73.4 to 74.8)"."""
    return f"{100 * row['share']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
