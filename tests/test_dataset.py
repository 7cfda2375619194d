"""Datasets: the games of a study, written and read back equal, as columns, as games, and for others."""

import json
import os
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.cli import main
from infila.core.errors import InfilaError
from infila.dataset import Dataset, episodes, files, make, read
from tests.batch.test_batch import ROOT

SEARCHED = {"rounds": 1}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return make("take_that", 300, {"players": 3}, by=["casual", "random"], seed=5, threads=2)


def test_threads_do_not_matter(data: Dataset) -> None:
    assert make("take_that", 300, {"players": 3}, by=["casual", "random"], seed=5, threads=1) == data
    assert make("take_that", 300, {"players": 3}, by=["casual", "random"], seed=6) != data


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
@pytest.mark.parametrize("full", [False, True])
def test_what_is_written_is_read_back_equal(ending: str, full: bool, data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / f"games{ending}"
    written: list[int] = []
    files.write(data, path, full=full, progress=written.append)
    assert read(path) == data and written[-1] == data.games
    wanted = data.columns(mask=full, observation=full)
    if ending == ".npz":
        with np.load(path) as archive:
            found = {name: archive[name] for name in archive if name != "infila"}
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(path).combine_chunks()
        found = {name: np.stack(table.column(name).to_numpy(zero_copy_only=False)) for name in table.column_names}
    assert found.keys() == wanted.keys()
    assert all((found[name] == wanted[name]).all() for name in wanted)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_columns_are_what_the_seats_saw_and_did(data: Dataset) -> None:
    columns = data.columns(7, 1)
    masks = data.unpack(columns["mask"])
    game = data.game(7)
    again = infila.load(data.log(7))
    assert game.over and again.scores == game.scores == data.scores[7].tolist()
    again.undo(len(again.history))
    for k, move in enumerate(game.history):
        seat = int(columns["seat"][k])
        view = again.view(seat)
        assert np.flatnonzero(masks[k]).tolist() == sorted(view.own_actions())
        assert (columns["observation"][k] == view.observation()).all()
        assert again.action_of(move) == columns["action"][k]
        again.play(move)
    assert columns["done"].sum() == 3 and columns["done"][-1] and (columns["game"] == 7).all()
    assert columns["reward"].sum() == pytest.approx(0) and set(columns["reward"][~columns["done"]]) == {0}
    best = columns["seat"][columns["reward"] > 0]
    assert set(best.tolist()) <= set(game.winners)


PLAIN = """
import sys
from infila.dataset import files, make, read
from tests.batch.test_batch import GAMES, VARIANTS
for name in GAMES:
    data = make(name, 1, VARIANTS[name], by=["random"])
    assert data.games == 1 and data.columns()["observation"].shape[0] == data.moves
    files.write(data, f"{sys.argv[1]}/x.npz")
    assert read(f"{sys.argv[1]}/x.npz") == data
"""


@pytest.mark.slow
def test_every_game_gives_data(tmp_path: Path) -> None:
    """As plain Python, which needs no compiler."""
    without = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, tmp_path], cwd=ROOT, env=without, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr


def test_chunks_are_the_columns(data: Dataset) -> None:
    parts = list(data.chunks(observation=False, games=64))
    whole = data.columns(observation=False)
    assert all((np.concatenate([part[name] for part in parts]) == whole[name]).all() for name in whole)


@pytest.mark.slow
def test_players_that_search_give_data_too() -> None:
    data = make("take_that", 2, SEARCHED, by=["search:8"], threads=2)
    assert data.games == 2 and data.checked() == data == make("take_that", 2, SEARCHED, by=["search:8"], threads=1)


def test_an_interruption_keeps_what_was_played() -> None:
    def stop(games: int, moves: int) -> None:
        if games >= 512:
            raise KeyboardInterrupt

    some = make("take_that", 5000, by=["random"], threads=2, progress=stop)
    assert some.games == 512 and some == make("take_that", 512, by=["random"])


