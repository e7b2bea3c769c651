"""Play as many cards at once as possible; a reference without any random choice.

This is the exact `greedy` of the rules page (R10.2), so that independent engines can be compared. It plays the value it
holds most of (the lowest on ties), all of them, and keeps jokers for the last play. Its other answers are the defaults
of every strategy, which are R10.2's.
"""

from pinchsim.games.pinch.moves import JOKER, group, lone_jokers


def play(view):
    jokers = view.hand[JOKER]
    best = 0
    for value in range(1, JOKER):
        best = max(best, view.hand[value] << 4 | (15 - value))  # most cards, then the lowest value
    naturals, value = best >> 4, 15 - (best & 15)
    if naturals == 0:
        return lone_jokers(jokers)
    if naturals + jokers == view.cards_in_hand[view.position]:
        return group(value, naturals, jokers)
    return group(value, naturals, 0)
