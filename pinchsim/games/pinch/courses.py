"""Finished games looked at again: turn by turn, and by the hands that were dealt.

The engine keeps the cards that everybody shows and holds after each turn for its own scoring; they are read off here.
"""

from collections.abc import Callable

import numpy as np

from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.arrays import rules_array
from pinchsim.games.pinch.dealing import deal
from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.pinch.state import STATE
from pinchsim.games.pinch.text import NAMES
from pinchsim.games.seam import Courses, Dealt, IllegalAnswer

# What chances of winning are told from: each of the first three also grows as the end comes near, slower and faster.
PLAIN_SIGNS = ("score", "hand", "wait")
SIGNS = (*PLAIN_SIGNS, *(f"{name}_later" for name in PLAIN_SIGNS), *(f"{name}_last" for name in PLAIN_SIGNS), "finish")
GROUPS = {2: "pair", 3: "triple", 4: "four or more"}


def courses(
    play: Callable[..., int], rules: RuleSet, n_players: int, indices: np.ndarray, memory: tuple[np.ndarray, np.ndarray]
) -> Courses:
    """Play the games of these indices one after the other (`Kernel.seated`) and read off what the engine kept of each.

    Raises
    ------
    IllegalAnswer
        A strategy broke the rules.
    """
    blocks, state = compiled.empty_blocks(1, n_players), memory[0].view(STATE)[0]
    shown, held, shares = [], [], np.zeros((len(indices), n_players))
    for k in range(len(indices)):
        if not play(indices[k : k + 1], memory, blocks):
            raise IllegalAnswer(int(indices[k]), compiled.why_stopped(memory))
        turns = blocks[0][3, 0]
        shown.append(state["shown"][:n_players, :turns].T.astype(np.float64))
        held.append(state["held"][:n_players, :turns].T.astype(np.float64))
        shares[k] = blocks[1][5, 0]
    games = np.repeat(np.arange(len(indices)), [len(x) for x in held])
    cards = np.concatenate(held)
    bonus = rules_array(rules)[c.START_BONUS : c.START_BONUS + n_players] / c.POINT
    scores = rules.score_display * np.concatenate(shown) + rules.score_hand * cards + bonus
    return Courses(games, scores, signs(scores, cards, turn_of(games)), shares / shares.sum(axis=1, keepdims=True))


def turn_of(games: np.ndarray) -> np.ndarray:
    """Which turn of its game each turn is, from 1 on."""
    first = np.flatnonzero(np.r_[True, games[1:] != games[:-1]])
    found: np.ndarray = np.arange(1, games.size + 1) - first[games]
    return found


def signs(scores: np.ndarray, held: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """What a bystander sees of everybody's prospects after each turn: float64[turns, players, SIGNS].

    Score and hand in tens, and the wait for the next play as a share of a round; the same over the smallest hand and one, as
    they weigh more when somebody is about to finish; and how near that a player is.
    """
    n_players = scores.shape[1]
    to_wait = (np.arange(n_players) - turn[:, None]) % n_players / n_players
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
