"""What a player works out before it weighs its options: hand, table, memory, threats and the situation.

Everything here follows from the view (R9.3).
"""

import numpy as np

from pinchsim._jit import inner, inner_called
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.moves import top_size, top_value
from pinchsim.games.pinch.policy import layout as at
from pinchsim.games.pinch.policy.record import BIGGER, BY_SIZE, SIZES
from pinchsim.games.pinch.score import score
from pinchsim.rng import chance

LIKELY = 64  # steps of the chance that a card lies in a certain hand
MOST_UNSEEN = 15
SURE = 4  # index of "none more is needed" in a row of HOLDS
WILLING = np.array([0.10, 0.30, 0.45, 0.60])  # how readily a group of each size is used to pinch


def _holds():
    """Chance that at least so many of the unseen copies lie in a hand.

    float64[LIKELY + 1, MOST_UNSEEN + 1, 16] by chance of a single card in steps, unseen copies, and SURE + copies needed:
    the tail of the binomial distribution.
    """
    table = np.ones((LIKELY + 1, MOST_UNSEEN + 1, 16))
    for step in range(LIKELY + 1):
        one = step / LIKELY
        pmf = np.zeros(17)
        pmf[0] = 1.0
        for unseen in range(MOST_UNSEEN + 1):
            for needed in range(1, 16 - SURE):
                table[step, unseen, SURE + needed] = pmf[needed:].sum()
            pmf[1:] = pmf[1:] * (1 - one) + pmf[:-1] * one
            pmf[0] *= 1 - one
    return table


HOLDS = _holds().ravel()
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)
PLAYING, TAKING, DRAWING, CHOOSING = (np.int64(kind) for kind in range(4))
ROW, STEP = 16, (MOST_UNSEEN + 1) * 16  # from one count of unseen copies, and one step of the chance, to the next


@inner_called
def think(view, mind, weights, kind):
    """Fill the record with all that does not depend on the option; `weights` say how much is remembered."""
    look_at_hand(view, mind)
    look_at_table(view, mind)
    moment = moment_of(view)
    if mind.moment != moment:
        mind.moment = moment
        recall(view, mind, weights[at.MEMORY])
        weigh_threats(view, mind)
    set_context(view, mind, what_choice(view, mind, kind))


@inner
def moment_of(view):
    """A number that differs whenever a player may know more of the others' cards than at its decision before.

    Within a turn other hands only grow, and the player itself learns of a card only by drawing it from the pile; what it plays
    itself is nothing new to it. The records of other games are marked as of no moment (`NO_MOMENT`).
    """
    others = -view.cards_in_hand[view.position]
    for p in range(view.n_players):
        others += view.cards_in_hand[p]
    return ((view.turn << 10 | view.pile_size) << 10 | others) << 3 | np.int64(view.position)


@inner
def look_at_hand(view, mind):
    """How many values the hand holds, which is the lowest and the highest, and how often the one held most often."""
    distinct, most, lowest, highest = 0, 0, 0, 0
    for value in range(1, c.JOKER):
        held = np.int64(view.hand[value])
        distinct += np.int64(held > 0)
        most = max(most, held)
        highest = value if held > 0 else highest
        lowest = value if (held > 0) & (lowest == 0) else lowest
    mind.values_held, mind.most_held = distinct, most
    mind.lowest_held, mind.highest_held = lowest, highest


@inner
def look_at_table(view, mind):
    """The other players' top groups by size, and the market by card."""
    for size in range(BY_SIZE):
        mind.tops[size] = 0
    for p in range(view.n_players):
        if p != view.position:
            size = top_size(view, p)
            mind.tops[size & (BY_SIZE - 1)] |= np.int64(size > 0) << top_value(view, p)
    for card in range(c.N_CARDS):
        mind.in_market[card] = 0
    for place in range(view.market_size):
        mind.in_market[np.int64(view.market[place])] += 1
        if view.duel != 0:
            mind.in_market[np.int64(view.market_partner[place])] += 1
    mind.in_market[0] = 0


