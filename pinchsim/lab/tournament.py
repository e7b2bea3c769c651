"""A tournament (METHODS M5.3): strategies meet at tables of every composition, in every order, on common decks.

Who sits to whose left matters, so each composition is played in every distinct order around the table, and the orders are
weighted as often as they come about when players sit down at random. The lab rotates each order over the seats.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pinchsim import games as all_games
from pinchsim.errors import UsageError
from pinchsim.games.seam import Game
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Experiment, make_experiment
from pinchsim.lab.rows import part_path
from pinchsim.lab.run import Run, default_folder, run_experiment
from pinchsim.lab.settings import check_names, usual_players
from pinchsim.lab.watcher import Watcher
from pinchsim.measure.summary import CellName
from pinchsim.measure.tournament import Shares, Table, by_place, gather, matrix_frame, payoffs
from pinchsim.measure.tournament_analysis import Analysis, analyse, equilibrium_frame, ratings_frame
from pinchsim.strategy import library

ALL, PAIRS = "all", "pairs"
MOST_ORDERS = 400  # more orders around the table than these, and only pairs are played unless somebody asks for all
DEFAULT_GAMES = 4000
FIELDS = ("game", "games", "seed")
TABLES = ("payoffs", "matrix", "ratings", "equilibrium")
MARK = "payoffs.parquet"  # only the folder of a tournament has it


class Order(NamedTuple):
    """An order around the table: the strategy at each place, and how often random seating gives it among its composition."""

    places: tuple[str, ...]
    probability: float

    @property
    def line_up(self) -> str:
        """The order as a line-up of the lab, as short as it can be: the last one named fills the table."""
        names = list(self.places)
        while len(names) > 1 and names[-1] == names[-2]:
            names.pop()
        return ",".join(names)


class Plan(NamedTuple):
    """What a tournament plays; `orders_of_all` says how many orders around a table all mixtures have."""

    experiment: Experiment
    strategies: tuple[str, ...]
    players: int
    tables: str
    orders_of_all: int


@dataclass
class Tournament:
    """A tournament that was played.

    Attributes
    ----------
    run : Run
        The run behind it: a line-up for every order around a table.
    plan : Plan
        What was asked for.
    shares : Shares or None
        Win shares at all tables; None while there is a table without games.
    analysis : Analysis or None
        What follows from them.
    """

    run: Run
    plan: Plan
    shares: Shares | None
    analysis: Analysis | None

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return self.run.complete

    @property
    def orders_done(self) -> tuple[int, int]:
        """How many orders around a table have games, and how many there are."""
        return sum(part_path(self.run.folder, "games", cell, 0).exists() for cell in self.run.cells), len(self.run.cells)


def compositions(strategies: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Every choice of strategies for a table, whatever the order, but for mirror tables."""
    return (chosen for chosen in combinations_with_replacement(strategies, players) if len(set(chosen)) > 1)


