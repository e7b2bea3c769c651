"""The two records of a game: `VIEW`, what the player to decide may see (R9.1), and `STATE`, what nobody may see (R9.2).

Each is one structured record, so a kernel gets one pointer with constant offsets. The engine keeps all public facts in
the view and works on them there; before a decision it copies in the hand and the random stream of the player who
decides (`show`). Other hands and the order of the pile are simply not in the view.

Hands are counts by card, a byte each, and the engine changes them as two 64-bit words that lie over the bytes
(`hand_words`): adding k cards is one addition. A byte is read after a word was written, never the other way round, so
the processor never waits for its store buffer.
"""

import sys

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.policy.layout import N_WEIGHTS
from pinchsim.games.pinch.policy.record import MIND, SEARCH
from pinchsim.rng import next_decision, stream_start

if sys.byteorder != "little":
    raise ImportError("pinchsim lays words over bytes and needs a little-endian processor")

COUNT = np.int8
INT = np.int64

# name, dtype, shape, meaning. Arrays by player are indexed by position, arrays by card as in `codes`.
_VIEW_FIELDS = (
    # who I am, and what only I know
    ("position", np.uint8, (), "the player who decides: 0 = start player, counted clockwise"),
    ("hand", COUNT, (c.N_CARDS,), "cards in my hand, by card"),
    ("rng", np.uint64, (), "my random stream for this decision; use rng.below and rng.chance"),
    # the table
    ("n_players", INT, (), "players in the game"),
    ("turn", INT, (), "plays so far over all players, this one included; the first turn is 1"),
    ("mover", np.uint8, (), "the player whose turn it is"),
    ("cards_in_hand", INT, (c.MAX_PLAYERS,), "hand size by player"),
    ("cards_in_display", INT, (c.MAX_PLAYERS,), "cards in the display by player"),
    ("n_groups", INT, (c.MAX_PLAYERS,), "groups in the display by player"),
    (
        "groups",
        np.int16,
        (c.MAX_PLAYERS, c.MAX_GROUPS),
        "packed groups by player: 1 is the lowest, n_groups the top group; 0 holds 0",
    ),
    ("market", COUNT, (c.MAX_MARKET,), "card at each market place, 0 where none lies; of a two-card group the lower card"),
    ("market_filled", INT, (), "market places that hold a card"),
    ("pile_size", INT, (), "cards left in the draw pile"),
    ("discard", COUNT, (c.N_CARDS,), "discard pile, by card"),
    ("known", COUNT, (c.MAX_PLAYERS, c.N_CARDS), "cards everybody knows to be in a hand, by player and card (R9.1)"),
    ("unseen", COUNT, (c.N_CARDS,), "cards nobody has seen openly (in hands unknown, or in the pile), by card"),
    # the table of a duel (R8)
    ("duel", INT, (), "1 in a duel"),
    ("market_partner", COUNT, (c.MAX_MARKET,), "higher card of the two-card group at each market place, 0 where none is"),
    ("shadow", COUNT, (c.N_CARDS,), "shadow display, by card; equal cards are one group"),
    ("shadow_cards", INT, (), "cards in the shadow display"),
    ("out_of_play", COUNT, (c.N_CARDS,), "kings and jokers that found no single card in the market, by card"),
    # the decision
    ("victim", np.uint8, (), "take / leave, take back / discard: the player whose group was pinched"),
    ("group_value", INT, (), "value of the pinched group, JOKER for lone jokers"),
    ("group_size", INT, (), "cards in the pinched group"),
    ("group_naturals", INT, (), "natural cards in the pinched group"),
    ("group_jokers", INT, (), "jokers in the pinched group"),
    ("to_draw", INT, (), "drawing: cards still to be drawn, this one included"),
    ("may_pass", INT, (), "drawing: 1 for a free draw, which may be declined (R5.4)"),
    ("shadow_options", INT, (), "shadow choice: bit set of the values that can be pinched (bit v for value v)"),
    # the rules in force (R11)
    ("n_values", INT, (), "highest number card; the king"),
    ("copies", INT, (), "cards of each value in the deck"),
    ("n_jokers", INT, (), "jokers in the deck"),
    ("hand_size", INT, (), "cards dealt to each player"),
    ("market_size", INT, (), "market places"),
    ("free_draw", INT, (), "1 if a player who pinched nobody may draw a card"),
    ("fewer_hand_wins", INT, (), "1 if among tied players the one with fewer cards in hand wins"),
    ("turn_limit", INT, (), "the game ends when this turn is resolved"),
    ("display_points", INT, (), "thousandths of a point for each card in the display"),
    ("hand_points", INT, (), "thousandths of a point for each card in hand (negative)"),
    ("start_bonus", INT, (c.MAX_PLAYERS,), "thousandths of a point added by position"),
    ("beats", INT, (c.N_CARDS,), "bit set of the values that a value beats at equal size (R4.2, R7.2)"),
    ("shadow_size", INT, (), "cards that the shadow display is filled up to"),
    ("shadow_blocks_free_draw", INT, (), "1 if pinching the shadow rules out the free draw"),
    (
        "readings",
        INT,
        (c.N_READINGS,),
        f"contested readings in force, 0 for the ruling: {', '.join(c.SWITCHES[c.FIRST_READING :])}",
    ),
    # for the engine
    ("slot", INT, (), "which strategy of the kernel plays this player, and its place of the line-up; not for strategies"),
)

