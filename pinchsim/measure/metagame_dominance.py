"""Which strategies are never worth playing, and which beat each other in a circle (METHODS M5.4).

Every statement is a test with its error: what the games do not settle is called undecided. Tests of one kind form a family,
corrected after Holm, "A simple sequentially rejective multiple test procedure" (1979), at 5 % for the whole family (M2.4).
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from pinchsim.measure.metagame import PayoffTable
from pinchsim.measure.verdict import UNDECIDED

DOMINATED, NOT_DOMINATED = "dominated", "not dominated"
LEVEL = 0.05


def holm(p: np.ndarray) -> np.ndarray:
    """P-values of one family, corrected so that all statements hold at once; same shape as `p`.

    Examples
    --------
    >>> holm(np.array([0.04, 0.01, 0.03])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    flat = np.asarray(p, np.float64).ravel()
    order = np.argsort(flat, kind="stable")
    steps = np.maximum.accumulate(flat[order] * np.arange(flat.size, 0, -1))
    corrected = np.empty_like(flat)
    corrected[order] = np.minimum(steps, 1)
    return corrected.reshape(np.shape(p))


def tail(gap: np.ndarray, error: np.ndarray) -> np.ndarray:
    """One-sided p-values for "the true gap is not positive"; without error a gap is what it is."""
    from scipy.special import ndtr

    gap, error = np.broadcast_arrays(np.asarray(gap, np.float64), np.asarray(error, np.float64))
    sure = np.where(gap > 0, 0.0, 1.0)
    return np.where(error > 0, ndtr(-gap / np.where(error > 0, error, 1)), sure)


class Dominance(NamedTuple):
    """What is known about one strategy against another, or against the best mixture of the others.

    `by` gives the dominating strategies with their probabilities. `margin` is the smallest advantage of `by` over all
    fields, in win share; `p` the corrected p-value of the statement that it is positive everywhere.
    """

    strategy: str
    by: dict[str, float]
    margin: float
    p: float
    verdict: str


def dominance(table: PayoffTable) -> list[Dominance]:
    """For each strategy and each other one whether it is strictly dominated: worse against every field of others.

    Each pair is an intersection-union test: the weakest of its comparisons counts, so comparisons within a pair need no
    correction; pairs are corrected after Holm. "not dominated" says that some field surely favours the strategy (Bonferroni
    within a pair, Holm over pairs). What is neither is "undecided". Equal strategies remain undecided forever.

    Measure
    -------
    dominance (M5.4): dominated

    Which strategies are never worth playing.

    Definition
    ----------
    A strategy is dominated if another one wins more against every choice of opponents; then there is no reason ever to
    play it. Not dominated: some choice of opponents surely favours it. Undecided: neither is sure.

    Formula
    -------
    a is dominated by b if share(b) > share(a) against every field

    Units
    -----
    Verdicts with p-values.

    Traps
    -----
    "Every choice of opponents" means of these strategies. Equal strategies stay undecided for ever.

    Source
    ------
    Intersection-union tests, corrected after Holm, "A simple sequentially rejective multiple test procedure" (1979).

    Raises
    ------
    ValueError
        If tables are missing: dominance speaks of every field.
    """
    shares, variances = _complete(table)
    k = len(table.strategies)
    pairs = [(a, b) for a in range(k) for b in range(k) if a != b]
    if not pairs:
        return []
    better = np.array([tail(shares[b] - shares[a], np.sqrt(variances[a] + variances[b])) for a, b in pairs])
    worse = np.array([tail(shares[a] - shares[b], np.sqrt(variances[a] + variances[b])) for a, b in pairs])
    yes, no = holm(better.max(axis=1)), holm(np.minimum(worse.min(axis=1) * worse.shape[1], 1))
    names = table.strategies
    margins = [float((shares[b] - shares[a]).min()) for a, b in pairs]
    return [
        Dominance(names[a], {names[b]: 1.0}, margins[i], float(yes[i]), _verdict(yes[i], no[i]))
        for i, (a, b) in enumerate(pairs)
    ]


def _verdict(yes: float, no: float) -> str:
    return DOMINATED if yes < LEVEL else NOT_DOMINATED if no < LEVEL else UNDECIDED


def mixed_dominance(table: PayoffTable) -> list[Dominance]:
    """For each strategy whether some mixture of the others is better against every field of others.

    The mixture with the largest margin is found by linear programming. Its verdict is "dominated" or "undecided", and
    since the mixture was chosen on the same games, "dominated" should be confirmed on fresh decks (METHODS M2.4). A negative
    margin says that in the table as it stands no mixture dominates. A pure dominator is found, too.

    Raises
    ------
    ValueError
        If tables are missing.
    """
    shares, variances = _complete(table)
    k = len(table.strategies)
    if k < 2:
        return []
    mixtures = [_best_mixture(shares, own) for own in range(k)]
    gaps = [mixtures[own] @ shares - shares[own] for own in range(k)]
    p = holm(
        np.array([tail(gaps[own], np.sqrt(mixtures[own] ** 2 @ variances + variances[own])).max() for own in range(k)])
    )  # fmt: skip
    found = []
    for own, name in enumerate(table.strategies):
        by = {table.strategies[b]: float(x) for b, x in enumerate(mixtures[own]) if x > 0}
        found.append(Dominance(name, by, float(gaps[own].min()), float(p[own]), _verdict(p[own], 1.0)))
    return found


def _best_mixture(shares: np.ndarray, own: int) -> np.ndarray:
    """Mixture of the other strategies, float64[K], with the largest smallest advantage over one strategy."""
    from scipy.optimize import linprog

    k, d = shares.shape
    constraints = np.hstack([-(shares - shares[own]).T, np.ones((d, 1))])  # margin - advantage <= 0
    bounds = [(0, 0 if b == own else 1) for b in range(k)] + [(None, None)]
    whole = np.append(np.ones(k), 0.0)[None, :]
    found = linprog(np.append(np.zeros(k), -1.0), constraints, np.zeros(d), whole, [1.0], bounds, method="highs")
    mixture = np.where(found.x[:k] > 1e-9, found.x[:k], 0.0)
    normed: np.ndarray = mixture / mixture.sum()
    return normed


def _complete(table: PayoffTable) -> tuple[np.ndarray, np.ndarray]:
    if not table.is_complete():
        raise ValueError("dominance needs all tables, mixed ones too; this payoff table lacks some")
    return table.against


def beats(table: PayoffTable) -> np.ndarray:
    """Which strategy surely beats which, bool[K, K]: the row's the column's.

    A strategy beats another if one of it against n-1 of the other wins more than 1/n, and one of the other against n-1 of
    it less. The weaker of the two statements counts; ordered pairs are corrected after Holm. Missing tables beat nobody.
    """
    shares, errors = table.field_shares()
    fair = 1 / table.players
    enters = np.nan_to_num(tail(shares - fair, errors), nan=1.0)
    resists = np.nan_to_num(tail(fair - shares, errors), nan=1.0).T
    apart = ~np.eye(len(shares), dtype=bool)
    found = np.zeros(shares.shape, bool)
    found[apart] = holm(np.maximum(enters, resists)[apart]) < LEVEL
    return found


class Cycle(NamedTuple):
    """Strategies that beat each other in a circle.

    `strategies` are all that can reach each other by beating (a strongly connected component); `path` is a shortest circle
    among them: each beats the next, and the last beats the first.
    """

    strategies: list[str]
    path: list[str]


def cycles(table: PayoffTable) -> list[Cycle]:
    """All circles of strategies that surely beat each other, largest first; empty where strength is an order.

    Measure
    -------
    cycles (M5.4)

    Which strategies beat each other in a circle.

    Definition
    ----------
    Strategies that beat each other in a circle, like stone, scissors and paper: each surely wins more than a fair share
    against a table of the next, and the last one does against the first.

    Formula
    -------
    a beats b if one a at a table of b surely wins more than 1 / players

    Units
    -----
    Names of strategies.

    Traps
    -----
    Where none is shown there may still be some: few games show no circle. A circle means that one number by strategy
    (ratings) can't tell all.

    Source
    ------
    Strongly connected components of who surely beats whom, corrected after Holm.
    """
    from scipy.sparse.csgraph import connected_components

    graph = beats(table)
    _, label = connected_components(graph, directed=True, connection="strong")
    groups = [np.flatnonzero(label == part) for part in range(label.max() + 1)]
    names = np.array(table.strategies)
    found = [Cycle(names[group].tolist(), names[_circle(graph, group)].tolist()) for group in groups if group.size > 1]
    return sorted(found, key=lambda cycle: -len(cycle.strategies))


def _circle(graph: np.ndarray, group: np.ndarray) -> list[int]:
    """A shortest circle within a strongly connected group."""
    best: list[int] = []
    for start in group.tolist():
        path = _way_back(graph, start)
        if path and (not best or len(path) < len(best)):
            best = path
    return best


def _way_back(graph: np.ndarray, start: int) -> list[int]:
    """Shortest path from a strategy over those it beats back to itself, without the return."""
    came: dict[int, int] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if graph[here, start]:
            path = [here]
            while path[-1] != start:
                path.append(came[path[-1]])
            return path[::-1]
        for there in np.flatnonzero(graph[here]).tolist():
            if there != start and there not in came:
                came[there] = here
                queue.append(there)
    return []


def longest_chain(graph: np.ndarray) -> list[int]:
    """Longest ascending chain, each beating the one before, if only higher places may beat lower ones.

    Parameters
    ----------
    graph : bool[K, K]
        The row's strategy beats the column's; places are in order of strength, weakest first.

    Examples
    --------
    >>> longest_chain(np.array([[0, 0, 0], [0, 0, 0], [1, 1, 0]], bool))
    [0, 2]
    """
    length, below = [1] * len(graph), [-1] * len(graph)
    for here in range(len(graph)):
        for lower in range(here):
            if graph[here, lower] and length[lower] + 1 > length[here]:
                length[here], below[here] = length[lower] + 1, lower
    chain = [max(range(len(graph)), key=lambda k: (length[k], -k))] if len(graph) else []
    while chain and below[chain[-1]] >= 0:
        chain.append(below[chain[-1]])
    return chain[::-1]
