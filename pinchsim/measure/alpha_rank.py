"""Alpha-rank: which strategies last when the successful are imitated (METHODS M5.4).

After Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9:9937 (2019). In a population
of m players one of them tries another strategy, and before the next trial it has either spread to all or vanished. Players
imitate each other with a probability that depends on the difference of their payoffs times alpha (Fermi's function).
The chain of takeovers has a stationary distribution: the mass of a strategy is the share of time in which all follow it.

Unlike an equilibrium it is unique, it tells apart who cycles, and it needs no tables of more than two strategies. It depends
on alpha: 0 knows no difference, and large alpha counts only who beats whom, by however little. So differences that are noise
count fully in the limit; look at intervals (`metagame_bootstrap`) and at small alpha, too. Payoffs are win shares from 0 to 1.

Fixation probabilities are kept as logarithms, and the stationary distribution is found without a subtraction by state
reduction (Grassmann, Taksar and Heyman 1985), so that neither overflows nor underflows at any alpha.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pinchsim.measure.metagame import PayoffTable

POPULATION = 50  # the paper's
ALPHAS = tuple(float(x) for x in 10.0 ** np.arange(-1, 3.25, 0.5))
MOST = 2.0**40
SETTLED = 1e-3


@dataclass(frozen=True, eq=False)
class AlphaRank:
    """The chain of takeovers at one alpha.

    Attributes
    ----------
    strategies : tuple of str
        The K names.
    alpha : float
        Strength of selection, per unit of win share.
    population : int
        Number of players, m.
    transitions : float64[K, K]
        Probability that a population of the row's strategy is next taken over by the column's. Rows add up to 1. Where alpha
        is large, entries may be 0 that are merely too small for a float64; `mass` comes from their logarithms.
    mass : float64[K]
        Stationary distribution, adding up to 1.
    """

    strategies: tuple[str, ...]
    alpha: float
    population: int
    transitions: np.ndarray
    mass: np.ndarray


def alpha_rank(table: PayoffTable, alpha: float = 100.0, population: int = POPULATION) -> AlphaRank:
    """Alpha-rank of a symmetric game in its form with one population.

    The players at a table are drawn from the population without replacement, and payoffs are averaged over what they may be.

    Measure
    -------
    alpha_rank (M5.4): alpha_rank_mass

    Which strategies last when the successful are imitated.

    Definition
    ----------
    In a population whose members imitate who wins more, now and then somebody tries another strategy, which spreads to
    all or vanishes. The mass of a strategy is the share of time in which the whole population plays it.

    Formula
    -------
    P(imitate) = 1 / (1 + exp(-alpha x difference of win shares))
    mass = stationary distribution of the chain of takeovers

    Units
    -----
    Shares of time, which add up to 1.

    Traps
    -----
    It depends on alpha: 0.1 hardly tells the strategies apart, 100 counts only who beats whom, by however little, so
    noise counts fully. It doesn't measure how much is won.

    Source
    ------
    Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9:9937 (2019).

    Parameters
    ----------
    table
        All tables of two strategies must be known; those of three or more are not used.
    alpha
        Strength of selection, 0 or more.
    population
        Number of players, at least those of a table and 2.

    Raises
    ------
    ValueError
        If tables are missing, or alpha or population is out of range.
    """
    return rank_pairs(table.strategies, pair_payoffs(table), alpha, population)


def sweep(
    table: PayoffTable, alphas: Sequence[float] = ALPHAS, population: int = POPULATION
) -> list[AlphaRank]:  # fmt: skip
    """Alpha-rank at several strengths of selection, in their order."""
    payoffs = pair_payoffs(table)
    return [rank_pairs(table.strategies, payoffs, alpha, population) for alpha in alphas]


def limit(table: PayoffTable, population: int = POPULATION) -> AlphaRank:
    """Alpha-rank at an alpha so large that doubling it three times moves no mass by more than 0.001.

    This is the ranking that the paper recommends. `alpha` tells how large it had to be: the smaller the differences of the
    payoffs, the larger, up to 2**40, where float64 ends. Differences below about 1e-6 may pass for none.
    """
    payoffs = pair_payoffs(table)
    alpha, steady = 1.0, 0
    last = rank_pairs(table.strategies, payoffs, alpha, population)
    while (steady < 3 or alpha < 100) and alpha < MOST:
        alpha *= 2
        step = rank_pairs(table.strategies, payoffs, alpha, population)
        steady = steady + 1 if np.abs(step.mass - last.mass).max() < SETTLED else 0
        last = step
    return last


def pair_payoffs(table: PayoffTable) -> np.ndarray:
    """Payoffs at tables of two strategies, in the form of `rank_pairs`, float64[K, K, n + 1].

    Raises
    ------
    ValueError
        If such a table is missing.
    """
    k, n = len(table.strategies), table.players
    payoffs = np.full((k, k, n + 1), math.nan)
    places = {tuple(row): place for place, row in enumerate(table.others.tolist())}
    unit = np.eye(k, dtype=np.int64)
    for a in range(k):
        for b in range(k):
            for own in range(1, n + 1):
                payoffs[a, b, own] = table.against[0][a, places[tuple(((own - 1) * unit[a] + (n - own) * unit[b]).tolist())]]
    if np.isnan(payoffs[:, :, 1:]).any():
        raise ValueError("alpha-rank needs every table of two strategies: one against n-1, two against n-2, and so on")
    return payoffs


def matrix_payoffs(matrix: np.ndarray) -> np.ndarray:
    """Payoffs of a symmetric game of two players, float64[K, K], in the form of `rank_pairs`."""
    matrix = np.asarray(matrix, np.float64)
    alike = np.broadcast_to(np.diag(matrix)[:, None], matrix.shape)
    return np.stack([np.full_like(matrix, math.nan), matrix, alike], axis=2)


def rank_pairs(strategies: Sequence[str], payoffs: np.ndarray, alpha: float, population: int = POPULATION) -> AlphaRank:
    """Alpha-rank from payoffs at tables of two strategies; any symmetric game, constant-sum or not.

    Parameters
    ----------
    strategies
        The K names.
    payoffs : float64[K, K, n + 1]
        [a, b, i] is the payoff of one player of a where i players follow a and the n - i others b. i = 0 is not used.
    alpha, population
        As in `alpha_rank`.
    """
    k, n = payoffs.shape[0], payoffs.shape[2] - 1
    if not 0 <= alpha < math.inf or population < max(n, 2):
        raise ValueError(f"alpha must be 0 or more, finite, and the population at least {max(n, 2)}")
    mutants, residents = _meetings(n, population)
    steps = np.full((k, k), -np.inf)
    for resident in range(k):
        for mutant in range(k):
            if mutant != resident:
                theirs = payoffs[resident, mutant, n:0:-1]  # by the number of mutants at the table, 0 to n - 1
                gaps = mutants @ payoffs[mutant, resident, 1:] - residents @ theirs
                steps[resident, mutant] = log_fixation(gaps, alpha) - math.log(k - 1)
    return AlphaRank(tuple(strategies), float(alpha), population, _with_rest(steps), stationary(steps))


def _meetings(n: int, population: int) -> tuple[np.ndarray, np.ndarray]:
    """Whom one meets: probability of j mutants among the n - 1 others, by the number of mutants in the population.

    Two float64[population - 1, n] for populations of 1 to population - 1 mutants: as a mutant sees it, and as a resident.
    """
    numbers = range(1, population)
    all_ways = math.comb(population - 1, n - 1)

    def chances(mutants: int) -> list[float]:
        return [math.comb(mutants, j) * math.comb(population - 1 - mutants, n - 1 - j) / all_ways for j in range(n)]

    return np.array([chances(number - 1) for number in numbers]), np.array([chances(number) for number in numbers])


def log_fixation(gaps: np.ndarray, alpha: float) -> float:
    """Logarithm of the probability that one mutant takes over.

    1 / (1 + sum over l of the product over k <= l of exp(-alpha * gap at k mutants)), for l from 1 to m - 1.

    Parameters
    ----------
    gaps : float64[m - 1]
        Payoff of a mutant less that of a resident where 1 to m - 1 players are mutants.
    """
    return -float(np.logaddexp.reduce(np.append(0.0, np.cumsum(-alpha * gaps))))


def _with_rest(steps: np.ndarray) -> np.ndarray:
    """Transition probabilities from logarithms of those that lead away."""
    chances = np.exp(steps)
    np.fill_diagonal(chances, 1 - chances.sum(axis=1))
    return chances


def stationary(steps: np.ndarray) -> np.ndarray:
    """Stationary distribution of a chain, float64[S], by state reduction on logarithms.

    Parameters
    ----------
    steps : float64[S, S]
        Logarithms of the probabilities to go from the row's state to the column's; -inf where there is no way. The diagonal
        is not used. Every state must be reachable from every other, however improbably.
    """
    logs = np.array(steps, np.float64)
    np.fill_diagonal(logs, -np.inf)
    size = len(logs)
    for last in range(size - 1, 0, -1):
        logs[:last, last] -= np.logaddexp.reduce(logs[last, :last])
        logs[:last, :last] = np.logaddexp(logs[:last, :last], logs[:last, [last]] + logs[[last], :last])
        np.fill_diagonal(logs[:last, :last], -np.inf)
    mass = np.zeros(size)
    for state in range(1, size):
        mass[state] = np.logaddexp.reduce(mass[:state] + logs[:state, state])
    mass = np.exp(mass - mass.max())
    normed: np.ndarray = mass / mass.sum()
    return normed


def rank_populations(
    payoffs: Sequence[np.ndarray], alpha: float, population: int = POPULATION
) -> tuple[np.ndarray, np.ndarray]:
    """Alpha-rank of a game whose players have a population each; the paper's general form.

    Parameters
    ----------
    payoffs
        Payoffs of each player by the strategies of all, each float64[S1, ..., SP].
    alpha, population
        As in `alpha_rank`.

    Returns
    -------
    mass : float64[S1, ..., SP]
        Stationary mass of each profile.
    transitions : float64[S, S]
        Between profiles in C order, S = S1 * ... * SP. Profiles that differ in more than one player are not neighbours.
    """
    shape = np.shape(payoffs[0])
    neighbours = sum(s - 1 for s in shape)
    steps = np.full((math.prod(shape), math.prod(shape)), -np.inf)
    for profile in np.ndindex(shape):
        for player, size in enumerate(shape):
            for other in range(size):
                if other != profile[player]:
                    changed = (*profile[:player], other, *profile[player + 1 :])
                    gain = alpha * float(payoffs[player][changed] - payoffs[player][profile])
                    here, there = np.ravel_multi_index(profile, shape), np.ravel_multi_index(changed, shape)
                    steps[here, there] = _log_takeover(gain, population) - math.log(neighbours)
    return stationary(steps).reshape(shape), _with_rest(steps)


def _log_takeover(gain: float, population: int) -> float:
    """Logarithm of (1 - exp(-gain)) / (1 - exp(-m gain)): a takeover where the gain does not depend on how many went over."""
    if gain == 0:
        return -math.log(population)
    part = math.log(-math.expm1(-abs(gain))) - math.log(-math.expm1(-population * abs(gain)))
    return part if gain > 0 else part + (population - 1) * gain