@pytest.mark.slow
def test_minari_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    data = make("take_that", 3, by=["casual"])
    made = episodes.to_minari(data, "infila/test-v0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import minari

        found = minari.load_dataset("infila/test-v0")
    assert made.total_episodes == found.total_episodes == 6 and found.total_steps == data.moves
    for episode in found:
        mask = episode.observations["action_mask"]
        assert len(mask) == len(episode.actions) + 1
        assert mask[np.arange(len(episode.actions)), episode.actions].all() and mask[-1].all()
        assert episode.terminations[-1] and not episode.terminations[:-1].any()
        assert abs(episode.rewards).sum() <= 1
    with pytest.raises(InfilaError, match="already"):
        episodes.check_id("infila/test-v0")
    with pytest.raises(InfilaError, match="cannot be the id"):
        episodes.check_id("///")


def changed(path: Path, **changes: Any) -> None:
    """The same file with other arrays, or another header."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive}
    header = json.loads(arrays["infila"].tobytes())
    for name, value in changes.items():
        if name in arrays:
            arrays[name] = value(arrays[name])
        else:
            header[name] = value
    arrays["infila"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, allow_pickle=False, **arrays)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda p: changed(p, action=lambda a: a + 1), "cannot be played by the rules"),
        (lambda p: changed(p, action=lambda a: a * 0 + 32767), "cannot be played by the rules"),
        (lambda p: changed(p, seat=lambda s: s * 0 + 100), "cannot be played by the rules"),
        (lambda p: changed(p, seat=lambda s: s.astype(float)), "do not fit together"),
        (lambda p: changed(p, action=lambda a: a[:-1]), "do not fit together"),
        (lambda p: changed(p, game=lambda g: -1 - g), "header promises"),
        (lambda p: changed(p, games=7), "header promises"),
        (lambda p: changed(p, rules=9), "rules version 9"),
        (lambda p: changed(p, seed="x"), "does not say what was played"),
        (lambda p: changed(p, by=3), "does not say what was played"),
        (lambda p: changed(p, format="x"), "is not a dataset"),
        (lambda p: p.write_bytes(b"PK\x03\x04 no"), "is not a dataset"),
        (lambda p: p.write_bytes(p.read_bytes()[:-200]), "is not a dataset"),
        (lambda p: zipfile.ZipFile(p, "w").close(), "is not a dataset"),
        (lambda p: p.unlink(), "there is no such file"),
    ],
)
def test_a_file_that_is_damaged_or_made_up_is_refused(damage: Any, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    files.write(make("take_that", 4, by=["random"]), path)
    damage(path)
    with pytest.raises(InfilaError, match=sentence):
        read(path)


def test_a_parquet_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "x.parquet")
    (tmp_path / "y.parquet").write_bytes(b"PAR1")
    for name in ("x.parquet", "y.parquet"):
        with pytest.raises(InfilaError, match="is not a dataset"):
            read(tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["take_that", "--out", "x.csv"], "x.csv must end in .npz or .parquet"),
        (["take_that", "--out", "nowhere/x.npz"], "there is no folder nowhere"),
        (["take_that", "--by", "genius", "--out", "x.npz"], "there is no player 'genius'"),
        (["chess", "--out", "x.npz"], "there is no game 'chess'"),
        (["take_that", "--games", "0", "--out", "x.npz"], "games cannot be 0"),
        (["take_that", "--players", "99", "--out", "x.npz"], "players cannot be 99"),
    ],
)
def test_mistypings_are_one_sentence(
    arguments: list[str], sentence: str, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["dataset", *arguments])
    assert stopped.value.code == 2 and sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_file(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    main(["dataset", "take_that", "--by", "casual", "--games", "20", "--out", str(path), "--threads", "1"])
    assert read(path) == make("take_that", 20, by=["casual"])
    assert "20 games" in capsys.readouterr().out
