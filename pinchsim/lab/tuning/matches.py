"""Matches: one player among others who all play alike, on whole decks (METHODS M5.3), to choose and to confirm."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from pinchsim.lab.tuning.crew import CONFIRMATION, VALIDATION, Crew, Place
from pinchsim.lab.tuning.league import League
from pinchsim.measure import tuning as measure
from pinchsim.measure.tournament import Estimate
from pinchsim.measure.tuning import MATCHES, PARTNER, STAGE, START, match_row


def match(crew: Crew, player: np.ndarray, others: Place, first: int, decks: int) -> Estimate:
    """Share of the win of one player, given by weights, among others who are all the same."""
    places = [player] + [others] * (crew.tunable.players - 1)
    return measure.estimate(crew.shares(places, first, decks)[:, 0], crew.rotations)


def compare(crew: Crew, candidates: Mapping[str, np.ndarray], games: int) -> pl.DataFrame:
    """Each candidate (weights by name) among each other one, on the same validation decks."""
    decks = crew.decks(games)
    rows = [
        match_row(
            a, b, START if b == START else "candidate", 0, match(crew, candidates[a], candidates[b], VALIDATION, decks),
            decks * crew.rotations, decks,
        )
        for a in candidates for b in candidates if a != b
    ]  # fmt: skip
    return measure.frame(rows, MATCHES)


def confirm(crew: Crew, chosen: np.ndarray, league: League, games: int) -> pl.DataFrame:
    """The chosen weights on fresh decks, among each member of the league (the start first) and each sparring partner."""
    decks = crew.decks(games)
    opponents: list[tuple[str, str, int, Place]] = [
        (START if k == 0 else f"{STAGE} {joined}", START if k == 0 else STAGE, joined, member)
        for k, (member, joined) in enumerate(zip(league.members, league.joined, strict=True))
    ]
    opponents += [(partner.name, PARTNER, 0, partner) for partner in crew.tunable.rivals]
    rows = [
        match_row("chosen", name, kind, joined, match(crew, chosen, others, CONFIRMATION, decks), decks * crew.rotations, decks)
        for name, kind, joined, others in opponents
    ]
    return measure.frame(rows, MATCHES)


def games_to_judge(opponents: int, candidates: int, games: int, rotations: int) -> int:
    """How many games `compare` and `confirm` play in all."""
    matches = candidates * (candidates - 1) + opponents
    return matches * -(-games // rotations) * rotations
