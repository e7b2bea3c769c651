"""Choose every legal option with the same probability; the yardstick of no skill at all.

This is the exact `uniform` of the rules page (R10.1), so that independent engines can be compared: distinct groups
(value, naturals, jokers) are equally likely, and so are all sources of a drawn card, passing included.
"""

import numpy as np

from pinchsim._jit import trailing_zeros
from pinchsim.games.pinch.moves import JOKER, PASS, PILE, below, below_both, group, lone_jokers

_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_NO_JOKERS = np.uint64(0x0000FFFFFFFFFFFF)
_U3, _U7, _U56, _U255 = np.uint64(3), np.uint64(7), np.uint64(56), np.uint64(255)


def play(view):
    # With N natural cards and J jokers in hand, every pair of a card and 0..J jokers stands for one group: that which ends
    # with this card in the sorted hand. If there are jokers, an extra card stands for 1..J lone jokers.
    jokers = np.int64(view.hand[JOKER])
    naturals = view.cards_in_hand[view.position] - jokers
    cards = naturals + np.int64(jokers > 0)
    k, joining = below_both(view, cards, jokers + 1)
    while k == naturals and joining == jokers:  # the pair too many
        k, joining = below_both(view, cards, jokers + 1)
    if k == naturals:
        return lone_jokers(joining + 1)
    if naturals > 127:
        return _nth_card_of_many(view, k, joining)
    return _nth_card(view, k, joining)


def _nth_card_of_many(view, k, joining):
    """Group ending with natural card number k of the sorted hand: its value, and as many as lie up to it."""
    value = 1
    while k >= view.hand[value]:
        k -= view.hand[value]
        value += 1
    return group(value, k + 1, joining)


def _nth_card(view, k, joining):
    """The same without loops and branches, for up to 127 cards.

    Multiplying by 0x01..01 turns the bytes of a word into their running sums. Values 8 and up are in the second word, and
    their sums go on from those of the first.
    """
    low, high = np.uint64(view.hand_words[0]), np.uint64(view.hand_words[1]) & _NO_JOKERS
    low_sums = low * _ONES
    high_sums = (high + (low_sums >> _U56)) * _ONES
    low_above = _above(low_sums, k)
    high_above = _above(high_sums, k)
    in_low = low_above != 0
    shift = np.uint64(trailing_zeros(low_above if in_low else high_above)) - _U7
    before = (((low_sums - low) if in_low else (high_sums - high)) >> shift) & _U255
    value = np.int64(shift >> _U3) + (0 if in_low else 8)
    return group(value, k + 1 - np.int64(before), joining)


def _above(sums, k):
    """The top bits of all bytes that are above k; bytes are below 128, k is below 127.

    With its top bit set, a byte keeps it in the subtraction of k + 1 exactly if it is above k.
    """
    return ((sums | _TOPS) - np.uint64(k + 1) * _ONES) & _TOPS


def take(view):
    return below(view, 2)


def take_back(view):
    return below(view, 2)


def draw(view):
    filled = view.market_filled
    if filled == view.market_size and view.pile_size > 0:
        # PASS and PILE are the numbers just below the first place, so this is any source without a branch.
        return below(view, view.may_pass + 1 + filled) + PILE - view.may_pass
    pile = np.int64(view.pile_size > 0)
    k = below(view, filled + pile + view.may_pass)
    if view.market_size > 8:
        return _filled_place_of_many(view, k, pile)
    filled_places = ((np.uint64(view.market_words[0]) + ~_TOPS) & _TOPS) >> _U7
    place = np.int64(trailing_zeros(_above(filled_places * _ONES, min(k, filled - 1)))) >> 3
    return place if k < filled else (PILE if k - filled < pile else PASS)


def _filled_place_of_many(view, k, pile):
    """Market place number k among those that hold a card, then the pile, then passing."""
    for place in range(view.market_size):
        if view.market[place] > 0:
            if k == 0:
                return place
            k -= 1
    return PILE if k < pile else PASS


def shadow(view):
    values, options = 0, view.shadow_options
    while options != 0:
        options &= options - 1
        values += 1
    options = view.shadow_options
    for _ in range(below(view, values)):
        options &= options - 1
    return np.int64(trailing_zeros(options))
