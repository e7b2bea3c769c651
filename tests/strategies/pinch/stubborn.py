"""Never ends a game if it can help it: aces against kings, always left and always taken back.

Under aces-bite the start player's ace pinches the others' kings and their kings pinch the ace, for ever. Under the other
rules nothing pinches a king but jokers, and the same players soon run out of cards.
"""

from pinchsim.games.pinch.moves import DISCARD, JOKER, LEAVE, PASS, PILE, TAKE_BACK, group, lone_jokers


def play(view):
    wanted = 1 if view.position == 0 else view.n_values
    if view.hand[wanted] > 0:
        return group(wanted, 1, 0)
    for value in range(1, view.n_values + 1):
        if view.hand[value] > 0:
            return group(value, 1, 0)
    return lone_jokers(view.hand[JOKER])


def take(view):
    return LEAVE


def take_back(view):
    return TAKE_BACK


def draw(view):
    if view.may_pass:
        return PASS
    return PILE if view.pile_size > 0 else DISCARD
