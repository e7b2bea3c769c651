"""What everybody knows of the cards: in hands, unseen, discarded (R9.1).

A card is unseen until it is played from a hand, unless it was known there, or turned up in the market. It is known in a hand
when it came there openly; when k of a value are known in a hand and m are played, max(0, k - m) are still known.
"""

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c

FIELDS = frozenset({"known", "unseen", "discard"})


@inner
def note_played(view, player, card, count):
    """Cards leave a hand openly: first those known to be in it, the rest had been unseen."""
    known = min(view.known[player, card], count)
    view.known[player, card] -= known
    view.unseen[card] -= count - known


@inner
def note_known(view, player, card, count):
    """Cards come into a hand openly."""
    view.known[player, card] += count


@inner
def note_turned_up(view, card, count):
    """Cards of the pile lie open in the market."""
    view.unseen[card] -= count


@inner
def note_discard(view):
    """The pinched group lies on the discard pile."""
    view.discard[view.group_value] += view.group_naturals
    view.discard[c.JOKER] += view.group_jokers


@inner
def ignore_cards(view, player, card, count):
    """Nobody asks."""


@inner
def ignore_card(view, card, count):
    """Nobody asks."""


@inner
def ignore_group(view):
    """Nobody asks."""


TRACK = (note_played, note_known, note_turned_up, note_discard)
IGNORE = (ignore_cards, ignore_cards, ignore_card, ignore_group)
