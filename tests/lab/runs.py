"""Small runs of several chunks, and their bytes, for the tests of going on with them."""

from pinchsim.lab import chunks
from pinchsim.lab.run import SUMMARY_TABLES
from pinchsim.lab.watcher import Watcher

SMALL = {"variants": ["aces-bite"], "players": [3, 4], "line_ups": ["greedy"], "games": 600, "seed": 4}
CHUNK_DECKS = 60  # of 200 and 150 decks of each variant: 14 chunks


def contents(folder):
    """Everything that must come out the same, however a run was disturbed: by the path in its folder."""
    paths = [*folder.glob("games/*/*"), *folder.glob("players/*/*"), *(folder / f"{name}.parquet" for name in SUMMARY_TABLES)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


class Listener(Watcher):
    """Keeps what it hears."""

    def __init__(self):
        self.warnings, self.found, self.played_now = [], 0, 0

    def warned(self, text):
        self.warnings.append(text)

    def played(self, games, found=False):
        if found:
            self.found += games
        else:
            self.played_now += games


def before_chunk(number, monkeypatch, happens):
    """Something happens to the run before its chunk of this number, in the order of playing, is played."""
    real, begun = chunks.Player.play, []

    def play(self, chunk, memory, on_games):
        begun.append(chunk)
        if len(begun) == number:
            happens(chunk)
        return real(self, chunk, memory, on_games)

    monkeypatch.setattr(chunks.Player, "play", play)
    return begun
