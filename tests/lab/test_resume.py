"""Going on with a run: what is taken over, what is noticed, named and played again, and what is refused."""

import errno
import json
import os
import shutil
from pathlib import Path

import polars as pl
import pytest

from pinchsim import api, games
from pinchsim.errors import RunError, UsageError
from pinchsim.games.pinch.game import PinchGame
from pinchsim.lab import chunks, finished, work
from pinchsim.lab import run as lab_run
from pinchsim.strategy import library
from tests.lab.runs import SMALL, before_chunk, contents, cut, empty, flip, go_on
from tests.lab.toy import TOY

FIRST = "pinch-3p-greedy/part-000000"
GREEDY = library.find("pinch", "greedy").path

pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.fixture(scope="module")
def made(small_chunks, tmp_path_factory):
    """A finished run, which tests copy, and another one with another seed."""
    folder = tmp_path_factory.mktemp("made")
    api.sweep(out=folder / "whole", jobs=1, **SMALL)
    api.sweep(out=folder / "stranger", jobs=1, **SMALL | {"seed": 5})
    return folder


@pytest.fixture
def whole(made):
    return contents(made / "whole")


@pytest.fixture
def run(made, tmp_path):
    """A copy of the finished run, which keeps the times of its files."""
    return Path(shutil.copytree(made / "whole", tmp_path / "run"))


# What is taken over


def test_finished__rows_are_not_read(run, whole, monkeypatch):
    monkeypatch.setattr(work, "read_rows", None)
    for table in lab_run.SUMMARY_TABLES:
        (run / f"{table}.parquet").unlink()
    heard = go_on(run)
    assert (heard.found, heard.played_now, heard.warnings) == (4 * 600, 0, [])
    assert contents(run) == whole


@pytest.mark.parametrize(
    "fields", [{"session": "match", "games": 240}, {"base": None, "variants": ["pinch"], "line_ups": ["greedy,uniform"]}]
)
def test_finished__sessions_and_what_is_not_compared(tmp_path, monkeypatch, fields):
    run = tmp_path / "run"
    api.sweep(out=run, jobs=1, **SMALL | fields)
    before = contents(run)
    monkeypatch.setattr(work, "read_rows", None)
    for table in lab_run.SUMMARY_TABLES:
        (run / f"{table}.parquet").unlink()
    heard = go_on(run)
    assert (heard.played_now, heard.warnings) == (0, [])
    assert contents(run) == before


def test_finished__nothing_is_compiled(run, monkeypatch):
    monkeypatch.setattr(PinchGame, "load_kernel", None)
    monkeypatch.setattr(PinchGame, "dealt", None)
    assert api.sweep(out=run, **SMALL).complete


def test_pairs__missing_ones_are_made_from_rows(run, whole, monkeypatch):
    """A run was killed after both chunks of a pair were finished, and before their difference was stored."""
    read = []
    real = work.read_rows
    monkeypatch.setattr(work, "read_rows", lambda *args: read.append(args[-2:]) or real(*args))
    (pair,) = run.glob("finished/aces-bite-3p-greedy/pair-000002.json")
    pair.unlink()
    heard = go_on(run)
    assert heard.played_now == 0
    assert sorted(read) == [(("aces-bite", 3, "greedy"), 2), (("pinch", 3, "greedy"), 2)]
    assert contents(run) == whole
    assert pair.exists()


def test_other_measures__reduce_the_rows_again(run, whole, monkeypatch):
    """Rows stay what they are when the code that measures them changes; what they were reduced to does not."""
    record = run / f"finished/{FIRST}.json"
    monkeypatch.setattr(finished, "reduced_by", lambda: "another")
    heard = go_on(run)
    assert (heard.found, heard.played_now, heard.warnings) == (4 * 600, 0, [])
    assert contents(run) == whole
    assert '"another"' in record.read_text()


