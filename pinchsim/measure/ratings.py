"""Ratings of strategies from games with one winner (METHODS M5.1).

Luce's choice model (Luce, "Individual choice behavior", 1959): a player wins with a probability proportional to the strength
gamma of their strategy, gamma / (sum over the table). For two players it is the model of Bradley and Terry, and so of Elo; for
more it is what the model of Plackett and Luce says of the first place, the only place used here. A shared win counts 1/k.

Strengths are told on the Elo scale, 400 log10(gamma): 400 points are odds of 10 to 1 that one of two wins, if either does.
The likelihood is concave in log(gamma) and is maximized by Newton's method; its maximum is the fixed point of the
minorization-maximization of Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004).
One number by strategy is a model: what it cannot say, above all that strategies beat each other in a circle, is in the
residuals, which come with every fit.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pinchsim.measure.metagame import PayoffTable

ELO = 400 / math.log(10)  # Elo points by unit of log(gamma)
ROUGH = 1e-12  # a share below this is 0


class Residual(NamedTuple):
    """Where the model is furthest from what was seen.

    One player of `strategy` at `table` (names and numbers of players) won the share `seen`, and the model says `fitted`;
    `residual_pp` and its standard error `error_pp`, of what was seen, are in percentage points.
    """

    strategy: str
    table: dict[str, int]
    seen: float
    fitted: float
    residual_pp: float
    error_pp: float


@dataclass(frozen=True, eq=False)
class Ratings:
    """Strengths of strategies on the Elo scale.

    Attributes
    ----------
    strategies : tuple of str
        The K names.
    elo : float64[K]
        Ratings, in Elo points; 0 for the reference, or their mean is 0.
    covariance : float64[K, K]
        Of `elo`, robust: from the covariance of the shares, not from the model (sandwich).
    reference : str or None
        The strategy at 0.
    tiers : int64[K]
        0 for all if the data bound every difference. Else strategies of a lower tier never won against those of a higher one
        (0 is the lowest), and differences between tiers have no upper bound: what is told is due to the prior. Tiers that
        never met, directly or through others, are in no particular order.
    largest_residual : Residual or None
        None if no table has two strategies.
    """

    strategies: tuple[str, ...]
    elo: np.ndarray
    covariance: np.ndarray
    reference: str | None
    tiers: np.ndarray
    largest_residual: Residual | None

    @property
    def is_bounded(self) -> bool:
        """Whether the data alone bound all ratings."""
        return not self.tiers.any()

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `elo`, float64[K]; of the difference to the reference, if there is one."""
        errors: np.ndarray = np.sqrt(np.maximum(np.diag(self.covariance), 0))
        return errors

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """Rating of one less that of the other, and its standard error; infinite where the data do not bound it."""
        a, b = self.strategies.index(one), self.strategies.index(other)
        if self.tiers[a] != self.tiers[b]:
            return math.copysign(math.inf, self.tiers[a] - self.tiers[b]), math.inf
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return float(self.elo[a] - self.elo[b]), math.sqrt(max(float(variance), 0.0))

    def expected(self, counts: np.ndarray) -> np.ndarray:
        """Win share of one player of each strategy at a table as the model has it; int64[..., K] -> float64[..., K]."""
        return _chances(np.asarray(counts), self.elo / ELO)


