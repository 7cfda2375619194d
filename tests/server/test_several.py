"""Several servers on one PostgreSQL: any of them answers, one works on a table, and who was taken for dead is mute."""

import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, select, text, update

from bench import kill
from infila.server import schema, store
from infila.server.creation import NewTable
from infila.server.database_ledger import on_database
from infila.server.errors import CannotServe
from infila.server.lease import Superseded
from infila.server.ownership import Elsewhere
from infila.server.service import Service
from infila.server.settings import Settings
from infila.server.store import Store
from infila.server.tables import Draft
from tests.server import running as people
from tests.server.database import data_for
from tests.server.desk import Desk, at_desk, until
from tests.server.postgres import installed, needed, postgresql
from tests.server.running import Person, running

__all__ = ["installed", "postgresql"]
pytestmark = needed
TAKEN_OVER = 10.0  # seconds


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The addresses of two servers."""
    with running(tmp_path) as first, running(tmp_path) as second:
        yield first, second


def at(person: Person, address: str) -> Person:
    """The same person, who asks another server."""
    other = Person(address)
    other.headers["authorization"] = person.headers["authorization"]
    return other


def table_of(anna: Person, bruno: Person, **wanted: Any) -> str:
    made = anna.post("/tables", json={"game": "take_that", "seats": ["me", "open"], **wanted})
    table = str(made.json()["id"])
    assert bruno.post(f"/tables/{table}/seat", json={}).status_code == 200
    return table


def one_move(table: str, *people: Person) -> int:
    """Whoever is on turn moves; the number of the move."""
    for person in people:
        seen = person.see(table)
        if seen["moves"] and seen["player"] == seen["seat"]:
            made = person.move(table, seen["moves"][0], seen["version"], f"key {seen['version']}")
            assert made.status_code == 201, made.text
            return int(made.json()["number"])
    raise AssertionError("nobody is on turn")


def test_two_people_at_one_table_on_two_servers(two: tuple[str, str]) -> None:
    """Moves, streams, talk, names and refusals, whoever asks where."""
    anna, bruno = Person(two[0], "Anna"), Person(two[1], "Bruno")
    table = table_of(anna, bruno)
    with anna.events(table) as here, bruno.events(table) as there:
        assert next(here)["data"]["version"] == next(there)["data"]["version"]
        for _ in range(4):
            number = one_move(table, anna, bruno)
            for stream in (here, there):
                while next(stream)["data"]["version"] < number:
                    pass
        assert bruno.post(f"/tables/{table}/chat", json={"text": "hello"}).status_code == 200
        assert anna.see(table)["number"] == bruno.see(table)["number"]
        assert at(anna, two[1]).see(table)["seat"] == 1
    history = [person.get(f"/tables/{table}/history").json() for person in (anna, bruno)]
    assert history[0] == history[1] and history[0]["chat"][-1]["name"] == "Bruno"
    late = bruno.move(table, "nonsense", 1)
    assert late.status_code == 409 and "moved on" in late.json()["error"]
    assert anna.post("/me", json={"name": "Annina"}).json()["name"] == "Annina"
    assert at(anna, two[1]).get("/me").json()["name"] == "Annina"
    assert bruno.post("/me", json={"name": "Brunello"}).status_code == 200  # his table is the other server's
    wait_for(lambda: anna.see(table)["seats"][1]["name"] == "Brunello")
    assert [each["id"] for each in bruno.get("/me/tables").json()] == [table]
    assert bruno.get("/tables/23456789abcd").status_code == 404


def wait_for(condition: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.02)


def test_a_session_that_ends_on_one_server_has_ended_on_the_other(two: tuple[str, str]) -> None:
    anna = Person(two[0], "Anna")
    there = at(anna, two[1])
    table = anna.post("/tables", json={"game": "take_that", "seats": ["me", "me"]}).json()["id"]
    with ExitStack() as open_streams:
        streams = [open_streams.enter_context(person.events(table)) for person in (anna, there)]
        for stream in streams:
            next(stream)
        assert there.get("/me").status_code == 200  # both servers know the session now
        assert there.delete("/me/token").status_code == 204
        for stream in streams:
            assert list(stream) == []
    wait_for(lambda: (anna.get("/me").status_code, there.get("/me").status_code) == (401, 401))


def test_a_link_to_another_device_works_on_any_server(two: tuple[str, str]) -> None:
    with httpx.Client(base_url=two[0], timeout=60) as here, httpx.Client(base_url=two[1], timeout=60) as there:
        assert here.post("/play/take_that", headers={"origin": two[0]}).status_code == 303
        made = here.post("/device", headers={"origin": two[0]})
        found = re.search(r"/me/[a-z0-9]+", made.text)
        assert found is not None
        assert there.get(found[0]).status_code == 200
        entered = there.post(found[0], headers={"origin": two[1]})
        assert entered.status_code == 303 and "infila" in there.cookies
        assert here.get(found[0]).status_code == 404  # once


def test_nobody_becomes_a_server_by_saying_so(two: tuple[str, str]) -> None:
    """What strangers send as if it had been passed on counts as theirs, and is passed on like all else."""
    anna = Person(two[0], "Anna")
    table = anna.post("/tables", json={"game": "take_that", "seats": ["me", "me"]}).json()["id"]
    there = at(anna, two[1])
    for forged in ("", "0" * 40, "x", "é"):
        sent = {b"x-infila-passed": forged.encode("latin-1"), b"x-infila-from": b"10.1.1.1|https|10.1.1.1|1"}
        for person in (anna, there):
            answer = person.get(f"/tables/{table}", headers=sent)
            assert answer.status_code == 200 and answer.json()["id"] == table


def test_who_stops_hands_its_tables_over(tmp_path: Path) -> None:
    """At once, and those who watched hear that they have to come again."""
    patient = {"lease_seconds": 600.0}  # nobody waits for that to run out
    with running(tmp_path, **patient) as second:
        with running(tmp_path, **patient) as first:
            anna, bruno = Person(second, "Anna"), Person(second, "Bruno")
            table = table_of(at(anna, first), at(bruno, first))
            one_move(table, anna, bruno)
            heard: list[Any] = []
            events = anna.events(table)
            stream = events.__enter__()
            next(stream)
            listening = threading.Thread(target=lambda: heard.extend(stream))
            listening.start()
            people._clients = [each for each in people._clients if str(each.base_url).startswith(first)]
        listening.join(10)
        assert not listening.is_alive()
        events.__exit__(None, None, None)
        one_move(table, anna, bruno)
        people._clients = [anna, bruno]


@pytest.mark.slow
def test_an_older_server_goes_on_through_an_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer one takes its step of the database meanwhile, and then its tables; an older one is not started any
    more."""
    patient, data = {"lease_seconds": 600.0}, data_for(tmp_path)  # nobody waits for a lease to run out
    with ExitStack() as older:
        first = older.enter_context(running(tmp_path, **patient))
        anna, bruno = Person(first, "Anna"), Person(first, "Bruno")
        table = table_of(anna, bruno)
        one_move(table, anna, bruno)
        engine = create_engine(data)
        with engine.begin() as connection:  # as the next version might do it
            connection.execute(text("ALTER TABLE tables ADD COLUMN later TEXT NOT NULL DEFAULT ''"))
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        engine.dispose()
        with pytest.raises(CannotServe, match="was written by a newer infila"):
            Store(Settings(data=data))
        monkeypatch.setattr(store, "HEAD", "9999")
        with running(tmp_path, **patient) as second:
            here, there = [anna, bruno], [at(anna, second), at(bruno, second)]
            for people_ in (there, here, there):
                one_move(table, *people_)
            newer = table_of(*there)
            older.close()
            again = [Person(second), Person(second)]
            for person, before in zip(again, there, strict=True):
                person.headers["authorization"] = before.headers["authorization"]
            one_move(table, *again)
            one_move(newer, *again)


