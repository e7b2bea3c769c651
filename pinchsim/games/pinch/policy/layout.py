"""What the parametric policy looks at: its features by decision, its contexts, and where their weights lie.

An option's score is the sum over contexts c and features f of weight[c, f] * context[c] * feature[f]. Features describe one
option ("spends a joker"), contexts the situation ("an opponent has few cards left"); the same feature can thus weigh more
or less as the game goes on. A table of weights is float64[N_WEIGHTS]: `N_SETTINGS` numbers that say how to play, then a
block float64[contexts, features] for each decision.
"""

from itertools import pairwise
from types import ModuleType

CONTEXTS = (
    ("always", "1"),
    ("plan", "turns needed to empty the own hand (distinct values held), in eighths"),
    ("plan_short", "1 if at most two turns are needed"),
    ("plan_ending", "how far the plan is below five turns, in quarters"),
    ("race", "how far the smallest other hand is below seven cards, in sixths"),
    ("race_close", "1 if another hand holds at most two cards"),
    ("stock_low", "how far pile and market are below twenty cards, in twentieths"),
    ("lead", "own score minus the best other one, in tens of points, within 1.5"),
    ("ahead", "1 if the own score is the highest alone"),
    ("jokers", "own jokers, in halves"),
    ("hand", "own hand, in thirteenths"),
    ("shorter", "smallest other hand minus the own hand, in tens of cards, within 1.5"),
    ("stock", "pile and market, in forties"),
    ("shown", "cards in the own display, in twenties"),
    ("rivals", "share of the other hands that hold at most four cards"),
    ("plan_middle", "1 if three turns are needed"),
    ("behind", "1 if another score is higher than the own one"),
    ("next", "how far the next player's hand is below seven cards, in sixths"),
    ("exposed", "threat to the own top group"),
    ("choice", "play: 1 if some value in hand pinches; draw: 1 if it may be declined; take: pinched cards, in quarters"),
)
N_CONTEXTS = len(CONTEXTS)