# What any game needs, an imagined one (`policy.imagine`), too.
_GAME_FIELDS = (
    ("hands", COUNT, (c.MAX_PLAYERS, c.N_CARDS), "cards in hand, by player and card"),
    ("streams", np.uint64, (c.MAX_PLAYERS,), "counter of each player's random stream"),
    ("slots", INT, (c.MAX_PLAYERS,), "which strategy of the kernel plays each player, and its place of the line-up"),
    ("tops", INT, (), "size and value of every top group, a lane of 12 bits a player (`pinch`)"),
    ("beats_from", INT, (c.N_CARDS,), "lowest value that a value beats at equal size, once in each lane"),
    ("beats_below", INT, (c.N_CARDS,), "first value above those that it beats, once in each lane"),
    ("deck", np.uint8, (c.MAX_DECK,), "cards in the order in which they are dealt and drawn"),
    ("deck_size", INT, (), "cards in the deck"),
    ("next_card", np.uint16, (), "index of the top card of the draw pile"),
    ("end", INT, (), "RUNNING, or how the game ended"),
    ("ended_by", INT, (), "player who emptied the hand or drew the last card, -1 otherwise"),
    ("status", INT, (), "OK, or what a strategy did wrong"),
    ("tallies", np.int32, (c.MAX_PLAYERS, c.MAX_TALLIES), "what is counted for the rows, by player (`columns`)"),
    ("added_below", INT, (c.MAX_MARKET,), "1 where the lower card of a market group was added to the higher one"),
    ("pending", COUNT, (c.N_CARDS,), "cards drawn from the pile that come into the hand when all sources are named"),
    ("discard_stream", np.uint64, (), "counter of the random stream that reshuffles discards"),
)

# The hidden side of a game that a search imagines; everybody plays by the same weights.
_PLAYOUT_FIELDS = (
    *_GAME_FIELDS,
    ("forced", INT, (), "answer to give to the next decision, NO_ANSWER if it is free"),
    ("weights", np.float64, (1, N_WEIGHTS), "weights that everybody plays by"),
    ("mind", MIND, (), "scratch of the parametric policy"),
)


