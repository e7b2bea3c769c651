"""Runs on a cluster: as on one machine, whatever happens to workers, and the cluster is left as it was found."""

import logging
import os
import shutil
import signal
import threading
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import dask
import pytest
from distributed import Client

from pinchsim import api, games
from pinchsim.errors import RunError, UsageError
from pinchsim.lab import chunks, cluster_link, cluster_worker, executor
from pinchsim.lab.cluster import IN_FLIGHT, Cluster, _Crew, _Progress, _Wave, _what_is_wrong
from pinchsim.lab.cluster_parcel import packed
from pinchsim.lab.cluster_worker import Errand, GivenUp, Illegal, Unfit, Workshop
from pinchsim.lab.experiment import cells, make_experiment
from pinchsim.lab.rows import described
from pinchsim.lab.watcher import Watcher
from pinchsim.lab.work import Made, recipe_of
from pinchsim.measure.summary import Tally
from pinchsim.strategy import kernels
from tests.lab.clusters import GROUP, interrupt, left_behind, nobody, pids, play
from tests.lab.runs import CHUNK_DECKS, SMALL, Listener, contents
from tests.lab.toy import ToyGame

pytestmark = GROUP
TOYS = {"variants": ["fair"], "base": None, "players": [2], "line_ups": ["uniform"], "games": 1200}
CHEAT = "from pinchsim.games.pinch.moves import group\n\n\ndef play(view):\n    return group(1, 9, 0)\n"
# Two strategies would be compiled with all that are shipped: one that cheats in one of two variants is a fifth of the work.
CHEAT_AT_SEVEN = """from pinchsim.games.pinch.moves import JOKER, group, lone_jokers


def play(view):
    if view.market_size == 7:
        return group(1, 9, 0)
    for value in range(1, view.n_values + 1):
        if view.hand[value] > 0:
            return group(value, 1, 0)
    return lone_jokers(view.hand[JOKER])
"""


class Slow(ToyGame):
    """A game that takes its time: a chunk takes some tenths of a second."""

    def play(self, kernel, rules, line_up, seed, indices, memory, games, players):
        time.sleep(0.002 * indices.size)
        super().play(kernel, rules, line_up, seed, indices, memory, games, players)


class Broken(ToyGame):
    """A game with a mistake in it."""

    def play(self, *args):
        raise ZeroDivisionError("seven")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)


@pytest.fixture
def address(cluster):
    """Of the shared cluster, which must be as before in the end."""
    yield cluster.scheduler_address
    assert left_behind(cluster) == ([], [])


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: Slow())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What comes of the small run on one thread."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
        api.sweep(out=folder, jobs=1, **SMALL)
    return contents(folder)


def recipe(fields, folders=()):
    """The recipe of an experiment."""
    experiment = make_experiment(fields, "here")
    game = games.load("pinch")
    found = cells(experiment, folders)
    return recipe_of(game, found, experiment.seed, Tally([c.name for c in found], experiment.base, described(game)), folders)


# Playing


def test_sweep__is_that_of_threads(address, whole, tmp_path):
    heard = Listener()
    run = api.sweep(out=tmp_path / "run", cluster=address, watcher=heard, **SMALL)
    assert run.complete
    assert contents(run.folder) == whole
    assert (heard.played_now, heard.found) == (4 * 600, 0)


def test_sweep__by_host_and_port_alone(address, whole, tmp_path):
    run = api.sweep(out=tmp_path / "run", cluster=address.removeprefix("tcp://"), **SMALL)
    assert contents(run.folder) == whole


def test_waves__one_after_the_other(address, whole, tmp_path):
    class Waves(Cluster):
        @contextmanager
        def making(self, work):
            with super().making(work) as make:
                yield lambda some: [make(some[k : k + 3]) for k in range(0, len(some), 3)]

    with Waves(address) as waves:
        run = play(tmp_path / "run", SMALL, waves)
    assert contents(run.folder) == whole


def test_finished_run__needs_no_cluster(tmp_path):
    run = api.sweep(out=tmp_path / "run", jobs=1, **SMALL)
    again = api.sweep(out=run.folder, cluster="tcp://127.0.0.1:1", **SMALL)
    assert again.complete


