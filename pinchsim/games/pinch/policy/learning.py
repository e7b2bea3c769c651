"""Games to learn from: what `pinchsim.strategy.kernels` compiles to play games and note each decision of the learners.

A lesson is one decision: how much more of each feature the chosen option had than the options on average (the gradient of the
log of its softmax probability by the features' weights in this situation), the situation's contexts, and what came of it.
"""

from typing import Any

import numpy as np

from pinchsim._jit import inner
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import defaults
from pinchsim.games.pinch.batch import forget, read_weights, set_up
from pinchsim.games.pinch.compiled import DECISIONS, FIELDS, FOLDER, REQUIRED, hooks, seen, view_type
from pinchsim.games.pinch.deal import sort_cards
from pinchsim.games.pinch.policy import layout as at
from pinchsim.games.pinch.policy import players
from pinchsim.games.pinch.score import winners
from pinchsim.games.pinch.state import VIEW, extended_state, read_rules
from pinchsim.games.pinch.turn import play_to_end

__all__ = [
    "DECISIONS",
    "ENTRY",
    "FIELDS",
    "FOLDER",
    "REQUIRED",
    "defaults",
    "first_call",
    "hooks",
    "play_games",
    "policy",
    "seen",
    "view_type",
]

ENTRY = (
    "rules", "line_up", "weights", "learns", "mirror", "seed", "indices", "state", "view", "gains", "contexts", "facts",
    "shares",
)  # fmt: skip
MAX_LESSONS = 2048  # of a game; what comes after that is played, and nothing is learnt from it
KIND, PLAYER, OUTCOME = 0, 1, 2  # facts of a lesson

LEARNING_STATE = extended_state(
    ("learns", np.int64, (c.MAX_PLAYERS,), "whether the decisions of a place of the line-up are noted"),
    ("lessons", np.int64, (), "decisions noted in this game"),
    ("missed", np.int64, (), "decisions of all games that found no room"),
    ("gains", np.float32, (MAX_LESSONS, at.WIDTH), "features of the chosen option less the average under softmax"),
    ("contexts", np.float32, (MAX_LESSONS, at.N_CONTEXTS), "contexts of the decision"),
    ("kinds", np.int64, (MAX_LESSONS,), "which decision it was, by `layout.FEATURES`"),
    ("deciders", np.int64, (MAX_LESSONS,), "who decided"),
)


@inner
def note(state, view, kind):
    """Note the decision that was just made, if its player learns and there was a choice."""
    place = view.slot >> c.SLOT_BITS
    k = state.lessons
    mind = state.mind
    if state.learns[place] == 0 or mind.options < 2:
        return
    if k == MAX_LESSONS:
        state.missed += 1
        return
    state.lessons = k + 1
    temperature = state.weights[place, at.TEMPERATURE]
    most = mind.scores[0]
    for option in range(1, mind.options):
        most = max(most, mind.scores[option])
    total = 0.0
    for option in range(mind.options):
        total += np.exp((mind.scores[option] - most) / temperature)
    for f in range(at.WIDTH):
        state.gains[k, f] = mind.features[mind.chosen, f]
    for option in range(mind.options):
        chance = np.exp((mind.scores[option] - most) / temperature) / total
        if chance > 1e-6:
            for f in range(at.WIDTH):
                state.gains[k, f] -= chance * mind.features[option, f]
    for situation in range(at.N_CONTEXTS):
        state.contexts[k, situation] = mind.context[situation]
    state.kinds[k] = kind
    state.deciders[k] = view.position


def _noted(decide, kind):
    """A compiled decision that is noted."""
    number = np.int64(kind)

    @inner
    def decide_and_note(state, view):
        answer = decide(state, view)
        note(state, view, number)
        return answer

    return decide_and_note


def policy(code: str, mode: str, on_disk: bool) -> dict[str, Any]:
    """The decisions of the parametric policy, each noted; code that plays beside it is not."""
    decisions = players.decisions()
    return {name: _noted(decide, kind) for kind, (name, decide) in enumerate(decisions.items())}


