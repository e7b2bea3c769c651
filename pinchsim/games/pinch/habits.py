"""What players of pinch do more or less of than others (METHODS M3.6, M5.5)."""

from pinchsim.games.pinch.rules import RuleSet
from pinchsim.games.seam import GAMES, TURNS, Habit

TURN = {TURNS: 1.0}
GAINED = ("drawn_market", "drawn_pile", "cards_taken", "cards_taken_back", "cards_from_shadow")


def habits(rules: RuleSet) -> list[Habit]:
    """The habits that a rule set leaves room for."""
    found = list(ALWAYS)
    # Cards played: those that came into the hand and are not there at the end.
    played = {GAMES: float(rules.hand_size), **dict.fromkeys(GAINED, 1.0), "hand": -1.0}
    found.insert(0, Habit("group_size", played, TURN, False, "cards a turn", "plays bigger groups", "plays smaller groups"))
    found += _FREE if rules.free_draw else ()
    found += _JOKERS if rules.jokers else ()
    found += _SHADOW if rules.duel and rules.shadow_size else ()
    return found


def _one(column: str) -> dict[str, float]:
    return {column: 1.0}


def _share(column: str, other: str) -> tuple[dict[str, float], dict[str, float]]:
    return {column: 1.0}, {column: 1.0, other: 1.0}


ALWAYS = (
    Habit("pinches", _one("pinches_made"), TURN, False, "pinches a turn", "pinches more", "pinches less"),
    Habit(
        "multi_pinches", _one("multi_pinches"), TURN, True, "of its turns",
        "pinches several groups at once more often", "pinches several groups at once less often",
    ),
    Habit(
        "pinches_suffered", _one("pinches_suffered"), TURN, False, "pinches suffered a turn",
        "gets pinched more often", "gets pinched less often",
    ),
    Habit(
        "takes", _one("takes"), _one("pinches_made"), True, "of the groups that it pinches",
        "takes pinched groups more often", "takes pinched groups less often",
    ),
    Habit(
        "taken_size", _one("cards_taken"), _one("takes"), False, "cards in a group that it takes",
        "takes bigger groups", "takes smaller groups",
    ),
    Habit(
        "take_backs", *_share("cards_taken_back", "cards_discarded"), True, "of the own pinched cards that are left to it",
        "takes own pinched cards back more often", "takes own pinched cards back less often",
    ),
    Habit(
        "market", *_share("drawn_market", "drawn_pile"), True, "of the cards that it draws",
        "draws more from the market and less from the pile", "draws less from the market and more from the pile",
    ),
    Habit("turns", _one(TURNS), _one(GAMES), False, "turns a game", "has more turns in a game", "has fewer turns in a game"),
    Habit(
        "hand_left", _one("hand"), _one(GAMES), False, "cards left in hand",
        "ends with more cards in hand", "ends with fewer cards in hand",
    ),
    Habit(
        "display", _one("display"), _one(GAMES), False, "cards in the display at the end",
        "ends with more cards in the display", "ends with fewer cards in the display",
    ),
)  # fmt: skip
_FREE = (
    Habit(
        "free_draws", *_share("free_draws", "passes"), True, "of the free draws offered",
        "takes free draws more often", "declines free draws more often",
    ),
)  # fmt: skip
_JOKERS = (
    Habit(
        "jokers_joined", *_share("jokers_joined", "jokers_lone"), True, "of the jokers that it plays",
        "joins jokers to groups more often", "plays jokers alone more often",
    ),
    Habit(
        "jokers", {"jokers_joined": 1.0, "jokers_lone": 1.0}, _one(GAMES), False, "jokers played a game",
        "plays more jokers", "plays fewer jokers",
    ),
)  # fmt: skip
_SHADOW = (
    Habit(
        "shadow_pinches", _one("shadow_pinches"), TURN, False, "shadow groups a turn",
        "pinches shadow groups more often", "pinches shadow groups less often",
    ),
)  # fmt: skip