def test_rows_that_are_there__are_reduced_here(address, whole, tmp_path, monkeypatch):
    run = api.sweep(out=tmp_path / "run", jobs=1, **SMALL)
    next(run.folder.glob("finished/aces-bite-3p-greedy/pair-000002.json")).unlink()
    monkeypatch.setattr("pinchsim.lab.cluster._Crew.ask", None)
    heard = Listener()
    api.resume(run.folder, cluster=address, watcher=heard)
    assert heard.played_now == 0
    assert contents(run.folder) == whole


def test_in_flight__is_bounded(cluster, address, slow, tmp_path):
    most = []

    class Counting(Watcher):
        def played(self, games, found=False):
            most.append(len(cluster.scheduler.tasks))

    play(tmp_path / "run", TOYS, cluster=address, watcher=Counting())
    assert 2 <= max(most) <= 2 * IN_FLIGHT


def test_long_chunks__are_told_of_before_they_end(address, slow, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 600)
    times = []

    class Clock(Watcher):
        def played(self, games, found=False):
            times.append((time.monotonic(), games))

    play(tmp_path / "run", TOYS, cluster=address, watcher=Clock())
    assert sum(n for _, n in times) == 1200, "one chunk, told of in parts"
    assert len(times) > 2
    assert max(b - a for (a, _), (b, _) in pairwise(times)) < 1.5


def test_progress__counts_no_game_twice():
    heard = Listener()
    progress = _Progress(SimpleNamespace(on_games=heard.played))
    progress.begin("chunk")
    progress.tell("chunk", 100)
    progress.tell("chunk", 300)
    progress.begin("chunk")  # its worker was lost
    progress.tell("chunk", 200)
    assert heard.played_now == 300
    progress.tell("chunk", 400)
    progress.tell("chunk", 1000, last=True)
    progress.tell("chunk", 500)  # a late word
    assert heard.played_now == 1000


def test_given_up_chunk__is_asked_for_again(tmp_path):
    """A worker that leaves in good order says that it did not make it."""
    answers, kept = [GivenUp(), Made({}, None), GivenUp(), Made({}, None)], []
    recipe = SimpleNamespace(games=lambda chunk: 10)
    keeper = SimpleNamespace(written={}, keep=lambda chunk, made: kept.append(chunk.number))
    work = SimpleNamespace(recipe=recipe, keeper=keeper, stop=threading.Event(), on_games=lambda games: True)

    def ask(chunk):
        answer = answers.pop(0)
        return SimpleNamespace(add_done_callback=lambda told: told(None), result=lambda: answer, release=lambda: None)

    crew = SimpleNamespace(work=work, threads=1, count_threads=lambda: 1, progress=_Progress(work), ask=ask)
    two = [chunks.Chunk(SimpleNamespace(name="cell"), number, 0, 5) for number in range(2)]
    _Wave(crew).make(two)
    assert sorted(kept) == [0, 1] and answers == []


# What travels


@pytest.fixture
def own(tmp_path):
    """A folder of strategies: code, weights, and a file that plays after weights of the same folder; and a variant."""
    folder = tmp_path / "bots"
    folder.mkdir()
    library = Path(api.__file__).parents[1] / "strategies" / "pinch"
    (folder / "mine.py").write_text((library / "greedy.py").read_text() + "\n# mine\n")
    (folder / "champion.toml").write_text((library / "dozen.toml").read_text())
    (folder / "looks.toml").write_text('policy = "search"\nplays_like = "champion"\n\n[settings]\nplayouts = 2\n')
    (tmp_path / "late.toml").write_text('base = "pinch"\nstart_bonus = [0, 0.5, 1]\n')
    return folder


def own_fields(own):
    return {
        "variants": [str(own.parent / "late.toml")], "players": [3], "games": 90,
        "line_ups": ["mine", "champion:temperature=2,mine", "looks,mine"],
    }  # fmt: skip


def test_own_strategies_and_variants__travel(address, own, tmp_path, monkeypatch):
    # All that are shipped would be compiled with them.
    monkeypatch.setattr(kernels, "kernel_strategies", lambda used, others: sorted(used, key=lambda strategy: strategy.name))
    fields = own_fields(own)
    alone = play(tmp_path / "alone", fields, strategies=(own,), jobs=2)
    run = play(tmp_path / "run", fields, strategies=(own,), cluster=address)
    assert contents(run.folder) == contents(alone.folder)