_PLAY = (
    ("size_1", "the group has one card"),
    ("size_2", "two cards"),
    ("size_3", "three cards"),
    ("size_4", "four cards"),
    ("size_5", "five cards or more"),
    ("value_1", "value in thirteenths, of a single card"),
    ("value_2", "of a pair"),
    ("value_3", "of three cards"),
    ("value_4", "of four cards or more"),
    ("threat_1", "threat to a single card: rises from 0 to 1 with the ways to beat it before the next own turn"),
    ("threat_2", "to a pair"),
    ("threat_3", "to three cards"),
    ("threat_4", "to four cards or more"),
    ("threat_1_squared", "the same, squared"),
    ("threat_2_squared", "of a pair"),
    ("threat_3_squared", "of three cards"),
    ("threat_4_squared", "of four cards or more"),
    ("safe_1", "1 for a single card that is not threatened: no unseen or known cards beat it"),
    ("safe_2", "for such a pair"),
    ("safe_3", "for three cards"),
    ("safe_4", "for four cards or more"),
    ("jokers_spent", "jokers in the group, in halves"),
    ("last_joker", "1 if no joker stays in hand that was there"),
    ("lone_jokers", "1 for jokers alone"),
    ("joker_pinches", "jokers in a group that pinches"),
    ("splits", "1 if cards of the value stay in hand"),
    ("kept", "cards of the value that stay in hand"),
    ("pinches", "1 if the group pinches anybody"),
    ("more_pinches", "players pinched beyond the first"),
    ("pinched_cards", "cards pinched, in quarters"),
    ("pinched_joins", "pinched groups whose value is in hand"),
    ("pinched_match", "cards in pinched groups whose value is in hand, in quarters"),
    ("pinched_jokers", "jokers in pinched groups"),
    ("pinched_value", "sum of the values pinched, in thirteenths"),
    ("pinched_single", "pinched single cards"),
    ("in_market", "copies of the value in the market"),
    ("single_in_market", "1 for a single card whose value is in the market"),
    ("unseen", "unseen copies of the value, in eighths"),
    ("single_unseen", "the same for single cards"),
    ("gone", "copies of the value that are in no hand, pile or market, in eighths"),
    ("plan_0", "1 if the hand is empty afterwards"),
    ("plan_1", "1 if one more turn will empty it"),
    ("plan_2", "1 if two more turns will"),
    ("ends_tied", "1 if this ends the game with a shared win"),
    ("biggest", "1 if no value in hand makes a bigger group without jokers"),
    ("lowest", "1 for the lowest value in hand"),
    ("highest", "1 for the highest value in hand"),
    ("rank", "share of the values in hand that are lower"),
    ("beneath", "threat to the group beneath times threat to this one: one pinch may follow the other"),
    ("king", "1 for the highest value"),
    ("ace", "1 for aces"),
    ("shadow", "1 if the group must pinch from the shadow display"),
    ("shadow_burden", "1 if all that it can pinch there joins no card in hand"),
    ("shadow_cards", "cards of the best group to pinch there, in quarters"),
    ("shadow_match", "cards in hand that it joins, in quarters"),
    ("weapon", "1 if the value could pinch somebody as a bigger group, with a joker or one card more"),
)
_TAKE = (
    ("always", "1"),
    ("size_1", "the pinched group has one card"),
    ("size_2", "two cards"),
    ("size_3", "three cards"),
    ("size_4", "four cards or more"),
    ("value", "its value in thirteenths"),
    ("joins", "1 if the value is in hand"),
    ("held", "cards of the value in hand, up to four, in halves"),
    ("stray_single", "1 for a single card that joins nothing"),
    ("stray_many", "cards of a group that joins nothing, in quarters"),
    ("size_joins", "cards of a group that joins, in quarters"),
    ("jokers", "jokers in the group"),
    ("lone_jokers", "1 for jokers alone"),
    ("threat", "threat to the group that the hand could play with it"),
    ("threat_alone", "threat to the group as it is"),
    ("threat_before", "threat to what the hand holds of the value now"),
    ("formed", "cards of the value in hand if it is taken, in quarters"),
    ("unseen", "unseen copies of the value, in eighths"),
    ("in_market", "copies of the value in the market"),
    ("pincher_cards", "hand of the pinching player, in tens"),
    ("other_cards", "hand of the other player of the pinch, in tens"),
    ("other_leads", "1 if that player leads"),
    ("other_joins", "1 if that player is known to hold the value"),
    ("could_pinch", "players whose top group the formed group would pinch"),
    ("high_single", "value of a single card, in thirteenths"),
    ("ends_tied", "1 if this ends the game with a shared win"),
    ("market_joins", "market places that join a card in hand"),
    ("market_jokers", "jokers in the market"),
    ("stock_ends", "1 if drawing as many cards would end the game"),
)
_DRAW = (
    ("pile", "1 for the pile"),
    ("passes", "1 for declining a free draw"),
    ("held_0", "a market card whose value is not in hand"),
    ("held_1", "is in hand once"),
    ("held_2", "twice"),
    ("held_3", "three times or more"),
    ("joker", "a joker"),
    ("value_new", "value in thirteenths, of a card that joins nothing"),
    ("value_joins", "of a card that joins"),
    ("threat", "threat to the group that it makes"),
    ("threat_less", "by how much it is smaller than that to the group before"),
    ("unseen", "unseen copies of the value, in eighths"),
    ("twin", "other market places with the same card"),
    ("twin_drawn", "1 if such a place can be drawn from, too"),
    ("completes", "1 if the group that it makes could pinch somebody now"),
    ("breaks", "1 if the group without it could pinch somebody now"),
    ("denies", "copies of the value known to be in other hands, up to three"),
    ("denies_next", "copies known in the next player's hand, up to three"),
    ("partner", "1 for a market group of two cards"),
    ("partner_joins", "1 if its higher card joins the hand"),
    ("partner_joker", "1 if its higher card is a joker"),
    ("pile_more", "1 for the pile when more cards are to be drawn"),
    ("joker_completes", "a joker with which a pair or more could pinch somebody"),
    ("king", "1 for the highest value"),
    ("ends_tied", "1 if this ends the game with a shared win"),
)
_SHADOW = (
    ("size_1", "the shadow group has one card"),
    ("size_2", "two cards"),
    ("size_3", "three cards"),
    ("size_4", "four cards or more"),
    ("value", "its value in thirteenths"),
    ("joins", "1 if the value is in hand"),
    ("held", "cards of the value in hand, up to four, in halves"),
    ("formed", "cards of the value in hand afterwards, in quarters"),
    ("threat", "threat to that group"),
    ("unseen", "unseen copies of the value, in eighths"),
)

FEATURES = {"play": _PLAY, "take": _TAKE, "take_back": _TAKE, "draw": _DRAW, "shadow": _SHADOW}
# How a table is used: softmax temperature (0: the best option), share of what has been seen that is remembered, and the
# playouts of a search.
SETTINGS = ("temperature", "memory", "playouts")
N_SETTINGS = 4
TEMPERATURE, MEMORY, PLAYOUTS = 0, 1, 2


def _numbers(features):
    """The features' indexes by name. Numba takes the attributes of a module for constants, at no cost."""
    numbers = ModuleType("features")
    for k, (name, _) in enumerate(features):
        setattr(numbers, name, k)
    return numbers


PLAY, TAKE, DRAW, SHADOW = (_numbers(features) for features in (_PLAY, _TAKE, _DRAW, _SHADOW))


def _starts():
    """First weight of each decision's block, and of what would come after the last."""
    at, starts = N_SETTINGS, []
    for features in FEATURES.values():
        starts.append(at)
        at += len(features) * N_CONTEXTS
    return (*starts, at)


STARTS = _starts()
BLOCKS = dict(zip(FEATURES, pairwise(STARTS), strict=True))

# Places for the features of an option by decision: those beyond its features stay 0. Rows of weights are read as far, too, and
# so the last row is followed by `LANES` weights that nothing is asked of.
LANES = 8
WIDTHS = tuple(-(-len(features) // LANES) * LANES for features in FEATURES.values())
WIDTH = max(WIDTHS)
N_WEIGHTS = STARTS[-1] + LANES
MAX_OPTIONS = 200