def _record(fields, overlays):
    """Structured dtype of the fields in order, 8-byte aligned, with further names laid over the same bytes.

    Its scalars are `np.record`, so that fields are attributes without compilation, too.
    """
    offsets, at = {}, 0
    for name, kind, shape, _ in fields:
        offsets[name] = at
        at += -(-np.dtype((kind, shape)).itemsize // 8) * 8
    formats = [(name, np.dtype((kind, shape)), offsets[name]) for name, kind, shape, _ in fields]
    formats += [(name, np.dtype((INT, shape or (at // 8,))), offsets[over]) for name, over, shape in overlays]
    names, dtypes, places = zip(*formats, strict=True)
    spec = {"names": names, "formats": dtypes, "offsets": places, "itemsize": at}
    return np.dtype((np.record, spec))


# Overlays: name, field that they begin at, shape in 64-bit words (None: the whole record).
VIEW = _record(
    _VIEW_FIELDS,
    (
        ("hand_words", "hand", (2,)),
        ("market_words", "market", (2,)),
        ("shadow_words", "shadow", (2,)),
        ("words", "position", None),
    ),
)
_OVERLAYS = (("hand_words", "hands", (c.MAX_PLAYERS, 2)), ("pending_words", "pending", (2,)))
PLAYOUT = _record(_PLAYOUT_FIELDS, _OVERLAYS)

# What else a game needs that is scored, written down or watched.
_STATE_FIELDS = (
    *_GAME_FIELDS,
    ("number_cards", np.uint8, (c.MAX_DECK,), "the number cards before the shuffle"),
    ("n_number_cards", INT, (), "number cards in the game"),
    ("won", INT, (), "bit set of the players who won or shared the win"),
    ("shown", np.int16, (c.MAX_PLAYERS, c.MAX_TURNS), "cards in the display by player after each turn"),
    ("held", np.int16, (c.MAX_PLAYERS, c.MAX_TURNS), "cards in hand by player after each turn"),
    ("scores", np.int32, (c.MAX_TURNS,), "scratch of the scoring: one player's score after each turn"),
    ("best", np.int32, (c.MAX_TURNS,), "scratch of the scoring: highest score after each turn"),
    ("leaders", np.int32, (c.MAX_TURNS + 32,), "scratch of the scoring: bit set of the leading players after each turn"),
    ("log", np.int16, (c.MAX_LOG, c.LOG_WIDTH), "game record: kind, player and three numbers a line (`hooks`)"),
    ("log_length", INT, (), "lines of the game record so far"),
    ("script", np.int32, (c.MAX_LOG,), "replay: the answers to give, in order"),
    ("script_length", INT, (), "answers in the script"),
    ("script_at", INT, (), "answers of the script used so far"),
    ("fired", INT, (c.MAX_RULES,), "counting: how often each rule came into play, over all games (`coverage`)"),
    ("asked", INT, (c.MAX_STRATEGIES,), "counting: decisions asked so far by slot, over all games"),
    ("decisions", INT, (), "checking: decisions asked so far, over all games"),
    ("kept_hands", COUNT, (c.MAX_PLAYERS, c.N_CARDS), "checking: the real hands while others are tried"),
    ("kept_deck", np.uint8, (c.MAX_DECK,), "checking: the real deck while another is tried"),
    ("weights", np.float64, (c.MAX_PLAYERS, N_WEIGHTS), "weights of the parametric policy by place of the line-up"),
    ("mind", MIND, (), "scratch of the parametric policy"),
    ("search", SEARCH, (), "scratch of a search: its candidates"),
    ("playout", PLAYOUT, (), "scratch of a search: the state of an imagined game"),
    ("imagined", VIEW, (), "scratch of a search: the view of an imagined game"),
)

STATE = _record(_STATE_FIELDS, _OVERLAYS)


def extended_state(*fields):
    """`STATE` with further fields: (name, dtype, shape, meaning) each."""
    return _record(_STATE_FIELDS + fields, _OVERLAYS)


VIEW_DOCS = {name: text for name, _, _, text in _VIEW_FIELDS if name != "slot"}


@inner
def read_rules(state, view, rules):
    """Copy the switches of a rule set (int64[N_SWITCHES], R11) into the view and work out what beats what."""
    view.n_jokers = rules[0]
    view.copies = rules[1]
    view.n_values = rules[2]
    view.hand_size = rules[3]
    view.market_size = rules[4]
    view.free_draw = rules[5]
    view.fewer_hand_wins = rules[7]
    view.duel = rules[8]
    view.shadow_size = rules[9]
    view.shadow_blocks_free_draw = rules[10]
    view.display_points = rules[11]
    view.hand_points = rules[12]
    view.turn_limit = rules[13]
    for k in range(c.N_READINGS):
        view.readings[k] = rules[c.FIRST_READING + k]
    for p in range(c.MAX_PLAYERS):
        view.start_bonus[p] = rules[c.START_BONUS + p]
    rank_values(state, view, rules[6])


@inner
def rank_values(state, view, aces_bite):
    """Which values a value beats at equal size: in bit sets, and as one range a value in the lanes of `pinch`.

    The ranges are those of the rulings; where a contested reading is in force the bit sets count.
    """
    equal, joker_tie = view.readings[c.EQUAL_PINCHES], view.readings[c.LONE_JOKER_TIE]
    for value in range(1, c.JOKER + 1):
        lowest, below = 1, value  # R4.2: every lower value; lone jokers rank above all
        view.beats[value] = (1 << value) - 2
        if value == 1 and aces_bite != 0:
            lowest, below = view.n_values, c.JOKER + 1  # R7.2: aces bite kings and lone jokers; no value lies between these
            view.beats[value] |= 1 << view.n_values | 1 << c.JOKER
        view.beats[value] |= (joker_tie if value == c.JOKER else equal) << value
        state.beats_from[value] = lowest * c.LANE_ONES
        state.beats_below[value] = below * c.LANE_ONES


@inner
def around(seat, n_players):
    """The seat or position that a number from 0 to 2 n - 1 means, going round the table."""
    return seat - n_players if seat >= n_players else seat


@inner
def start_streams(state, seed, deck, n_players, start_seat):
    """Give each player the random stream of the seat it sits on (METHODS M1.1: addressed by seed, deck and seat).

    Stream 0 shuffles the deck, 1 to 5 belong to the seats, 6 reshuffles discards.
    """
    for p in range(n_players):
        seat = around(start_seat + p, n_players)
        state.streams[p] = stream_start(seed, deck, np.uint64(seat + 1))
    state.discard_stream = stream_start(seed, deck, np.uint64(c.MAX_PLAYERS + 1))


@inner
def show(state, view, position):
    """Let `position` look: its own hand and its random stream for one decision, and nothing else that is hidden."""
    # All reads come first: the compiler must assume that the records overlap, and then keeps what was written in registers.
    stream = next_decision(state.streams[position])
    state.streams[position] = stream
    slot = state.slots[position]
    low = state.hand_words[position, 0]
    high = state.hand_words[position, 1]
    view.position = position
    view.slot = slot
    view.hand_words[0] = low
    view.hand_words[1] = high
    view.rng = stream


@inner
def add_to_hand(state, position, card, count):
    """Put `count` equal cards into a hand (a negative count takes them out); `count` fits the hand, not checked here.

    The caller keeps `view.cards_in_hand`.
    """
    state.hand_words[position, card >> 3] += count << ((card & 7) << 3)


@inner
def set_top_group(state, player, group):
    """Note the size and value of a display's top group, packed, 0 for none, in its lane of `state.tops`."""
    lane = player * c.LANE
    state.tops = (state.tops & ~(c.LANE_MASK << lane)) | (group >> 4) << lane


@inner
def stop(state, status):
    """Break the game off: a strategy answered something illegal. The first fault counts."""
    if state.status == c.OK:
        state.status = status
    state.end = c.BROKEN_OFF
