"""Many games in a row: what a compiled kernel of the game does (the seam's `play`)."""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.coverage import R6_5
from pinchsim.games.pinch.deal import clear_table, deal, fixed_deck, shuffle, sort_cards
from pinchsim.games.pinch.policy.record import NO_MOMENT
from pinchsim.games.pinch.score import write_rows
from pinchsim.games.pinch.state import STATE, VIEW, around, read_rules, start_streams
from pinchsim.games.pinch.turn import play_to_end
from pinchsim.games.pinch.worlds import SHIFT, START_SEAT, lay_world, start_world_streams


@inner
def seat_players(state, line_up, start_seat, shift, row, games, players):
    """Give every position its seat and its strategy, and write both down.

    Position p sits on seat (start_seat + p) mod n; seat s is played by place (s - shift) mod n of the line-up.
    """
    n_players = line_up.size
    games[2, row] = start_seat
    for p in range(n_players):
        seat = around(start_seat + p, n_players)
        place = around(seat - shift + n_players, n_players)
        state.slots[p] = line_up[place] | place << c.SLOT_BITS
        players[0, row, p] = seat
        players[1, row, p] = place


@inner
def read_weights(state, weights):
    """Copy the weights of the places that have some."""
    for place in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            state.weights[place, k] = weights[place, k]


@inner
def forget(view):
    """Blank the whole view: nothing of another batch, with other rules or more players, may be left in it."""
    for k in range(view.words.size):
        view.words[k] = 0


@inner
def set_up(hooks, state, view, seed, deck, order, n_players, start_seat):
    """Shuffle, or take the cards in the given order, and deal: everything before the first turn (R2)."""
    lay_deck(hooks, state, view, seed, deck, order, n_players, start_seat)
    deal_out(hooks, state, view, n_players, start_seat)


@inner
def lay_deck(hooks, state, view, seed, deck, order, n_players, start_seat):
    """Start the random streams of a deck and shuffle it, or take the cards in the given order."""
    start_streams(state, seed, deck, n_players, start_seat)
    if order.size == 0:
        shuffle(state, view, hooks, seed, deck, n_players)
    else:
        fixed_deck(state, order)


@inner
def deal_out(hooks, state, view, n_players, start_seat):
    """Deal the cards that were laid."""
    clear_table(state, view, n_players)
    deal(state, view, hooks, n_players, start_seat)
    state.mind.moment = NO_MOMENT
    state.log_length = 0  # a record tells the setup in its header


@inner
def play_games(hooks, rules, line_up, weights, mirror, seed, indices, order, worlds, state_bytes, view_bytes, games, players):
    """Play one game for each column of `games`.

    Game g is rotation g mod n of deck g div n. In a mirror line-up (one strategy on all seats) the start seat rotates,
    otherwise the strategies rotate over the seats and seat 0 starts: cards and positions cancel (METHODS M1.3). Where
    `worlds` are given, they say instead who starts, who sits where, and what is shuffled how.

    Parameters
    ----------
    hooks : Hooks
        Compiled decisions and log.
    rules : int64[N_SWITCHES]
        Switches of R11 (`codes.SWITCHES`), then the start bonus by position.
    line_up : int64[n_players]
        Slot of the strategy at each place of the line-up.
    weights : float64[n_players, N_WEIGHTS]
        Weights of the parametric policy by place (`policy.layout`); of no length where nobody plays by weights.
    mirror : int64
        1 if all places hold the same strategy.
    seed : uint64
    indices : int64[n_games]
        Which games to play.
    order : uint8[n]
        A fixed order of the cards for every game, or empty: shuffle.
    worlds : int64[n_games, 2 + len(worlds.SOURCES)]
        Where each game's sources of chance come from (`worlds`), or no rows: from the deck.
    state_bytes, view_bytes : uint8
        Memory for one `STATE` and one `VIEW`. Modified in place.
    games : int32[n_game_columns, n_games]
    players : int32[n_player_columns, n_games, n_players]
        Rows, see `columns`. Modified in place.

    Returns
    -------
    played : int64
        Games finished; fewer than asked when a strategy answered something illegal (`state.status`).
    """
    state = state_bytes.view(STATE)[0]
    view = view_bytes.view(VIEW)[0]
    forget(view)
    read_rules(state, view, rules)
    read_weights(state, weights)
    sort_cards(state, view)
    n_players = line_up.size
    for row in range(indices.size):
        deck = indices[row] // n_players
        rotation = indices[row] % n_players
        start_seat = rotation * mirror
        shift = rotation - start_seat
        games[0, row] = deck
        games[1, row] = rotation
        if worlds.shape[0] == 0:
            lay_deck(hooks, state, view, seed, np.uint64(deck), order, n_players, start_seat)
        else:
            start_seat, shift = worlds[row, START_SEAT], worlds[row, SHIFT]
            start_world_streams(state, seed, worlds, row, n_players, start_seat)
            lay_world(state, view, hooks, seed, worlds, row, n_players)
        seat_players(state, line_up, start_seat, shift, row, games, players)
        deal_out(hooks, state, view, n_players, start_seat)
        play_to_end(state, view, hooks)
        if state.status != c.OK:
            return row
        write_rows(state, view, hooks, games, players, row)
        hooks.fired(state, R6_5, np.int64(rotation == n_players - 1))
    return indices.size