@contextmanager
def opened(folder: Path, **settings: Any) -> Iterator[tuple[Store, Service]]:
    told = Settings(data=data_for(folder), pace=0.0, **settings)
    store = Store(told)
    try:
        yield store, on_database(store, told)
    finally:
        store.close()


def end(store: Store, server: str) -> None:
    """As others do with a server that was silent for too long."""
    c = schema.servers.c
    with store.engine.begin() as connection:
        assert connection.execute(update(schema.servers).where(c.id == server).values(ended=c.seen)).rowcount == 1


def test_who_was_taken_for_dead_writes_nothing(tmp_path: Path) -> None:
    """Neither at a table that another has taken meanwhile nor at one that nobody has, nor anything else."""

    async def scenario(desk: Desk) -> None:
        lost: list[bool] = []
        desk.store.on_loss(lambda: lost.append(True))
        anna, bruno = await desk.people("Anna", "Bruno")
        taken, left = await desk.table(anna, bruno), await desk.table(anna, bruno)
        with opened(tmp_path) as (other, service):
            with pytest.raises(Elsewhere):  # two owners at once
                await service.tables.find(taken)
            end(other, desk.store.me)
            assert (await service.tables.find(taken)).snapshot.number > 0
            before = await other.read(lambda connection: connection.execute(select(schema.entries)).all())
            for table in (taken, left):
                person, seen = await desk.on_turn(table, anna, bruno)
                assert seen.view is not None
                with pytest.raises(Superseded):
                    await desk.service.moves.play(table, person, seen.view.moves[0], seen.version)
            with pytest.raises(Superseded):
                await desk.service.people.welcome("Carla")
            with pytest.raises(Superseded):
                await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "me")))
            after = await other.read(lambda connection: connection.execute(select(schema.entries)).all())
            assert before == after and lost == [True]
            person, seen = await desk.on_turn(taken, anna, bruno)
            assert seen.view is not None
            await service.moves.play(taken, person, seen.view.moves[0], seen.version)  # the other can

    at_desk(tmp_path, scenario)


