"""A tiny second game for the seam and the statistics: no cards, no strategies, every probability known.

Deck d gives its games a common strength s in {0, 1} with equal chances; position 0 wins a game with probability 0.4 + 0.2 s,
position 1 otherwise. So the start player's win share is exactly 1/2, and the two games of a deck are correlated.
"""

from types import MappingProxyType, SimpleNamespace

import numpy as np

from pinchsim.errors import UsageError
from pinchsim.games.seam import Column, Covariates, Coverage, Dealt, Dials, Flip, Level, Total

TIGHT, LOOSE = SimpleNamespace(bias=0.0), SimpleNamespace(bias=0.1)


class ToyGame:
    """See `pinchsim.games.seam.Game`."""

    name, default_strategy = "toy", "uniform"
    ladder = (Level("uniform", credible=False), Level("greedy"), Level("sniper", games=0.25))
    dials = Dials("champion", (4, 2, 1), (0.5, 0), "search", (1, 2, 4), "playouts")
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
        Column("strategy", "int8", "index", "place: seat", "M1.3"),
        Column("score", "float32", "points", "1 or 0", "R6.3", 1 / 1000),
        Column("win_share", "float32", "wins", "1 or 0", "M3.1", 1 / 60),
    )
    totals = (Total("points", "score", "points"),)
    rule_texts = MappingProxyType({"R1": "games won"})

    def variant_names(self):
        return ["fair", "biased"]

    def load_variant(self, name):
        bias = {"fair": 0.0, "biased": 0.1}[name]
        rules = SimpleNamespace(bias=bias, digest=lambda: name, switches=lambda: {"bias": bias})
        return SimpleNamespace(name=name, description="", base="fair", rules=rules, source=name)

    def player_counts(self, rules):
        return (2,)

    def flips(self, rules):
        return [Flip("bias", "0.1", "R1", "Who is favoured?", "nobody", "the start player")]

    def default_base(self, rule_sets):
        return "fair"

    def default_margin(self, rule_sets):
        return 0.01

    def check_deal(self, rules, players, where):
        if players != 2:
            raise UsageError(f"{where}: two players, not {players}.")

    def rotations(self, players):
        return 2

    def searches(self, strategy):
        return False

    def load_kernel(self, strategies, rule_sets, counting=False):
        return None

    def is_compiled(self, strategies, rule_sets, counting=False):
        return True

    def new_memory(self):
        return None

    def coverage(self, kernel, strategies, rules, line_up, seed, games, played):
        games += games % 2
        played(games)
        return Coverage(games, {"R1": games})

    def rule_applies(self, rule, rules, players, strategies):
        return True

    def dealt(self, rules, players, seed, decks):
        """No cards are dealt, so numbers of the decks' own streams stand for hands of 100 red and black ones of five kinds."""
        red = np.array(
            [np.random.default_rng([seed, deck]).integers(100, size=(5, players)) for deck in decks.tolist()], np.int8
        )
        return Dealt({f"{k} red": red[:, k] for k in range(5)} | {f"{k} black": 100 - red[:, k] for k in range(5)}, {})

    def covariates(self, rules, players, seed, decks):
        """The strength, which explains all that the games of a deck have in common, and something that explains nothing."""
        strength = np.array([np.random.default_rng([seed, deck]).integers(2) for deck in decks.tolist()]) - 0.5
        dice = np.array([np.random.default_rng([seed, deck, 7]).integers(1, 7) for deck in decks.tolist()]) - 3.5
        return Covariates({"strength": "of the deck", "dice": "nothing"}, np.array([strength, dice]).reshape(2, -1))

    def engine_digest(self):
        return "toy"

    def play(self, kernel, rules, line_up, seed, indices, memory, games, players):
        for k, index in enumerate(indices.tolist()):
            deck, rotation = divmod(index, 2)
            strength = np.random.default_rng([seed, deck]).integers(2)
            luck = np.random.default_rng([seed, deck, rotation, 1]).random()
            first_wins = luck < 0.4 + 0.2 * strength + rules.bias
            games[:, k] = deck, rotation, 7, 1, 1, 0
            for p in (0, 1):
                won = first_wins == (p == 0)
                seat = (rotation + p) % 2
                players[:, k, p] = seat, seat, 1000 * won, 60 * won


TOY = ToyGame()
