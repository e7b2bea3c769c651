"""The options of each decision with their features (`layout.FEATURES`), written into the mind record."""

import numpy as np

from pinchsim._jit import copy_of, inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.codes import DISCARD, LEAVE, PASS, PILE, TAKE, TAKE_BACK, pack_group
from pinchsim.games.pinch.moves import top_size, top_value
from pinchsim.games.pinch.policy.layout import DRAW, MAX_OPTIONS, PLAY, SHADOW, WIDTHS
from pinchsim.games.pinch.policy.layout import TAKE as T
from pinchsim.games.pinch.policy.mind import new_option, next_player, pinchable, threat_to, win_share
from pinchsim.games.pinch.score import score
from pinchsim.games.pinch.shadow import cards_counted

CERTAIN = 1000.0  # a win or a loss that an option brings for sure outweighs everything else
NOBODY = np.int64(-1)
NONE, LONE = np.int64(0), np.int64(c.JOKER)
PLAY_WIDTH, TAKE_WIDTH, _, DRAW_WIDTH, SHADOW_WIDTH = WIDTHS
copy_base = copy_of(PLAY_WIDTH)
LONG_GAME = 60  # turns of each player after which nothing is taken back any more, for that alone is endless (R6.6)


# --- play -------------------------------------------------------------------------------------------------------------


@inner_called
def list_plays(view, mind):
    """Every group that the hand can play; a joker never stands in for a card of the value that stays in hand."""
    mind.options = 0
    jokers = np.int64(view.hand[c.JOKER])
    lower = 0
    for value in range(1, c.JOKER):
        held = np.int64(view.hand[value])
        if held > 0:
            describe_value(view, mind, value, held, lower)
            for joining in range(jokers + 1):
                add_play(view, mind, value, held, joining)
            for naturals in range(held - 1, 0, -1):
                add_play(view, mind, value, naturals, NONE)
            lower += 1
    for k in range(PLAY_WIDTH):
        mind.base[k] = 0.0
    mind.base[PLAY.lone_jokers] = 1.0
    for joining in range(1, jokers + 1):
        add_play(view, mind, LONE, NONE, joining)


@inner
def describe_value(view, mind, value, held, lower):
    """What all plays of a value share: where its other copies are, and how it compares with the others in hand."""
    x = mind.base
    for k in range(PLAY_WIDTH):
        x[k] = 0.0
    market, unseen = mind.in_market[value], mind.unseen[value]
    x[PLAY.in_market] = market
    x[PLAY.unseen] = unseen / 8.0
    x[PLAY.gone] = (view.copies - unseen - market - held) / 8.0
    x[PLAY.lowest] = 1.0 if value == mind.lowest_held else 0.0
    x[PLAY.highest] = 1.0 if value == mind.highest_held else 0.0
    x[PLAY.king] = 1.0 if value == view.n_values else 0.0
    x[PLAY.ace] = 1.0 if value == 1 else 0.0
    x[PLAY.rank] = lower / mind.values_held
    x[PLAY.weapon] = 1.0 if pinchable(view, mind, value, held + 1) != 0 else 0.0


@inner_called
def add_play(view, mind, value, naturals, joining):
    """One group with its features; more than fit into the record are left out."""
    option = mind.options
    if option == MAX_OPTIONS:
        return
    mind.options = option + 1
    mind.answers[option] = pack_group(value, naturals, joining)
    mind.scores[option] = 0.0
    size = naturals + joining
    x = mind.features[option]
    copy_base(x, mind.base)
    describe_group(view, mind, x, value, size)
    describe_jokers(view, x, joining)
    describe_rest(view, mind, x, value, naturals, joining)
    if pinchable(view, mind, value, size) != 0:
        describe_pinches(view, x, value, size, joining)
    if view.duel != 0:
        describe_shadow(view, x, value, size)
    if size == view.cards_in_hand[view.position]:
        judge_end(view, mind, x, option, size)


