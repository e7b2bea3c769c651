"""A player who plays out what may happen: flat determinised Monte Carlo on the choices of the parametric policy.

For a decision the policy's best options are candidates. All of them are played out in the same imagined worlds (common random
numbers), half of the candidates are dropped in each round (sequential halving), and the policy's own choice stays in to the
end. How much an option gains on it is not judged by the playouts alone, for of several noisy numbers the highest flatters. It
is a normal-normal estimate: the policy's scores say what to expect, and how far that may be off is known by the kind of the
decision. With few playouts the player is the policy.

Sources: Ginsberg, "GIB: Imperfect information in a computationally challenging game", JAIR 14 (2001), for playing out imagined
deals; Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013, for sequential halving.
"""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch.codes import SLOT_BITS
from pinchsim.games.pinch.policy import layout as at
from pinchsim.games.pinch.policy import players
from pinchsim.games.pinch.policy.imagine import compile_playouts, play_out, playout_hooks
from pinchsim.games.pinch.policy.options import CERTAIN
from pinchsim.games.pinch.policy.record import CANDIDATES
from pinchsim.rng import next_word, word_at

# What an option gains on the policy's choice in worth of an end (`imagine`), before anything is played out: so much for each
# unit of score that it is behind, with this standard deviation by decision (play, take, take back, draw, shadow). Fitted to
# 12,000 options that the champion did not choose, each played out in 50 worlds.
PER_SCORE = -0.0015
SPREAD = np.array([0.07, 0.04, 0.04, 0.03, 0.04])
HOPELESS = 2.0  # an option whose expected loss is so many of these standard deviations is no candidate
# The variance of a gain from world to world, and as how many worlds that counts beside those that were seen.
NOISE, NOISE_WORLDS = 0.12, 4


def decisions(duel, readings, on_disk):
    """The compiled decisions by name, able to play out duels and contested readings if need be."""
    hooks = playout_hooks(duel, readings)
    if not on_disk:
        compile_playouts(hooks)
    by_policy = players.decisions()
    return {name: _searching(hooks, decide, np.int64(number)) for number, (name, decide) in enumerate(by_policy.items())}


def _searching(hooks, decide, decision):
    """A compiled decision of the policy, looked at once more by playing out."""

    @inner
    def decide_and_search(state, view):
        return look_ahead(state, view, hooks, decision, decide(state, view))

    return decide_and_search


@inner_called
def look_ahead(state, view, hooks, decision, answer):
    """The policy's answer, or a better one found by playing out; `state.mind` holds the options and their scores."""
    place = view.slot >> SLOT_BITS
    playouts = np.int64(state.weights[place, at.PLAYOUTS])
    search = state.search
    list_candidates(state.mind, search, decision)
    if search.candidates < 2 or playouts < 2:
        return answer
    for k in range(at.N_WEIGHTS):
        state.playout.weights[0, k] = state.weights[place, k]
    view.rng = next_word(view.rng)
    world = word_at(view.rng)
    halve(state, view, hooks, decision, playouts, world)
    return conclude(state.mind, search, decision)


@inner
def list_candidates(mind, search, decision):
    """The policy's choice and the next best options by score, best first.

    What loses for sure is no candidate, however narrowly it loses, and next to a sure win there is none.
    """
    search.candidates = 0
    least = mind.scores[mind.chosen] + HOPELESS * SPREAD[decision] / PER_SCORE
    for k in range(min(mind.options, CANDIDATES)):
        best, most = -1, -np.inf
        for option in range(mind.options):
            taken = k == 0 and option == mind.chosen
            score = np.inf if taken else mind.scores[option]
            open_end = abs(score) < CERTAIN / 2 and mind.scores[mind.chosen] < CERTAIN / 2
            possible = taken or (open_end and score > least)
            if possible and score > most and not is_listed(search, option):
                best, most = option, score
        if best < 0:
            return
        search.options[k] = best
        search.answers[k] = mind.answers[best]
        search.sums[k] = 0.0
        search.squares[k] = 0.0
        search.played[k] = 0
        search.alive[k] = 1
        search.candidates = k + 1


@inner
def is_listed(search, option):
    """Whether an option is among the candidates already."""
    listed = False
    for k in range(search.candidates):
        listed |= search.options[k] == option
    return listed


@inner
def halve(state, view, hooks, decision, playouts, world):
    """Play out the candidates in rounds, and drop the worse half after each; candidate 0 always stays."""
    search = state.search
    rounds, left = 1, search.candidates - 1
    while left > 1:
        left = (left + 1) // 2
        rounds += 1
    alive = search.candidates
    for _ in range(rounds):
        worlds = max(playouts // (rounds * alive), 1)
        for _ in range(worlds):
            compare_in(state, view, hooks, decision, world)
            world += np.uint64(1)
        alive -= drop_worse_half(state.mind, search, decision, alive)


@inner
def compare_in(state, view, hooks, decision, world):
    """Play out every candidate that is left in one world, and note by how much each does better than the policy's choice."""
    search = state.search
    own = play_out(state, view, hooks, decision, search.answers[0], world)
    search.playouts += 1
    for k in range(1, search.candidates):
        if search.alive[k] != 0:
            gain = play_out(state, view, hooks, decision, search.answers[k], world) - own
            search.sums[k] += gain
            search.squares[k] += gain * gain
            search.played[k] += 1
            search.playouts += 1


@inner
def drop_worse_half(mind, search, decision, alive):
    """Drop half of the challengers, those that promise least; returns how many."""
    drops = (alive - 1) // 2
    for _ in range(drops):
        worst, least = -1, np.inf
        for k in range(1, search.candidates):
            gain = expected_gain(mind, search, decision, k)
            if search.alive[k] != 0 and gain <= least:
                worst, least = k, gain
        search.alive[worst] = 0
    return drops


@inner_called
def expected_gain(mind, search, decision, k):
    """What candidate k gains on the policy's choice, given its scores and the playouts: the mean of the posterior."""
    n = search.played[k]
    before = PER_SCORE * (mind.scores[search.options[0]] - mind.scores[search.options[k]])
    spread = SPREAD[decision] ** 2
    if n == 0:
        return before
    mean = search.sums[k] / n
    seen = max(search.squares[k] - n * mean * mean, 0.0)
    noise = (seen + NOISE * NOISE_WORLDS) / (n + NOISE_WORLDS) / n
    return (mean * spread + before * noise) / (spread + noise)


@inner
def conclude(mind, search, decision):
    """The challenger that promises to gain most; the policy's choice if none does."""
    best, most = 0, 0.0
    for k in range(1, search.candidates):
        gain = expected_gain(mind, search, decision, k)
        if search.alive[k] != 0 and gain > most:
            best, most = k, gain
    return search.answers[best]
