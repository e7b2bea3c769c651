"""Small runs of several chunks, what must come out the same of them, and the harm their files may come to, for the tests of
going on with them."""

from pinchsim import api
from pinchsim.lab import chunks
from pinchsim.lab.watcher import Watcher

SMALL = {"variants": ["aces-bite"], "players": [3, 4], "line_ups": ["greedy"], "games": 600, "seed": 4}
CHUNK_DECKS = 60  # of 200 and 150 decks of each variant: 14 chunks


def contents(folder):
    """Everything that must come out the same, however a run was disturbed: by the path in its folder.

    Rows and the tables of the summary. Records of rows hold the times of their files, too: see `records`.
    """
    return _bytes(folder, "games/*/*", "players/*/*", "*.parquet")


def records(folder):
    """The records, which must come out the same of a run without rows."""
    return _bytes(folder, "finished/*/*")


def _bytes(folder, *patterns):
    return {str(path.relative_to(folder)): path.read_bytes() for pattern in patterns for path in folder.glob(pattern)}


def go_on(run, **fields):
    """Go on with a run by its folder; returns who listened."""
    listener = Listener()
    api.resume(run, jobs=2, watcher=listener, **fields)
    return listener


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


# The harm that a file may come to


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def empty(path):
    path.write_bytes(b"")
