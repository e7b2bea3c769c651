"""Rows read back piece by piece: chunks of a run, the small ones together."""

import json

import numpy as np
import pytest

import pinchsim
from pinchsim.errors import RunError
from pinchsim.lab import chunks, rows
from pinchsim.lab.tournament import read_shares
from pinchsim.material import material_of
from pinchsim.measure.sample import samples
from tests.lab.runs import CHUNK_DECKS, SMALL


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two variants with 3 and 4 players, each in chunks of 60 decks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
        return pinchsim.sweep(out=tmp_path_factory.mktemp("rows") / "run", jobs=1, **SMALL)


def sizes(run):
    return {tuple(sample.cell)[:2]: [piece.size for piece in sample.pieces] for sample in samples(run.scan_cells())}


def test_scan_cells__a_piece_for_each_chunk_that_is_large_enough(run, monkeypatch):
    monkeypatch.setattr(rows, "PIECE_BYTES", 1)
    three, four = [180, 180, 180, 60], [240, 240, 120]
    assert sizes(run) == {("pinch", 3): three, ("aces-bite", 3): three, ("pinch", 4): four, ("aces-bite", 4): four}
    (sample,) = samples(run.scan_cells([run.cells[-1]]))
    assert sample.cell == run.cells[-1]


def test_scan_cells__small_chunks_are_put_together(run, monkeypatch):
    assert set(map(len, sizes(run).values())) == {1}
    one = next(run.folder.glob("players/pinch-3p*/part-000000.parquet")).stat().st_size
    monkeypatch.setattr(rows, "PIECE_BYTES", one + one // 2)
    assert sizes(run)["pinch", 3] == [360, 240]


def test_scan_cells__are_the_rows_of_the_run(run, monkeypatch):
    for size in (1, rows.PIECE_BYTES):
        monkeypatch.setattr(rows, "PIECE_BYTES", size)
        for sample in samples(run.scan_cells()):
            games, players = (frame.filter(**sample.cell._asdict()) for frame in (run.games, run.players))
            for name in ("deck", "rotation", "turns", "comeback"):
                np.testing.assert_array_equal(sample.game(name), games[name].to_numpy())
            for name in ("seat", "score", "takes"):
                np.testing.assert_array_equal(sample.player(name).reshape(-1), players[name].to_numpy())


def test_scan_cells__leaves_out_cells_without_games_and_names_damage(run, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_DECKS", CHUNK_DECKS)
    played = pinchsim.sweep(out=tmp_path / "run", jobs=1, **SMALL | {"games": 60})
    cell, *others = played.cells
    for path in played.folder.glob(f"finished/{cell.variant}-{cell.players}p-*/*"):
        path.unlink()
    assert [scan.cell for scan in played.scan_cells()] == others
    assert played.scan_cells([cell]) == []
    next(played.folder.glob("players/*4p*/part-000000.parquet")).unlink()
    with pytest.raises(RunError, match="is missing. Play that chunk again"):
        played.scan_cells()


def test_compare__of_runs_with_other_chunks(run, tmp_path, monkeypatch):
    """Chunks of 60 decks beside chunks of 45, on decks of which one run has more."""
    monkeypatch.setattr(rows, "PIECE_BYTES", 1)
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 45)
    other = pinchsim.sweep(out=tmp_path / "run", jobs=1, **SMALL | {"games": 500, "line_ups": ["uniform"]})
    found = pinchsim.compare(run, other).table
    monkeypatch.setattr(rows, "PIECE_BYTES", 2**20)
    whole = pinchsim.compare(run, other).table
    assert found.height == whole.height > 100
    assert set(found["decks_a"]) == {167, 125}, "500 games in whole decks, by number of players"
    for name in found.columns:
        if found[name].dtype.is_float():
            np.testing.assert_allclose(found[name], whole[name], rtol=1e-9, atol=1e-12)
        else:
            assert found[name].equals(whole[name])


def test_report__is_the_same_whatever_the_pieces(run, tmp_path, monkeypatch):
    from pinchsim.report.page import make_pages

    whole = make_pages(material_of(run, tmp_path))
    monkeypatch.setattr(rows, "PIECE_BYTES", 1)
    assert make_pages(material_of(run, tmp_path)) == whole


def test_read_shares__of_a_tournament_in_several_chunks(tmp_path, monkeypatch):
    fields = {"variant": "pinch", "players": 3, "games": 300, "jobs": 1}
    whole = pinchsim.tournament("greedy", "uniform", out=tmp_path / "whole", **fields)
    monkeypatch.setattr(chunks, "CHUNK_DECKS", 40)
    found = pinchsim.tournament("greedy", "uniform", out=tmp_path / "parts", **fields)
    assert len(list(found.run.folder.glob("players/*/part-000002.parquet"))) > 0
    assert json.dumps(read_shares(found.run).blocks.tolist()) == json.dumps(read_shares(whole.run).blocks.tolist())
