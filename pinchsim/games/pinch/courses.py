"""Finished games looked at again: turn by turn, and by the hands that were dealt.

The engine keeps the cards that everybody shows and holds after each turn for its own scoring; they are read off here.
"""

import numpy as np

from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.arrays import rules_array
from pinchsim.games.pinch.dealing import deal
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import STATE
from pinchsim.games.pinch.text import NAMES
from pinchsim.games.seam import Course, Dealt

# What chances of winning are told from: each of the first three also grows as the end comes near, slower and faster.
PLAIN_SIGNS = ("score", "hand", "wait")
SIGNS = (*PLAIN_SIGNS, *(f"{name}_later" for name in PLAIN_SIGNS), *(f"{name}_last" for name in PLAIN_SIGNS), "finish")
GROUPS = {2: "pair", 3: "triple", 4: "four or more"}


def course(memory: tuple[np.ndarray, np.ndarray], rules: RuleSet, games: np.ndarray, players: np.ndarray) -> Course:
    """The course of the one game that was played last with this memory, into these blocks."""
    state, turns, n_players = memory[0].view(STATE)[0], int(games[3, 0]), players.shape[2]
    shown, held = (state[name][:n_players, :turns].T.astype(np.float64) for name in ("shown", "held"))
    bonus = rules_array(rules)[c.START_BONUS : c.START_BONUS + n_players] / c.POINT
    scores = rules.score_display * shown + rules.score_hand * held + bonus
    return Course(scores, signs(scores, held), players[5, 0] / players[5, 0].sum())


def signs(scores: np.ndarray, held: np.ndarray) -> np.ndarray:
    """What a bystander sees of everybody's prospects after each turn: float64[turns, players, SIGNS].

    Score and hand in tens, and the wait for the next play as a share of a round; the same over the smallest hand and one, as
    they weigh more when somebody is about to finish; and how near that a player is.
    """
    turns, n_players = scores.shape
    to_wait = (np.arange(n_players) - np.arange(1, turns + 1)[:, None]) % n_players / n_players
    plain = np.stack([scores / 10, held / 10, to_wait], axis=2)
    late = (10 / (1 + held.min(axis=1)))[:, None, None]
    return np.concatenate([plain, plain * np.sqrt(late), plain * late, 1 / (1 + held[:, :, None])], axis=2)


def dealt(rules: RuleSet, n_players: int, seed: int, decks: np.ndarray) -> Dealt:
    """The hands as dealt: cards of each kind, and how many values came as a pair, a triple or more."""
    hands = deal(rules, n_players, seed, decks)
    kinds = [*range(1, rules.values + 1), c.JOKER]
    cards = {NAMES.get(c.CARD_NAMES[kind], c.CARD_NAMES[kind]): hands[:, :, kind] for kind in kinds}
    naturals, most = hands[:, :, 1 : c.JOKER], max(GROUPS)
    same = {name: naturals == n if n < most else naturals >= n for n, name in GROUPS.items()}
    return Dealt(cards, {name: here.sum(axis=2, dtype=np.int8) for name, here in same.items()})
