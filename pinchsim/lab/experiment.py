"""An experiment: one question as data, the same object from the command line, a file or Python.

question = "Does the start player win too often?"
variants = ["pinch", "classic", "aces-bite"]
players = [3, 4, 5]
line_ups = ["default"]
games = 100_000
"""

import json
import math
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer, field_validator

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games import session as sessions
from pinchsim.games.seam import Game, Level, Variant
from pinchsim.lab import lines
from pinchsim.lab.lines import Line
from pinchsim.lab.wish import wish
from pinchsim.measure.ladder import ADVANTAGE
from pinchsim.measure.summary import CellName
from pinchsim.paths import shipped
from pinchsim.strategy import library
from pinchsim.strategy.library import Strategy

DEFAULT_GAMES = 100_000
PRECISE_GAMES = 10_000_000  # the most games a cell when a precision says when to stop
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
    players: tuple[int, ...] = Field((), description="player counts; empty: all that a variant is made for")
    line_ups: tuple[str, ...] = Field(
        ("default",), min_length=1, description="strategies by seat, joined by commas; the last fills the table"
    )
    ladder: tuple[Level, ...] = Field(
        (),
        description="true: the strength ladder of the game; or levels from weak to strong, each a strategy, or a table of "
        "'strategy', 'credible' (false: has no say in verdicts) and 'games' (share of the games that it gets)",
    )
    session: str = Field(
        sessions.SINGLE, description="what is played: 'game', 'match' (everyone starts once) or 'first-to:X' points"
    )
    games: int = Field(
        DEFAULT_GAMES,
        ge=1,
        le=MAX_GAMES,
        description="games a cell, or sessions of several games, rounded up to whole decks; with 'precision' the most of them",
    )
    precision: str | None = Field(
        None,
        description="play until the interval of 'measure' reaches so far to each side ('0.1pp' for shares, '0.05' for others), "
        "or until its verdicts are clear ('verdict'); empty: play all games (M2.2)",
    )
    measure: str = Field(ADVANTAGE, description="the measure that 'precision' is about, see pinchsim explain")
    seed: int = Field(1, ge=0, le=MAX_SEED, description="seed of all decks and decisions")
    margin: float = Field(0.01, gt=0, lt=1, description="a start-player advantage within it counts as fair (M2.3)")
    rows: Literal["all", "none"] = Field(
        "all", description="'all': every game is kept as a row; 'none': exact counts and sums alone, for very many games"
    )
    controls: bool = Field(
        False, description="true: luck of the deal that is known exactly is taken out of the estimates of the summary (M1.6)"
    )
    certificate: tuple[Line, ...] = Field(
        (),
        description="lines for 'pinchsim certify': tables of 'measure', 'low', 'high' and where they are to hold (M7.1)",
    )

    @field_validator("precision", mode="before")
    @classmethod
    def _spelled_precision(cls, value: Any) -> Any:
        """A wished precision in its one spelling; a file may give a plain number."""
        return wish(value) if value else None

    @field_validator("ladder", mode="before")
    @classmethod
    def _named_levels(cls, value: Any) -> Any:
        """Levels given by their names alone; `false` is no ladder."""
        if value is False:
            return ()
        return [{"strategy": x} if isinstance(x, str) else x for x in value] if isinstance(value, list | tuple) else value

    @field_serializer("ladder")
    def _told_levels(self, levels: tuple[Level, ...]) -> list[dict[str, Any]]:
        return [level._asdict() for level in levels]


class Cell(NamedTuple):
    """One combination of an experiment, ready to be played."""

    name: CellName
    variant: Variant
    strategies: tuple[Strategy, ...]


def make_experiment(fields: dict[str, Any], where: str) -> Experiment:
    """An experiment from named fields; the base game, or the duel for duels, is added unless `base` says otherwise.

    `ladder=True` is the ladder of the game.

    Raises
    ------
    UsageError
        A field is unknown or impossible; `where` begins the message.
    """
    games_own = fields.get("ladder") is True
    try:
        experiment = Experiment(**(fields | {"ladder": ()} if games_own else fields))
    except ValidationError as error:
        raise UsageError(f"{where}: {_what_is_wrong(error)}") from None
    if experiment.controls and experiment.session != sessions.SINGLE:
        raise UsageError(f"{where}: controls are for single games, not for sessions ('{experiment.session}'). Leave out one.")
    ladder = game_of(experiment).ladder if games_own else experiment.ladder
    experiment = _resolved(experiment.model_copy(update={"ladder": tuple(ladder)}), fields)
    return _with_ladder(experiment, "line_ups" in fields, where) if ladder else experiment


