"""Nash equilibria of the game of choosing a strategy (METHODS M5.4).

Only symmetric equilibria: one mix that everybody draws from, and from which nobody gains by leaving. One always exists (Nash,
"Non-cooperative games", 1951). Since shares add up to 1, its value is 1/n whatever it is, so a mix is an equilibrium if no
strategy wins more than 1/n against it, and its regret is how much more the best one wins.

For two players the game is constant-sum and the equilibria are the solutions of a linear program. They form a convex set; of
several, the one with the highest entropy is taken, as in Balduzzi et al., "Re-evaluating evaluation" (2018). For more players
each support is tried: the mixes on it that make its strategies equally good are roots of polynomials, found from several
starts. If none of them is an equilibrium, the regret itself is minimized, first from the same kind of starts, then from where
finer and finer grids place an equilibrium (Kuhn and MacKinnon, "Sandwich method for finding fixed points", 1975). Grids cannot
miss: the regret there falls with their step. So one equilibrium is always found, though others may be missed. What is returned
is checked: the regret is computed, not assumed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pinchsim.measure.metagame import PayoffTable

REGRET = 1e-7  # largest gain that still counts as none: rounding of the solvers, far below anything measured
SAME = 1e-4  # mixes closer than this in every probability are one equilibrium
MOST_SUPPORTS = 1023  # all of ten strategies; of more strategies, the small supports
ROUGH = 1e-9
GRIDS = tuple(4**power for power in range(1, 15))  # steps from 0 to 1; the last leaves less than `REGRET` to ten players


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A mix that everybody may draw from.

    Attributes
    ----------
    strategies : tuple of str
        The K names.
    mix : float64[K]
        Probability of each.
    payoffs : float64[K]
        Win share of one player of each strategy against n-1 others drawn from the mix.
    value : float
        Win share of somebody who plays the mix, 1/n.
    """

    strategies: tuple[str, ...]
    mix: np.ndarray
    payoffs: np.ndarray
    value: float

    @property
    def edges(self) -> np.ndarray:
        """Win share of each strategy against this field less 1/n, float64[K]: 0 for those in use, up to the regret."""
        return self.payoffs - self.value

    @property
    def regret(self) -> float:
        """What the best strategy of the table gains by leaving the mix (exploitability within the table), in win share.

        Strategies that are not in the table may gain more (METHODS M5.5).
        """
        return float(self.edges.max())

    @property
    def entropy(self) -> float:
        """Of the mix, in nats."""
        used = self.mix[self.mix > 0]
        return float(-(used * np.log(used)).sum())

    @property
    def support(self) -> tuple[str, ...]:
        """Strategies in use."""
        return tuple(name for name, x in zip(self.strategies, self.mix, strict=True) if x > 0)


@dataclass(frozen=True)
class Equilibria:
    """All equilibria found, the chosen one first, and why it was chosen."""

    found: tuple[Equilibrium, ...]
    statement: str

    @property
    def chosen(self) -> Equilibrium:
        """The equilibrium that reports speak of: lowest regret (up to rounding), then highest entropy."""
        return self.found[0]


def nash(table: PayoffTable, starts: int = 6, seed: int = 0) -> Equilibria:
    """Symmetric Nash equilibria of the table.

    Measure
    -------
    equilibrium (M5.4): nash_mass, edge, best_edge

    A mixture of strategies from which nobody gains by leaving.

    Definition
    ----------
    A mixture of strategies which everybody draws from, and from which nobody gains by leaving. nash_mass is the part of a
    strategy in it. edge is what one player of a strategy wins against that mixture, less a fair share: 0 for those in
    use, below 0 for those that lose against it.

    Formula
    -------
    edge(strategy) = win share against the mixture - 1 / players
    equilibrium: no edge is above 0

    Units
    -----
    Shares that add up to 1; edges in percentage points.

    Traps
    -----
    It speaks of the strategies at hand: a stronger one may change everything, see exploit_edge. With more than two
    players there may be several equilibria; the chosen one has the least regret, then the most even mix.

    Source
    ------
    Nash, "Non-cooperative games" (1951); Balduzzi et al., "Re-evaluating evaluation" (2018).

    Parameters
    ----------
    table
        All tables must be known.
    starts
        For more than two players: starting points by support, the even mix and random ones.
    seed
        Of the random starting points; the same seed gives the same result.

    Raises
    ------
    ValueError
        If only some tables are known, for instance one against n-1 with more than two players.
    """
    if not table.is_complete():
        raise ValueError(
            "an equilibrium needs mixed tables: each strategy at every table of others, not only one against "
            f"{table.players - 1} of another"
        )
    mixes = _minimax_mixes(table) if table.players == 2 else _polynomial_mixes(table, starts, np.random.default_rng(seed))
    distinct: list[Equilibrium] = []
    for equilibrium in sorted((at(table, mix) for mix in mixes), key=_worth):
        if all(np.abs(equilibrium.mix - other.mix).max() > SAME for other in distinct):
            distinct.append(equilibrium)
    return Equilibria(tuple(distinct), _statement(table, distinct))


