"""Golden games: whole records kept as files. `python -m tests.golden` rewrites them; a test compares line by line."""

from pathlib import Path

from pinchsim import api

FOLDER = Path(__file__).parent / "golden"
GAMES = (
    ("pinch", 3, "uniform", 1),
    ("pinch", 4, "greedy", 2),
    ("pinch", 5, "greedy,uniform", 3),
    ("classic", 4, "greedy", 5),
    ("classic", 3, "uniform", 8),
    ("aces-bite", 3, "greedy,uniform", 4),
    ("aces-bite", 5, "greedy", 6),
    ("linko", 4, "greedy,uniform", 7),
    ("duel", 2, "uniform", 9),
    ("duel", 2, "greedy", 10),
    ("duel+classic", 2, "greedy,uniform", 11),
    ("duel+aces-bite", 2, "uniform", 12),
    ("linko-duel", 2, "uniform", 13),
    ("duel+refill=card+equal_pinches=true+discards=reshuffled", 2, "uniform", 14),
    ("pinch+refill=turn+exposed_group=pinched+last_group_pinches=true+sources=announced", 3, "uniform", 15),
)


def path_of(variant, players, line_up, game):
    """File of a golden game."""
    return FOLDER / f"{variant}-{players}p-{line_up.replace(',', '+')}-{game}.jsonl"


def lines_of(variant, players, line_up, game):
    """The record as it is produced now."""
    (record,) = api.trace(variant=variant, players=players, line_up=line_up, seed=20_140, game=game)
    return api.trace_lines(record)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.jsonl"):
        old.unlink()
    for golden in GAMES:
        path_of(*golden).write_text(lines_of(*golden), encoding="utf-8")
