"""Scores, winners and who led when (R6)."""

import numpy as np

from pinchsim._jit import inner, inner_apart
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import columns as col
from pinchsim.games.pinch.coverage import R6_1, R6_2, R6_3, R6_4, R6_6

START = np.int64(0)  # the start player; a plain 0 would be a type of its own for Numba
BLOCK = 16  # turns; more than LLVM puts into one round of a vector loop


@inner
def score(view, player):
    """Score of a player as the table stands, in thousandths of a point (R6.3, start bonus included)."""
    return (
        view.display_points * view.cards_in_display[player]
        + view.hand_points * view.cards_in_hand[player]
        + view.start_bonus[player]
    )


@inner
def note_counts(state, view):
    """Write down how many cards everybody shows and holds after this turn; scores are worked out at the end."""
    turn = np.uint64(view.turn - 1)
    for p in range(c.MAX_PLAYERS):
        state.shown[p, turn] = view.cards_in_display[p]
        state.held[p, turn] = view.cards_in_hand[p]


@inner
def winners(view):
    """Bit set of the players who win or share the win (R6.4)."""
    best = score(view, START)
    for p in range(1, view.n_players):
        best = max(best, score(view, p))
    fewest = c.MAX_DECK
    for p in range(view.n_players):
        if score(view, p) == best:
            fewest = min(fewest, view.cards_in_hand[p])
    won = 0
    for p in range(view.n_players):
        if score(view, p) == best and (view.fewer_hand_wins == 0 or view.cards_in_hand[p] == fewest):
            won |= 1 << p
    return won


@inner
def score_turns(state, view, player, turns):
    """Fill `state.scores` with a player's score after each turn."""
    display_points, hand_points = np.int32(view.display_points), np.int32(view.hand_points)
    bonus = np.int32(view.start_bonus[player])
    for t in range(turns):
        state.scores[t] = display_points * state.shown[player, t] + hand_points * state.held[player, t] + bonus


@inner
def find_leaders(state, view):
    """Fill `state.leaders[turn - 1]` with the bit set of leading players after each turn.

    Players outside, turns inside, and whole blocks of turns: so these loops become vector instructions without a rest, whose
    length would be a matter of luck. What stands after the last turn is the last turn's.
    """
    turns = in_blocks(view.turn)
    score_turns(state, view, START, turns)
    for t in range(turns):
        state.best[t] = state.scores[t]
        state.leaders[t] = 1
    for p in range(1, view.n_players):
        score_turns(state, view, p, turns)
        bit = np.int32(1 << p)
        for t in range(turns):
            s, best = state.scores[t], state.best[t]
            kept = state.leaders[t] if s <= best else np.int32(0)
            state.leaders[t] = kept | bit if s >= best else kept
            state.best[t] = max(s, best)
    last = state.leaders[np.uint64(view.turn - 1)]
    for t in range(BLOCK):
        state.leaders[np.uint64(view.turn + t)] = last


@inner
def in_blocks(turns):
    """The number of turns rounded up to whole blocks."""
    return (turns + BLOCK - 1) & -BLOCK


@inner
def worst_deficit(state, view, player):
    """How far a player was behind the leader at worst, after any turn; `find_leaders` must have run."""
    turns = view.turn
    score_turns(state, view, player, in_blocks(turns))
    worst = np.int32(0)
    for t in range(turns):
        worst = max(worst, state.best[t] - state.scores[t])
    return worst


@inner
def write_game(state, view, won, n_won, games, row):
    """Fill the columns after `start_seat` of one game (see `columns.GAME_COLUMNS`)."""
    find_leaders(state, view)
    turns = view.turn
    changes = np.int32(0)
    for_good = np.int32(1)
    for t in range(in_blocks(turns)):
        changes += np.int32(state.leaders[t] != state.leaders[t + 1])
        for_good = max(for_good, np.int32(1) if state.leaders[t] & won == won else np.int32(t + 2))
    for_good = min(for_good, turns + 1)
    games[3, row] = turns
    games[4, row] = state.end
    games[5, row] = state.ended_by
    games[6, row] = n_won
    games[7, row] = changes
    games[8, row] = for_good
    games[9, row] = state.leaders[(turns + 3) // 4 - 1]
    games[10, row] = state.leaders[(turns + 1) // 2 - 1]
    games[11, row] = state.leaders[(3 * turns + 3) // 4 - 1]
    comeback = np.int32(0)
    for p in range(view.n_players):
        if (won >> p) & 1:
            comeback = max(comeback, worst_deficit(state, view, p))
    games[12, row] = comeback


@inner
def write_players(state, view, won, n_won, players, row):
    """Fill the columns after `strategy` of one game's players (see `columns.PLAYER_COLUMNS`)."""
    for p in range(view.n_players):
        players[2, row, p] = score(view, p)
        players[3, row, p] = view.cards_in_display[p]
        players[4, row, p] = view.cards_in_hand[p]
        players[5, row, p] = ((won >> p) & 1) * (60 // n_won)
        for k in range(col.N_TALLIES):
            players[col.FIRST_TALLY + k, row, p] = state.tallies[p, k]


@inner
def count_end(state, view, hooks):
    """Count the rules of the end (coverage)."""
    hooks.fired(state, R6_1, np.int64(state.end == c.HAND_EMPTY))
    hooks.fired(state, R6_2, np.int64(state.end == c.CARDS_EXHAUSTED))
    hooks.fired(state, R6_6, np.int64(state.end == c.TURN_LIMIT))
    hooks.fired(state, R6_3, view.n_players)
    best, ties = score(view, START), 0
    for p in range(1, view.n_players):
        ties = ties + 1 if score(view, p) == best else (0 if score(view, p) > best else ties)
        best = max(best, score(view, p))
    hooks.fired(state, R6_4, np.int64(ties > 0))


@inner_apart
def write_rows(state, view, hooks, games, players, row):
    """Score the finished game and fill its row in both blocks, modified in place."""
    if hooks.counting():
        count_end(state, view, hooks)
    won = winners(view)
    state.won = won
    n_won = 0
    for p in range(view.n_players):
        n_won += (won >> p) & 1
    write_game(state, view, won, n_won, games, row)
    write_players(state, view, won, n_won, players, row)