@inner
def play_games(
    hooks, rules, line_up, weights, learns, mirror, seed, indices, state_bytes, view_bytes, gains, contexts, facts, shares
):
    """Play games as `batch.play_games` does, and write down lessons instead of rows.

    Parameters
    ----------
    line_up : int64[n_players]
        Slot of the strategy at each place of the line-up.
    weights : float64[n_players, N_WEIGHTS]
        By place of the line-up; learners need a temperature above 0, and play by weights.
    learns : int64[n_players]
        Whether the place's decisions are noted.
    gains : float32[n, WIDTH], contexts : float32[n, N_CONTEXTS], facts : float32[n, 3]
        A row for each lesson: see `note`; kind of decision, position, and the share of the win that the player got.
        Modified in place. What does not fit is not noted, but counted in `missed` of the state.
    shares : float64[n_games, n_players]
        Share of the win by place of the line-up. Modified in place.

    Returns
    -------
    lessons : int64
        Rows filled; -1 if a strategy answered something illegal.
    """
    state = state_bytes.view(LEARNING_STATE)[0]
    view = view_bytes.view(VIEW)[0]
    forget(view)
    read_rules(state, view, rules)
    read_weights(state, weights)
    sort_cards(state, view)
    n_players = weights.shape[0]
    for place in range(n_players):
        state.learns[place] = learns[place]
    state.missed = 0
    order = state.deck[:0]  # no order: shuffle
    at_row = 0
    for row in range(indices.size):
        deck = indices[row] // n_players
        rotation = indices[row] % n_players
        start_seat = rotation * mirror
        seat(state, line_up, start_seat, rotation - start_seat)
        set_up(hooks, state, view, seed, np.uint64(deck), order, n_players, start_seat)
        state.lessons = 0
        play_to_end(state, view, hooks)
        if state.status != c.OK:
            return -1
        at_row = write_lessons(state, view, n_players, at_row, gains, contexts, facts, shares, row)
    return at_row


@inner
def seat(state, line_up, start_seat, shift):
    """Give every position its place of the line-up, as `batch.seat_players` does."""
    n_players = line_up.size
    for p in range(n_players):
        place = (start_seat + p - shift + 2 * n_players) % n_players
        state.slots[p] = line_up[place] | place << c.SLOT_BITS


@inner
def write_lessons(state, view, n_players, at_row, gains, contexts, facts, shares, row):
    """Copy the lessons of the finished game, with what came of them; returns the next free row."""
    won = winners(view)
    n_won = 0
    for p in range(n_players):
        n_won += (won >> p) & 1
    for p in range(n_players):
        shares[row, state.slots[p] >> c.SLOT_BITS] = ((won >> p) & 1) / n_won
    count = min(state.lessons, gains.shape[0] - at_row)
    state.missed += state.lessons - count
    for k in range(count):
        for f in range(at.WIDTH):
            gains[at_row + k, f] = state.gains[k, f]
        for situation in range(at.N_CONTEXTS):
            contexts[at_row + k, situation] = state.contexts[k, situation]
        player = state.deciders[k]
        facts[at_row + k, KIND] = state.kinds[k]
        facts[at_row + k, PLAYER] = player
        facts[at_row + k, OUTCOME] = ((won >> player) & 1) / n_won
    return at_row + count


def new_memory() -> tuple[np.ndarray, np.ndarray]:
    """Memory for one state and one view; every thread needs its own."""
    return np.zeros(LEARNING_STATE.itemsize, np.uint8), np.zeros(VIEW.itemsize, np.uint8)


def first_call(kernel: Any) -> None:
    """Compile a kernel, or load it from disk, by playing no game at all."""
    lessons = (np.zeros((0, width), np.float32) for width in (at.WIDTH, at.N_CONTEXTS, 3))
    weights, learns = np.zeros((3, at.N_WEIGHTS)), np.zeros(3, np.int64)
    rules = np.zeros(c.N_SWITCHES, np.int64)
    line_up, none = np.zeros(3, np.int64), np.zeros(0, np.int64)
    kernel(rules, line_up, weights, learns, 1, np.uint64(0), none, *new_memory(), *lessons, np.zeros((0, 3)))
