"""The shuffle: nobody chooses what is dealt, whoever they are in league with, and nobody breaks it off unseen."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

import infila
from infila.cli.saved import run_verify
from infila.core.errors import InfilaError
from infila.core.log import parse
from infila.core.notation import position_of
from infila.core.seeds import MOST_ATTEMPTS, words_commitment
from infila.server import schema
from infila.server.contributions import awaited
from infila.server.creation import NewTable
from infila.server.entries import fold
from infila.server.errors import Forbidden, Refused
from infila.server.index import entries_of, row_of, stored_header
from infila.server.snapshot import CLOSED, Entry
from tests.server.asgi import Headers, Server, content, status
from tests.server.contributor import Contributor, new_words
from tests.server.desk import Desk, at_desk, open_desk

SHORT = {"players": 2, "rounds": 1}


async def pair(desk: Desk, **options: Any) -> tuple[Contributor, Contributor, str]:
    """Anna and Eve at a table of Anna's; both have committed, nobody has opened."""
    anna, eve = [Contributor(desk.service, person) for person in await desk.people("Anna", "Eve")]
    wanted = NewTable("take_that", SHORT | options, ("me", "open"), commitment=anna.new())
    made = await desk.service.creation.create(anna.person, wanted)
    assert (await eve.sit(made.id)).state == "waiting"
    return anna, eve, made.id


async def entries(desk: Desk, table: str) -> list[Entry]:
    return await desk.store.read(lambda connection: entries_of(connection, table, desk.store.seal))


def test_the_last_to_open_cannot_grind(tmp_path: Path) -> None:
    """Eve knows the seed, from the operator, and what Anna has opened: she could compute every deal of hers."""

    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        await anna.open(table)
        for _ in range(20):
            with pytest.raises(Refused, match="not what you have committed to"):
                await desk.service.shuffle.open(table, eve.person, new_words())
        seen = await eve.open(table)
        assert seen.state == "playing" and seen.snapshot.game is not None
        game = infila.new(
            "take_that", seed=seen.header.seed, seats=["Anna", "Eve"], words=[anna.words, eve.words], **SHORT
        )
        assert seen.snapshot.game.position == game.position

    at_desk(tmp_path, scenario)