def test_copied_run__other_times_are_no_damage(run, whole, monkeypatch):
    for path in run.glob("*/*/*.parquet"):
        os.utime(path)
    heard = go_on(run)
    assert (heard.played_now, heard.warnings) == (0, [])
    assert contents(run) == whole


def test_several_line_ups__pairs_belong_to_their_line_up(tmp_path, monkeypatch):
    """Of three variants and two line-ups any chunk may be missing: the differences come out the same."""
    fields = SMALL | {"variants": ["classic", "aces-bite"], "players": [3], "line_ups": ["greedy", "uniform"], "games": 540}
    api.sweep(out=tmp_path / "run", jobs=1, **fields)
    before = contents(tmp_path / "run")
    for record in sorted(tmp_path.glob("run/finished/*/part-*.json")):
        record.unlink()
        heard = go_on(tmp_path / "run")
        assert heard.played_now == 180
        assert contents(tmp_path / "run") == before


# What is noticed


DAMAGES = [
    (f"games/{FIRST}.parquet", cut, "bytes instead of"),
    (f"games/{FIRST}.parquet", flip, "checksum"),
    (f"players/{FIRST}.parquet", cut, "bytes instead of"),
    (f"players/{FIRST}.parquet", flip, "checksum"),
    (f"players/{FIRST}.parquet", empty, "0 bytes instead of"),
    (f"games/{FIRST}.parquet", Path.unlink, "is missing"),
    (f"players/{FIRST}.parquet", Path.unlink, "is missing"),
    (f"finished/{FIRST}.json", cut, "is damaged"),
    (f"finished/{FIRST}.json", flip, "is damaged"),
    (f"finished/{FIRST}.json", empty, "is damaged"),
]


@pytest.mark.parametrize(("name", "damage", "words"), DAMAGES, ids=lambda x: getattr(x, "__name__", x))
def test_damaged__is_named_and_played_again(run, whole, name, damage, words):
    damage(run / name)
    heard = go_on(run)
    (warning,) = heard.warnings
    assert str(run / name) in warning and words in warning and "played again" in warning
    assert heard.played_now == 60 * 3
    assert contents(run) == whole


def test_damaged_difference__is_named_and_made_again(run, whole):
    pair = run / "finished/aces-bite-3p-greedy/pair-000000.json"
    flip(pair)
    heard = go_on(run)
    (warning,) = heard.warnings
    assert str(pair) in warning and "read again" in warning
    assert heard.played_now == 0
    assert contents(run) == whole
    assert go_on(run).warnings == []


STRANGERS = [
    ("stranger", FIRST, ("games", "players"), "bytes instead of|checksum"),
    ("stranger", FIRST, ("games", "players", "finished"), "another run"),
    ("stranger", FIRST, ("finished",), "another run"),
    ("whole", "pinch-3p-greedy/part-000001", ("games", "players", "finished"), "another chunk"),
    ("whole", "aces-bite-3p-greedy/part-000000", ("games", "players", "finished"), "another cell"),
    ("whole", "pinch-3p-greedy/part-000001", ("games",), "bytes instead of|checksum"),
]


@pytest.mark.parametrize(("source", "name", "tables", "words"), STRANGERS)
def test_foreign__is_named_and_played_again(made, run, whole, source, name, tables, words):
    """Files of another run, chunk or cell were put in the place of ours."""
    for table in tables:
        (path,) = made.glob(f"{source}/{table}/{name}.*")
        shutil.copy2(path, run / table / f"{FIRST}{path.suffix}")
    heard = go_on(run)
    (warning,) = heard.warnings
    assert FIRST in warning
    assert any(word in warning for word in words.split("|"))
    assert heard.played_now == 60 * 3
    assert contents(run) == whole


def test_foreign__that_the_run_never_had_is_removed(made, run, whole):
    for path in made.glob(f"stranger/*/{FIRST}.*"):
        shutil.copy2(path, run / path.parent.relative_to(made / "stranger") / path.name.replace("000000", "000077"))
    heard = go_on(run)
    assert len(heard.warnings) == 3
    assert all("part-000077" in text and "removed" in text for text in heard.warnings)
    assert contents(run) == whole