@inner
def recall(view, mind, memory):
    """What this player knows of the cards: the public facts (R9.1) as far as they are remembered, and its own hand."""
    for card in range(c.N_CARDS):
        own = np.int64(view.hand[card]) - view.known[view.position, card]
        mind.unseen[card] = np.int64(view.unseen[card]) - own
        for p in range(view.n_players):
            mind.known[p, card] = view.known[p, card]
        mind.known[view.position, card] = 0
    if memory < 1:
        forget(view, mind, memory)


@inner_called
def forget(view, mind, memory):
    """Forget each card that is known in another hand or discarded, but for the share `memory` of them."""
    for card in range(1, c.JOKER + 1):
        for _ in range(view.discard[card]):
            mind.unseen[card] += np.int64(chance(view) >= memory)
        for p in range(view.n_players):
            if p != view.position:
                for _ in range(view.known[p, card]):
                    lost = np.int64(chance(view) >= memory)
                    mind.known[p, card] -= lost
                    mind.unseen[card] += lost


@inner
def weigh_threats(view, mind):
    """How likely each group would be beaten before this player's next turn, from the cards that others may hold.

    Each hidden card lies in a hidden place with equal chance. The expected number of other hands with a group that beats
    ours, x, becomes a threat w x / (1 + w x) with w = WILLING: nobody plays all that could beat us.
    """
    hidden = 0
    for card in range(c.N_CARDS):
        hidden += mind.unseen[card]
    for p in range(view.n_players):
        mind.rows[p] = first_row(view, mind, p, max(hidden, 1))
    above_1, above_2, above_3, above_4 = 0.0, 0.0, 0.0, 0.0
    for card in range(c.JOKER, 0, -1):
        mind.threat[card, 0], mind.threat[card, 1] = above_1, above_2
        mind.threat[card, 2], mind.threat[card, 3] = above_3, above_4
        one, two, three, four = 0.0, 0.0, 0.0, 0.0
        copies = min(max(mind.unseen[card], 0), MOST_UNSEEN) * ROW + SURE + 1
        for p in range(view.n_players):
            k = np.uint64(mind.rows[p] + copies - min(mind.known[p, card], SURE))  # unsigned: four numbers side by side
            one += HOLDS[k]
            two += HOLDS[k + _1]
            three += HOLDS[k + _2]
            four += HOLDS[k + _3]
        above_1 += one
        above_2 += two
        above_3 += three
        above_4 += four
        mind.beating[card, 0], mind.beating[card, 1] = one, two
        mind.beating[card, 2], mind.beating[card, 3] = three, four
    add_other_ways(view, mind)
    for card in range(1, c.JOKER + 1):
        for k in range(SIZES):
            ways = WILLING[k] * mind.threat[card, k]
            mind.threat[card, k] = ways / (1.0 + ways)