def fit_ratings(
    table: PayoffTable,
    games: np.ndarray,
    reference: str | None = None,
    prior_games: float = 1.0,
    draws: np.ndarray | None = None,
) -> Ratings:
    """Ratings by maximum likelihood.

    Measure
    -------
    ratings (M5.1): elo, rating

    How strong a strategy is, as one number.

    Definition
    ----------
    One number by strategy that says how strong it is: at any table the chance of winning is proportional to its strength.
    400 points more are odds of 10 to 1 that one of two wins, if either does. The mean is 0, or a reference is.

    Formula
    -------
    P(one wins) = strength / sum of the strengths at the table
    elo = 400 log10(strength)

    Units
    -----
    Elo points.

    Traps
    -----
    A rating is a model: it can't say that strategies beat each other in a circle. Look at the largest residual. Ratings
    mean something only beside those of the same fit, not beside those of people.

    Source
    ------
    Luce, "Individual choice behavior" (1959); Hunter, "MM algorithms for generalized Bradley-Terry models" (2004).

    Parameters
    ----------
    table
        Win shares; it need not be complete. Tables of one strategy alone say nothing.
    games : float64[C]
        Games at each table: their weight.
    reference
        Strategy that gets 0; by default the mean is 0.
    prior_games
        Used only where strategies were never beaten by others, so that the likelihood has no maximum: then each strategy
        plays this many imaginary duels against an average one and wins half of them. It makes such ratings finite and
        cautious; how far apart they are grows with the logarithm of the games and means nothing. See `Ratings.tiers`.
    draws : float64[R, C, K], optional
        Shares as R other runs might have found them, for instance from decks drawn anew. Errors then come from their spread
        and need not take tables as independent.

    Raises
    ------
    ValueError
        If `games` does not fit the table, or the strategies fall into groups that never met.

    Examples
    --------
    >>> table = PayoffTable(("a", "b"), 2, [[1, 1]], [[10 / 11, 1 / 11]], np.zeros((1, 2, 2)))
    >>> fit_ratings(table, np.array([100]), reference="b").elo.round(6).tolist()
    [400.0, 0.0]
    """
    games = np.asarray(games, np.float64)
    if games.shape != (len(table.counts),) or not (games >= 0).all():
        raise ValueError(f"games must say how many were played at each of {len(table.counts)} tables")
    place = None if reference is None else table.index(reference)
    tiers = _tiers(table, games)
    prior = prior_games if tiers.any() else 0.0
    logs = _fit(table, games, prior)
    covariance = _covariance(table, games, logs, prior, draws)
    origin = np.full(len(logs), 1 / len(logs)) if place is None else np.eye(len(logs))[place]
    centred = np.eye(len(logs)) - origin
    elo, covariance = ELO * (centred @ logs), ELO**2 * (centred @ covariance @ centred.T)
    return Ratings(table.strategies, elo, covariance, reference, tiers, _largest_residual(table, games, logs))


def _tiers(table: PayoffTable, games: np.ndarray) -> np.ndarray:
    """Groups that have won against each other, directly or through others, numbered from the weakest; int64[K].

    The likelihood has a maximum exactly if there is only one (Hunter 2004, assumption 1).
    """
    from scipy.sparse.csgraph import connected_components

    wins = np.zeros((len(table.strategies),) * 2, bool)
    for counts, shares, n in zip(table.counts, np.nan_to_num(table.shares), games, strict=True):
        if n > 0:
            wins |= (shares > ROUGH)[:, None] & (counts > 0)[None, :]
    if connected_components(wins, directed=False)[0] > 1:
        raise ValueError("some strategies never met the others, directly or through others; they cannot be rated together")
    _, label = connected_components(wins, directed=True, connection="strong")
    reach = wins | np.eye(len(wins), dtype=bool)
    for _ in range(len(wins).bit_length()):
        reach = reach @ reach
    order = sorted(set(label.tolist()), key=lambda part: int(reach[label == part].any(axis=0).sum()))
    return np.array([order.index(part) for part in label], np.int64)