@inner
def describe_group(view, mind, x, value, size):
    """Size, value and threat."""
    low = min(size, 4) - 1
    threat = threat_to(mind, value, size)
    x[PLAY.size_1 + min(size, 5) - 1] = 1.0
    x[PLAY.value_1 + low] = value / 13.0
    x[PLAY.threat_1 + low] = threat
    x[PLAY.threat_1_squared + low] = threat * threat
    x[PLAY.safe_1 + low] = 1.0 if threat == 0 else 0.0
    beneath = np.int64(view.groups[view.position, view.n_groups[view.position] & 255])
    x[PLAY.beneath] = threat * threat_to(mind, c.group_value(beneath), c.group_size(beneath))


@inner
def describe_jokers(view, x, joining):
    """What jokers it costs."""
    x[PLAY.jokers_spent] = joining / 2.0
    x[PLAY.last_joker] = 1.0 if joining > 0 and joining == view.hand[c.JOKER] else 0.0


@inner
def describe_rest(view, mind, x, value, naturals, joining):
    """What stays in hand."""
    kept = np.int64(view.hand[value]) - naturals if naturals > 0 else 0
    values_left = mind.values_held - np.int64((naturals > 0) & (kept == 0))
    plan = max(values_left, np.int64(view.hand[c.JOKER] > joining))
    x[PLAY.splits] = 1.0 if kept > 0 else 0.0
    x[PLAY.kept] = kept
    x[PLAY.plan_0] = 1.0 if plan == 0 else 0.0
    x[PLAY.plan_1] = 1.0 if plan == 1 else 0.0
    x[PLAY.plan_2] = 1.0 if plan == 2 else 0.0
    x[PLAY.biggest] = 1.0 if naturals == mind.most_held else 0.0
    if naturals + joining == 1:
        x[PLAY.single_in_market] = min(x[PLAY.in_market], 1.0)
        x[PLAY.single_unseen] = x[PLAY.unseen]


@inner_called
def describe_pinches(view, x, value, size, joining):
    """Whom it pinches and what that yields (R4.1-R4.3)."""
    pinched = 0
    for p in range(view.n_players):
        if p == view.position or top_size(view, p) != size:
            continue
        theirs = top_value(view, p)
        if view.beats[value] >> theirs & 1 == 0:
            continue
        pinched += 1
        jokers = c.group_jokers(np.int64(view.groups[p, view.n_groups[p] & 255]))
        joins = 1.0 if view.hand[theirs] > 0 and theirs != value else 0.0
        x[PLAY.pinched_joins] += joins
        x[PLAY.pinched_match] += joins * size / 4.0
        x[PLAY.pinched_jokers] += jokers
        x[PLAY.pinched_value] += theirs / 13.0
    x[PLAY.pinches] = 1.0
    x[PLAY.more_pinches] = pinched - 1
    x[PLAY.pinched_cards] = pinched * size / 4.0
    x[PLAY.pinched_single] = pinched if size == 1 else 0
    x[PLAY.joker_pinches] = joining


@inner_called
def describe_shadow(view, x, value, size):
    """What must be pinched from the shadow display of a duel (R8.5, R8.6)."""
    options = cards_counted(view.shadow_words, size) & view.beats[value]
    if options == 0:
        return
    most = 0
    for theirs in range(1, c.JOKER):
        if options >> theirs & 1 != 0 and theirs != value:
            most = max(most, np.int64(view.hand[theirs]))
    x[PLAY.shadow] = 1.0
    x[PLAY.shadow_burden] = 1.0 if most == 0 else 0.0
    x[PLAY.shadow_cards] = size / 4.0
    x[PLAY.shadow_match] = most / 4.0


@inner
def judge_end(view, mind, x, option, size):
    """Playing all cards ends the game at once (R3.4): a sure win, a sure loss, or a shared win."""
    gained = (view.display_points - view.hand_points) * size
    settle(mind, option, x, PLAY.ends_tied, win_share(view, gained, 0, NOBODY, 0))


@inner
def settle(mind, option, x, tied, share):
    """Score an option that ends the game by the share of the win that it brings."""
    if share == 1.0:
        mind.scores[option] = CERTAIN
    elif share == 0.0:
        mind.scores[option] = -CERTAIN
    else:
        x[tied] = 1.0


# --- take or leave, take back or discard ----------------------------------------------------------------------------------