def test_parcel__needs_none_of_the_files(own, tmp_path):
    asked = recipe(own_fields(own), (own,))
    parcel = packed(asked)
    shutil.rmtree(own)
    found, as_known = parcel.unpacked(tmp_path / "there")
    by_name = {s.name: s for s in found.together}
    assert set(by_name) == {s.name for s in asked.together} >= {"mine", "champion:temperature=2", "looks"}
    assert all(s.path.is_relative_to(tmp_path / "there") for s in by_name.values())
    model = by_name["looks"].model
    assert model.path.is_relative_to(tmp_path / "there") and "policy" in model.data
    assert found.cells[0].strategies[0] in found.together
    assert as_known(f"{by_name['mine'].path}, line 3: no") == f"{own / 'mine.py'}, line 3: no"
    assert as_known(f"{model.path}: no") == f"{own / 'champion.toml'}: no"


def test_parcel__two_files_of_one_name(own, tmp_path):
    """Each of two files finds the model that lies beside it, though both are called the same."""
    other = tmp_path / "others"
    shutil.copytree(own, other)
    (other / "looks.toml").rename(other / "gazes.toml")
    (other / "champion.toml").write_text((own / "champion.toml").read_text() + "# another\n")
    asked = recipe({"variants": ["pinch"], "base": None, "players": [3], "line_ups": ["looks,gazes"]}, (own, other))
    found, _ = packed(asked).unpacked(tmp_path / "there")
    for mine, theirs in zip(asked.cells[0].strategies, found.cells[0].strategies, strict=True):
        assert mine.digest == theirs.digest
        assert mine.model.source == theirs.model.source


def test_mistake__names_the_file_as_the_user_knows_it(address, own, tmp_path):
    (own / "mine.py").write_text("def play(view):\n    return view.nothing\n")
    fields = own_fields(own) | {"line_ups": ["mine"]}
    with pytest.raises(UsageError, match=r"line 2: the view has no field 'nothing'") as told:
        play(tmp_path / "run", fields, strategies=(own,), cluster=address)
    assert str(told.value).startswith(f"{own / 'mine.py'}, line 2")


def test_illegal_answer__is_told_as_with_threads(address, tmp_path):
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "cheat.py").write_text(CHEAT)
    fields = {"variants": ["pinch"], "base": None, "players": [3], "line_ups": ["cheat"], "games": 30}
    told = []
    for who in ({"jobs": 1}, {"cluster": address}):
        with pytest.raises(RunError, match="cheat.*game 0: play: the hand does not hold this group") as caught:
            api.sweep(out=tmp_path / f"{len(told)}", strategies=(tmp_path / "bots",), **who, **fields)
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_mistake_of_ours__is_raised_as_it_is(address, tmp_path, monkeypatch):
    monkeypatch.setattr(games, "load", lambda name: Broken())
    with pytest.raises(ZeroDivisionError, match="seven"):
        play(tmp_path / "run", TOYS, cluster=address)


# Who plays


def test_unfit_workers__are_refused_by_name(cluster, address, tmp_path, monkeypatch):
    real = cluster_worker.facts
    monkeypatch.setattr(cluster_worker, "facts", lambda game: real(game) | {"numba": "0.1", "engine": "abc"})
    with pytest.raises(UsageError, match=r"Worker tcp://.* \(and 1 more\) would not make the same rows") as told:
        play(tmp_path / "run", SMALL, cluster=address)
    assert any(worker in str(told.value) for worker in cluster.scheduler.workers)
    assert "instead of 0.1" in str(told.value) and "engine" in str(told.value)


@pytest.mark.parametrize(
    ("error", "own_words"),
    [
        (ModuleNotFoundError("No module named 'pinchsim'"), "(ModuleNotFoundError: No module named 'pinchsim')"),
        (Exception("SyntaxError('invalid syntax')"), "(SyntaxError('invalid syntax'))"),  # as it comes from a worker
    ],
)
def test_worker_without_pinchsim__says_why_in_its_own_words(error, own_words):
    assert _what_is_wrong({}, error) == f"pinchsim cannot be loaded there {own_words}"


