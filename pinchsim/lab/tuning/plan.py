"""What is to be tuned: the command's words checked and resolved, and a digest of all that decides the result."""

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Game, Tunable, Variant
from pinchsim.lab.experiment import MAX_SEED
from pinchsim.lab.folder import versions
from pinchsim.lab.settings import usual_players, whole_numbers
from pinchsim.strategy import library
from pinchsim.strategy.library import Strategy

SMALL, LARGE = "small", "large"
FORMS = (SMALL, LARGE)
FORMAT = "pinchsim-tune/2"
DEFAULTS: dict[str, Any] = {"iterations": 30, "games": 12_000, "seed": 1}
LIMITS = {"iterations": (1, 10_000), "games": (1, 10_000_000), "seed": (0, MAX_SEED)}
USUAL_START = "dozen"
PACKAGES = ("pinchsim", "numpy", "cma")


@dataclass(frozen=True)
class Plan:
    """A tuning, ready to begin.

    Attributes
    ----------
    name : str
        The strategy.
    path : Path
        Its file, `old` what that holds now, or None.
    start : Strategy
        What it begins with.
    """

    game: Game
    name: str
    form: str
    variant: Variant
    players: tuple[int, ...]
    start: Strategy
    old: Strategy | None
    path: Path
    iterations: int
    games: int
    seed: int

    @cached_property
    def tunables(self) -> dict[int, Tunable]:
        """What it takes to tune, by number of players."""
        partners = [library.find(self.game.name, name) for name in self.game.sparring]
        return {players: self.game.tunable(self.variant, players, partners) for players in self.players}

    @cached_property
    def starts(self) -> dict[int, np.ndarray]:
        """The vectors to begin with, by number of players."""
        read = {SMALL: "numbers", LARGE: "weights"}[self.form]
        return {players: getattr(tunable, read)(self.start) for players, tunable in self.tunables.items()}

    def deciding(self) -> dict[str, Any]:
        """All that decides the result, plain enough for a manifest."""
        starts = {str(players): hashlib.sha256(start.tobytes()).hexdigest()[:16] for players, start in self.starts.items()}
        return {
            "format": FORMAT,
            "game": self.game.name,
            "name": self.name,
            "form": self.form,
            "variant": self.variant.name,
            "rules": self.variant.rules.digest(),
            "players": list(self.players),
            "start": self.start.name,
            "start_digests": starts,
            "iterations": self.iterations,
            "games": self.games,
            "seed": self.seed,
            "engine": self.game.engine_digest(),
        }

    def facts(self) -> dict[str, Any]:
        """What a manifest says beside that."""
        return {"file": str(self.path), "command": self.command(), "versions": versions(PACKAGES)}

    def command(self) -> str:
        """The command that does this again."""
        players = ",".join(map(str, self.players))
        words = ["pinchsim", "tune", self.name, "--form", self.form, "--variant", self.variant.source, "--players", players]
        words += ["--start", self.start.name, "--iterations", str(self.iterations), "--games", str(self.games)]
        return shlex.join([*words, "--seed", str(self.seed)])


def make_plan(
    name: str,
    form: str,
    variant: str,
    players: Sequence[int],
    start: str | None,
    folder: Path | None,
    folders: tuple[Path, ...],
    numbers: dict[str, Any],
) -> Plan:
    """A plan from words.

    Parameters
    ----------
    folder
        Where the strategy's file lies, or will.
    folders
        Folders that are searched for the start first.
    numbers
        Any of `DEFAULTS`; None is as good as nothing.

    Raises
    ------
    UsageError
        Something cannot be done as it was asked for.
    """
    game = all_games.load("pinch")
    _check_name(name)
    if form not in FORMS:
        raise UsageError(f"The form cannot be '{form}': expected '{SMALL}' (named numbers) or '{LARGE}' (trained tables).")
    chosen = game.load_variant(variant)
    path = (folder or Path("strategies") / game.name) / f"{name}.toml"
    old = _there(game, name, path.parent)
    begin = library.find(game.name, start, folders) if start else old or library.find(game.name, USUAL_START, folders)
    counts = _players(game, form, chosen, players)
    plan = Plan(game, name, form, chosen, counts, begin, old, path, **whole_numbers(numbers, DEFAULTS, LIMITS, "a tuning"))
    tables = {(chosen.name, players): start for players, start in plan.starts.items()}
    game.tuned_text(old, "", form == SMALL, tables, {key: {} for key in tables})  # what could not be written isn't begun
    return plan


def _check_name(name: str) -> None:
    if not name.isidentifier() or name.startswith("_") or name == "default":
        raise UsageError(f"'{name}' cannot name a strategy: use letters, digits and _, beginning with a letter.")


def _there(game: Game, name: str, folder: Path) -> Strategy | None:
    """The strategy of this name in this folder."""
    if not any((folder / f"{name}{ending}").exists() for ending in (".toml", ".py")):
        return None
    return library.find(game.name, name, (folder,))


def _players(game: Game, form: str, variant: Variant, players: Sequence[int]) -> tuple[int, ...]:
    """The player counts, each of which the variant must allow."""
    counts = tuple(sorted(set(players))) or (usual_players(game, variant.rules),)
    for count in counts:
        game.check_deal(variant.rules, count, f"Variant '{variant.name}'")
    if form == SMALL and len(counts) > 1:
        raise UsageError(
            f"Named numbers are the same for all numbers of players, so they are tuned for one, not {len(counts)}: name the "
            "one that matters most with --players, or tune a table for each with --form large."
        )
    return counts