def _chances(counts: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """Win share of one player of each strategy, float64[..., K]."""
    strengths = np.exp(logs - logs.max())
    chances: np.ndarray = strengths / (counts @ strengths)[..., None]
    return np.where(counts > 0, chances, np.nan)


def _parts(table: PayoffTable, logs: np.ndarray) -> np.ndarray:
    """Share of all players of a strategy together, as the model has it; float64[C, K]."""
    return np.nan_to_num(table.counts * _chances(table.counts, logs))


def _information(table: PayoffTable, games: np.ndarray, logs: np.ndarray, prior: float) -> np.ndarray:
    """Negative second derivative of the log-likelihood in log(gamma), float64[K, K]."""
    parts = _parts(table, logs)
    duel = 1 / (1 + np.exp(-logs))
    own = np.diag(games @ parts + prior * duel * (1 - duel))
    information: np.ndarray = own - (games[:, None] * parts).T @ parts
    return information


def _score(table: PayoffTable, games: np.ndarray, logs: np.ndarray, prior: float) -> np.ndarray:
    """Derivative of the log-likelihood in log(gamma), float64[K]: wins seen less wins expected."""
    seen = table.counts * np.nan_to_num(table.shares)
    score: np.ndarray = games @ (seen - _parts(table, logs)) + prior * (0.5 - 1 / (1 + np.exp(-logs)))
    return score


def _loglikelihood(table: PayoffTable, games: np.ndarray, logs: np.ndarray, prior: float) -> float:
    seen = games[:, None] * table.counts * np.nan_to_num(table.shares)
    totals = np.log(table.counts @ np.exp(logs - logs.max())) + logs.max()
    duels = prior * (0.5 * logs - np.logaddexp(0, logs)).sum()
    return float((seen * (logs - totals[:, None])).sum() + duels)


def _fit(table: PayoffTable, games: np.ndarray, prior: float) -> np.ndarray:
    """log(gamma), float64[K], by Newton's method with halved steps; mean 0 where there is no prior."""
    logs = np.zeros(len(table.strategies))
    best = _loglikelihood(table, games, logs, prior)
    for _ in range(200):
        step = np.linalg.pinv(_information(table, games, logs, prior), rcond=1e-13, hermitian=True) @ _score(
            table, games, logs, prior
        )
        step *= min(1.0, 5 / max(np.abs(step).max(), 1e-300))
        while (new := _loglikelihood(table, games, logs + step, prior)) < best and np.abs(step).max() > 1e-13:
            step /= 2
        if np.abs(step).max() < 1e-12:
            break
        logs, best = logs + step, max(new, best)
    return logs - (0 if prior else logs.mean())


def _covariance(
    table: PayoffTable, games: np.ndarray, logs: np.ndarray, prior: float, draws: np.ndarray | None
) -> np.ndarray:  # fmt: skip
    """Of log(gamma), float64[K, K]: inverse information around the covariance of the scores (sandwich)."""
    weights = games[:, None] * table.counts
    if draws is not None:
        scores = np.einsum("ck,rck->rk", weights, np.nan_to_num(draws))
        middle = np.atleast_2d(np.cov(scores, rowvar=False))
    else:
        known = np.where((table.counts[:, :, None] > 0) & (table.counts[:, None, :] > 0), table.covariance, 0.0)
        middle = np.einsum("ck,ckl,cl->kl", weights, known, weights)
    if not np.isfinite(middle).all():  # errors unknown, as with a single deck
        return np.full_like(middle, math.nan)
    bread = np.linalg.pinv(_information(table, games, logs, prior), rcond=1e-13, hermitian=True)
    sandwich: np.ndarray = bread @ middle @ bread
    return sandwich


def _largest_residual(table: PayoffTable, games: np.ndarray, logs: np.ndarray) -> Residual | None:
    """The largest difference between a share and the model's, over tables of two strategies or more."""
    mixed = (table.counts.max(axis=1) < table.players) & (games > 0)
    if not mixed.any():
        return None
    fitted = _chances(table.counts, logs)
    off = np.where(mixed[:, None], np.nan_to_num(np.abs(table.shares - fitted)), -1)
    c, k = np.unravel_index(int(off.argmax()), off.shape)
    seated = {name: int(n) for name, n in zip(table.strategies, table.counts[c], strict=True) if n}
    seen, model = float(table.shares[c, k]), float(fitted[c, k])
    error = 100 * math.sqrt(float(table.variances[c, k]))
    return Residual(table.strategies[k], seated, seen, model, 100 * (seen - model), error)