@inner_called
def list_takes(view, mind):
    """Leave (no features, score 0) and take."""
    other = np.int64(view.victim)
    taking = describe_taking(view, mind, LEAVE, TAKE, other)
    stock = view.pile_size + view.market_filled
    if stock <= view.group_size:  # the pinched player will draw the last card (R5.3)
        hand = view.cards_in_hand[view.position] + view.group_size
        share = win_share(view, view.hand_points * view.group_size, hand, other, stock)
        settle(mind, taking, mind.features[taking], T.ends_tied, share)


@inner_called
def list_take_backs(view, mind):
    """Discard (no features, score 0) and take back."""
    taking = describe_taking(view, mind, DISCARD, TAKE_BACK, np.int64(view.mover))
    stock = view.pile_size + view.market_filled
    if view.turn > LONG_GAME * view.n_players:
        mind.scores[taking] = -CERTAIN
    elif stock <= view.group_size:  # discarding means drawing the last card (R5.3)
        share = win_share(view, view.hand_points * stock, view.cards_in_hand[view.position] + stock, NOBODY, 0)
        mind.scores[taking] = CERTAIN * (1.0 if share == 0.0 else (-1.0 if share == 1.0 else 0.0))


@inner
def describe_taking(view, mind, no, yes, other):
    """Both options of a decision on the pinched group; returns the second. `other` is the other player of the pinch."""
    mind.options = 0
    new_option(mind, no, TAKE_WIDTH)
    option = new_option(mind, yes, TAKE_WIDTH)
    x = mind.features[option]
    value, size, jokers = view.group_value, view.group_size, view.group_jokers
    held = np.int64(view.hand[value])
    joins = 1.0 if held > 0 else 0.0
    formed = held + view.group_naturals if value != c.JOKER else held + size
    x[T.always] = 1.0
    x[T.size_1 + min(size, 4) - 1] = 1.0
    x[T.value] = value / 13.0
    x[T.joins] = joins
    x[T.held] = min(held, 4) / 2.0
    x[T.stray_single] = 1.0 if held == 0 and size == 1 else 0.0
    x[T.stray_many] = (1.0 - joins) * size / 4.0
    x[T.size_joins] = joins * size / 4.0
    x[T.jokers] = jokers
    x[T.lone_jokers] = 1.0 if value == c.JOKER else 0.0
    x[T.threat] = threat_to(mind, value, formed)
    x[T.threat_alone] = threat_to(mind, value, size)
    x[T.threat_before] = threat_to(mind, value, held)
    x[T.formed] = formed / 4.0
    x[T.unseen] = mind.unseen[value] / 8.0
    x[T.in_market] = mind.in_market[value]
    x[T.high_single] = value / 13.0 if size == 1 else 0.0
    describe_others(view, mind, x, other, formed)
    return option


@inner
def describe_others(view, mind, x, other, formed):
    """The other player of the pinch, whom the formed group could pinch, and what the market offers."""
    value, size = view.group_value, view.group_size
    leads = 1.0
    could = 0
    for p in range(view.n_players):
        if p != other and score(view, p) > score(view, other):
            leads = 0.0
        if p != view.position:
            hit = (top_size(view, p) == formed) & (view.beats[value] >> top_value(view, p) & 1 != 0)
            could += np.int64(hit)
    x[T.pincher_cards] = view.cards_in_hand[view.mover] / 10.0
    x[T.other_cards] = view.cards_in_hand[other] / 10.0
    x[T.other_leads] = leads
    x[T.other_joins] = 1.0 if mind.known[other, value] > 0 else 0.0
    x[T.could_pinch] = could
    joining = 0
    for place in range(view.market_size):
        card = np.int64(view.market[place])
        joining += np.int64((card > 0) & (view.hand[card] > 0))
    x[T.market_joins] = joining
    x[T.market_jokers] = mind.in_market[c.JOKER]
    x[T.stock_ends] = 1.0 if view.pile_size + view.market_filled <= size else 0.0


# --- draw -----------------------------------------------------------------------------------------------------------------