def _what_is_wrong(error: ValidationError) -> str:
    problem = error.errors()[0]
    name = str(problem["loc"][0])
    if name == "certificate" and len(problem["loc"]) > 1:
        return lines.what_is_wrong(problem)
    if problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1:
        return f"'{name}' is not a field of an experiment. Known: {', '.join(Experiment.model_fields)}."
    own = problem["type"] == "value_error"  # words of ours, which pydantic puts its own before
    why = problem["ctx"]["error"] if own else problem["msg"].lower()
    return f"'{name}' cannot be {problem['input']!r}: {why} ({_meaning(name)})."


def _meaning(name: str) -> str:
    return str(Experiment.model_fields[name].description)


def _resolved(experiment: Experiment, given: Collection[str]) -> Experiment:
    """Names spelled out: 'all' variants, the base beside them, the default line-up, nothing twice.

    Base and margin depend on the variants unless they are among the fields `given`.
    """
    game = game_of(experiment)
    named = [v for name in experiment.variants for v in (_all_variants(game, experiment) if name == "all" else [name])]
    rule_sets = [game.load_variant(name).rules for name in named]
    base = experiment.base if "base" in given else game.default_base(rule_sets)
    variants = ([base] if base else []) + named
    line_ups = [_spelled_out(line_up, game.default_strategy) for line_up in experiment.line_ups]
    changes = {
        "variants": tuple(dict.fromkeys(variants)),
        "players": tuple(sorted(set(experiment.players))),
        "line_ups": tuple(dict.fromkeys(line_ups)),
        "base": base or None,
        "games": PRECISE_GAMES if experiment.precision and "games" not in given else experiment.games,
        "margin": experiment.margin if "margin" in given else game.default_margin(rule_sets),
        "session": sessions.spelled_out(experiment.session),
        "certificate": tuple(_line_spelled_out(line, game.default_strategy) for line in experiment.certificate),
    }
    return experiment.model_copy(update=changes)


def _with_ladder(experiment: Experiment, has_line_ups: bool, where: str) -> Experiment:
    """The experiment with its levels spelled out and as its line-ups; line-ups beside them must be these very ones.

    Raises
    ------
    UsageError
        A level is impossible or there twice, none is credible, or the line-ups are others.
    """
    default = game_of(experiment).default_strategy
    levels = tuple(level._replace(strategy=_spelled_out(level.strategy, default)) for level in experiment.ladder)
    names = tuple(level.strategy for level in levels)
    for level in levels:
        if not 0 < level.games <= 1:
            raise UsageError(f"{where}: level '{level.strategy}' cannot get {level.games:g} of the games: above 0, up to 1.")
        if "," in level.strategy:
            raise UsageError(f"{where}: level '{level.strategy}' must be one strategy, which everyone at the table plays.")
        if names.count(level.strategy) > 1:
            raise UsageError(f"{where}: level '{level.strategy}' stands on the ladder twice.")
    if not any(level.credible for level in levels):
        raise UsageError(f"{where}: none of the ladder's levels is credible, so none could decide anything.")
    if has_line_ups and experiment.line_ups != names:
        raise UsageError(
            f"{where}: 'ladder' and 'line_ups' both say who plays; on a ladder everyone plays one of its levels. Leave out one."
        )
    return experiment.model_copy(update={"ladder": levels, "line_ups": names})


def games_of(experiment: Experiment, line_up: str) -> int:
    """Games of each cell of a line-up, before they are rounded up to whole decks: a level of the ladder may get fewer."""
    share = next((level.games for level in experiment.ladder if level.strategy == line_up), 1.0)
    return max(1, math.ceil(round(share * experiment.games, 6)))  # 0.07 of 100 games are 7


def _all_variants(game: Game, experiment: Experiment) -> list[str]:
    """The built-in variants that are made for any of the player counts asked for; all if none is (`cells` says why not)."""
    counts = set(experiment.players)
    made_for = {name: set(game.player_counts(game.load_variant(name).rules)) for name in game.variant_names()}
    return [name for name, possible in made_for.items() if counts & possible] or list(made_for)