@pytest.fixture
def shop(tmp_path):
    """A worker's part, without a worker."""
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "cheat.py").write_text(CHEAT_AT_SEVEN)
    variants = ["pinch", "pinch+market_size=7"]
    asked = recipe({"variants": variants, "base": None, "players": [3], "line_ups": ["cheat"]}, (folder,))
    shop = Workshop("run", packed(asked), cluster_worker.facts(asked.game))
    worker = SimpleNamespace(local_directory=tmp_path, address="tcp://there:1", log_event=lambda *said: shop.said.append(said))
    shop.said = []
    shop.setup(worker)
    return shop


def test_workshop__makes_chunks(shop):
    assert isinstance(shop.make(Errand(0, 0, 0, 5, 60)), Made)
    assert shop.said == []
    assert shop.make(Errand(1, 0, 0, 5, 0)) == Illegal(0, "play: the hand does not hold this group (R3.2)")
    shop.make(Errand(0, 3, 0, 40, 0))
    assert shop.said[-1] == ("run", [0, 3, 120])


def test_workshop__gives_up_when_it_is_closed(shop):
    shop.teardown(None)
    assert shop.make(Errand(0, 0, 0, 5, 60)) == GivenUp()
    assert not shop.folder.exists()


def test_workshop__that_joins_later_is_checked_too(shop):
    shop.expected = shop.expected | {"python": "2.7"}
    shop.setup(shop.worker)
    found = shop.make(Errand(0, 0, 0, 5, 60))
    assert isinstance(found, Unfit) and not found.by_user
    assert found.why.startswith("Worker tcp://there:1 would not make the same rows") and "instead of 2.7" in found.why


def test_compiling__is_left_to_one_process_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setenv("PINCHSIM_CACHE", str(tmp_path / "cache"))
    inside, most = [], []

    def compile_something():
        with cluster_worker.compiling_alone(False):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    threads = [threading.Thread(target=compile_something) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert most == [1] * 4


class Compiled(ToyGame):
    """A game that must be compiled once on a machine, and never by the process that made it."""

    def __init__(self, folder):
        self.folder, self.home = folder, os.getpid()

    def is_compiled(self, strategies, rule_sets, counting=False):
        assert os.getpid() != self.home
        return any(self.folder.glob("by-*"))

    def load_kernel(self, strategies, rule_sets, counting=False):
        if not self.is_compiled(strategies, rule_sets):
            time.sleep(0.3)
            (self.folder / f"by-{os.getpid()}").touch()


def test_compiling__is_done_once_on_a_machine_and_said_once(address, tmp_path, monkeypatch):
    said = []

    class Hears(Watcher):
        def compiling(self, strategies):
            said.append(strategies)

    monkeypatch.setattr(games, "load", lambda name: Compiled(tmp_path))
    for _ in range(2):
        play(tmp_path / "run", TOYS, cluster=address, watcher=Hears())
        shutil.rmtree(tmp_path / "run")
    assert said == [1]
    assert len(list(tmp_path.glob("by-*"))) == 1


# Accidents


def test_lost_worker__its_chunks_are_made_again(cluster, address, slow, tmp_path):
    alone = play(tmp_path / "alone", TOYS, jobs=2)

    class Killer(Listener):
        killed = False

        def played(self, games, found=False):
            super().played(games, found)
            if not self.killed:
                self.killed = True
                os.kill(pids(cluster)[0], signal.SIGKILL)

    heard = Killer()
    run = play(tmp_path / "run", TOYS, cluster=address, watcher=heard)
    assert heard.killed and run.complete
    assert contents(run.folder) == contents(alone.folder)
    assert heard.played_now == 1200


def test_all_workers_lost__it_goes_on_with_new_ones(cluster, address, slow, tmp_path):
    class Killer(Listener):
        killed = False

        def played(self, games, found=False):
            super().played(games, found)
            if not self.killed:
                self.killed = True
                for pid in pids(cluster):
                    os.kill(pid, signal.SIGKILL)

    heard = Killer()
    run = play(tmp_path / "run", TOYS, cluster=address, watcher=heard)
    assert run.complete and heard.played_now == 1200


def test_no_workers__is_said_and_waited_for(tmp_path):
    said = []
    with nobody() as scheduler:

        class Hears(Watcher):
            def waiting(self, text):
                said.append(text)
                scheduler.scale(1)

        run = play(tmp_path / "run", SMALL, cluster=scheduler.scheduler_address, watcher=Hears())
    assert run.complete
    assert len(said) == 1 and "No worker is there" in said[0] and f"dask worker {scheduler.scheduler_address}" in said[0]


def test_no_workers__can_be_interrupted(tmp_path):
    class Hears(Watcher):
        def waiting(self, text):
            interrupt()

    with nobody() as scheduler, pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", SMALL, cluster=scheduler.scheduler_address, watcher=Hears())


def test_interrupted__what_is_finished_stays(cluster, address, slow, tmp_path):
    alone = play(tmp_path / "alone", TOYS, jobs=2)
    chunk_games = 2 * CHUNK_DECKS

    class Hurried(Listener):
        def played(self, games, found=False):
            before = self.played_now
            super().played(games, found)
            if before < 3 * chunk_games <= self.played_now:
                interrupt()

    run = play(tmp_path / "run", TOYS, cluster=address, watcher=Hurried())
    assert not run.complete
    assert 2 <= len(list(run.folder.glob("games/*/*.parquet"))) < 10
    assert left_behind(cluster) == ([], [])
    assert len(cluster.scheduler.workers) == 2, "the cluster lives on"
    heard = Listener()
    again = play(tmp_path / "run", TOYS, jobs=2, watcher=heard)
    assert again.complete and heard.found == run.summary.estimates["games"][0]
    assert contents(run.folder) == contents(alone.folder)


def test_interrupted__workers_stop_soon(cluster, address, slow, tmp_path, monkeypatch):
    """A chunk of many seconds is given up, so that others can have the worker."""
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 10_000)

    class Hurried(Watcher):
        def played(self, games, found=False):
            interrupt()

    start = time.monotonic()
    run = play(tmp_path / "run", TOYS | {"games": 20_000}, cluster=address, watcher=Hurried())
    assert not run.complete
    while any(worker.processing for worker in cluster.scheduler.workers.values()):
        time.sleep(0.05)
    play(tmp_path / "next", TOYS | {"games": 240}, cluster=address)
    assert time.monotonic() - start < 10, "40 seconds if it were not given up"


