"""Batches on several threads: the same ones in the same order, and given up when something goes wrong."""

import _thread
import signal
import threading
import time

import pytest

from pinchsim.lab.batches import play_batches


@pytest.mark.parametrize("jobs", [1, 3])
def test_play_batches__in_order_for_any_number_of_threads(jobs):
    def play(first, decks):
        time.sleep(0.02 if first == 10 else 0)
        return first, decks

    assert play_batches(play, 10, 7, 3, jobs) == [(10, 3), (13, 3), (16, 1)]
    assert play_batches(play, 10, 0, 3, jobs) == []


@pytest.mark.parametrize("trouble", [ValueError, KeyboardInterrupt])
def test_play_batches__trouble_gives_up_what_has_not_begun(trouble):
    played = []

    def play(first, decks):
        played.append(first)
        if first == 1:
            raise trouble
        time.sleep(0.01)

    with pytest.raises(trouble):
        play_batches(play, 0, 1000, 1, 1)
    assert len(played) < 100


def test_play_batches__interrupted_while_a_batch_is_played():
    """Ctrl-C is heard by the main thread."""
    played = []

    def play(first, decks):
        played.append(first)
        time.sleep(0.2)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    threading.Timer(0.05, _thread.interrupt_main).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            play_batches(play, 0, 50, 1, 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(played) < 10
