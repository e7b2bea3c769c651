"""Common sense for strategies: what sensible players agree on, so that a strategy's file holds its own idea only.

The constants are worths in hundredths of a point or so, found by self-play of the shipped heuristics. Nothing here looks at
what is known or unseen of the cards.
"""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch.codes import DISCARD, JOKER, LEAVE, PASS, PILE, TAKE, TAKE_BACK
from pinchsim.games.pinch.moves import group, lone_jokers
from pinchsim.games.pinch.score import score
from pinchsim.games.pinch.shadow import cards_counted

FEW_CARDS = 5  # another hand with fewer cards may soon be empty
LONG_GAME = 15  # turns of each player
LOW_STOCK = 10  # with fewer cards in pile and market they may soon run out

TAKE_SINGLE = -50
TAKE_GROUP = 30
TAKE_JOINS = 110
TAKE_HELD = 110
TAKE_CROWD = 18
TAKE_VALUE = 4
TAKE_LATE = 100

SHADOW_BURDEN = -120

PILE_WORTH = 70
DRAW_JOINS = 129
DRAW_HELD = 10
DRAW_JOKER = 130


@inner
def is_late(view):
    """1 when another player may soon empty the hand, or the cards may soon run out, else 0."""
    late = view.pile_size + view.market_filled < LOW_STOCK
    for p in range(view.n_players):
        late |= (p != view.position) & (view.cards_in_hand[p] < FEW_CARDS)
    return np.int64(late)


@inner
def lead(view):
    """My score minus the best score of the others, in thousandths of a point."""
    best = -(1 << 40)
    for p in range(view.n_players):
        if p != view.position:
            best = max(best, score(view, p))
    return score(view, view.position) - best


@inner
def last_group(view, value, naturals, jokers):
    """The whole hand as a group, if that wins or cannot be avoided; else a card stays behind and the game goes on (R6.1)."""
    cards = naturals + jokers
    if cards > 1 and lead(view) + cards * (view.display_points - view.hand_points) < 0:
        if jokers > 0:
            jokers -= 1
        else:
            naturals -= 1
    return group(value, naturals, jokers) if naturals > 0 else lone_jokers(jokers)


@inner
def sensible_group(view, value):
    """All cards of a value; the jokers join when it is late or nothing else is left, and are kept until then."""
    naturals, jokers = np.int64(view.hand[value]), np.int64(view.hand[JOKER])
    if naturals + jokers == view.cards_in_hand[view.position]:
        return last_group(view, value, naturals, jokers)
    return group(value, naturals, jokers * is_late(view))


@inner
def take(view):
    """Take a group that joins cards in hand, for it costs no turn of its own; others only with a nearly empty hand."""
    size = view.group_size
    if view.pile_size + view.market_filled <= size:  # the pinched player draws the last card (R5.3)
        return TAKE if lead(view) + size * view.hand_points > 0 else LEAVE
    held = np.int64(view.hand[view.group_value])
    gain = (TAKE_GROUP if size > 1 else TAKE_SINGLE) + TAKE_JOINS * (held > 0) + TAKE_HELD * held
    cost = TAKE_CROWD * view.cards_in_hand[view.position] + TAKE_VALUE * view.group_value
    return TAKE if gain > cost + TAKE_LATE * is_late(view) else LEAVE


@inner
def take_back(view):
    """Take back three cards or more; end the game by drawing its last card only to win (R5.3).

    In a long game discard, for nothing but taking back can make it endless (R6.6).
    """
    stock = view.pile_size + view.market_filled
    if stock <= view.group_size:
        return DISCARD if lead(view) + stock * view.hand_points > 0 else TAKE_BACK
    return TAKE_BACK if view.group_size > 2 and view.turn < LONG_GAME * view.n_players else DISCARD


@inner
def draw_worth(view, card):
    """What drawing a card is worth: a joker, or how well it joins cards in hand; 0 if it joins none."""
    held = min(np.int64(view.hand[card]), 4)
    worth = (DRAW_JOINS + DRAW_HELD * held) * np.int64(held > 0)
    return DRAW_JOKER if card == JOKER else worth


@inner
def draw(view):
    """Draw what joins the hand, else from the pile; a free draw only for a card that joins, or a joker."""
    best = PILE_WORTH if view.pile_size > 0 else -1
    source = PILE
    for place in range(view.market_size):
        card = np.int64(view.market[place])
        worth = draw_worth(view, card) - 2 * np.int64(card == 0)
        if view.duel != 0:
            worth += draw_worth(view, view.market_partner[place])  # both come for one draw (R8.4)
        source = place if worth > best else source
        best = max(best, worth)
    if view.may_pass != 0:
        return free_draw(view, source, best)
    if view.to_draw > 1 and best <= PILE_WORTH:
        return twin_in_market(view, source)
    return source


@inner
def free_draw(view, source, worth):
    """The source if its card is worth more than an unknown one; the very last card of the game only to win (R5.3)."""
    if view.pile_size + view.market_filled == 1:
        return source if lead(view) + view.hand_points > 0 else PASS
    return source if worth > PILE_WORTH else PASS


@inner
def twin_in_market(view, source):
    """The place of a value that lies in the market twice, since both can be drawn; else the given source."""
    seen = 0
    for place in range(view.market_size):
        card = view.market[place]
        if card > 0 and (seen >> card) & 1 != 0:
            return place
        seen |= 1 << card
    return source


@inner
def market_values(view):
    """Bit set of the cards in the market."""
    values = 0
    for place in range(view.market_size):
        values |= 1 << view.market[place]
    return values


@inner
def shadow_groups(view):
    """The groups of one to four cards in the shadow display: bit 16 * (size - 1) + value; 0 outside duels."""
    groups = 0
    if view.duel != 0:
        for size in range(1, 5):
            groups |= cards_counted(view.shadow_words, size) << (size - 1 << 4)
    return groups


@inner
def shadow_burden(view, groups, value, size):
    """What it is worth (less than nothing) that a play must take shadow cards (R8.6) that join no card in hand; else 0.

    `groups` are `shadow_groups(view)`.
    """
    beaten = (groups >> (((size - 1) & 3) << 4)) & 0xFFFF & view.beats[value]
    alone = beaten & cards_counted(view.hand_words, 0)
    return SHADOW_BURDEN * np.int64((size < 5) & (beaten != 0) & (beaten == alone))


@inner
def shadow(view):
    """Of the shadow groups that can be pinched, the one that joins most cards in hand, then the highest (R8.5)."""
    best = 0
    for value in range(1, JOKER):
        possible = view.shadow_options >> value & 1
        best = max(best, possible * ((np.int64(view.hand[value]) + 1) << 4 | value))
    return best & 15
