"""The columns of a game's rows: name, type, unit and meaning, in the order in which the kernel writes them.

The kernel fills two int32 blocks, `games[column, game]` and `players[column, game, position]`. `scale` says what a stored
1 is worth: scores are kept in thousandths of a point and win shares in sixtieths, so that they are exact.
"""

from pinchsim.games.seam import Column

END_LABELS = {1: "hand_empty", 2: "cards_exhausted", 3: "turn_limit"}

GAME_COLUMNS = (
    Column(
        "deck",
        "int32",
        "index",
        "deck (shuffle) that the game was dealt from; games with the same deck are one cluster",
        "M1.1",
    ),
    Column(
        "rotation",
        "int8",
        "index",
        "which rotation of seats and strategies played the deck; game index = deck * rotations + rotation",
        "M1.3",
    ),
    Column("start_seat", "int8", "seat", "seat of the start player", "R2.1"),
    Column("turns", "int16", "turns", "plays over all players", "M3.4"),
    Column(
        "end_reason",
        "int8",
        "code",
        "how the game ended: 1 hand_empty (R6.1), 2 cards_exhausted (R6.2), 3 turn_limit (R6.6)",
        "M3.5",
        labels=END_LABELS,
    ),
    Column(
        "ended_by",
        "int8",
        "position",
        "player who emptied the hand or drew the last card; -1 at the turn limit",
        "M3.5",
    ),
    Column("winners", "int8", "players", "players who share the win", "R6.4"),
    Column(
        "lead_changes",
        "int16",
        "turns",
        "turns after which the set of leading players differs from the set after the turn before; the first turn is no change",
        "M3.7",
    ),
    Column(
        "lead_for_good",
        "int16",
        "turn",
        "turn from whose end on every winner was among the leaders until the end",
        "M3.7",
    ),
    Column(
        "leaders_25",
        "int8",
        "bit set",
        "positions leading after turn ceil(turns / 4): bit p is set when position p leads",
        "M3.8",
    ),
    Column("leaders_50", "int8", "bit set", "the same after turn ceil(turns / 2)", "M3.8"),
    Column("leaders_75", "int8", "bit set", "the same after turn ceil(3 turns / 4)", "M3.8"),
    Column(
        "comeback",
        "float64",
        "points",
        "how far the winner was behind the leader at worst, after any turn; of several winners the one furthest behind",
        "M3.7",
        1 / 1000,
    ),
)

PLAYER_COLUMNS = (
    Column("seat", "int8", "seat", "seat of the player; the hand is dealt to the seat", "M1.3"),
    Column("strategy", "int8", "index", "place of the player's strategy in the line-up", "M1.3"),
    Column("score", "float64", "points", "score at the end, start bonus included", "R6.3", 1 / 1000),
    Column("display", "int16", "cards", "cards in the display at the end", "R6.3"),
    Column("hand", "int16", "cards", "cards in hand at the end", "R6.3"),
    Column(
        "win_share",
        "float32",
        "wins",
        "1 for the winner, 1/k for k players who share the win, 0 for the others",
        "M3.1",
        1 / 60,
    ),
    Column("pinches_made", "int16", "pinches", "groups this player pinched", "M3.6"),
    Column("pinches_suffered", "int16", "pinches", "groups this player lost from the display", "M3.6"),
    Column("multi_pinches", "int16", "turns", "turns in which this player pinched two or more", "M3.6"),
    Column("takes", "int16", "pinches", "pinched groups this player took into the hand", "M3.6"),
    Column("take_backs", "int16", "pinches", "own pinched groups taken back", "M3.6"),
    Column("cards_taken", "int16", "cards", "cards in the groups taken", "M3.6"),
    Column("cards_taken_back", "int16", "cards", "cards in the groups taken back", "M3.6"),
    Column("cards_discarded", "int16", "cards", "cards in own pinched groups put on the discard pile", "M3.6"),
    Column("drawn_market", "int16", "cards", "cards drawn from the market, free draws included", "M3.6"),
    Column("drawn_pile", "int16", "cards", "cards drawn from the pile, free draws included", "M3.6"),
    Column("free_draws", "int16", "cards", "free draws taken (R5.4)", "M3.6"),
    Column("passes", "int16", "turns", "free draws declined (R5.4)", "M3.6"),
    Column("shadow_pinches", "int16", "pinches", "shadow groups this player pinched (R8.5)", "M3.6"),
    Column("cards_from_shadow", "int16", "cards", "cards in these groups (R8.6)", "M3.6"),
    Column("jokers_dealt", "int8", "jokers", "jokers in the hand as dealt", "M3.9"),
    Column("jokers_joined", "int16", "jokers", "jokers played in a group with natural cards", "M3.6"),
    Column("jokers_lone", "int16", "jokers", "jokers played in lone-joker groups", "M3.6"),
)

_PLACE = {column.name: k for k, column in enumerate(PLAYER_COLUMNS)}

# What the engine counts during the game, from this column on; before it stand facts known at the end.
FIRST_TALLY = _PLACE["pinches_made"]
N_TALLIES = len(PLAYER_COLUMNS) - FIRST_TALLY
PINCHES_MADE = _PLACE["pinches_made"] - FIRST_TALLY
PINCHES_SUFFERED = _PLACE["pinches_suffered"] - FIRST_TALLY
MULTI_PINCHES = _PLACE["multi_pinches"] - FIRST_TALLY
TAKES = _PLACE["takes"] - FIRST_TALLY
TAKE_BACKS = _PLACE["take_backs"] - FIRST_TALLY
CARDS_TAKEN = _PLACE["cards_taken"] - FIRST_TALLY
CARDS_TAKEN_BACK = _PLACE["cards_taken_back"] - FIRST_TALLY
CARDS_DISCARDED = _PLACE["cards_discarded"] - FIRST_TALLY
DRAWN_MARKET = _PLACE["drawn_market"] - FIRST_TALLY
DRAWN_PILE = _PLACE["drawn_pile"] - FIRST_TALLY
FREE_DRAWS = _PLACE["free_draws"] - FIRST_TALLY
PASSES = _PLACE["passes"] - FIRST_TALLY
SHADOW_PINCHES = _PLACE["shadow_pinches"] - FIRST_TALLY
CARDS_FROM_SHADOW = _PLACE["cards_from_shadow"] - FIRST_TALLY
JOKERS_DEALT = _PLACE["jokers_dealt"] - FIRST_TALLY
JOKERS_JOINED = _PLACE["jokers_joined"] - FIRST_TALLY
JOKERS_LONE = _PLACE["jokers_lone"] - FIRST_TALLY
