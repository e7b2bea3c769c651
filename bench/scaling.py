"""What a cluster costs and how far it scales: `python -m bench.scaling` measures the constants of docs/scaling.md.

`python -m bench.scaling constants | fleet | speed` for a part of it. Seconds are those of the processor wherever possible:
other work on the machine does not change them much.
"""

import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from bench import ready
from pinchsim import api
from pinchsim.lab.chunks import SLOW_CHUNK_DECKS
from pinchsim.lab.cluster import Cluster
from pinchsim.lab.cluster_link import linked
from pinchsim.lab.work import Made

LINE_UPS = {"uniform": 10_000, "greedy": 10_000, "champion": 10_000, "search": SLOW_CHUNK_DECKS}
WORKERS = (10, 30, 100, 300, 1000)
PLAIN_DECKS = 10_000


def main() -> None:
    """All parts, or those that are named."""
    parts = {"constants": constants, "fleet": fleet, "speed": speed}
    for name in sys.argv[1:] or parts:
        parts[name]()


def constants() -> None:
    """Seconds and bytes of everything that happens to a chunk."""
    print("Making a chunk: pinch, 4 players, everyone plays the same")
    for line_up, decks in LINE_UPS.items():
        made, seconds = ready.made_by(line_up, decks)
        print(f"  {line_up:<10} {decks:>6,} decks {seconds:>8.2f} s on a core, {_size(made):>11,} bytes")
    rows, none = _samples()
    print(f"Bytes sent: {_size(rows):,} with rows, {_size(none):,} without")
    print("Keeping it: writing, syncing, counting in")
    for what, made in (("rows", rows), ("no rows", none)):
        for threads in (1, 4):
            with tempfile.TemporaryDirectory() as folder:
                wall, cpu = ready.keep_seconds(Path(folder), made, 60, threads)
            print(f"  {what:<8} {threads} thread(s) {1000 * wall:>7.2f} ms, of which {1000 * cpu:.2f} ms of the processor")
    print("Starting: local:2 connected and closed again, seconds")
    print("  " + ", ".join(f"{_start_seconds():.1f}" for _ in range(3)))
    print("What dask costs: chunks that need no making, milliseconds of the processor for each")
    print("            coordinator   scheduler   a worker   chunks/s")
    for what, made in (("rows", rows), ("no rows", none)):
        for _ in range(3):
            here, scheduler, worker, speed = dask_costs(made, 200)
            print(f"  {what:<9} {1000 * here:>11.2f} {1000 * scheduler:>11.2f} {1000 * worker:>10.2f} {speed:>10.0f}")


def _samples() -> tuple[Made, Made]:
    """A usual chunk with rows and one without."""
    return ready.made_by("greedy", PLAIN_DECKS)[0], ready.made_by("greedy", PLAIN_DECKS, rows=False)[0]


def _size(made: Made) -> int:
    return len(pickle.dumps(made))


def _start_seconds() -> float:
    start = time.perf_counter()
    with linked("local:2") as client:
        client.nthreads()
    return time.perf_counter() - start


@contextmanager
def _processes(workers: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A scheduler and workers as on several machines; its address, and their processes, the scheduler's first."""
    port = 20_000 + os.getpid() % 20_000
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "dask"]
    commands = [[*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]]
    commands += [[*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]] * workers
    running = [subprocess.Popen(command, **quiet) for command in commands]  # type: ignore[call-overload]
    try:
        time.sleep(8)
        yield address, [psutil.Process(process.pid) for process in running]
    finally:
        for process in reversed(running):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)