def test_nothing_is_opened_before_all_have_committed(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = [Contributor(desk.service, each) for each in await desk.people("Anna", "Bruno", "Carla")]
        wanted = NewTable("take_that", {"players": 3}, ("me", "open", "open"), commitment=anna.new())
        table = (await desk.service.creation.create(anna.person, wanted)).id
        await bruno.sit(table)
        for early in (anna, bruno):
            with pytest.raises(Refused, match="keep it to yourself"):
                await early.open(table)
        seen = await carla.sit(table)
        assert [awaited(seen.snapshot, seat) for seat in range(3)] == ["opening"] * 3
        for each in (carla, anna):
            assert (await each.open(table)).state == "waiting"
        assert (await bruno.open(table)).state == "playing"

    at_desk(tmp_path, scenario)


def test_nobody_copies_anothers_commitment(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        carla = Contributor(desk.service, (await desk.people("Carla"))[0])
        await eve.leave(table)
        with pytest.raises(Refused, match="the same already"):
            await desk.service.seats.sit(table, carla.person, None, anna.commitment)
        await desk.service.seats.sit(table, carla.person)
        with pytest.raises(Refused, match="the same already"):
            await desk.service.shuffle.commit(table, carla.person, anna.commitment)

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize("how", ["leave", "dismiss", "anew"])
def test_who_withholds_voids_everything_and_everybody_is_told(tmp_path: Path, how: str) -> None:
    """Eve has seen what would be dealt and does not like it. What Anna has opened deals nothing any more."""

    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        await anna.open(table)
        spent = anna.words
        if how == "leave":
            seen = await eve.leave(table)
        elif how == "dismiss":
            seen = await desk.service.seats.dismiss(table, anna.person, 1)
        else:
            with pytest.raises(Refused, match="for attempt 2"):
                await eve.commit(table, 1)
            seen = await eve.commit(table, 2)
        notice = seen.snapshot.notices[-1]
        told = {"leave": ("stood", None), "dismiss": ("sent", 0), "anew": ("anew", None)}[how]
        assert (notice.what, notice.by, notice.name, notice.attempt) == (*told, "Eve", 2)
        assert seen.snapshot.attempt == 2 and awaited(seen.snapshot, 0) == "commitment"
        assert seen.snapshot.seats[0].commitment == seen.snapshot.seats[0].words == ""
        with pytest.raises(Refused, match="not committed to anything"):
            await desk.service.shuffle.open(table, anna.person, spent)
        other = eve
        if how != "anew":
            other = Contributor(desk.service, (await desk.people("Carla"))[0])
            await desk.service.shuffle.commit(table, anna.person, words_commitment(spent, 1), 2)
            await other.sit(table, 2)
            with pytest.raises(Refused, match="not what you have committed to"):  # a commitment is for one attempt
                await desk.service.shuffle.open(table, anna.person, spent)
            seen = await anna.commit(table, 3)
            await other.commit(table, 3)
        else:
            await anna.commit(table, 2)
        await anna.open(table)
        seen = await other.open(table)
        assert seen.state == "playing" and seen.view is not None
        attempts = 2 if how == "anew" else 3
        assert f"\nattempts: {attempts}\n" in seen.view.log and spent not in seen.view.log
        assert parse(seen.view.log).commitments == (anna.commitment, other.commitment)

    at_desk(tmp_path, scenario)


def test_nobody_contributes_after_having_seen(tmp_path: Path) -> None:
    """Eve had not committed: what she adds now, after Anna has opened, she could choose."""

    async def scenario(desk: Desk) -> None:
        anna, eve, carla = [Contributor(desk.service, each) for each in await desk.people("Anna", "Eve", "Carla")]
        wanted = NewTable("take_that", {"players": 3}, ("me", "open", "open"), commitment=anna.new())
        table = (await desk.service.creation.create(anna.person, wanted)).id
        await desk.service.seats.sit(table, eve.person)
        await carla.sit(table)
        await anna.open(table)
        with pytest.raises(Refused, match="too late"):
            await eve.commit(table, 1)
        with pytest.raises(Refused, match="not committed to anything"):
            await eve.open(table)
        seen = await carla.open(table)
        assert [bool(seat.words) for seat in seen.seats] == [True, False, True]

    at_desk(tmp_path, scenario)


def test_there_are_five_attempts_and_no_sixth(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            if attempt > 1:
                await anna.commit(table, attempt)
                await eve.sit(table, attempt)
            seen = await anna.open(table)
            assert (seen.state, seen.snapshot.attempt) == ("waiting", attempt)
            await eve.leave(table)
        seen = await desk.service.audience.view(table, anna.person)
        assert (seen.state, len(seen.snapshot.notices)) == (CLOSED, MOST_ATTEMPTS)
        with pytest.raises(Refused, match="too late"):
            await anna.commit(table, MOST_ATTEMPTS + 1)
        with pytest.raises(Refused, match="all seats are taken"):
            await eve.sit(table, MOST_ATTEMPTS + 1)
        assert fold(seen.header, await entries(desk, table)).state == CLOSED

    at_desk(tmp_path, scenario)


def test_opening_twice_is_opening_once(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        for _ in range(2):
            await anna.open(table)
            await desk.service.shuffle.commit(table, anna.person, anna.commitment)  # an answer was lost, say
        await eve.open(table)
        assert (await eve.open(table)).state == "playing"
        kinds = [entry.kind for entry in await entries(desk, table)]
        assert kinds == ["sit", "commit", "sit", "commit", "open", "open", "begin"]

    at_desk(tmp_path, scenario)


def test_nobody_opens_for_another(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        (carla,) = await desk.people("Carla")
        with pytest.raises(Forbidden):
            await desk.service.shuffle.open(table, carla, anna.words)
        with pytest.raises(Forbidden):
            await desk.service.shuffle.commit(table, carla, "0" * 64)
        with pytest.raises(Refused, match="not what you have committed to"):
            await desk.service.shuffle.open(table, eve.person, anna.words)
        seen = await desk.service.audience.view(table, None)
        assert not any(seat.words for seat in seen.snapshot.seats)

    at_desk(tmp_path, scenario)


def test_one_contribution_for_all_ones_seats(tmp_path: Path) -> None:
    """Hot seat: one browser, one contribution."""

    async def scenario(desk: Desk) -> None:
        anna = Contributor(desk.service, (await desk.people("Anna"))[0])
        wanted = NewTable("take_that", {"players": 3}, ("me", "me", "open"), commitment=anna.new())
        table = (await desk.service.creation.create(anna.person, wanted)).id
        with pytest.raises(Refused, match="contribute to this shuffle already"):
            await desk.service.seats.sit(table, anna.person, None, "0" * 64)
        await desk.service.seats.sit(table, anna.person)
        seen = await anna.open(table)
        assert seen.state == "playing" and [seat.words for seat in seen.seats] == [anna.words, "", ""]

    at_desk(tmp_path, scenario)


def test_a_dump_tells_no_contribution_and_a_restart_loses_none(tmp_path: Path) -> None:
    opened: list[str] = []

    async def scenario() -> None:
        async with open_desk(tmp_path) as desk:
            anna, eve, table = await pair(desk)
            await anna.open(table)
            opened.append(anna.words)
            found = await desk.store.read(
                lambda connection: str([connection.execute(select(t)).all() for t in schema.metadata.sorted_tables])
            )
            assert anna.commitment in found and anna.words not in found
        async with open_desk(tmp_path) as desk:
            eve.service = desk.service
            seen = await eve.open(table)
            assert seen.state == "playing" and seen.seats[0].words == anna.words

    asyncio.run(scenario())
    for file in tmp_path.rglob("infila.db*"):
        assert opened[0].encode() not in file.read_bytes()


def test_who_sends_no_commitment_is_not_waited_for(tmp_path: Path) -> None:
    """Programs, and browsers without a script, play as before."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        made = await desk.service.creation.create(anna, NewTable("take_that"))
        assert made.state == "playing"
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open")))
        assert (await desk.service.seats.sit(made.id, bruno)).state == "playing"
        carla = Contributor(desk.service, (await desk.people("Carla"))[0])
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open")))
        assert (await carla.sit(made.id)).state == "waiting"
        assert (await carla.open(made.id)).state == "playing"

    at_desk(tmp_path, scenario)


def test_a_rematch_expects_those_who_contributed_before(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, eve, table = await pair(desk)
        await anna.open(table)
        await eve.open(table)
        await desk.service.seats.resign(table, eve.person)
        await desk.service.rematches.ask(table, eve.person)
        again = await desk.service.rematches.answer(table, anna.person, True)
        assert again.state == "waiting" and [awaited(again.snapshot, seat) for seat in (0, 1)] == ["commitment"] * 2
        await eve.commit(again.id, 1)
        with pytest.raises(Refused, match="keep it to yourself"):
            await eve.open(again.id)
        await anna.commit(again.id, 1)
        await eve.open(again.id)
        assert (await anna.open(again.id)).state == "playing"

    at_desk(tmp_path, scenario)


def test_nothing_is_contributed_where_nothing_is_shuffled(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = [Contributor(desk.service, person) for person in await desk.people("Anna", "Bruno")]
        game = infila.new("take_that", players=2, seed=4)
        begun = position_of(game.contract, game.states)
        with pytest.raises(Refused, match="nothing is shuffled"):
            wanted = NewTable("take_that", seats=("me", "open"), position=begun, commitment=anna.new())
            await desk.service.creation.create(anna.person, wanted)
        made = await desk.service.creation.create(
            anna.person, NewTable("take_that", seats=("me", "open"), position=begun)
        )
        with pytest.raises(Refused, match="nothing is shuffled"):
            await anna.commit(made.id, 1)
        with pytest.raises(Refused, match="nothing is shuffled"):
            await bruno.sit(made.id)

    at_desk(tmp_path, scenario)


ABSURD = ["A" * 64, "g" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n", "0" * 60_000, "٣" * 64, 7, None, ["0" * 64], {}]


async def met(server: Server, *names: str) -> list[Headers]:
    answers = [await server.ask("POST", "/api/v1/people", {}, {"name": name}) for name in names]
    return [{"authorization": f"Bearer {content(answer)['token']}"} for answer in answers]


def test_commitments_of_absurd_shape_are_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            anna, bruno = await met(server, "Anna", "Bruno")
            wanted = {"game": "take_that", "seats": ["me", "open"]}
            made = content(await server.ask("POST", "/api/v1/tables", anna, wanted))
            path = f"/api/v1/tables/{made['id']}"
            for absurd in ABSURD:
                for who, where, body in (
                    (anna, "/api/v1/tables", wanted | {"commitment": absurd}),
                    (bruno, f"{path}/seat", {"commitment": absurd}),
                    (anna, f"{path}/commit", {"commitment": absurd}),
                    (anna, f"{path}/open", {"contribution": absurd}),
                ):
                    answer = await server.ask("POST", where, who, body)
                    assert status(answer) == 400 and "64 hexadecimal" in content(answer)["error"], (where, absurd)
            for attempt in (0, -1, MOST_ATTEMPTS + 2, 10**30, "one", 1.5, None):
                body = {"commitment": "0" * 64, "attempt": attempt}
                answer = await server.ask("POST", f"{path}/commit", anna, body)
                assert status(answer) == 400 and "number of an attempt" in content(answer)["error"], attempt
            assert status(await server.ask("POST", f"{path}/commit", anna, {"commitment": ""})) == 400
            now = content(await server.ask("GET", path, anna))
            assert now["number"] == made["number"] and now["attempt"] == 1

    asyncio.run(scenario())


def test_a_form_is_not_trusted_either(tmp_path: Path) -> None:
    """What pages send is no JSON with types: the service looks itself."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        for absurd in (each for each in ABSURD if isinstance(each, str)):
            with pytest.raises(Refused, match="64 hexadecimal"):
                await desk.service.creation.create(anna, NewTable("take_that", commitment=absurd))
            made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open")))
            with pytest.raises(Refused, match="64 hexadecimal"):
                await desk.service.seats.sit(made.id, bruno, commitment=absurd)

    at_desk(tmp_path, scenario)


def test_nobody_is_shown_what_was_opened_before_the_deal(tmp_path: Path) -> None:
    """By no page, state, stream or log, whoever asks; and afterwards everybody is."""

    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            people = await met(server, "Anna", "Bruno", "Carla")
            anna, bruno, carla = people
            words = [new_words() for _ in range(2)]
            wanted = {"game": "take_that", "seats": ["me", "open"], "commitment": words_commitment(words[0], 1)}
            table = content(await server.ask("POST", "/api/v1/tables", anna, wanted))["id"]
            api = f"/api/v1/tables/{table}"
            streams = [server.listen(f"{api}/events", each) for each in (bruno, carla)]
            streams += [server.listen(f"/t/{table}/events", carla)]
            await server.ask("POST", f"{api}/seat", bruno, {"commitment": words_commitment(words[1], 1)})
            assert content(await server.ask("GET", api, bruno))["seats"][1]["awaited"] == "opening"
            answer = await server.ask("POST", f"{api}/open", anna, {"contribution": words[0]})
            seats = content(answer)["seats"]
            assert [seat["awaited"] for seat in seats] == ["", "opening"]
            streams += [server.listen(f"{api}/events", each | {"last-event-id": "0"}) for each in (bruno, carla)]
            seen = [answer]
            for each in (*people, {}):
                paths = (api, f"{api}/history", f"{api}/log", f"/t/{table}", f"/t/{table}/state", f"/t/{table}/log")
                seen += [await server.ask("GET", path, each) for path in paths]
            await asyncio.sleep(0.05)
            assert all(b"event:" in stream.got for stream in streams)
            for told in (*seen, *(stream.got for stream in streams)):
                assert words[0].encode() not in told and len(told) > 10
            answer = await server.ask("POST", f"{api}/open", bruno, {"contribution": words[1]})
            assert [seat["words"] for seat in content(answer)["seats"]] == words
            assert words[0].encode() in await server.ask("GET", f"{api}/log", carla)
            for stream in streams:
                await stream.close()

    asyncio.run(scenario())


def test_the_page_tells_of_every_attempt_and_of_the_last(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            anna, eve = await met(server, "Anna", "Eve")
            wanted = {"game": "take_that", "seats": ["me", "open"], "commitment": words_commitment("a" * 64, 1)}
            table = content(await server.ask("POST", "/api/v1/tables", anna, wanted))["id"]
            api, page = f"/api/v1/tables/{table}", f"/t/{table}"
            for attempt in range(1, MOST_ATTEMPTS + 1):
                promised = [words_commitment(digit * 64, attempt) for digit in "ab"]
                if attempt > 1:
                    await server.ask("POST", f"{api}/commit", anna, {"commitment": promised[0], "attempt": attempt})
                await server.ask("POST", f"{api}/seat", eve, {"commitment": promised[1], "attempt": attempt})
                await server.ask("POST", f"{api}/open", anna, {"contribution": "a" * 64})
                assert b"shuffling" in await server.ask("GET", page, anna | {"accept-language": "en"})
                left = content(await server.ask("DELETE", f"{api}/seat", eve))
                assert (left["notice"]["name"], left["notice"]["attempt"]) == ("Eve", attempt + 1)
                for language, told in {"en": "Eve has left", "it": "Eve ha lasciato", "de": "Eve ist mitten"}.items():
                    shown = (await server.ask("GET", page, anna | {"accept-language": language})).decode()
                    assert shown.count(told) == attempt
            assert "geschlossen" in shown and 'id="chance"' not in shown and "data-post" not in shown
            assert left["state"] == CLOSED

    asyncio.run(scenario())


async def finished(desk: Desk) -> str:
    """The log of a whole game, with its contributions."""
    anna, eve, table = await pair(desk)
    await anna.open(table)
    await eve.commit(table, 2)
    await anna.commit(table, 2)
    await eve.open(table)
    await anna.open(table)
    await desk.play(table, anna.person, eve.person, moves=500)
    return await desk.service.audience.log(table, None)


def verify(file: Path, text: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    file.write_text(text, encoding="utf-8")
    run_verify(argparse.Namespace(file=file, json=True))
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_log_that_was_tampered_with_does_not_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs: list[str] = []

    async def scenario(desk: Desk) -> None:
        text = await finished(desk)
        (anna,) = await desk.people("Anna")
        shown = await desk.service.creation.upload(anna, text)
        again = fold(shown.header, await entries(desk, shown.id))
        assert again.game is not None
        logs.extend([text, again.game.save()])

    at_desk(tmp_path / "desk", scenario, new_seed=lambda: "in fila")
    text, again = logs
    file = tmp_path / "game.log"
    good = verify(file, text, capsys)
    assert (good["verified"], good["committed"], good["mixed"], good["attempts"]) == (True, [1, 2], [1, 2], 2)
    assert verify(file, again, capsys) == good, "a log that was uploaded keeps what it proves"
    run_verify(argparse.Namespace(file=file, json=False))
    said = capsys.readouterr().out
    assert "what they had committed to" in said and "attempt 2" in said and "cannot show when" in said
    lines = text.split("\n")
    at = {line.partition(":")[0]: number for number, line in enumerate(lines) if ": " in line}
    other = {"0": "1"}

    def changed(number: int, old: str = "", new: str = "") -> str:
        line = lines[number]
        digit = line[-1]
        made = line.replace(old, new, 1) if old else line[:-1] + other.get(digit, "0")
        assert made != line
        return "\n".join([*lines[:number], made, *lines[number + 1 :]])

    one, two = (part.strip() for part in lines[at["words"]].removeprefix("words:").split("|"))
    first = lines[at["commitments"]].removeprefix("commitments:").split("|")[0].strip()
    forged = new_words()
    tampered = {
        "the game": changed(at["game"], "take_that", "zatre"),
        "the rules": changed(at["rules"]),
        "the options": changed(at["options"], "rounds=1", "rounds=2"),
        "who deals": changed(at["options"], "dealer=random", "dealer=1"),
        "the seed's commitment": changed(at["commitment"]),
        "a seat's commitment": changed(at["commitments"]),
        "no commitment of a seat": changed(at["commitments"], first, ""),
        "seats exchanged": changed(at["commitments"], first, lines[at["commitments"]].split("|")[1].strip()),
        "fewer attempts": changed(at["attempts"], "2", "1"),
        "no attempts": "\n".join(line for line in lines if not line.startswith("attempts")),
        "too many attempts": changed(at["attempts"], "2", "6"),
        "words": changed(at["words"]),
        "words left out": "\n".join(line for line in lines if not line.startswith("words")),
        "words and their commitment": text.replace(one, forged).replace(first, words_commitment(forged, 2)),
        "other words for both": text.replace(one, two).replace(first, words_commitment(two, 2)),
        "the seed": changed(at["seed"]),
        "no seed": "\n".join(line for line in lines if not line.startswith("seed")),
        "a move": changed(at["words"] + 3, lines[at["words"] + 3], "11"),
        "a move less": "\n".join([*lines[: at["words"] + 3], *lines[at["words"] + 4 :]]),
    }
    for what, forgery in tampered.items():
        with pytest.raises(InfilaError):
            verify(file, forgery, capsys)
            raise AssertionError(what)


def test_words_that_others_add_after_the_commitments_are_refused() -> None:
    """A seat without a commitment could choose its words last: so could the server, for a computer's seat."""
    promised = words_commitment("a" * 64, 1)
    text = infila.new("take_that", players=2, seed=1, words=["a" * 64, "grind"]).save()
    with pytest.raises(infila.BadLog, match="what seat 2 has mixed in"):
        parse(text.replace("\nwords:", f"\ncommitments: {promised} |\nwords:"))
    text = text.replace("grind", "")
    assert parse(text.replace("\nwords:", f"\ncommitments: {promised} |\nwords:")).commitments == (promised, "")
    for attempts in (0, MOST_ATTEMPTS + 1):
        promised = words_commitment("a" * 64, attempts)
        with pytest.raises(infila.BadLog, match="1 to 5 attempts"):
            parse(text.replace("\nwords:", f"\ncommitments: {promised} |\nattempts: {attempts}\nwords:"))


def test_a_table_of_before_with_words_is_what_it_was(tmp_path: Path) -> None:
    """Its header has an option of then, its words were typed, and nobody waits for more of them."""

    async def scenario() -> None:
        async with open_desk(tmp_path) as desk:
            anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
            tables = []
            for seated in (2, 1):
                made = await desk.service.creation.create(anna, NewTable("take_that", SHORT, ("me", "open")))
                tables.append(made.id)
                rows = [Entry(2, "words", 0, anna, "abracadabra", None, 1.0)]
                if seated == 2:
                    rows += [Entry(3, "sit", 1, bruno, "Bruno", None, 1.0)]
                await desk.store.write([row_of(made.id, entry) for entry in rows])
                header = msgspec.json.decode(stored_header(made.header, desk.store.seal)) | {"mixing": True}
                changed = update(schema.tables).where(schema.tables.c.id == made.id)
                await desk.store.write(changes=[changed.values(header=msgspec.json.encode(header).decode())])
        async with open_desk(tmp_path) as desk:
            seen = await desk.service.audience.view(tables[0], anna)
            assert seen.state == "playing" and seen.view is not None
            assert "\nwords: abracadabra | \n" in seen.view.log and "commitments" not in seen.view.log
            guest = Contributor(desk.service, carla)
            await guest.sit(tables[1])
            seen = await guest.open(tables[1])
            assert seen.view is not None and parse(seen.view.log).words == ("", guest.words)

    asyncio.run(scenario())


ACTS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["sit", "leave", "commit", "open", "wrong"])), max_size=30)


@settings(max_examples=15, deadline=None)
@given(acts=ACTS)
def test_whatever_people_do_nobody_commits_after_an_opening(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[int, str]]
) -> None:
    """In the log of any table, between the first opening of an attempt and the deal there are only openings."""

    async def scenario(desk: Desk) -> None:
        people = [Contributor(desk.service, each) for each in await desk.people("Anna", "Bruno", "Carla")]
        wanted = NewTable("take_that", seats=("me", "open"), commitment=people[0].new())
        table = (await desk.service.creation.create(people[0].person, wanted)).id
        for who, what in acts:
            person, snapshot = people[who], desk.service.tables.in_memory[table].snapshot
            try:
                if what == "sit":
                    await person.sit(table, snapshot.attempt)
                elif what == "leave":
                    await person.leave(table)
                elif what == "commit":
                    await person.commit(table, snapshot.attempt)
                elif what == "open":
                    await person.open(table)
                else:
                    await desk.service.shuffle.open(table, person.person, "0" * 64)
            except Refused:
                continue
            seen = await desk.service.audience.view(table, None)
            assert seen.snapshot.game is not None or not any(seat.words for seat in seen.seats)
        log = await entries(desk, table)
        opened: list[Entry] = []
        for entry in log:
            if entry.kind == "open":
                opened.append(entry)
            elif entry.kind == "begin":
                assert len(opened) == len({each.seat for each in opened})
                break
            elif entry.kind in ("sit", "stand", "fill", "commit"):
                opened.clear()
        snapshot = fold(desk.service.tables.in_memory[table].snapshot.header, log)
        held = {seat.words for seat in snapshot.seats if seat.words}
        assert held == {entry.text for entry in opened} and snapshot.attempt <= MOST_ATTEMPTS + 1
        if snapshot.game is not None:
            assert all(
                words_commitment(seat.words, snapshot.attempt) == seat.commitment
                for seat in snapshot.seats
                if seat.commitment or seat.words
            )

    at_desk(tmp_path_factory.mktemp("desk"), scenario)