def test_a_transaction_that_began_before_the_end_is_waited_for_or_undone(tmp_path: Path) -> None:
    """The fence is exact: whoever ends a server waits for what it is writing, and nothing is written after."""
    with opened(tmp_path) as (store, _), opened(tmp_path) as (other, _):
        assert store.lease is not None
        writing = store.engine.connect()
        writing.begin()
        store.lease.hold(writing)
        ending = threading.Thread(target=end, args=(other, store.me))
        ending.start()
        time.sleep(0.3)
        assert ending.is_alive()
        writing.execute(text("INSERT INTO facts VALUES ('test', 'written')"))
        writing.commit()
        ending.join(30)
        with pytest.raises(Superseded), writing.begin():
            store.lease.hold(writing)
        writing.close()
        assert other.fact("test") == "written"


def test_a_server_that_stops_in_the_middle_of_writing_keeps_nobody_waiting(tmp_path: Path) -> None:
    with opened(tmp_path, lease_seconds=0.5) as (store, _), opened(tmp_path) as (other, _):
        assert store.lease is not None
        writing = store._own.ready()
        store.close = lambda: None  # type: ignore[method-assign]
        store._jobs.put(None)
        store._writer.join()
        writing.begin()
        store.lease.hold(writing)
        end(other, store.me)  # returns when PostgreSQL has given the transaction up
        writing.invalidate()
        store._own.close()
        store._closing.set()
        store._readers.shutdown()
        store.engine.dispose()


def test_the_time_until_a_table_is_taken_over_is_given_back(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60)
        desk.clock.now += 20
        assert desk.store.lease is not None
        desk.store.lease._renewed = 0.0
        await desk.people("Carla")  # is written, and so is that this server is there
        with opened(tmp_path, now=desk.clock) as (other, service):
            end(other, desk.store.me)
            desk.clock.now += 500
            live = await service.tables.find(table)
            assert live.snapshot.deadline is not None
            assert live.snapshot.deadline - desk.clock.now == pytest.approx(40, abs=2)
            assert live.snapshot.last is not None and live.snapshot.last.kind == "pause"

    at_desk(tmp_path, scenario)