def pairs(strategies: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """One of each strategy among players of each other, each composition once."""
    seen = set()
    for one in strategies:
        for other in strategies:
            chosen = tuple(sorted([one] + [other] * (players - 1)))
            if one != other and chosen not in seen:
                seen.add(chosen)
                yield chosen


def orders(chosen: Sequence[str]) -> list[Order]:
    """The distinct orders around the table of the players chosen, with the probability of each when they sit down at random.

    Orders that only start elsewhere are one; its probability is the number of its distinct rotations among all ways to lay
    the strategies along the table.
    """
    first, *others = sorted(chosen)
    circles = {min(_rotations((first, *rest))) for rest in set(permutations(others))}
    ways = math.factorial(len(chosen))
    for count in Counter(chosen).values():
        ways //= math.factorial(count)
    return [Order(_shortest(circle), len(set(_rotations(circle))) / ways) for circle in sorted(circles)]


def _rotations(places: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [places[k:] + places[:k] for k in range(len(places))]


def _shortest(circle: tuple[str, ...]) -> tuple[str, ...]:
    """The rotation that is the shortest line-up."""
    return min(_rotations(circle), key=lambda places: (Order(places, 0).line_up.count(","), places))


def count_orders(strategies: int, players: int) -> int:
    """How many orders around a table there are, mirror tables left out (necklaces, Burnside's lemma)."""
    fixed = sum(strategies ** math.gcd(k, players) for k in range(players))
    return fixed // players - strategies


def plan(
    strategies: Sequence[str],
    variant: str,
    players: int | None,
    tables: str | None,
    fields: dict[str, Any],
    folders: tuple[Path, ...] = (),
) -> Plan:
    """The experiment of a tournament; the same strategies in another order are the same tournament.

    Raises
    ------
    UsageError
        Fewer than two strategies, one of them twice, or something that the lab does not know or allow.
    """
    check_names(fields, FIELDS, "a tournament")
    game = all_games.load(fields.get("game", "pinch"))
    names = _checked(game, strategies, folders)
    rules = game.load_variant(variant).rules
    players = usual_players(game, rules) if players is None else players
    game.check_deal(rules, players, f"Variant '{variant}'")
    number = count_orders(len(names), players)
    kind = tables or (ALL if number <= MOST_ORDERS else PAIRS)
    if kind not in (ALL, PAIRS):
        raise UsageError(f"The tables of a tournament cannot be '{kind}': expected '{ALL}' or '{PAIRS}'.")
    chosen = compositions(names, players) if kind == ALL else pairs(names, players)
    line_ups = [order.line_up for table in chosen for order in orders(table)]
    asked = {"variants": [variant], "base": None, "players": [players], "line_ups": line_ups, "games": DEFAULT_GAMES}
    experiment = make_experiment(asked | fields, "The tournament")
    return Plan(experiment, names, players, kind, number)


def _checked(game: Game, strategies: Sequence[str], folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The strategies sorted by name, the default strategy named."""
    names = [game.default_strategy if name == "default" else name for name in strategies]
    for name in names:
        library.find(game.name, name, folders)
        if names.count(name) > 1:
            raise UsageError(f"'{name}' was named twice; a tournament needs each strategy once.")
    if len(names) < 2:
        got = f"only '{names[0]}' was named" if names else "none was named"
        known = ", ".join(library.all_strategies(game.name, folders))
        raise UsageError(f"A tournament needs at least two strategies; {got}. Known: {known}.")
    return tuple(sorted(names))


def play_tournament(
    plan: Plan,
    out: Path | None,
    executor: Executor,
    strategy_folders: tuple[Path, ...],
    watcher: Watcher | None,
) -> Tournament:
    """Play a tournament, or go on with it.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder = out or default_folder(plan.experiment, "tournament", strategy_folders)
    run = run_experiment(plan.experiment, folder, executor, strategy_folders, watcher)
    found = analysis_of(run)
    if found:
        frames = payoffs(found.shares), matrix_frame(found.shares, found.matrix), ratings_frame(found), equilibrium_frame(found)
        for name, frame in zip(TABLES, frames, strict=True):
            frame.write_parquet(run.folder / f"{name}.parquet")
    return Tournament(run, plan, found.shares if found else None, found)


def analysis_of(run: Run) -> Analysis | None:
    """What a tournament's run says; None while there is a table without games."""
    shares = read_shares(run)
    return analyse(shares) if shares else None


def read_shares(run: Run) -> Shares | None:
    """The win shares of a tournament's run, from the decks that every table has played; None if there are none yet."""
    cells = run.cells
    played = {cell: _read(run.folder, cell) for cell in cells}
    common = reduce(np.intersect1d, (cell.decks for cell in played.values()))
    if not common.size:
        return None
    names = sorted({name for cell in cells for name in cell.places})
    by_composition: dict[tuple[str, ...], dict[CellName, Played]] = {}
    for cell in cells:
        by_composition.setdefault(tuple(sorted(cell.places)), {})[cell] = played[cell].on(common)
    tables = [_table(chosen, here, names) for chosen, here in by_composition.items()]
    return gather(cells[0].variant, names, cells[0].players, tables)


class Played(NamedTuple):
    """What a cell has played: its decks (int64[D]), mean win share by deck and place (float64[D, places]), and games a deck."""

    decks: np.ndarray
    shares: np.ndarray
    rotations: int

    def on(self, decks: np.ndarray) -> "Played":
        """The same of some of the decks."""
        chosen = np.isin(self.decks, decks)
        return Played(self.decks[chosen], self.shares[chosen], self.rotations)


def _table(chosen: tuple[str, ...], played: dict[CellName, Played], names: list[str]) -> Table:
    """What was found at one composition: its orders weighted by their probabilities, deck by deck."""
    counts = np.array([chosen.count(name) for name in names], np.int64)
    weights = {order.line_up: order.probability for order in orders(chosen)}
    total, games = np.zeros(0), 0
    for cell, found in played.items():
        seats = np.array([[place == name for name in names] for place in cell.places], float)
        share = weights[cell.line_up] * (found.shares @ seats) / np.maximum(counts, 1)
        total = total + share if games else share
        games += found.rotations * len(found.decks)
    return Table(counts, total, len(played), games)


def _read(folder: Path, cell: CellName) -> Played:
    """What the finished chunks of a cell hold."""
    paths = sorted(part_path(folder, "players", cell, 0).parent.glob("part-*.parquet"))
    parts = [_read_part(path, cell.players) for path in paths]
    if not parts:
        return Played(np.zeros(0, np.int64), np.zeros((0, cell.players)), 1)
    decks, shares = (np.concatenate(x) for x in list(zip(*parts, strict=True))[:2])
    return Played(decks, shares, parts[0].rotations)


def _read_part(path: Path, players: int) -> Played:
    """What a single chunk holds."""
    columns = ["deck", "rotation", "strategy", "win_share"]
    rows = pl.read_parquet(path, columns=columns)
    rotations = int(rows["rotation"].to_numpy().max()) + 1
    places, shares = (rows[name].to_numpy().reshape(-1, players) for name in columns[2:])
    return Played(rows["deck"].to_numpy()[:: rotations * players].copy(), by_place(places, shares, rotations), rotations)