def test_folder_removed__is_told_as_with_threads(address, slow, tmp_path):
    class Remover(Watcher):
        def played(self, games, found=False):
            shutil.rmtree(tmp_path / "run" / "games", ignore_errors=True)

    with pytest.raises(RunError, match="cannot be written: the run's folder"):
        play(tmp_path / "run", TOYS, cluster=address, watcher=Remover())


def test_scheduler_lost__says_so(slow, tmp_path):
    with nobody() as scheduler:

        class Closes(Watcher):
            first = True

            def waiting(self, text):
                scheduler.scale(1)

            def played(self, games, found=False):
                if self.first:
                    self.first = False
                    threading.Thread(target=scheduler.close).start()

        with pytest.raises(RunError, match=r"The cluster at .* was lost.*[^.]\. Finished chunks are kept"):
            play(tmp_path / "run", TOYS, cluster=scheduler.scheduler_address, watcher=Closes())


def test_lost__is_one_sentence():
    told = _Crew.gone(SimpleNamespace(address="there:1"), OSError("connection-lost.\nPlease check."))
    assert str(told).startswith("The cluster at 'there:1' was lost: connection-lost. Finished chunks are kept; ")


def test_log_of_dask__goes_nowhere():
    """Its client has a handler of its own."""
    heard = []
    handler = logging.Handler()
    handler.emit = heard.append
    logger = logging.getLogger("distributed.client")
    logger.addHandler(handler)
    try:
        with cluster_link._quiet():
            logger.error("lost")
        assert heard == [] and handler in logger.handlers
    finally:
        logger.removeHandler(handler)


@pytest.mark.parametrize("who", ["jobs", "cluster"])
def test_interrupted_between_waves__what_is_finished_is_summarised(who, address, tmp_path):
    class Early(Watcher):
        def started(self, games, unit="games"):
            interrupt()

    crew = {"jobs": {"jobs": 1}, "cluster": {"cluster": address}}[who]
    run = play(tmp_path / "run", SMALL, watcher=Early(), **crew)
    assert not run.complete and run.summary.estimates.is_empty()
    assert api.load(run.folder).manifest["state"] == "interrupted"


# What is asked for