def test_a_table_that_is_given_back_can_be_taken_by_another_and_back(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        with opened(tmp_path) as (_, service):
            for mine, theirs in ((desk.service, service), (service, desk.service)):
                live = await mine.tables.find(table)
                with pytest.raises(Elsewhere):
                    await theirs.tables.find(table)
                assert (await theirs.tables.glance(table)).number == live.snapshot.number
                assert mine.tables.let_go(live)
                assert not mine.owners.holds(table)
                async with live.lock:  # somebody who still holds it writes nothing
                    with pytest.raises(Elsewhere):
                        await mine.tables.write(live, [Draft("chat", 0, anna, '["table", "Anna", "x"]')])
                again = await mine.tables.find(table)  # at once, before it is written that it was given back
                assert again is not live
                mine.tables.let_go(again)

                async def free(theirs: Service = theirs) -> bool:
                    try:
                        return bool(await theirs.tables.find(table))
                    except Elsewhere:
                        return False

                await until(free)

    at_desk(tmp_path, scenario)


def test_of_two_owners_the_one_that_the_database_does_not_name_gives_way(tmp_path: Path) -> None:
    """However it came to that: the log takes one entry of a number, and who was too late looks whose the table is."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        stream = desk.service.audience.subscribe(table, None)
        await anext(stream)
        with opened(tmp_path) as (other, service):
            c = schema.tables.c
            with other.engine.begin() as connection:
                connection.execute(update(schema.tables).where(c.id == table).values(owner=other.me))
            person, seen = await desk.on_turn(table, anna, bruno)
            assert seen.view is not None
            await service.moves.play(table, person, seen.view.moves[0], seen.version, "first")
            with pytest.raises(Elsewhere):
                await desk.service.moves.play(table, person, seen.view.moves[0], seen.version, "second")
            assert not desk.service.owners.holds(table) and table not in desk.service.tables.in_memory
            assert [event async for event in stream] == []  # whoever listens comes to the other
            again = await service.audience.view(table, None)
            assert [played.text for played in again.history] == [seen.view.moves[0]]

    at_desk(tmp_path, scenario)


def test_nobody_is_taken_for_dead_by_who_was_away_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the database was away everybody has time to come back."""
    monkeypatch.setattr("infila.server.store.CHECK_SECONDS", 0.1)
    with opened(tmp_path, lease_seconds=0.6) as (store, _):
        lease = store.lease
        assert lease is not None and not lease.steady
        wait_for(lambda: lease.steady)
        lease._renewed = time.monotonic() - 10.0  # as if nothing had been written for long
        assert not lease.steady
        wait_for(lambda: lease._renewed > time.monotonic() - 0.5)
        assert not lease.steady
        wait_for(lambda: lease.steady)


class Pair:
    """Two servers in processes of their own, and two people who look on, each at one of them."""

    def __init__(self, folder: Path) -> None:
        data = data_for(folder)
        self.servers = [kill.Server(data) for _ in range(2)]
        for server in self.servers:
            server.start()
        addresses = [f"http://127.0.0.1:{server.port}" for server in self.servers]
        self.people = [Person(address, name) for address, name in zip(addresses, ("Anna", "Bruno"), strict=True)]
        self.table = table_of(*self.people)
        self.numbers = [one_move(self.table, *self.people) for _ in range(3)]

    def close(self) -> None:
        for server in self.servers:
            assert server.process is not None and server.process.stdout is not None
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
            server.process.stdout.close()
        for person in self.people:
            person.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    made = Pair(tmp_path)
    try:
        yield made
    finally:
        made.close()


def plays_on(pair: Pair, began: float) -> None:
    """Both go on at the second server, in time, and nothing is lost."""
    anna, bruno = pair.people
    there = at(anna, str(bruno.base_url).removesuffix("/api/v1/"))
    while True:
        try:
            pair.numbers.append(one_move(pair.table, there, bruno))
            break
        except AssertionError:
            assert time.monotonic() - began < TAKEN_OVER, "play does not go on"
            time.sleep(0.1)
    assert time.monotonic() - began < TAKEN_OVER
    history = bruno.get(f"/tables/{pair.table}/history").json()["moves"]
    assert [move["number"] for move in history] == pair.numbers
    there.close()


@pytest.mark.slow
def test_the_owner_is_killed_while_both_look_on(pair: Pair) -> None:
    _, bruno = pair.people
    with bruno.events(pair.table) as stream:
        seen = next(stream)["data"]
        pair.servers[0].kill()
        began = time.monotonic()
        assert list(stream) == []  # it ends, and whoever listens comes again
        with bruno.events(pair.table, seen["number"]) as again:
            first = next(again)["data"]
            assert first["number"] >= seen["number"] and time.monotonic() - began < TAKEN_OVER
            plays_on(pair, began)
            while next(again)["data"]["version"] < pair.numbers[-1]:
                pass


@pytest.mark.slow
def test_a_server_that_slept_longer_than_its_lease_writes_nothing(pair: Pair) -> None:
    sleeper = pair.servers[0].process
    assert sleeper is not None
    anna, _ = pair.people
    seen = anna.see(pair.table)
    sleeper.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    late: list[int] = []

    def ask() -> None:
        """What was sent while it slept, for what was so then."""
        try:
            late.append(anna.move(pair.table, (seen["moves"] or ["1"])[0], seen["version"]).status_code)
        except httpx.HTTPError:
            late.append(0)

    asking = threading.Thread(target=ask)
    asking.start()
    plays_on(pair, began)
    sleeper.send_signal(signal.SIGCONT)
    asking.join(30)
    assert late and late[0] in (0, 409, 422, 503)
    assert sleeper.wait(30) == 0  # it has noticed, and stops
    history = pair.people[1].get(f"/tables/{pair.table}/history").json()["moves"]
    assert [move["number"] for move in history] == pair.numbers
    one_move(pair.table, at(anna, str(pair.people[1].base_url).removesuffix("/api/v1/")), pair.people[1])