def at(table: PayoffTable, mix: np.ndarray) -> Equilibrium:
    """A mix with what each strategy wins against it; whether it is an equilibrium, its regret says."""
    return Equilibrium(table.strategies, mix, table.payoffs(mix), 1 / table.players)


def _worth(equilibrium: Equilibrium) -> tuple[float, float]:
    """Lowest regret first, where all below `REGRET` are equal, then highest entropy."""
    return max(equilibrium.regret, REGRET), -round(equilibrium.entropy, 9)


def _statement(table: PayoffTable, found: list[Equilibrium]) -> str:
    if found[0].regret > REGRET:
        return f"no exact equilibrium was found; this mix leaves a gain of {found[0].regret:.2g} in win share"
    if len(found) == 1:
        return "the only equilibrium" if table.players == 2 else "the only equilibrium found"
    several = "several equilibria and all mixtures of them" if table.players == 2 else f"one of {len(found)} equilibria found"
    return f"{several}: the one with the highest entropy"


def edge_over_rest(table: PayoffTable, strategy: str, starts: int = 6, seed: int = 0) -> float:
    """Win share of one player of a strategy against the equilibrium field of the other strategies, less 1/n.

    Against an equilibrium that includes it, no strategy has an edge. This is what a strategy adds to the rest: positive if
    it would enter their field, and then it is the rest's exploitability by it.

    Raises
    ------
    ValueError
        If tables are missing, the strategy is unknown, or there is no other.
    """
    own = table.index(strategy)
    keep = [k for k in range(len(table.strategies)) if k != own]
    if not keep:
        raise ValueError(f"{strategy!r} is alone: there is no field of others")
    rows = table.counts[:, own] == 0
    rest = PayoffTable(
        tuple(table.strategies[k] for k in keep),
        table.players,
        table.counts[rows][:, keep],
        table.shares[rows][:, keep],
        table.covariance[rows][:, keep][:, :, keep],
    )
    mix = np.insert(nash(rest, starts, seed).chosen.mix, own, 0.0)
    return table.payoff(strategy, mix) - 1 / table.players


def _clean(mix: np.ndarray) -> np.ndarray:
    """The mix without rounding errors."""
    mix = np.where(mix > ROUGH, mix, 0.0)
    cleaned: np.ndarray = mix / mix.sum()
    return cleaned


def _minimax_mixes(table: PayoffTable) -> list[np.ndarray]:
    """Two players: the corners of the set of equilibria in each direction of an axis, and its point of highest entropy."""
    game = _antisymmetric(table)
    k = len(game)
    if k == 1:
        return [np.ones(1)]
    corners: list[np.ndarray] = []
    for goal in np.vstack([np.eye(k), -np.eye(k)]):
        corner = _corner(game, goal)
        if all(np.abs(corner - other).max() > SAME for other in corners):
            corners.append(corner)
    return corners if len(corners) == 1 else [*corners, _most_even(game, corners)]


def _antisymmetric(table: PayoffTable) -> np.ndarray:
    """Edge of the row's strategy over the column's, float64[K, K]; exactly the opposite of its transpose."""
    edges = table.field_shares().shares - 0.5
    game: np.ndarray = (edges - edges.T) / 2
    return game


