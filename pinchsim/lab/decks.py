"""The self-test of the decks: no deck of a run is there twice (METHODS M1.1).

A generator whose streams ran into each other would give games that look fine one by one, and intervals that are too narrow.
"""

from collections.abc import Sequence

import numpy as np

from pinchsim.games.seam import Game
from pinchsim.games.session import MAX_GAMES, Session
from pinchsim.lab.chunks import Chunk

ENDS, BETWEEN = 350, 300  # decks that are looked at: so many at each end of a run's range, and so many between


def sampled_decks(n_decks: int) -> np.ndarray:
    """Numbers of up to 1,000 of so many decks, ascending: the first, the last, and some spread between."""
    if n_decks <= 2 * ENDS + BETWEEN:
        return np.arange(n_decks)
    between = np.linspace(ENDS, n_decks - ENDS - 1, BETWEEN).astype(np.int64)
    return np.unique(np.concatenate([np.arange(ENDS), between, np.arange(n_decks - ENDS, n_decks)]))


def count_distinct(game: Game, seed: int, chunks: Sequence[Chunk]) -> dict[str, int]:
    """How many decks were sampled of the cell that has most, and how many of these deal hands that no other one deals."""
    last = max(chunks, key=lambda chunk: chunk.first_deck + chunk.decks)
    each = MAX_GAMES if isinstance(game, Session) else 1
    decks = sampled_decks((last.first_deck + last.decks) * each)
    cards = game.dealt(last.cell.variant.rules, last.cell.name.players, seed, decks).cards
    hands = np.concatenate([cards[kind].reshape(decks.size, -1) for kind in sorted(cards)], axis=1)
    return {"sampled": decks.size, "distinct": len(np.unique(hands, axis=0))}