def test_address__nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_link, "ANSWER_S", 1)
    start = time.monotonic()
    with pytest.raises(UsageError, match="no scheduler of dask answers there within 1 seconds"):
        api.sweep(out=tmp_path / "run", cluster="tcp://127.0.0.1:1", **SMALL)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "address",
    [
        "local:", "local:0", "local:x", "local:-1", "local:8786", "local", "LOCAL:2", "foo", "", "tcp://", "tcp://:8786",
        "tcp://10.0.0.5", "tcp://10.0.0.5:0", "tcp://10.0.0.5:99999", "tcp://10.0.0.5:8786/status", "http://127.0.0.1:80",
        "two words:8786", "::1:8786", "inproc://10.0.0.5/1/1",
    ],
)  # fmt: skip
def test_address__impossible(address, tmp_path):
    with pytest.raises(UsageError) as told:
        api.sweep(out=tmp_path / "run", cluster=address, **SMALL)
    assert str(told.value).startswith(f"--cluster '{address}': expected 'local:N'")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("address", ["10.0.0.5:8786", "tcp://play.example:8786", "[::1]:8786", "tcp://[::1]:8786"])
def test_address__possible(address):
    cluster_link.check_address(address)


@pytest.fixture
def no_certificates():
    """Whatever dask's configuration says of them here."""
    with dask.config.set(dict.fromkeys(cluster_link.CERTIFICATES)):
        yield


def test_encrypted__without_certificates_says_how_to_name_them(no_certificates, tmp_path):
    with pytest.raises(UsageError, match=r"needs certificates, .* none: set distributed.comm.tls.ca-file, .*scaling.md"):
        api.sweep(out=tmp_path / "run", cluster="tls://127.0.0.1:1", **SMALL)
    assert not (tmp_path / "run").exists()


def test_encrypted__certificates_that_are_not_there_are_named(tmp_path):
    path = str(tmp_path / "ca.pem")
    with dask.config.set(dict.fromkeys(cluster_link.CERTIFICATES, path)), pytest.raises(UsageError) as told:
        cluster_link.check_address("tls://127.0.0.1:1")
    assert f"cannot be used ([Errno 2] No such file or directory): distributed.comm.tls.ca-file = {path}, " in str(told.value)


def test_encrypted__with_certificates(monkeypatch):
    monkeypatch.setattr(cluster_link.Security, "get_connection_args", lambda self, role: {"ssl_context": role})
    cluster_link.check_address("tls://127.0.0.1:1")


def test_encrypted__by_somebody_who_knows_the_certificates(no_certificates):
    with dask.config.set({"distributed.client.security-loader": "my.module.certificates"}):
        cluster_link.check_address("tls://127.0.0.1:1")


def test_client_that_cannot_begin__is_ended(monkeypatch):
    """Otherwise it would be when the process ends, with a traceback."""
    real, ended = Client.close, []
    monkeypatch.setattr(Client, "close", lambda self, timeout: (real(self, timeout), ended.append(self.status)))
    setting = dask.config.set({"distributed.comm.require-encryption": True})
    refused = pytest.raises(UsageError, match=r"no scheduler of dask answers there .*\(encryption required")
    with setting, refused, cluster_link.linked("tcp://127.0.0.1:1"):
        pass
    assert ended == ["closed"]


def test_jobs_and_cluster__are_one_too_many(tmp_path):
    with pytest.raises(UsageError, match="--jobs and --cluster"):
        api.sweep(out=tmp_path / "run", cluster="local:2", jobs=2, **SMALL)
    assert not (tmp_path / "run").exists()


def test_without_dask__says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(executor, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'pinchsim\[cluster\]'"):
        api.sweep(out=tmp_path / "run", cluster="local:2", **SMALL)


def test_local__processes_that_do_not_start(monkeypatch, tmp_path):
    """They read the script that asked for them, which must not ask again."""

    def fails(**options):
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(cluster_link, "LocalCluster", fails)
    with pytest.raises(UsageError, match=r"do not start \(Nanny failed.*if __name__ == '__main__':"):
        api.sweep(out=tmp_path / "run", cluster="local:2", **SMALL)


def test_local_size():
    assert cluster_link.local_size("local:3") == 3
    assert cluster_link.local_size("tcp://10.0.0.1:8786") is None