def _corner(game: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """The equilibrium that is best for a linear goal."""
    from scipy.optimize import linprog

    k = len(game)
    found = linprog(goal, game, np.zeros(k), np.ones((1, k)), [1.0], (0, 1), method="highs")
    if not found.success:  # 0 is always reached; the solver's tolerance may say otherwise by a hair
        found = linprog(goal, game, np.full(k, ROUGH), np.ones((1, k)), [1.0], (0, 1), method="highs")
    return _clean(found.x)


def _most_even(game: np.ndarray, corners: list[np.ndarray]) -> np.ndarray:
    """The equilibrium with the highest entropy."""
    from scipy.optimize import minimize

    def disorder(x: np.ndarray) -> float:
        used = np.maximum(x, 1e-300)
        return float((used * np.log(used)).sum())

    conditions = [{"type": "eq", "fun": lambda x: x.sum() - 1}, {"type": "ineq", "fun": lambda x: -game @ x}]
    middle = np.mean(corners, axis=0)
    found = minimize(
        disorder, middle, method="SLSQP", bounds=[(0, 1)] * len(game), constraints=conditions, options={"ftol": 1e-14}
    )  # fmt: skip
    mix = _clean(found.x)
    return mix if (game @ mix).max() <= REGRET and disorder(mix) <= disorder(middle) else middle


def _polynomial_mixes(table: PayoffTable, starts: int, rng: np.random.Generator) -> list[np.ndarray]:
    """More than two players: equilibria on each support, or else the mixes with the least regret, or else one from grids."""
    k = len(table.strategies)
    found = [mix for support in _supports(k) for mix in _equal_mixes(table, support, starts, rng)]
    exact = [mix for mix in found if regret(table, mix) <= REGRET]
    if not exact:
        found = [_least_regret(table, start) for start in _starts(k, max(starts, 8), rng)]
        exact = [mix for mix in found if regret(table, mix) <= REGRET]
    return exact or [_on_grids(table)]


def _supports(k: int) -> Iterator[np.ndarray]:
    """Sets of strategies, small ones first."""
    left = MOST_SUPPORTS
    for size in range(1, k + 1):
        for support in combinations(range(k), size):
            if left == 0:
                return
            left -= 1
            yield np.array(support)


def _starts(k: int, starts: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [np.full(k, 1 / k), *rng.dirichlet(np.ones(k), size=max(starts - 1, 0))]


def _equal_mixes(table: PayoffTable, support: np.ndarray, starts: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Mixes on a support that make its strategies equally good, from several starts."""
    if support.size == 1:
        return [np.eye(len(table.strategies))[support[0]]]
    found = (equal_mix(table, support, start) for start in _starts(support.size, starts, rng))
    return [mix for mix in found if mix is not None]


def equal_mix(table: PayoffTable, support: np.ndarray, start: np.ndarray) -> np.ndarray | None:
    """The mix on a support, int64[S], that makes its strategies equally good, float64[K]; None if none is found from here.

    `start` holds the probabilities to begin with, float64[S]. The table must be complete; that is not checked here.
    """
    from scipy.optimize import root

    shares, mix = table.against[0][support], np.zeros(len(table.strategies))

    def imbalance(x: np.ndarray) -> np.ndarray:
        mix[support] = x
        payoffs = shares @ table.chances(mix)
        return np.append(payoffs[1:] - payoffs[0], x.sum() - 1)

    with np.errstate(all="ignore"):
        found = root(imbalance, start, method="hybr", options={"xtol": 1e-13})
    if np.abs(found.fun).max() > 1e-10 or found.x.min() < -ROUGH or found.x.max() > 1 + ROUGH:
        return None
    mix[support] = found.x
    return _clean(mix)


def regret(table: PayoffTable, mix: np.ndarray) -> float:
    """What the best strategy gains against a mix, in win share. The table must be complete; not checked here."""
    return float((table.against[0] @ table.chances(mix)).max() - 1 / table.players)


def _least_regret(table: PayoffTable, start: np.ndarray) -> np.ndarray:
    """A mix whose regret cannot be lowered by small steps, float64[K]."""
    from scipy.optimize import minimize

    k, fair = len(start), 1 / table.players
    conditions = [
        {"type": "eq", "fun": lambda x: x[:k].sum() - 1},
        {"type": "ineq", "fun": lambda x: x[k] + fair - table.against[0] @ table.chances(x[:k])},
    ]
    first = np.append(start, regret(table, start))
    bounds = [(0, 1)] * k + [(0, 1)]
    options = {"ftol": 1e-15, "maxiter": 500}
    found = minimize(lambda x: x[k], first, method="SLSQP", bounds=bounds, constraints=conditions, options=options)
    return _clean(found.x[:k])


def _on_grids(table: PayoffTable) -> np.ndarray:
    """An equilibrium, float64[K]: grids are refined until the least regret nearby is none."""
    mix = np.full(len(table.strategies), 1 / len(table.strategies))
    for steps in GRIDS:
        mix = _on_grid(table, mix, steps)
        best = _least_regret(table, mix)
        if regret(table, best) <= REGRET:
            return best
    return mix


def _on_grid(table: PayoffTable, start: np.ndarray, steps: int) -> np.ndarray:
    """Where a grid places an equilibrium, float64[K]; with n players its regret is at most 2 n / steps.

    Mixes in multiples of 1/steps are the corners of simplices; from one corner to the next, one step moves from a strategy to
    the one after it, and so around. Each corner is labelled with its worst strategy in use. Where a simplex has all labels, all
    in use are about equally good and the others no better, and by Sperner's lemma there is such a simplex. A second layer of
    the grid leads to it: its labels say which strategy is most above `start`, so only one simplex of it, around `start`, has
    them all. From there the way goes through the simplices between the layers: whichever has a face with all labels has a
    second one. It never comes back, so it ends at a face in the layer that counts.
    """
    k = len(start)
    below = np.diff(np.rint(np.cumsum(start) * (steps - 1)), prepend=0.0)

    def label(corner: np.ndarray) -> int:
        if corner[k] == 0:
            return int(np.argmax(corner[:k] - below))
        payoffs = table.against[0] @ table.chances(corner[:k] / steps)
        return int(np.argmin(np.where(corner[:k] > 0, payoffs, np.inf)))

    corners = np.zeros((k + 1, k + 1))  # steps of each strategy, then the layer: 0, or 1 for the one that counts
    corners[:k, :k] = below + np.eye(k)
    corners[k] = [*corners[k - 1, :k], 1]
    labels, new = [*range(k), label(corners[k])], k
    while True:
        new = next(place for place in range(k + 1) if labels[place] == labels[new] and place != new)
        corners[new] = corners[new - 1] + corners[(new + 1) % (k + 1)] - corners[new]
        if corners[new, k] > 1:
            return _clean(np.delete(corners, new, axis=0)[:, :k].mean(axis=0))
        labels[new] = label(corners[new])
