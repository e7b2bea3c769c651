"""The parametric policy: one compiled way of playing whose weights are data (`layout`), and the search that plays it out.

A `.toml` strategy names its policy; `CODES` says which module holds the compiled decisions of each.
"""

CODES = {"weights": "pinchsim.games.pinch.policy.players", "search": "pinchsim.games.pinch.policy.search"}
