"""`MIND`: scratch memory of the parametric policy for one decision.

After the decision it still holds the options, their features and their scores, for those who learn from them or explain them.
"""

import numpy as np

from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch.policy import layout as at

SIZES = 4  # threats are worked out for groups of 1 to 4 cards
BIGGER = 0.25  # of the threat to four cards is the threat to more
CANDIDATES = 4  # options that a search plays out; with 8 the few playouts were spread too thin
NO_MOMENT = -1  # of a mind that has thought of nothing yet
BY_SIZE = 32  # top groups by size, up to 31

MIND = np.dtype(
    (
        np.record,
        [
            ("features", np.float64, (at.MAX_OPTIONS, at.WIDTH)),  # of each option
            ("scores", np.float64, (at.MAX_OPTIONS,)),
            ("answers", np.int64, (at.MAX_OPTIONS,)),
            ("options", np.int64),  # how many there are
            ("chosen", np.int64),  # index of the option taken
            ("weights", np.float64, (at.WIDTH,)),  # of each feature in this situation
            ("context", np.float64, (at.N_CONTEXTS,)),
            ("contexts_at_work", np.int64, (at.N_CONTEXTS,)),  # numbers of those that are not 0
            ("n_at_work", np.int64),
            ("base", np.float64, (at.WIDTH,)),  # features that all plays of a value share
            ("threat", np.float64, (c.N_CARDS, SIZES)),  # by value and size - 1
            ("rows", np.int64, (c.MAX_PLAYERS,)),  # where the chances of each hand begin in `mind.HOLDS`
            ("beating", np.float64, (c.N_CARDS, SIZES)),  # expected groups of a value and size - 1 in other hands
            ("moment", np.int64),  # when what follows and the threats were worked out (`mind.moment_of`)
            ("unseen", np.int64, (c.N_CARDS,)),  # cards that this player cannot place, by card
            ("known", np.int64, (c.MAX_PLAYERS, c.N_CARDS)),  # cards that it knows in other hands
            ("in_market", np.int64, (c.N_CARDS,)),
            ("tops", np.int64, (BY_SIZE,)),  # values of the other players' top groups as bits, by size
            ("values_held", np.int64),  # distinct values in hand, without jokers
            ("most_held", np.int64),  # cards of the value held most often
            ("lowest_held", np.int64),
            ("highest_held", np.int64),
        ],
    )
)

# What a search finds out about its candidates, the policy's own choice first (`search`).
SEARCH = np.dtype(
    (
        np.record,
        [
            ("options", np.int64, (CANDIDATES,)),  # index among the options of the mind record
            ("answers", np.int64, (CANDIDATES,)),
            ("sums", np.float64, (CANDIDATES,)),  # of the gains over the policy's choice, in the same worlds
            ("squares", np.float64, (CANDIDATES,)),
            ("played", np.int64, (CANDIDATES,)),  # worlds
            ("alive", np.int64, (CANDIDATES,)),  # 1 while it may still be chosen
            ("candidates", np.int64),
            ("playouts", np.int64),  # of all decisions so far
        ],
    )
)