@inner_called
def list_draws(view, mind):
    """The pile, each filled market place, and passing if that is allowed."""
    mind.options = 0
    last = view.pile_size + view.market_filled == 1
    if view.pile_size > 0:
        option = new_option(mind, PILE, DRAW_WIDTH)
        mind.features[option, DRAW.pile] = 1.0
        mind.features[option, DRAW.pile_more] = 1.0 if view.to_draw > 1 else 0.0
        judge_last(view, mind, option, last, 1)
    can_complete = joker_completes(view, mind) if mind.in_market[c.JOKER] > 0 else 0.0
    for place in range(view.market_size):
        if view.market[place] > 0:
            option = new_option(mind, place, DRAW_WIDTH)
            describe_card(view, mind, mind.features[option], np.int64(view.market[place]), can_complete)
            cards = 1
            if view.duel != 0 and view.market_partner[place] > 0:
                describe_partner(view, mind.features[option], np.int64(view.market_partner[place]))
                cards = 2
            judge_last(view, mind, option, last, cards)
    if view.may_pass != 0:
        option = new_option(mind, PASS, DRAW_WIDTH)
        mind.features[option, DRAW.passes] = 1.0


@inner
def judge_last(view, mind, option, last, cards):
    """Drawing the very last card ends the game (R5.3)."""
    if last:
        share = win_share(view, view.hand_points * cards, view.cards_in_hand[view.position] + cards, NOBODY, 0)
        settle(mind, option, mind.features[option], DRAW.ends_tied, share)


@inner
def joker_completes(view, mind):
    """1 if some value in hand could pinch with one joker more and not without."""
    completes = 0.0
    for value in range(1, c.JOKER):
        held = np.int64(view.hand[value])
        if held > 0 and pinchable(view, mind, value, held + 1) != 0 and pinchable(view, mind, value, held) == 0:
            completes = 1.0
    return completes


@inner
def describe_card(view, mind, x, card, can_complete):
    """A card in the market."""
    held = np.int64(view.hand[card])
    twins = mind.in_market[card] - 1
    x[DRAW.twin] = twins
    x[DRAW.twin_drawn] = 1.0 if twins > 0 and view.to_draw > 1 else 0.0
    if card == c.JOKER:
        x[DRAW.joker] = 1.0
        x[DRAW.joker_completes] = can_complete
        return
    x[DRAW.held_0 + min(held, 3)] = 1.0
    x[DRAW.value_new if held == 0 else DRAW.value_joins] = card / 13.0
    threat = threat_to(mind, card, held + 1)
    x[DRAW.threat] = threat
    x[DRAW.threat_less] = threat_to(mind, card, held) - threat if held > 0 else 0.0
    x[DRAW.unseen] = mind.unseen[card] / 8.0
    x[DRAW.king] = 1.0 if card == view.n_values else 0.0
    x[DRAW.completes] = 1.0 if pinchable(view, mind, card, held + 1) != 0 else 0.0
    x[DRAW.breaks] = 1.0 if held > 0 and pinchable(view, mind, card, held) != 0 else 0.0
    most = 0
    for p in range(view.n_players):
        if p != view.position:
            most = max(most, mind.known[p, card])
    x[DRAW.denies] = min(most, 3)
    x[DRAW.denies_next] = min(mind.known[next_player(view), card], 3)


@inner
def describe_partner(view, x, card):
    """The higher card of a market group, which comes along (R8.4)."""
    x[DRAW.partner] = 1.0
    x[DRAW.partner_joins] = 1.0 if card != c.JOKER and view.hand[card] > 0 else 0.0
    x[DRAW.partner_joker] = 1.0 if card == c.JOKER else 0.0


# --- shadow ---------------------------------------------------------------------------------------------------------------


@inner_called
def list_shadow(view, mind):
    """Each shadow group that can be pinched (R8.5)."""
    mind.options = 0
    for value in range(1, c.JOKER):
        if view.shadow_options >> value & 1 != 0:
            option = new_option(mind, value, SHADOW_WIDTH)
            x = mind.features[option]
            size, held = np.int64(view.shadow[value]), np.int64(view.hand[value])
            x[SHADOW.size_1 + min(size, 4) - 1] = 1.0
            x[SHADOW.value] = value / 13.0
            x[SHADOW.joins] = 1.0 if held > 0 else 0.0
            x[SHADOW.held] = min(held, 4) / 2.0
            x[SHADOW.formed] = (held + size) / 4.0
            x[SHADOW.threat] = threat_to(mind, value, held + size)
            x[SHADOW.unseen] = mind.unseen[value] / 8.0
