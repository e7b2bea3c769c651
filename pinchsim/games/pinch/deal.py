"""Setup: shuffle, deal, turn up the market, in a duel lay out the shadow display (R1, R2, R8.1-R8.3)."""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import JOKERS_DEALT, N_TALLIES
from pinchsim.games.pinch.coverage import R1_1, R1_2, R1_3, R2_1, R2_2, R2_3, R7_3, R7_4, R8_1
from pinchsim.games.pinch.pile import next_card
from pinchsim.games.pinch.shadow import fill_shadow
from pinchsim.games.pinch.state import around
from pinchsim.rng import next_word, scale, stream_start, word_at

_HALF = np.uint64(32)
JOKERS_GIVEN = 2  # to each player of a duel before the deal (R8.1)


@inner
def sort_cards(state, view):
    """The number cards of R1.2 in `state.number_cards`, in order: what every shuffle starts from."""
    n = 0
    for value in range(1, view.n_values + 1):
        for _ in range(view.copies):
            state.number_cards[n] = value
            n += 1
    state.n_number_cards = n


@inner
def shuffle(state, view, hooks, seed, deck, n_players):
    """All cards in random order, from the deck's random stream.

    First the number cards (Fisher and Yates), each random word serving two; then each joker goes to a random place, and the
    card that lay there to the end. So rule sets that differ in the number of jokers play nearly the same decks (METHODS
    M1.2). In a duel the jokers that are given to the players are not among these cards, nor do the others fall into a hand.
    """
    for k in range(c.MAX_DECK):
        state.deck[k] = state.number_cards[k]
    counter = stream_start(seed, deck, np.uint64(0))
    left = state.n_number_cards
    while left > 1:
        counter = next_word(counter)
        word = word_at(counter)
        swap(state, left - 1, scale(word, left))
        left -= 1
        swap(state, left - 1, scale(word << _HALF, left))
        left -= 1
    given = jokers_given(view, hooks)
    first = n_players * (view.hand_size - given) if given > 0 else 0
    size = state.n_number_cards
    for _ in range(view.n_jokers - given * n_players):
        counter = next_word(counter)
        place = first + scale(word_at(counter), size - first + 1)
        state.deck[np.uint64(size)] = c.JOKER
        swap(state, size, place)
        size += 1
    state.deck_size = size


@inner
def jokers_given(view, hooks):
    """Jokers that each player gets before the deal (R8.1)."""
    return JOKERS_GIVEN if hooks.duel(view) else 0


@inner
def swap(state, a, b):
    """Exchange two cards of the deck."""
    a, b = np.uint64(a), np.uint64(b)
    card = state.deck[a]
    state.deck[a] = state.deck[b]
    state.deck[b] = card


@inner
def fixed_deck(state, order):
    """Take the cards in the given order (uint8[n]) instead of shuffling; without the jokers that are given to players."""
    for k in range(order.size):
        state.deck[k] = order[k]
    state.deck_size = order.size


@inner
def deal(state, view, hooks, n_players, start_seat):
    """Hands, market, draw pile and shadow display from a new deck (R2.2, R2.3, R8.1, R8.2).

    Seat 0 gets the first cards of the deck, seat 1 the next, and so on, whoever starts: hands stay with seats when the
    start player rotates (METHODS M1.3).
    """
    given = jokers_given(view, hooks)
    dealt = view.hand_size - given
    state.next_card = n_players * dealt
    for seat in range(n_players):
        position = np.uint64(around(seat - start_seat + n_players, n_players))
        for card in range(c.N_CARDS):
            state.hands[position, card] = 0
        state.hands[position, c.JOKER] = given
        first = seat * dealt
        for k in range(first, first + dealt):
            state.hands[position, state.deck[np.uint64(k)]] += 1
        state.tallies[position, JOKERS_DEALT] = state.hands[position, c.JOKER]
        hooks.fired(state, R1_3, np.int64(state.hands[position, c.JOKER]))
    for card in range(1, c.N_CARDS):
        view.unseen[card] = view.copies if card <= view.n_values else 0
    view.unseen[c.JOKER] = view.n_jokers
    for place in range(view.market_size):
        card = next_card(state)
        view.market[place] = card
        view.unseen[card] -= 1
    view.market_filled = view.market_size
    view.pile_size = state.deck_size - state.next_card
    if hooks.duel(view):
        set_up_duel(state, view, hooks, given)
    count_setup(state, view, hooks, given)


@inner
def set_up_duel(state, view, hooks, given):
    """Lay out the shadow display; everybody knows the jokers that were given to the players (R8.1-R8.3, R9.1)."""
    view.shadow_cards = 0
    for card in range(c.N_CARDS):
        view.shadow[card] = 0
        view.out_of_play[card] = 0
    for place in range(view.market_size):
        view.market_partner[place] = 0
    for p in range(view.n_players):
        hooks.note_known(view, p, c.JOKER, given)
        hooks.note_turned_up(view, c.JOKER, given)
    fill_shadow(state, view, hooks)


@inner
def count_setup(state, view, hooks, given):
    """Count the rules of the setup."""
    hooks.fired(state, R1_1, state.n_number_cards)
    hooks.fired(state, R1_2, state.n_number_cards + view.n_jokers)
    hooks.fired(state, R2_1, view.n_players)
    hooks.fired(state, R2_2, view.n_players * view.hand_size)
    hooks.fired(state, R2_3, view.market_size)
    hooks.fired(state, R7_3, np.int64(given > 0))
    linko = (view.n_jokers == 5) & (view.free_draw == 0) & (view.fewer_hand_wins == 0)
    hooks.fired(state, R7_4, np.int64(linko))
    hooks.fired(state, R8_1, given * view.n_players)


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
    view.shadow_options = 0
    state.pending_words[0] = 0
    state.pending_words[1] = 0
    state.end = c.RUNNING
    state.ended_by = -1
    state.status = c.OK
    state.log_length = 0
    state.script_at = 0
