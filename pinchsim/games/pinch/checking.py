"""Decisions under supervision: does a strategy leave the view alone, and is it deaf to what it cannot see (R9.3)?"""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.policy.record import NO_MOMENT
from pinchsim.games.pinch.state import stop
from pinchsim.rng import next_word, scale, word_at


def checked(decide):
    """The same compiled decision, asked twice: the second time with everything hidden reshuffled.

    Sets `state.status` to VIEW_CHANGED or NOT_DEAF when the strategy is at fault.
    """

    @inner
    def decide_twice(state, view):
        state.decisions += 1
        stream = view.rng
        before = view_digest(view)
        answer = decide(state, view)
        advanced = view.rng
        view.rng = stream
        if view_digest(view) != before:
            stop(state, c.VIEW_CHANGED)
        keep_hidden(state)
        reshuffle_hidden(state, view, stream)
        state.mind.moment = NO_MOMENT  # it must think again
        look_again(state, view)
        if decide(state, view) != answer:
            stop(state, c.NOT_DEAF)
        restore_hidden(state)
        look_again(state, view)
        view.rng = advanced
        return answer

    return decide_twice


@inner
def view_digest(view):
    """Polynomial hash of all bytes of the view, int64 with wrap-around."""
    h = 0
    for k in range(view.words.size):
        h = h * 1_000_003 + view.words[k]
    return h


@inner
def look_again(state, view):
    """Copy the hand of the player who decides into the view once more, as `state.show` does."""
    view.hand_words[0] = state.hand_words[view.position, 0]
    view.hand_words[1] = state.hand_words[view.position, 1]


@inner
def keep_hidden(state):
    """Keep the hands and the deck aside."""
    copy_cards(state.hands, state.kept_hands, state.deck, state.kept_deck)


@inner
def restore_hidden(state):
    """Put the kept hands and deck back."""
    copy_cards(state.kept_hands, state.hands, state.kept_deck, state.deck)


@inner
def copy_cards(hands, to_hands, deck, to_deck):
    """Copy all hands and a deck into other arrays, modified in place."""
    for p in range(c.MAX_PLAYERS):
        for card in range(c.N_CARDS):
            to_hands[p, card] = hands[p, card]
    for k in range(c.MAX_DECK):
        to_deck[k] = deck[k]


@inner
def reshuffle_hidden(state, view, counter):
    """Mix the pile with the cards of other hands that never moved openly (R9.2), in place.

    Each hidden card of another hand changes places with a random card of the pile.
    """
    left = state.deck_size - state.next_card
    for p in range(view.n_players):
        if p == view.position or left == 0:
            continue
        for card in range(1, c.JOKER + 1):
            for _ in range(state.hands[p, card] - view.known[p, card]):
                counter = next_word(counter)
                k = state.next_card + scale(word_at(counter), left)
                state.hands[p, card] -= 1
                state.hands[p, np.int64(state.deck[k])] += 1
                state.deck[k] = card
