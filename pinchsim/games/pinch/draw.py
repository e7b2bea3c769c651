"""Drawing cards and refilling the market (R5).

Which source a player chooses is a matter of luck to the processor, too: a branch on it is predicted wrongly time and again,
which costs more than all the work around it. So the card and the changes of both sources are computed for either choice.
"""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.columns import DRAWN_MARKET, DRAWN_PILE, FREE_DRAWS, PASSES
from pinchsim.games.pinch.coverage import R5_1, R5_2, R5_3, R8_4, R9_1, R9_2
from pinchsim.games.pinch.hooks import NONE
from pinchsim.games.pinch.pile import is_pile_used_up, renew_pile
from pinchsim.games.pinch.state import add_to_hand, show, stop


@inner
def is_legal_source(view, source):
    """Whether a card can be drawn from this market place or the pile: an empty source cannot be chosen (R5.1)."""
    if source == c.PILE:
        return view.pile_size > 0
    return source >= 0 and source < view.market_size and view.market[source & 15] > 0


@inner_called
def draw_partner(state, view, hooks, player, place):
    """The higher card of a market group comes along (R8.4); returns it for the log, negative if it lay there first."""
    partner = np.int64(view.market_partner[place])
    view.market_partner[place] = 0
    add_to_hand(state, player, partner, 1)
    view.cards_in_hand[player] += 1
    hooks.note_known(view, player, partner, 1)
    hooks.fired(state, R8_4, 1)
    hooks.fired(state, R9_1, 1)
    return -partner if state.added_below[place] != 0 else partner


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
    partner = NONE
    if hooks.duel(view) and market and view.market_partner[place] != 0:
        partner = draw_partner(state, view, hooks, player, place)
    if hooks.reading(view, c.SOURCES) != 0 and not market:
        state.pending_words[card >> 3] += 1 << ((card & 7) << 3)
    else:
        add_to_hand(state, player, card, 1)
        view.cards_in_hand[player] += 1
    hooks.log_draw(state, player, source, card, partner)
    hooks.fired(state, R5_1, 1)
    hooks.fired(state, R9_1, market)
    hooks.fired(state, R9_2, 1 - market)


@inner_called
def take_pending(state, view, player):
    """Cards drawn from the pile come into the hand when all sources are named (reading `sources` = announced)."""
    for card in range(1, c.JOKER + 1):
        view.cards_in_hand[player] += state.pending[card]
    for k in range(2):
        state.hand_words[player, k] += state.pending_words[k]
        state.pending_words[k] = 0


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
        hooks.fired(state, R5_2, fill)
    state.next_card, view.pile_size, view.market_filled = top, pile_size, filled


@inner
def refill(state, view, hooks):
    """Refill the market, going on with the discards if these may become the pile (reading `discards`)."""
    more = True
    while more:
        refill_market(state, view, hooks)
        more = view.market_filled < view.market_size and renew_pile(state, view, hooks)


@inner
def is_refilled_between(view, hooks):
    """Whether the market is refilled after each card (reading `refill`); who names all sources beforehand must not see that."""
    return hooks.reading(view, c.REFILL) == c.AFTER_CARD and hooks.reading(view, c.SOURCES) == 0


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
    partner = NONE
    if hooks.duel(view) and market and view.market_partner[place] != 0:
        partner = draw_partner(state, view, hooks, player, place)
    hooks.log_draw(state, player, source, card, partner)
    hooks.log_refill(state, market, place, new)
    hooks.fired(state, R5_1, drawn)
    hooks.fired(state, R5_2, market)
    hooks.fired(state, R9_1, market)
    hooks.fired(state, R9_2, drawn - market)


@inner
def ends_the_game(state, view, hooks, source):
    """Whether the card just drawn ends the game: pile and market are both used up (R5.3; reading `exhaustion`)."""
    if not is_pile_used_up(view, hooks):
        return False
    reading = hooks.reading(view, c.EXHAUSTION)
    if reading == c.MARKET_CARD:
        return source != c.PILE
    return view.market_filled == 0 and (reading != c.MARKET_LAST or source != c.PILE)


@inner
def draw_several(state, view, hooks, player, count):
    """Draw cards one at a time, refilling the market at the end only: the general case of `draw_cards`.

    The game ends as soon as pile and market are both used up (R5.3), even in the middle. Where a reading lets it go on without
    cards, a player draws what there is.
    """
    drawn = 0
    for left in range(count, 0, -1):
        renew_pile(state, view, hooks)
        if hooks.reading(view, c.EXHAUSTION) != 0 and view.pile_size == 0 and view.market_filled == 0:
            break
        view.to_draw = left
        show(state, view, player)
        source = hooks.draw(state, view)
        if source == c.PASS and view.may_pass != 0:
            state.tallies[player, PASSES] += 1
            hooks.log_draw(state, player, source, NONE, NONE)
            return
        if not is_legal_source(view, source):
            stop(state, c.ILLEGAL_DRAW)
            return
        draw_card(state, view, hooks, player, source)
        drawn += 1
        if ends_the_game(state, view, hooks, source):
            hooks.fired(state, R5_3, 1)
            state.end = c.CARDS_EXHAUSTED
            state.ended_by = player
            break
        if left > 1 and is_refilled_between(view, hooks):
            refill(state, view, hooks)
    state.tallies[player, FREE_DRAWS] += view.may_pass & drawn
    if hooks.reading(view, c.SOURCES) != 0:
        take_pending(state, view, player)
    if hooks.reading(view, c.REFILL) != c.AFTER_TURN:
        refill(state, view, hooks)


@inner
def draw_cards(state, view, hooks, player, count):
    """Draw `count` cards one at a time (R5.1), then refill the market (R5.2); `view.may_pass` marks a free draw."""
    at_once = hooks.reading(view, c.REFILL) != c.AFTER_TURN
    if at_once and count == 1 and view.pile_size > 0 and view.market_filled == view.market_size:
        draw_one_card(state, view, hooks, player)
    else:
        draw_several(state, view, hooks, player, count)
