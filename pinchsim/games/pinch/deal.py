"""Setup: shuffle, deal, turn up the market (R1, R2)."""

import numpy as np

from pinchsim._jit import entry, inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import JOKERS_DEALT, N_TALLIES
from pinchsim.games.pinch.state import STATE, VIEW, around, read_rules
from pinchsim.rng import next_word, scale, stream_start, word_at

_HALF = np.uint64(32)


@inner
def sort_cards(state, view):
    """The cards of R1.2 in `state.sorted_cards`, in order: what every shuffle starts from."""
    n = 0
    for value in range(1, view.n_values + 1):
        for _ in range(view.copies):
            state.sorted_cards[n] = value
            n += 1
    for _ in range(view.n_jokers):
        state.sorted_cards[n] = c.JOKER
        n += 1
    state.deck_size = n


@inner
def shuffle(state, seed, deck):
    """Fisher and Yates's shuffle from the deck's random stream (stream 0); each random word serves two cards."""
    for k in range(c.MAX_DECK):
        state.deck[k] = state.sorted_cards[k]
    counter = stream_start(seed, deck, np.uint64(0))
    left = state.deck_size
    while left > 1:
        counter = next_word(counter)
        word = word_at(counter)
        swap(state, left - 1, scale(word, left))
        left -= 1
        swap(state, left - 1, scale(word << _HALF, left))
        left -= 1


@inner
def swap(state, a, b):
    """Exchange two cards of the deck."""
    a, b = np.uint64(a), np.uint64(b)
    card = state.deck[a]
    state.deck[a] = state.deck[b]
    state.deck[b] = card


@inner
def fixed_deck(state, order):
    """Take the cards in the given order (uint8[n]) instead of shuffling."""
    for k in range(order.size):
        state.deck[k] = order[k]
    state.deck_size = order.size


@inner
def next_card(state):
    """Turn over the next card of the deck; there must be one."""
    card = np.int64(state.deck[state.next_card]) & 15  # & 15 tells the compiler that no index is negative
    state.next_card += 1
    return card


@inner
def deal(state, view, n_players, start_seat):
    """Hands, market and draw pile from a new deck (R2.2, R2.3).

    Seat 0 gets the first `hand_size` cards of the deck, seat 1 the next, and so on, whoever starts: hands stay with
    seats when the start player rotates (METHODS M1.3).
    """
    state.next_card = n_players * view.hand_size
    for seat in range(n_players):
        position = np.uint64(around(seat - start_seat + n_players, n_players))
        for card in range(c.N_CARDS):
            state.hands[position, card] = 0
        first = seat * view.hand_size
        for k in range(first, first + view.hand_size):
            state.hands[position, state.deck[np.uint64(k)]] += 1
        state.tallies[position, JOKERS_DEALT] = state.hands[position, c.JOKER]
    for card in range(1, c.N_CARDS):
        view.unseen[card] = view.copies if card <= view.n_values else 0
    view.unseen[c.JOKER] = view.n_jokers
    for place in range(view.market_size):
        card = next_card(state)
        view.market[place] = card
        view.unseen[card] -= 1
    view.market_filled = view.market_size
    view.pile_size = state.deck_size - state.next_card


@inner
def clear_table(state, view, n_players):
    """Empty displays and discard pile, nobody's cards known, nothing counted."""
    view.n_players = n_players
    view.turn = 0
    for p in range(n_players):
        view.cards_in_hand[p] = view.hand_size
        view.cards_in_display[p] = 0
        for k in range(view.n_groups[p] + 1):
            view.groups[p, k] = 0
        view.n_groups[p] = 0
        for card in range(c.N_CARDS):
            view.known[p, card] = 0
        for k in range(N_TALLIES):
            state.tallies[p, k] = 0
    for card in range(c.N_CARDS):
        view.discard[card] = 0
    view.victim = 0
    state.tops = 0
    view.group_value = 0
    view.group_size = 0
    view.group_naturals = 0
    view.group_jokers = 0
    view.to_draw = 0
    view.may_pass = 0
    state.end = c.RUNNING
    state.ended_by = -1
    state.status = c.OK
    state.log_length = 0
    state.script_at = 0


@entry
def shuffled_deck(rules, seed, deck, state_bytes, view_bytes, order):
    """Write the whole order of a deck (uint8[deck size]) into `order`, modified in place."""
    state = state_bytes.view(STATE)[0]
    view = view_bytes.view(VIEW)[0]
    read_rules(state, view, rules)
    sort_cards(state, view)
    shuffle(state, seed, deck)
    for k in range(state.deck_size):
        order[k] = state.deck[k]
