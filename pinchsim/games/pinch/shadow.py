"""The shadow display of a duel (R8)."""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import CARDS_FROM_SHADOW, SHADOW_PINCHES
from pinchsim.games.pinch.compare import beats
from pinchsim.games.pinch.coverage import R8_2, R8_3, R8_5, R8_6, R8_8, R9_1
from pinchsim.games.pinch.hooks import LOG_SHADOW_PINCH, LOG_SHADOW_REFILL, NONE, OUT_OF_PLAY, STAYS
from pinchsim.games.pinch.pile import next_card, renew_pile
from pinchsim.games.pinch.state import add_to_hand, show, stop

BYTE_ONES = np.uint64(0x0101010101010101)
BYTE_TOPS = np.uint64(0x8080808080808080)
BELOW_TOPS = np.uint64(0x7F7F7F7F7F7F7F7F)
GATHER = np.uint64(0x0102040810204080)
ALL_CARDS = (2 << c.JOKER) - 2
_U7, _U56 = np.uint64(7), np.uint64(56)


@inner
def lowest_single(view):
    """Market place of the lowest single card, the first of equal ones; -1 if no card is single (R8.3)."""
    lowest = (c.JOKER + 1) << 4
    for place in range(view.market_size):
        card = np.int64(view.market[place])
        if card > 0 and view.market_partner[place] == 0:
            lowest = min(lowest, card << 4 | place)
    return lowest & 15 if lowest >> 4 <= c.JOKER else -1


@inner
def put_on_market(state, view, card):
    """Put a king or joker onto the lowest single card of the market, or out of play; returns where it went (R8.3)."""
    place = lowest_single(view)
    if place < 0:
        view.out_of_play[card] += 1
        return OUT_OF_PLAY
    there = np.int64(view.market[place])
    view.market[place] = min(there, card)
    view.market_partner[place] = max(there, card)
    state.added_below[place] = card < there
    return place


@inner_called
def fill_shadow(state, view, hooks):
    """Fill the shadow display from the pile, as far as that goes (R8.2, R8.3, R8.6); an empty pile ends nothing (R8.8)."""
    while view.shadow_cards < view.shadow_size:
        renew_pile(state, view, hooks)
        if view.pile_size == 0:
            return
        card = next_card(state)
        view.pile_size -= 1
        hooks.fired(state, R8_8, np.int64(view.pile_size == 0))
        hooks.note_turned_up(view, card, 1)
        where = STAYS
        if card < view.n_values:
            view.shadow[card] += 1
            view.shadow_cards += 1
            hooks.fired(state, R8_2, 1)
        else:
            where = put_on_market(state, view, card)
            hooks.fired(state, R8_3, 1)
        hooks.log(state, LOG_SHADOW_REFILL, NONE, card, where, NONE)


@inner
def find_shadow_groups(view, hooks, group):
    """Bit set of the values whose shadow group the group just played beats (R8.5)."""
    if hooks.reading(view, c.COMPARE) == c.BY_NATURALS:
        return compare_shadow_groups(view, hooks, group)
    return cards_counted(view.shadow_words, c.group_size(group)) & view.beats[c.group_value(group)]


@inner
def cards_counted(words, count):
    """Bit set of the cards of which there are exactly so many, up to 127; `words` are counts by card as two words."""
    counts = np.uint64(count) * BYTE_ONES
    low = equal_bytes(np.uint64(words[0]), counts)
    high = equal_bytes(np.uint64(words[1]), counts)
    return (low | high << 8) & ALL_CARDS


@inner
def equal_bytes(word, other):
    """Bit set of the bytes, all below 128, in which two words (uint64) agree.

    Adding 127 sets the top bit of every byte but 0; a multiplication, which wraps around, gathers the top bits in one byte.
    """
    differing = (word ^ other) + BELOW_TOPS
    return np.int64((((~differing & BYTE_TOPS) >> _U7) * GATHER) >> _U56)


@inner_called
def compare_shadow_groups(view, hooks, group):
    """The same, one comparison after the other."""
    values = 0
    for value in range(1, view.n_values):
        size = np.int64(view.shadow[value])
        if size > 0 and beats(view, hooks, group, c.pack_group(value, size, 0)):
            values |= 1 << value
    return values


@inner
def choose_shadow_group(state, view, hooks, player, values):
    """The value of the one shadow group that the player pinches (R8.5); 0 for an illegal answer."""
    view.shadow_options = values
    show(state, view, player)
    value = hooks.shadow(state, view)
    view.shadow_options = 0
    if value < 1 or value >= c.JOKER or values >> value & 1 == 0:
        stop(state, c.ILLEGAL_SHADOW)
        return 0
    return value


@inner
def pinch_shadow(state, view, hooks, player, group):
    """Pinch exactly one shadow group if the group just played beats any (R8.5); returns whether one was pinched."""
    values = find_shadow_groups(view, hooks, group)
    if values == 0:
        return False
    value = choose_shadow_group(state, view, hooks, player, values)
    if value != 0:
        take_shadow_group(state, view, hooks, player, value)
    return value != 0


@inner_called
def take_shadow_group(state, view, hooks, player, value):
    """Take a shadow group into the hand and fill the display up at once (R8.6)."""
    cards = np.int64(view.shadow[value])
    view.shadow[value] = 0
    view.shadow_cards -= cards
    add_to_hand(state, player, value, cards)
    view.cards_in_hand[player] += cards
    hooks.note_known(view, player, value, cards)
    state.tallies[player, SHADOW_PINCHES] += 1
    state.tallies[player, CARDS_FROM_SHADOW] += cards
    hooks.fired(state, R8_5, 1)
    hooks.fired(state, R8_6, cards)
    hooks.fired(state, R9_1, cards)
    hooks.log(state, LOG_SHADOW_PINCH, player, value, cards, NONE)
    fill_shadow(state, view, hooks)
