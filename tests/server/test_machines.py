"""Servers of one database on several machines: where they are for each other, what is refused, and a cut between them;
and a table that was taken and could not be read."""

import socket
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from infila.server import command, lease, schema
from infila.server.errors import CannotServe
from infila.server.passing import notice_silence
from infila.server.settings import Settings
from infila.server.store import Store
from tests.server.database import data_for
from tests.server.desk import Desk, at_desk
from tests.server.postgres import installed, needed, postgresql

__all__ = ["installed", "postgresql"]
pytestmark = needed
HERE, THERE = "http://10.0.0.5:4224", "http://10.0.0.6:4224"
LOCAL = "http://127.0.0.1:4224"


def server(folder: Path, peer: str) -> Store:
    return Store(Settings(data=data_for(folder), peer=peer))


@pytest.mark.parametrize(("first", "second"), [(LOCAL, LOCAL), (LOCAL, THERE), (HERE, LOCAL), (HERE, HERE)])
def test_servers_that_could_not_reach_each_other_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    """Neither ends the other, as one does that starts again where it was."""
    here = server(tmp_path, first)
    try:
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(lease, "machine", lambda: "other ")
            with pytest.raises(CannotServe, match="they could not reach each other"):
                server(tmp_path, second)
        query = select(schema.servers.c.id).where(schema.servers.c.ended.is_(None))
        with here.engine.connect() as connection:
            assert list(connection.scalars(query)) == [here.me]
    finally:
        here.close()


def test_servers_that_can_reach_each_other_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = server(tmp_path, HERE)
    monkeypatch.setattr(lease, "machine", lambda: "other ")
    server(tmp_path, THERE).close()
    here.close()
    server(tmp_path, LOCAL).close()  # nobody else is there any more


def test_where_it_was_a_server_begins_again_at_once(tmp_path: Path) -> None:
    first, second = server(tmp_path, LOCAL), server(tmp_path, LOCAL)
    ended = select(schema.servers.c.ended).where(schema.servers.c.id == first.me)
    with second.engine.connect() as connection:
        assert connection.scalar(ended) is not None
    first.close()
    second.close()


def test_workers_are_reached_at_the_address_of_their_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "own_addresses", lambda public: ["10.0.0.5"])
    for host, home in (("0.0.0.0", "10.0.0.5"), ("127.0.0.1", "127.0.0.1")):
        with command.listen(host, 0) as listening:
            assert command.home_of(listening) == home
            assert command.peer_of(listening) == f"http://{home}:{listening.getsockname()[1]}"


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux gives up on what is not acknowledged")
def test_a_cut_without_a_word_is_noticed() -> None:
    """By the system, within ten seconds, whether something was sent or is waited for."""
    with socket.socket() as connection:
        notice_silence(connection)

        def told(name: str) -> int:
            return connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))

        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert told("TCP_USER_TIMEOUT") <= 10_000
        assert told("TCP_KEEPIDLE") + told("TCP_KEEPINTVL") * told("TCP_KEEPCNT") <= 10


def test_a_table_that_was_taken_and_could_not_be_read_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock rings, though its owner lives and nobody asks for it again."""

    async def scenario(desk: Desk) -> None:
        tables = desk.service.tables
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        live = tables.in_memory[table]
        desk.clock.now -= 7200.0  # as it is nobody's turn for long it may be let go
        assert tables.let_go(live)
        desk.clock.now += 7200.0

        async def away(_: str) -> Any:
            raise OSError("the database does not answer")

        with monkeypatch.context() as cut:
            cut.setattr(tables._ledger, "read", away)
            with pytest.raises(OSError, match="does not answer"):
                await tables.find(table)
        assert tables.unread == [table] and await desk.service.lobby.due_tables() == []
        desk.clock.now += 61.0
        await desk.computers.take_up()
        assert tables.unread == [] and "time" in [seat.away for seat in tables.in_memory[table].snapshot.seats]

    at_desk(tmp_path, scenario)
