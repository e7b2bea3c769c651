"""Drawing cards and refilling the market (R5).

Which source a player chooses is a matter of luck to the processor, too: a branch on it is predicted wrongly time and again,
which costs more than all the work around it. So the card and the changes of both sources are computed for either choice.
"""

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import DRAWN_MARKET, DRAWN_PILE, FREE_DRAWS, PASSES
from pinchsim.games.pinch.state import add_to_hand, show, stop


@inner
def is_legal_source(view, source):
    """Whether a card can be drawn from this market place or the pile: an empty source cannot be chosen (R5.1)."""
    if source == c.PILE:
        return view.pile_size > 0
    return source >= 0 and source < view.market_size and view.market[source & 15] > 0


@inner
def draw_card(state, view, hooks, player, source):
    """Move one card from a legal source into the hand; from the market, everybody sees it (R9.1)."""
    market = np.int64(source != c.PILE)
    place = (source * market) & 15
    old = np.int64(view.market[place]) & 15
    card = old if market else np.int64(state.deck[state.next_card]) & 15
    view.market[place] = 0 if market else old
    view.market_filled -= market
    state.next_card += 1 - market
    view.pile_size -= 1 - market
    hooks.note_known(view, player, card, market)
    state.tallies[player, DRAWN_MARKET] += market
    state.tallies[player, DRAWN_PILE] += 1 - market
    add_to_hand(state, player, card, 1)
    view.cards_in_hand[player] += 1
    hooks.log_draw(state, player, source, card)


@inner
def refill_market(state, view, hooks):
    """Fill the empty places from the pile, as far as it goes, the lowest-numbered place first (R5.2)."""
    top, pile_size, filled = np.int64(state.next_card), view.pile_size, view.market_filled
    for place in range(view.market_size):
        old = np.int64(view.market[place])
        fill = np.int64((old == 0) & (pile_size > 0))
        card = np.int64(state.deck[np.uint64(top)]) & 15
        view.market[place] = card if fill else old
        top += fill
        pile_size -= fill
        filled += fill
        hooks.note_turned_up(view, card, fill)
        hooks.log_refill(state, fill, place, card)
    state.next_card, view.pile_size, view.market_filled = top, pile_size, filled


@inner
def draw_one_card(state, view, hooks, player):
    """Draw a single card, or none if it is a free draw and declined (R5.1, R5.4); market full and pile not empty.

    Whatever the source, the pile's next card comes into play: into the hand, or into the place that became free.
    """
    view.to_draw = 1
    show(state, view, player)
    source = hooks.draw(state, view)
    passed = np.int64(source == c.PASS)
    if source < c.PILE - view.may_pass or source >= view.market_size:
        stop(state, c.ILLEGAL_DRAW)
        return
    drawn = 1 - passed
    market = np.int64(source >= 0)
    place = (source * market) & 15
    old = np.int64(view.market[place]) & 15
    new = np.int64(state.deck[state.next_card]) & 15
    card = old if market else new
    view.market[place] = new if market else old
    state.next_card += drawn
    view.pile_size -= drawn
    add_to_hand(state, player, card, drawn)
    view.cards_in_hand[player] += drawn
    hooks.note_known(view, player, card, market)
    hooks.note_turned_up(view, new, market)
    state.tallies[player, DRAWN_MARKET] += market
    state.tallies[player, DRAWN_PILE] += drawn - market
    state.tallies[player, FREE_DRAWS] += drawn & view.may_pass
    state.tallies[player, PASSES] += passed
    hooks.log_draw(state, player, source, card)
    hooks.log_refill(state, market, place, new)


@inner
def draw_several(state, view, hooks, player, count):
    """Draw cards one at a time, refilling the market at the end only: the general case of `draw_cards`.

    The game ends as soon as pile and market are both used up (R5.3), even in the middle.
    """
    for left in range(count, 0, -1):
        view.to_draw = left
        show(state, view, player)
        source = hooks.draw(state, view)
        if source == c.PASS and view.may_pass != 0:
            state.tallies[player, PASSES] += 1
            hooks.log_draw(state, player, source, 0)
            return
        if not is_legal_source(view, source):
            stop(state, c.ILLEGAL_DRAW)
            return
        draw_card(state, view, hooks, player, source)
        if view.pile_size == 0 and view.market_filled == 0:
            state.end = c.CARDS_EXHAUSTED
            state.ended_by = player
            break
    state.tallies[player, FREE_DRAWS] += view.may_pass
    refill_market(state, view, hooks)


@inner
def draw_cards(state, view, hooks, player, count):
    """Draw `count` cards one at a time (R5.1), then refill the market (R5.2); `view.may_pass` marks a free draw."""
    if count == 1 and view.pile_size > 0 and view.market_filled == view.market_size:
        draw_one_card(state, view, hooks, player)
    else:
        draw_several(state, view, hooks, player, count)