def test_rows_without_a_record__are_nothing(made, run, whole):
    """The process was killed between rows and record; or a file from elsewhere was put there."""
    (run / f"finished/{FIRST}.json").unlink()
    shutil.copy2(made / "stranger" / f"games/{FIRST}.parquet", run / f"games/{FIRST}.parquet")
    assert api.load(run).games.height == 4 * 600 - 180
    heard = go_on(run)
    assert (heard.played_now, heard.warnings) == (180, [])
    assert contents(run) == whole


def test_unfinished__nothing_stays_of_it_for_those_who_read_meanwhile(run, monkeypatch):
    """Neither of rows without a record nor of a damaged chunk, if the run is stopped again before they are played."""

    def play(*args):
        raise RunError("stopped")

    second = FIRST.replace("000000", "000001")
    (run / f"finished/{FIRST}.json").unlink()
    cut(run / f"players/{second}.parquet")
    monkeypatch.setattr(chunks.Player, "play", play)
    with pytest.raises(RunError, match="stopped"):
        go_on(run)
    assert [*run.glob(f"*/{FIRST}.*"), *run.glob(f"*/{second}.*")] == []
    assert api.load(run).games.height == 4 * 600 - 2 * 180


def test_check__finds_what_size_and_time_do_not_show(run, whole):
    path = run / f"players/{FIRST}.parquet"
    before = path.stat()
    flip(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert go_on(run).warnings == []
    heard = go_on(run, check=True)
    (warning,) = heard.warnings
    assert str(path) in warning
    assert contents(run) == whole


def test_rows_that_are_read__are_checked_fully_before(run, whole):
    path = run / f"players/{FIRST}.parquet"
    before = path.stat()
    flip(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    (run / "finished/aces-bite-3p-greedy/pair-000000.json").unlink()
    (warning,) = go_on(run).warnings
    assert str(path) in warning
    assert contents(run) == whole


def test_temporary_files__of_a_killed_process_are_removed(run, whole):
    for name in ("manifest.json.tmp", f"games/{FIRST}.parquet.tmp", f"finished/{FIRST}.json.tmp"):
        (run / name).write_bytes(b"half of")
    assert go_on(run).warnings == [], "that is what is left of any process that was killed"
    assert contents(run) == whole
    assert list(run.rglob("*.tmp")) == []


@pytest.mark.parametrize("left", [[], ["lock"], ["lock", "manifest.json.tmp"]])
def test_killed__before_there_was_a_manifest(tmp_path, whole, left):
    (tmp_path / "run").mkdir()
    for name in left:
        (tmp_path / "run" / name).write_text("half of")
    api.sweep(out=tmp_path / "run", jobs=1, **SMALL)
    assert contents(tmp_path / "run") == whole


def test_killed__before_there_was_an_experiment(run, whole):
    shutil.rmtree(run / "finished")
    (run / "experiment.toml").unlink()
    assert go_on(run).played_now == 4 * 600
    assert contents(run) == whole
    assert (run / "experiment.toml").exists()


# Reading rows


@pytest.mark.parametrize(("name", "damage", "words"), DAMAGES[:-3], ids=lambda x: getattr(x, "__name__", x))
def test_scan__damaged_rows_are_named(run, name, damage, words):
    damage(run / name)
    with pytest.raises(RunError, match=f"{Path(name).parent}.*pinchsim resume {run}"):
        api.load(run).scan_games()


def test_scan__another_runs_chunk_is_named(made, run):
    for path in made.glob(f"stranger/*/{FIRST}.*"):
        shutil.copy2(path, run / path.relative_to(made / "stranger"))
    with pytest.raises(RunError, match="another run"):
        api.load(run).scan_players()


@pytest.mark.parametrize("damage", [cut, empty])
def test_load__damaged_summary_is_named(run, whole, damage):
    damage(run / "differences.parquet")
    with pytest.raises(RunError, match=rf"'{run}/differences.parquet' is damaged\. Write it again with: pinchsim resume {run}"):
        api.load(run)
    go_on(run)
    assert contents(run) == whole


def test_load__run_without_a_summary(run):
    (run / "estimates.parquet").unlink()
    with pytest.raises(UsageError, match=f"has no summary: .* was killed. Go on with: pinchsim resume {run}"):
        api.load(run)


def test_report__of_damaged_rows_names_them(run):
    cut(run / f"players/{FIRST}.parquet")
    with pytest.raises(RunError, match=f"players/{FIRST}"):
        api.write_report(run)


# What has changed


def test_changed_strategy__is_named(tmp_path, monkeypatch):
    """The toy game asks no strategy anything, so that nothing is compiled."""
    monkeypatch.setattr(games, "load", lambda name: TOY)
    bots = tmp_path / "bots"
    bots.mkdir()
    shutil.copy(GREEDY, bots / "mine.py")
    fields = {"variants": ["biased"], "line_ups": ["mine"], "games": 30, "strategies": (bots,), "out": tmp_path / "run"}
    old = api.sweep(**fields).manifest["strategies"]["mine"]
    with (bots / "mine.py").open("a") as file:
        file.write("# changed\n")
    with pytest.raises(
        UsageError,
        match=rf"differs in: strategies\. Strategy 'mine' was {old}, is [0-9a-f]+\. Choose another with --out, or remove it",
    ):
        api.sweep(**fields)
    with pytest.raises(UsageError, match="Strategy 'mine' was"):
        api.resume(tmp_path / "run")


def test_changed_variant__its_switch_is_named(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("market_size = 7\n")
    fields = {"variants": [str(path)], "players": [3], "line_ups": ["greedy"], "games": 30, "out": tmp_path / "run"}
    api.sweep(**fields)
    path.write_text("market_size = 8\nfree_draw = false\n")
    with pytest.raises(
        UsageError,
        match=r"differs in: rules\. Free_draw of variant 'mine' was True, is False; market_size of variant 'mine' was 7, is 8\. ",
    ):
        api.sweep(**fields)


def test_changed_engine_and_numbers__are_named(run, monkeypatch):
    monkeypatch.setattr(PinchGame, "engine_digest", lambda self: "newer")
    with pytest.raises(UsageError, match=r"differs in: engine, seed\. Engine was [0-9a-f]+, is newer; seed was 4, is 5\."):
        api.sweep(out=run, **SMALL | {"seed": 5})


def test_other_cells__are_named(run):
    with pytest.raises(UsageError, match=r"differs in: cells, rules, strategies|differs in: cells") as found:
        api.sweep(out=run, **SMALL | {"variants": ["classic"]})
    assert "variant 'aces-bite' was there, is not" in str(found.value)
    assert "variant 'classic' was not there, is now" in str(found.value)


# What goes wrong


def test_full_disk__earlier_chunks_are_kept(tmp_path, whole, monkeypatch):
    run = tmp_path / "run"

    def fill(chunk):
        (name,) = run.glob(f"players/{chunk.cell.name.variant}-{chunk.cell.name.players}p-greedy")
        (name / f"part-{chunk.number:06d}.parquet.tmp").symlink_to("/dev/full")

    with monkeypatch.context() as patch:
        before_chunk(6, patch, fill)
        with pytest.raises(
            RunError, match=r"'.*/players/.*parquet' cannot be written: No space left on device\. 5 of 14 chunks"
        ):
            api.sweep(out=run, jobs=1, **SMALL)
    assert list(run.rglob("*.tmp")) == []
    assert len(list(run.glob("finished/*/part-*"))) == 5
    heard = go_on(run)
    assert heard.found > 0 and heard.warnings == []
    assert contents(run) == whole


def test_full_disk__when_rows_are_synced(tmp_path, whole, monkeypatch):
    """The system may tell of it no earlier; and several threads may hear of it."""
    run, real, synced = tmp_path / "run", os.fsync, []

    def fsync(file):
        synced.append(file)
        if len(synced) > 20:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(RunError, match="cannot be written: No space left on device"):
            api.sweep(out=run, jobs=2, **SMALL)
    assert list(run.rglob("*.tmp")) == []
    assert go_on(run).warnings == []
    assert contents(run) == whole


def test_removed_folder__is_told(tmp_path, monkeypatch):
    run = tmp_path / "run"
    with monkeypatch.context() as patch:
        before_chunk(6, patch, lambda chunk: shutil.rmtree(run))
        with pytest.raises(RunError, match="removed or moved while the run went on"):
            api.sweep(out=run, jobs=1, **SMALL)
    assert not run.exists(), "nothing is made anew in its place"


@pytest.mark.parametrize("table", ["games", "players", "finished"])
def test_removed_chunk__is_told_at_the_end(tmp_path, whole, monkeypatch, table):
    run = tmp_path / "run"
    with monkeypatch.context() as patch:
        before_chunk(6, patch, lambda chunk: next(run.glob(f"{table}/*/part-000000.*")).unlink())
        with pytest.raises(RunError, match=f"{table}/.*has gone while the run went on"):
            api.sweep(out=run, jobs=1, **SMALL)
    assert json.loads((run / "manifest.json").read_text())["state"] == "running"
    go_on(run)
    assert contents(run) == whole


# Where things are


def test_resume__finds_files_of_ones_own_from_elsewhere(tmp_path, monkeypatch, copies_of_greedy):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder in (home / "strategies/pinch", home / "bots", elsewhere):
        folder.mkdir(parents=True)
    shutil.copy(GREEDY, home / "strategies/pinch/mine.py")
    shutil.copy(GREEDY, home / "bots/yours.py")
    (home / "late.toml").write_text("market_size = 7\n")
    monkeypatch.chdir(home)
    api.sweep(
        variants=["late.toml"], players=[3], line_ups=["mine", "yours"], games=30, out="run", strategies=(Path("bots"),)
    )  # fmt: skip
    before = contents(home / "run")
    shutil.rmtree("run/finished")
    monkeypatch.chdir(elsewhere)
    again = api.resume("../home/run")
    assert again.complete and again.folder == Path("../home/run")
    assert contents(home / "run") == before
    assert Path.cwd() == elsewhere
    (home / "bots").rename(home / "robots")
    with pytest.raises(UsageError, match=r"The folder of strategies '.*/home/bots', with which .* is not there\. Put it back"):
        api.resume("../home/run")
    assert api.resume("../home/run", strategies=("../home/robots",)).complete
    home.rename(tmp_path / "moved")
    with pytest.raises(UsageError, match="'late.toml'.* The run was begun in the folder '.*/home', which is not there now"):
        api.resume("../moved/run", strategies=("../moved/robots",))


def test_resume__keeps_the_command_that_began(run):
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps(manifest | {"command": ["pinchsim", "tournament", "a"]}))
    go_on(run)
    assert json.loads((run / "manifest.json").read_text())["command"] == ["pinchsim", "tournament", "a"]


def test_resume__of_no_run(tmp_path):
    with pytest.raises(UsageError, match="is not the folder of a run: it has no manifest.json"):
        api.resume(tmp_path)


def test_resume__of_another_versions_run(run):
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps(manifest | {"format": "pinchsim-run/1"}))
    with pytest.raises(UsageError, match="begun by another version"):
        api.resume(run)


def test_scan__rows_of_all_chunks_each_once(run):
    found = api.load(run).games.select("variant", "players", "deck", "rotation")
    estimates = pl.read_parquet(run / "estimates.parquet").filter(measure="turns")
    assert found.height == found.unique().height == estimates["games"].sum() == 4 * 600
