"""An experiment: one question as data, the same object from the command line, a file or Python.

question = "Does the start player win too often?"
variants = ["pinch", "classic", "aces-bite"]
players = [3, 4, 5]
line_ups = ["default"]
games = 100_000
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Game, Variant
from pinchsim.measure.summary import CellName
from pinchsim.paths import shipped
from pinchsim.strategy import library
from pinchsim.strategy.library import Strategy

DEFAULT_GAMES = 100_000
MAX_SEED = 2**63 - 1
MAX_GAMES = 2_000_000_000  # deck numbers are 32-bit columns


class Experiment(BaseModel):
    """What to play and what to compare. Every field has the same default here, in files and on the command line.

    Lists are played in all combinations; each combination is a cell.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field("", description="what the experiment asks, in a sentence")
    game: str = Field("pinch", description="the game")
    variants: tuple[str, ...] = Field(("pinch",), min_length=1, description="names, paths of variant files, or 'all'")
    base: str | None = Field(None, description="variant that the others are compared with; empty: no comparison")
    players: tuple[int, ...] = Field((3, 4, 5), min_length=1, description="player counts")
    line_ups: tuple[str, ...] = Field(
        ("default",), min_length=1, description="strategies by seat, joined by commas; the last fills the table"
    )
    games: int = Field(DEFAULT_GAMES, ge=1, le=MAX_GAMES, description="games a cell, rounded up to whole decks")
    seed: int = Field(1, ge=0, le=MAX_SEED, description="seed of all decks and decisions")
    margin: float = Field(0.01, gt=0, lt=1, description="a start-player advantage within it counts as fair (M2.3)")


class Cell(NamedTuple):
    """One combination of an experiment, ready to be played."""

    name: CellName
    variant: Variant
    strategies: tuple[Strategy, ...]


def make_experiment(fields: dict[str, Any], where: str) -> Experiment:
    """An experiment from named fields; the base game is added to compare with unless `base` says otherwise.

    Raises
    ------
    UsageError
        A field is unknown or impossible; `where` begins the message.
    """
    if "base" not in fields:
        fields = fields | {"base": all_games.load(fields.get("game", "pinch")).base_variant}
    try:
        experiment = Experiment(**fields)
    except ValidationError as error:
        raise UsageError(f"{where}: {_what_is_wrong(error)}") from None
    return _resolved(experiment)


def _what_is_wrong(error: ValidationError) -> str:
    problem = error.errors()[0]
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        return f"'{name}' is not a field of an experiment. Known: {', '.join(Experiment.model_fields)}."
    return f"'{name}' cannot be {problem['input']!r}: {problem['msg'].lower()} ({_meaning(name)})."


def _meaning(name: str) -> str:
    return str(Experiment.model_fields[name].description)


def _resolved(experiment: Experiment) -> Experiment:
    """Names spelled out: 'all' variants, the base beside them, the default line-up, nothing twice."""
    game = all_games.load(experiment.game)
    named = [v for name in experiment.variants for v in (game.variant_names() if name == "all" else [name])]
    variants = ([experiment.base] if experiment.base else []) + named
    line_ups = [_spelled_out(line_up, game.default_strategy) for line_up in experiment.line_ups]
    changes = {
        "variants": tuple(dict.fromkeys(variants)),
        "players": tuple(sorted(set(experiment.players))),
        "line_ups": tuple(dict.fromkeys(line_ups)),
        "base": experiment.base or None,
    }
    return experiment.model_copy(update=changes)


def _spelled_out(line_up: str, default: str) -> str:
    """A line-up without spaces, the default strategy named."""
    names = [name.strip() for name in line_up.split(",")]
    return ",".join(default if name == "default" else name for name in names)


def find_experiment(path: Path) -> Path:
    """The file itself, or the experiment of this name that comes with pinchsim.

    Raises
    ------
    UsageError
        There is neither.
    """
    if path.is_file():
        return path
    known = sorted(shipped("experiments").glob("*.toml"))
    for own in known:
        if str(path) in (own.stem, own.name):
            return own
    names = ", ".join(own.stem for own in known)
    raise UsageError(f"There is no experiment file '{path}'. With pinchsim come: {names}.")


def read_experiment(path: Path, changes: dict[str, Any]) -> Experiment:
    """The experiment of a TOML file, or of one that comes with pinchsim, with some fields replaced.

    Raises
    ------
    UsageError
        The file is missing or wrong.
    """
    path = find_experiment(path)
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a valid TOML file: {error}.") from None
    return make_experiment(fields | changes, str(path))


def to_toml(experiment: Experiment) -> str:
    """The experiment as a TOML file that runs again."""
    lines = []
    for name, field in Experiment.model_fields.items():
        value = getattr(experiment, name)
        value = "" if value is None else value
        lines += [f"# {field.description}", f"{name} = {_toml(value)}", ""]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    return str(value)


def cells(experiment: Experiment, folders: tuple[Path, ...]) -> list[Cell]:
    """All cells of an experiment, line-ups and player counts outside, variants inside.

    Raises
    ------
    UsageError
        A variant or strategy is unknown, a player count not allowed, or a line-up longer than the table.
    """
    game = all_games.load(experiment.game)
    variants = [game.load_variant(name) for name in experiment.variants]
    _check_names(variants)
    return [
        Cell(CellName(variant.name, players, line_up), variant, strategies)
        for line_up in experiment.line_ups
        for players in experiment.players
        for strategies in [_seated(game, line_up, players, folders)]
        for variant in _playable(game, variants, players)
    ]


def base_name(game: Game, experiment: Experiment) -> str | None:
    """Name of the variant that the others are compared with, which may be given as a file; None for no comparison."""
    return game.load_variant(experiment.base).name if experiment.base else None


def _check_names(variants: list[Variant]) -> None:
    names = [v.name for v in variants]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"Two variant files are named '{name}'; rename one, or the results could not be told apart.")


def _playable(game: Game, variants: list[Variant], players: int) -> Iterator[Variant]:
    for variant in variants:
        game.check_deal(variant.rules, players, f"Variant '{variant.name}'")
        yield variant


def _seated(game: Game, line_up: str, players: int, folders: tuple[Path, ...]) -> tuple[Strategy, ...]:
    """One strategy for each place; the last one named fills the rest of the table."""
    names = line_up.split(",")
    if len(names) > players:
        raise UsageError(f"The line-up '{line_up}' names {len(names)} strategies, but only {players} players sit down.")
    found = [library.find(game.name, name, folders) for name in names]
    return tuple(found + found[-1:] * (players - len(names)))
