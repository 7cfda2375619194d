"""What somebody finds who reads the database, its files or the server's log: no seed, and nothing to sign with."""

import asyncio
import logging
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import SQLAlchemyError

from infila.server import schema
from infila.server.errors import CannotServe
from infila.server.sealing import MARK, Seal
from infila.server.settings import Settings
from infila.server.store import Store
from tests.server.database import data_for
from tests.server.desk import Desk, at_desk, open_desk

posix = pytest.mark.skipif(os.name == "nt", reason="there are no modes here")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
@pytest.mark.parametrize("umask", [0, 0o022])
def test_the_files_are_the_servers_alone(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "data"
    before = os.umask(umask)
    try:
        store = Store(Settings(data=str(folder)))
        files = {file.name: mode_of(file) for file in folder.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert {"infila.db", "infila.db-wal", "infila.db-shm", "secret", "lock"} <= set(files)
    assert set(files.values()) == {0o600} and mode_of(folder) == 0o700


@posix
def test_files_that_were_open_are_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    Store(Settings(data=str(folder))).close()
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    Store(Settings(data=str(folder))).close()
    assert {mode_of(file) for file in folder.iterdir()} == {0o600} and mode_of(folder) == 0o700


@posix
def test_a_folder_with_other_things_in_it_is_left_as_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "letters").touch()
    tmp_path.chmod(0o777)
    with caplog.at_level(logging.WARNING, logger="infila"):
        Store(Settings(data=str(tmp_path))).close()
    assert mode_of(tmp_path) == 0o777 and mode_of(tmp_path / "infila.db") == 0o600
    assert "can be written by others" in caplog.text


def test_a_seal_opens_only_what_it_has_sealed() -> None:
    seal, other = Seal(b"a" * 32), Seal(b"b" * 32)
    sealed = seal.sealed("the seed")
    assert sealed != seal.sealed("the seed") and "seed" not in sealed
    assert seal.opened(sealed) == "the seed" and seal.opened("never sealed") == "never sealed"
    assert seal.opened(seal.sealed("ü" * 100)) == "ü" * 100 and seal.name != other.name
    changed = sealed[:-6] + ("A" if sealed[-6] != "A" else "B") + sealed[-5:]
    for wrong in (changed, f"{MARK}AAAA", other.sealed("the seed")):
        with pytest.raises(ValueError, match="sealed with another secret"):
            seal.opened(wrong)


def test_a_dump_tells_neither_the_seed_nor_the_secret(tmp_path: Path) -> None:
    seed = "1f2e3d4c5b6a79880123456789abcdef"

    async def scenario() -> None:
        async with open_desk(tmp_path, new_seed=lambda: seed) as desk:
            anna, bruno = await desk.people("Anna", "Bruno")
            table = await desk.table(anna, bruno)
            await desk.play(table, anna, bruno, moves=3)
            deal = desk.service.tables.in_memory[table].snapshot.game
            dump = await desk.store.read(
                lambda connection: str(
                    [connection.execute(select(each)).all() for each in schema.metadata.sorted_tables]
                )
            )
            assert table in dump and seed not in dump and desk.store.secret not in dump
        async with open_desk(tmp_path) as desk:
            live = await desk.service.tables.find(table)
            assert live.snapshot.header.seed == seed and deal is not None and live.snapshot.game is not None
            assert live.snapshot.game.position == deal.position
            await desk.play(table, anna, bruno, moves=1000)
            assert (await desk.service.audience.view(table, anna)).seed == seed
            assert (await desk.service.lobby.my_tables(anna))[0].id == table

    asyncio.run(scenario())
    if os.path.exists(tmp_path / "infila.db"):
        for file in tmp_path.iterdir():
            assert file.name == "secret" or seed.encode() not in file.read_bytes()


def test_an_old_database_is_read_and_sealed(tmp_path: Path) -> None:
    """As an older infila left it: everything in plain text, no name of a seal."""

    async def scenario() -> None:
        async with open_desk(tmp_path) as desk:
            anna, bruno = await desk.people("Anna", "Bruno")
            tables = [await desk.table(anna, bruno) for _ in range(2)]
            await desk.play(tables[1], anna, bruno, moves=1000)
            secret = desk.store.secret
            seeds = [desk.service.tables.in_memory[table].snapshot.header.seed for table in tables]
            headers = [
                msgspec.json.encode(desk.service.tables.in_memory[table].snapshot.header).decode() for table in tables
            ]
            facts, c = schema.facts, schema.tables.c
            plain = [
                update(schema.tables).where(c.id == table).values(header=header)
                for table, header in zip(tables, headers, strict=True)
            ]
            forget = [text("DELETE FROM facts WHERE name = 'seal'")]
            old = [update(facts).where(facts.c.name == "secret").values(value=secret)]
            await desk.store.write(changes=[*plain, *forget, *old])
        async with open_desk(tmp_path) as desk:
            assert desk.store.secret == secret
            for table, seed in zip(tables, seeds, strict=True):
                assert (await desk.service.tables.find(table)).snapshot.header.seed == seed
            rows = await desk.store.read(lambda connection: dict(connection.execute(select(c.id, c.header)).all()))
            assert MARK in rows[tables[0]], "the seed of a running game is sealed"
            assert desk.store.fact("secret") != secret

    asyncio.run(scenario())


def test_without_its_secret_a_database_is_refused_and_no_other_is_made(tmp_path: Path) -> None:
    data, file = data_for(tmp_path / "data"), tmp_path / "key"
    Store(Settings(data=data, secret=str(file))).close()
    kept = file.read_text()
    file.unlink()
    with pytest.raises(CannotServe, match=r"the secret of the database .* is missing"):
        Store(Settings(data=data, secret=str(file)))
    assert not file.exists()
    file.write_text("0" * 64)
    with pytest.raises(CannotServe, match="is not the one of the database"):
        Store(Settings(data=data, secret=str(file)))
    file.write_text("password")
    with pytest.raises(CannotServe, match="holds no secret"):
        Store(Settings(data=data, secret=str(file)))
    file.write_text(kept)
    Store(Settings(data=data, secret=str(file))).close()
    with pytest.raises(CannotServe, match="cannot be read or written"):
        Store(Settings(data=data_for(tmp_path / "new"), secret=str(tmp_path / "key" / "below")))


def test_what_was_to_be_written_is_not_in_the_error(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        wrong = text("INSERT INTO nowhere VALUES (:seed)").bindparams(seed="4711")
        with pytest.raises(SQLAlchemyError, match="nowhere") as caught:
            await desk.store.write(changes=[wrong])
        assert "4711" not in str(caught.value)

    at_desk(tmp_path, scenario)


def test_a_database_of_another_user_cannot_be_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(Settings(data=str(tmp_path))).close()
    (tmp_path / "infila.db").chmod(0o644)

    def refused(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(Path, "chmod", refused)
    with pytest.raises(CannotServe, match="cannot be written"):
        Store(Settings(data=str(tmp_path)))
    with closing(sqlite3.connect(tmp_path / "infila.db")) as database:
        assert database.execute("SELECT count(*) FROM facts").fetchone()[0] > 0
