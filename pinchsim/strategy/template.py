"""A working, commented strategy to begin with."""

from pathlib import Path

from pinchsim.errors import UsageError

TEMPLATE = '''"""{title}: plays its biggest group; say here in one sentence what your strategy is about.

A strategy is this one file. Each function below is one decision; it gets a view of all that the player may know
(`pinchsim strategies view` lists it) and returns its answer. What you delete is decided by a sensible default. Players are
numbered by position: 0 is the start player, `view.position` is you.
Try it:  pinchsim strategies check {name}{where}
         pinchsim sweep --line-up {name},greedy{where}
"""

from pinchsim.games.pinch.moves import DISCARD, JOKER, LEAVE, PASS, PILE, TAKE, TAKE_BACK, group, lone_jokers


def play(view):
    """Which group to play: return group(value, naturals, jokers) or lone_jokers(jokers)."""
    best = 0
    for value in range(1, view.n_values + 1):  # 1 is the ace, view.n_values the king
        if view.hand[value] > view.hand[best]:
            best = value
    if view.hand[best] == 0:  # only jokers are left
        return lone_jokers(view.hand[JOKER])
    return group(best, view.hand[best], 0)


def take(view):
    """You pinched view.group_size cards of view.group_value: TAKE them into your hand or LEAVE them?"""
    if view.hand[view.group_value] > 0:  # they join cards of the same value
        return TAKE
    return LEAVE


def take_back(view):
    """Your group was pinched and left to you: TAKE_BACK, or DISCARD it and draw as many cards?"""
    if view.group_size >= 3:
        return TAKE_BACK
    return DISCARD


def draw(view):
    """Where to draw a card: a market place (0, 1, ...), PILE, or PASS if view.may_pass (the free draw)."""
    if view.may_pass and view.cards_in_hand[view.position] < 4:  # near the end every card in hand costs a point
        return PASS
    for place in range(view.market_size):
        card = view.market[place]  # 0 where no card lies
        if card > 0 and view.hand[card] > 0:
            return place
    if view.pile_size > 0:
        return PILE
    for place in range(view.market_size):
        if view.market[place] > 0:
            return place
    return PASS  # never reached: there is always a card to draw


def shadow(view):
    """In a duel: which group of the shadow display to pinch? Bit v of view.shadow_options is 1 if value v can be pinched."""
    best = 0
    for value in range(1, view.n_values + 1):
        if (view.shadow_options >> value) & 1 == 1 and view.hand[value] >= view.hand[best]:
            best = value
    return best


# A file can also take over decisions that others wrote:
# from pinchsim.games.pinch.sense import draw, shadow, take, take_back
'''


def write_template(game: str, name: str, folder: Path | None) -> Path:
    """Write a new strategy file and return its path.

    Raises
    ------
    UsageError
        The name is no Python identifier, or the file exists.
    """
    if not name.isidentifier() or name.startswith("_") or name == "default":
        raise UsageError(f"'{name}' cannot name a strategy: use letters, digits and _, beginning with a letter.")
    path = (folder or Path("strategies") / game) / f"{name}.py"
    if path.exists():
        raise UsageError(f"'{path}' exists already; choose another name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    where = "" if folder is None else f" --strategies {folder}"
    text = TEMPLATE.format(name=name, title=name.replace("_", " ").capitalize(), where=where)
    path.write_text(text, encoding="utf-8")
    return path