def game_of(experiment: Experiment) -> Game:
    """What the experiment plays: the game, or sessions of it.

    Raises
    ------
    UsageError
        There is no such game or session, or there are not decks enough for so many sessions.
    """
    game = sessions.of(all_games.load(experiment.game), experiment.session)
    most = MAX_GAMES // sessions.MAX_GAMES
    if isinstance(game, sessions.Session) and experiment.games > most:
        raise UsageError(f"At most {most:,} sessions a cell can be played, not {experiment.games:,}: there are not more decks.")
    return game


def _spelled_out(line_up: str, default: str) -> str:
    """A line-up without spaces, the default strategy named."""
    names = [name.strip() for name in line_up.split(",")]
    return ",".join(default if name == "default" else name for name in names)


def _line_spelled_out(line: Line, default: str) -> Line:
    """A line of the certificate whose line-ups are named as the experiment's are."""
    return line.model_copy(update={"line_ups": tuple(_spelled_out(name, default) for name in line.line_ups)})


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
    return make_experiment(_without_replaced(fields, changes) | changes, str(path))


def _without_replaced(fields: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """What a file says, without the ladder that line-ups replace, or the line-ups that a ladder replaces."""
    gone = {"ladder": {"line_ups"} if changes.get("ladder") else (), "line_ups": {"ladder"}}
    left_out = {name for change in changes for name in gone.get(change, ())}
    return {name: value for name, value in fields.items() if name not in left_out}


def to_toml(experiment: Experiment) -> str:
    """The experiment as a TOML file that runs again."""
    text = []
    for name, field in Experiment.model_fields.items():
        value = getattr(experiment, name)
        value = "" if value is None else value
        text += [f"# {field.description}", f"{name} = {_toml(value)}", ""]
    return "\n".join(text)


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Level | Line):
        parts = value._asdict() if isinstance(value, Level) else value.given()
        return "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in parts.items()) + " }"
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
    game = game_of(experiment)
    variants = [game.load_variant(name) for name in experiment.variants]
    _check_names(variants)
    _check_players(game, experiment, variants)
    counts = experiment.players or sorted({n for variant in variants for n in game.player_counts(variant.rules)})
    return [
        Cell(CellName(variant.name, players, line_up), variant, strategies)
        for line_up in experiment.line_ups
        for players in counts
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


def _check_players(game: Game, experiment: Experiment, variants: list[Variant]) -> None:
    """Every variant must be made for one of the player counts asked for, and every count must have a variant.

    A base that was named, or is all that there is, must share a player count with a variant.
    """
    base = base_name(game, experiment)
    possible = {variant.name: set(game.player_counts(variant.rules)) for variant in variants}
    others = set().union(*(counts for name, counts in possible.items() if name != base))
    if base and others and not possible[base] & others:
        raise UsageError(
            f"Nothing can be compared with '{base}', which is for {_listed(possible[base])} players: the others are for "
            f"{_listed(others)}. Name another base, or 'none'."
        )
    if not experiment.players:
        return
    for variant in variants:
        if variant.name != base and not set(experiment.players) & set(game.player_counts(variant.rules)):
            game.check_deal(variant.rules, experiment.players[0], f"Variant '{variant.name}'")
    for players in experiment.players:
        if not any(players in game.player_counts(variant.rules) for variant in variants):
            game.check_deal(variants[-1].rules, players, f"Variant '{variants[-1].name}'")


def _listed(counts: Collection[int]) -> str:
    return ", ".join(map(str, sorted(counts)))


def _playable(game: Game, variants: list[Variant], players: int) -> Iterator[Variant]:
    """The variants that are made for so many players; there must be cards enough."""
    for variant in variants:
        if players in game.player_counts(variant.rules):
            game.check_deal(variant.rules, players, f"Variant '{variant.name}'")
            yield variant


def _seated(game: Game, line_up: str, players: int, folders: tuple[Path, ...]) -> tuple[Strategy, ...]:
    """One strategy for each place; the last one named fills the rest of the table."""
    names = line_up.split(",")
    if len(names) > players:
        raise UsageError(f"The line-up '{line_up}' names {len(names)} strategies, but only {players} players sit down.")
    found = [library.find(game.name, name, folders) for name in names]
    return tuple(found + found[-1:] * (players - len(names)))
