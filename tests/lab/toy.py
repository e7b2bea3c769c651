"""A tiny second game for the seam and the statistics: no cards, no strategies, every probability known.

Deck d gives its games a common strength s in {0, 1} with equal chances; position 0 wins a game with probability 0.4 + 0.2 s,
position 1 otherwise. So the start player's win share is exactly 1/2, and the two games of a deck are correlated.
"""

from types import SimpleNamespace

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.seam import Column, Total

TIGHT, LOOSE = SimpleNamespace(bias=0.0), SimpleNamespace(bias=0.1)


class ToyGame:
    """See `pinchsim.games.seam.Game`."""

    name, base_variant, default_strategy, player_counts = "toy", "fair", "uniform", (2,)
    game_columns = (
        Column("deck", "int32", "index", "deck", "M1.1"),
        Column("rotation", "int8", "index", "rotation", "M1.3"),
        Column("turns", "int16", "turns", "always seven", "M3.4"),
        Column("end_reason", "int8", "code", "always 1", "M3.5", labels={1: "over"}),
        Column("winners", "int8", "players", "always one", "R6.4"),
        Column("lead_changes", "int16", "turns", "none", "M3.7"),
    )
    player_columns = (
        Column("seat", "int8", "seat", "seat", "M1.3"),
        Column("score", "float32", "points", "1 or 0", "R6.3", 1 / 1000),
        Column("win_share", "float32", "wins", "1 or 0", "M3.1", 1 / 60),
    )
    totals = (Total("points", "score", "points"),)

    def variant_names(self):
        return ["fair", "biased"]

    def load_variant(self, name):
        bias = {"fair": 0.0, "biased": 0.1}[name]
        rules = SimpleNamespace(bias=bias, digest=lambda: name, switches=lambda: {"bias": bias})
        return SimpleNamespace(name=name, description="", base="fair", rules=rules, source=name)

    def check_deal(self, rules, players, where):
        if players != 2:
            raise UsageError(f"{where}: two players, not {players}.")

    def rotations(self, players):
        return 2

    def load_kernel(self, strategies):
        return None

    def is_compiled(self, strategies):
        return True

    def new_memory(self):
        return None

    def engine_digest(self):
        return "toy"

    def play(self, kernel, rules, line_up, seed, first_game, memory, games, players):
        for k in range(games.shape[1]):
            deck, rotation = divmod(first_game + k, 2)
            strength = np.random.default_rng([seed, deck]).integers(2)
            luck = np.random.default_rng([seed, deck, rotation, 1]).random()
            first_wins = luck < 0.4 + 0.2 * strength + rules.bias
            games[:, k] = deck, rotation, 7, 1, 1, 0
            for p in (0, 1):
                won = first_wins == (p == 0)
                players[:, k, p] = (rotation + p) % 2, 1000 * won, 60 * won


TOY = ToyGame()