def dask_costs(made: Made, n_chunks: int, workers: int = 1) -> tuple[float, float, float, float]:
    """CPU seconds of a chunk in the coordinator, the scheduler and a worker, keeping included; and chunks a second."""
    with _processes(workers) as (address, processes), tempfile.TemporaryDirectory() as folder, Cluster(address) as executor:
        work, chunks, marks = ready.ready_work(Path(folder), made, n_chunks)
        with executor.making(work) as make:
            before = [_cpu(process) for process in (psutil.Process(), *processes)]
            make(chunks)
            spent = [_cpu(process) - was for process, was in zip((psutil.Process(), *processes), before, strict=True)]
    return spent[0] / n_chunks, spent[1] / n_chunks, sum(spent[2:]) / n_chunks, marks.per_second()


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def fleet() -> None:
    """Clusters that exist in time only, kept by the real coordinator, beside the model's throughput."""
    rows, none = _samples()
    print("Fleets: chunks a second by the model, as the coordinator kept them, and with a whole core for it")
    for what, made in (("rows", rows), ("no rows", none)):
        here_s = dask_costs(made, 200)[0]
        most, ask_s = 1 / here_s, max(0.0, here_s - _without_dask_s(made))
        print(
            f"  {what}: {1000 * here_s:.2f} ms for a chunk, {1000 * ask_s:.2f} ms of it for dask: at most {most:.0f} a second"
        )
        for chunk_s in (0.15, 3.0):
            for workers in WORKERS:
                n_chunks = max(40, min(6 * workers, int(8 * most)))
                found, busy = fleet_speed(workers, chunk_s, made, ask_s, n_chunks)
                model = min(workers / chunk_s, most)
                both = f"model {model:>6.1f}, found {found:>6.1f}; {busy:.0%} of a core, so {found / busy:.0f} with a whole one"
                print(f"    {workers:>5} workers, a chunk in {chunk_s:.2f} s: {both}", flush=True)


def _without_dask_s(made: Made) -> float:
    """CPU seconds of a chunk in the coordinator of a fleet."""
    with tempfile.TemporaryDirectory() as folder:
        work, chunks, _ = ready.ready_work(Path(folder), made, 200)
        with ready.making(ready.Fleet(100, 0.0, made), work) as make:
            before = time.process_time()
            make(chunks)
            return (time.process_time() - before) / 200


def fleet_speed(workers: int, chunk_s: float, made: Made, ask_s: float, n_chunks: int) -> tuple[float, float]:
    """Chunks a second that the coordinator keeps of a fleet, and how much of the time a processor works for it."""
    with tempfile.TemporaryDirectory() as folder:
        work, chunks, _ = ready.ready_work(Path(folder), made, n_chunks)
        with ready.making(ready.Fleet(workers, chunk_s, made, ask_s), work) as make:
            start, cpu = time.perf_counter(), time.process_time()
            make(chunks)
            seconds, busy = time.perf_counter() - start, time.process_time() - cpu
    return n_chunks / (seconds - chunk_s), busy / seconds


def speed() -> None:
    """The same sweep by two threads and by two processes of a cluster, in turn."""
    print("Two processes of a cluster beside two threads: games a second while they play, and for a second of the processor")
    for line_up, games in (("champion", 480_000), ("uniform", 4_000_000)):
        for _ in range(3):
            threads, processes = (playing_speed(line_up, games, **who) for who in ({"jobs": 2}, {"cluster": "local:2"}))
            by_clock, by_processor = (theirs / ours for theirs, ours in zip(processes, threads, strict=True))
            print(f"  {line_up:<10} by the clock   {threads[0]:>9,.0f} {processes[0]:>9,.0f} ratio {by_clock:.2f}")
            print(f"  {line_up:<10} by processor   {threads[1]:>9,.0f} {processes[1]:>9,.0f} ratio {by_processor:.2f}")


def playing_speed(line_up: str, games: int, **who: object) -> tuple[float, float]:
    """Games a second of a sweep, by the clock from its first to its last, and for a second of the processor.

    The latter leaves out what a sweep of a single chunk takes: to start the program's parts and to end them.
    """
    play(line_up, 4 * PLAIN_DECKS, **who)
    before = _all_cpu()
    play(line_up, 4 * PLAIN_DECKS, **who)
    few = _all_cpu() - before
    before = _all_cpu()
    seconds = play(line_up, games, **who)
    return games / seconds, (games - 4 * PLAIN_DECKS) / (_all_cpu() - before - few)


def _all_cpu() -> float:
    """Seconds of the processor of this process and of those that it began and that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


def play(line_up: str, games: int, **who: object) -> float:
    """Seconds of a sweep from its first game to its last."""
    watcher = ready.Playing()
    with tempfile.TemporaryDirectory() as folder:
        what: Any = {"variants": ["pinch"], "base": None, "players": [4], "line_ups": [line_up], "games": games} | who
        api.sweep(out=Path(folder) / "run", watcher=watcher, **what)
    return watcher.seconds


if __name__ == "__main__":
    main()