@inner
def first_row(view, mind, player, hidden):
    """Where the chances of a hand begin in HOLDS; those of the own hand are all 0."""
    if player == view.position:
        return np.int64(0)
    unknown = view.cards_in_hand[player]
    for card in range(1, c.JOKER + 1):
        unknown -= mind.known[player, card]
    return min(max(unknown, 0) * LIKELY // hidden, LIKELY) * STEP


@inner
def add_other_ways(view, mind):
    """What beats a value without being above it: biting aces (R7.2), and equal values where a reading says so."""
    if view.beats[1] == 0 and view.beats[c.JOKER] >> c.JOKER & 1 == 0:
        return
    for card in range(1, c.JOKER + 1):
        if view.beats[card] >> card & 1 != 0:
            for k in range(SIZES):
                mind.threat[card, k] += mind.beating[card, k]
        if card > 1 and view.beats[1] >> card & 1 != 0:
            for k in range(SIZES):
                mind.threat[card, k] += mind.beating[1, k]


@inner
def set_context(view, mind, choice):
    """The situation in numbers, see `layout.CONTEXTS`; `choice` is the last of them."""
    me = view.position
    cards = view.cards_in_hand[me]
    jokers = np.int64(view.hand[c.JOKER])
    plan = max(mind.values_held, np.int64(jokers > 0))
    fewest, short = c.MAX_DECK, 0
    best = -(1 << 40)
    for p in range(view.n_players):
        if p != me:
            fewest = min(fewest, view.cards_in_hand[p])
            best = max(best, score(view, p))
            short += np.int64(view.cards_in_hand[p] <= 4)
    lead = (score(view, me) - best) / (10.0 * c.POINT)
    stock = view.pile_size + view.market_filled
    top = np.int64(view.groups[me, view.n_groups[me] & 255])
    x = mind.context
    x[0] = 1.0
    x[1] = plan / 8.0
    x[2] = 1.0 if plan <= 2 else 0.0
    x[3] = max(5 - plan, 0) / 4.0
    x[4] = max(7 - fewest, 0) / 6.0
    x[5] = 1.0 if fewest <= 2 else 0.0
    x[6] = max(20 - stock, 0) / 20.0
    x[7] = min(max(lead, -1.5), 1.5)
    x[8] = 1.0 if lead > 0 else 0.0
    x[9] = jokers / 2.0
    x[10] = cards / 13.0
    x[11] = min(max((fewest - cards) / 10.0, -1.5), 1.5)
    x[12] = stock / 40.0
    x[13] = view.cards_in_display[me] / 20.0
    x[14] = short / (view.n_players - 1)
    x[15] = 1.0 if plan == 3 else 0.0
    x[16] = 1.0 if lead < 0 else 0.0
    x[17] = max(7 - view.cards_in_hand[next_player(view)], 0) / 6.0
    x[18] = threat_to(mind, c.group_value(top), c.group_size(top))
    x[19] = choice
    n = 0
    for situation in range(at.N_CONTEXTS):
        mind.contexts_at_work[n] = situation
        n += np.int64(x[situation] != 0)
    mind.n_at_work = n


@inner
def next_player(view):
    """Who plays after this player."""
    after = np.int64(view.position) + 1
    return after if after < view.n_players else np.int64(0)


@inner
def what_choice(view, mind, kind):
    """The context that depends on the decision (`layout.CONTEXTS`)."""
    if kind == PLAYING:
        for value in range(1, c.JOKER):
            held = np.int64(view.hand[value])
            if held > 0 and pinchable(view, mind, value, held) != 0:
                return 1.0
        return 0.0
    if kind == DRAWING:
        return 1.0 if view.may_pass != 0 else 0.0
    return view.group_size / 4.0 if kind == TAKING else 0.0


@inner
def threat_to(mind, value, size):
    """Threat to a group (0 to 1); 0 for a group of no card."""
    if size > SIZES:
        return BIGGER * mind.threat[value, SIZES - 1]
    return mind.threat[value, size - 1] if size > 0 else 0.0


@inner
def pinchable(view, mind, value, size):
    """Bit set of the values of the other players' top groups that a group would pinch (R4.2, R7.2)."""
    return mind.tops[size & (BY_SIZE - 1)] & view.beats[value]


@inner
def new_option(mind, answer, width):
    """Begin another option with score 0 and so many features, all 0, and return its number; there must be room."""
    option = mind.options
    mind.options = option + 1
    mind.answers[option] = answer
    mind.scores[option] = 0.0
    for k in range(width):
        mind.features[option, k] = 0.0
    return option


@inner_called
def win_share(view, gained, my_hand, other, drawn):
    """My share of the win if the game ended with this (R6.3, R6.4).

    My score would be higher by `gained` thousandths of a point and my hand have `my_hand` cards; player `other` (-1: nobody)
    would have drawn so many cards.
    """
    mine = score(view, view.position) + gained
    sharing = 1
    for p in range(view.n_players):
        if p != view.position:
            more = drawn if p == other else 0
            theirs = score(view, p) + view.hand_points * more
            hand = view.cards_in_hand[p] + more
            if theirs > mine or (theirs == mine and view.fewer_hand_wins != 0 and hand < my_hand):
                return 0.0
            sharing += np.int64(theirs == mine and (view.fewer_hand_wins == 0 or hand == my_hand))
    return 1.0 / sharing
