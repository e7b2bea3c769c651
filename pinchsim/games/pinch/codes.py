"""Numbers that the kernels, the strategies and the record share.

Players are numbered by **position** throughout the engine: 0 is the start player, 1 sits to the left, and so on (R2.1).
A card is its value 1..13, or `JOKER`; index 0 of every array by card is unused. A group is one small integer, see
`pack_group`.
"""

from pinchsim._jit import inner

# --- sizes of the state's arrays -------------------------------------------------------------------------------------
MAX_PLAYERS = 5
MAX_VALUES = 13
JOKER = 14  # also the value of a lone-joker group: it ranks above 13 (R4.2)
N_CARDS = 16  # length of arrays by card: 0 unused, 1..13 values, 14 jokers, 15 unused
MAX_MARKET = 16
MAX_DECK = 256
MAX_GROUPS = 256  # groups count from 1
MAX_TURNS = 10_000  # a multiple of `score.BLOCK`
# A turn has at most a play, a pass, a shadow pinch, and two decisions for each of four neighbours. Every drawn card leaves pile
# and market for good, so draws and refills together number at most twice the deck in a whole game. (Where discards are
# reshuffled a record can be longer: `hooks.write_log` looks.)
MAX_LOG = 11 * MAX_TURNS + 2 * MAX_DECK
LOG_WIDTH = 5
MAX_TALLIES = 24
MAX_RULES = 64
MAX_STRATEGIES = 256
SLOT_BITS = 8  # of a player's slot: which code of the kernel decides; above them, the place of the line-up
SLOT_MASK = MAX_STRATEGIES - 1
TOO_MANY = 128  # equal cards in a hand; a count is a signed byte
NEGATIVE = -0x7F7F7F7F7F7F7F80  # the sign bits of eight counts

CARD_NAMES = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X")

# --- answers of a strategy -------------------------------------------------------------------------------------------
LEAVE, TAKE = 0, 1  # R4.4, the pinching player
DISCARD, TAKE_BACK = 0, 1  # R4.4, the pinched player
PILE = -1  # R5.1: any number 0.. is a market place
PASS = -2  # R5.4
NO_ANSWER = -99  # legal nowhere, so that the engine stops at once

# --- how a game ended (R6) -------------------------------------------------------------------------------------------
RUNNING, HAND_EMPTY, CARDS_EXHAUSTED, TURN_LIMIT, BROKEN_OFF = 0, 1, 2, 3, 4
END_REASONS = ("running", "hand_empty", "cards_exhausted", "turn_limit")

# --- status of a batch -----------------------------------------------------------------------------------------------
(
    OK,
    ILLEGAL_PLAY,
    ILLEGAL_TAKE,
    ILLEGAL_TAKE_BACK,
    ILLEGAL_DRAW,
    ILLEGAL_SHADOW,
    ILLEGAL_RESHUFFLE,
    SCRIPT_ENDED,
    LOG_FULL,
    VIEW_CHANGED,
    NOT_DEAF,
) = range(11)

# --- switches of a rule set, as indexes into the array of R11 --------------------------------------------------------
SWITCHES = (
    "jokers",
    "copies",
    "values",
    "hand_size",
    "market_size",
    "free_draw",
    "aces_bite",
    "tie_break",
    "duel",
    "shadow_size",
    "shadow_blocks_free_draw",
    "score_display",
    "score_hand",
    "turn_limit",
    # contested readings, in the order of the indexes below
    "exhaustion",
    "refill",
    "equal_pinches",
    "last_group_pinches",
    "compare",
    "lone_joker_tie",
    "exposed_group",
    "discards",
    "sources",
    "pinch_order",
)
START_BONUS = len(SWITCHES)  # the bonus of position p stands at START_BONUS + p
N_SWITCHES = START_BONUS + MAX_PLAYERS

# --- contested readings, as indexes into `view.readings`; there 0 is the ruling of the rules page ------------------------
(
    EXHAUSTION,
    REFILL,
    EQUAL_PINCHES,
    LAST_GROUP_PINCHES,
    COMPARE,
    LONE_JOKER_TIE,
    EXPOSED_GROUP,
    DISCARDS,
    SOURCES,
    PINCH_ORDER,
) = range(10)
N_READINGS = 10
FIRST_READING = SWITCHES.index("exhaustion")
MARKET_LAST, MARKET_CARD = 1, 2  # of EXHAUSTION
AFTER_CARD, AFTER_TURN = 1, 2  # of REFILL
BY_NATURALS = 2  # of COMPARE; by sum (1) is the same as by value, since only groups of equal size are compared

POINT = 1000  # scores are whole thousandths of a point inside the engine, so that fractions tie exactly

# --- all top groups in one word: a lane of 12 bits a player, size << 4 | value in it, the highest bit left free ----------
LANE = 12
LANE_ONES = 0x001001001001001
LANE_GUARDS = 0x800800800800800
LANE_MASK = 0xFFF


@inner
def pack_group(value, naturals, jokers):
    """A group as one integer: size, value and jokers in it; 0 stands for no group (R3.2)."""
    return (naturals + jokers) << 8 | value << 4 | jokers


@inner
def group_size(group):
    """Cards in a packed group."""
    return group >> 8


@inner
def group_value(group):
    """Value of a packed group; `JOKER` for lone jokers."""
    return (group >> 4) & 15


@inner
def group_jokers(group):
    """Jokers in a packed group."""
    return group & 15


@inner
def group_naturals(group):
    """Natural cards in a packed group; 0 for lone jokers."""
    return (group >> 8) - (group & 15)
