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
