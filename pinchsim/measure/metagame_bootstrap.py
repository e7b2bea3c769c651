"""Intervals for equilibria and alpha-ranks (METHODS M5.4).

The shares of a payoff table are drawn anew from the normal law of their errors (parametric bootstrap), and everything is
computed from each drawn table; intervals are the middle 95 % of the results. Where the tables played the same decks, draws
that keep them together are better and can be given. A mass is no smooth function of the shares: it
sticks at 0 and jumps between equilibria. So these intervals tell how far the result hangs on noise; they do not promise
to cover in 95 of 100 runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from pinchsim.measure.alpha_rank import POPULATION, alpha_rank
from pinchsim.measure.equilibrium import REGRET, Equilibrium, equal_mix, nash, regret
from pinchsim.measure.metagame import PayoffTable

SCHEMA = {
    "measure": pl.String,
    "strategy": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def bootstrap(
    table: PayoffTable,
    seed: int = 0,
    replicates: int = 200,
    alphas: Sequence[float] = (100.0,),
    population: int = POPULATION,
    draws: np.ndarray | None = None,
) -> pl.DataFrame:
    """Nash mass, edges and alpha-rank mass of every strategy with intervals.

    Parameters
    ----------
    table
        A complete payoff table.
    seed
        Of the draws; the same seed gives the same intervals.
    replicates
        Number of drawn tables, 100 or more for ends that mean something.
    alphas, population
        Of the alpha-ranks.
    draws : float64[R, C, K], optional
        Shares as R other runs might have found them, for instance from decks drawn anew. They take the place of the normal
        law, and of `seed` and `replicates`. What they hold for absent strategies is not used.

    Returns
    -------
    polars.DataFrame
        A row per measure and strategy: estimate, low and high. Measures: "nash_mass"; "edge", the win share against the
        equilibrium field as estimated, less 1/n; "best_edge" (strategy null), the largest of the edges against that field,
        whose estimate is the regret and whose draws are biased upward, like every maximum; "alpha_rank_mass:<alpha>".

    Raises
    ------
    ValueError
        If tables are missing.
    """
    chosen = nash(table).chosen
    found = {name: [value] for name, value in _measures(table, chosen, chosen.mix, alphas, population).items()}
    for drawn in _drawn(table, seed, replicates) if draws is None else _given(table, draws):
        for name, value in _measures(drawn, chosen, follow(drawn, chosen), alphas, population).items():
            found[name].append(value)
    return pl.DataFrame(
        [row for name, values in found.items() for row in _rows(name, table.strategies, np.array(values))],
        SCHEMA,
        orient="row",
    )


def _drawn(table: PayoffTable, seed: int, replicates: int) -> Iterator[PayoffTable]:
    rng = np.random.default_rng(seed)
    return (table.resampled(rng) for _ in range(replicates))


def _given(table: PayoffTable, draws: np.ndarray) -> Iterator[PayoffTable]:
    return (replace(table, shares=np.where(table.counts > 0, shares, np.nan)) for shares in draws)


def _measures(
    table: PayoffTable, field: Equilibrium, mix: np.ndarray, alphas: Sequence[float], population: int
) -> dict[str, np.ndarray]:
    edges = table.payoffs(field.mix) - 1 / table.players
    ranks = {f"alpha_rank_mass:{alpha:g}": alpha_rank(table, alpha, population).mass for alpha in alphas}
    return {"nash_mass": mix, "edge": edges, "best_edge": edges.max(keepdims=True), **ranks}


def _rows(measure: str, strategies: Sequence[str], values: np.ndarray) -> list[tuple]:
    low, high = np.quantile(values[1:], [0.025, 0.975], axis=0) if len(values) > 1 else np.full((2, values.shape[1]), np.nan)
    names = strategies if measure != "best_edge" else [None]
    return [(measure, name, *map(float, x)) for name, *x in zip(names, values[0], low, high, strict=True)]


def follow(table: PayoffTable, near: Equilibrium) -> np.ndarray:
    """The equilibrium mix of a table, float64[K], that belongs to a known equilibrium of a similar table.

    Of several equilibria the one on the same support is taken, if there still is one, so that draws do not jump between
    equilibria for no reason.
    """
    support = np.flatnonzero(near.mix)
    mix = near.mix if support.size == 1 else equal_mix(table, support, near.mix[support])
    if mix is not None and regret(table, mix) <= REGRET:
        return mix
    return min(nash(table, starts=2).found, key=lambda e: float(np.abs(e.mix - near.mix).sum())).mix
