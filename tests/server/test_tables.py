"""What can be done at a table, and what not."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.core.errors import IllegalMove
from infila.core.games import contract_of
from infila.core.seeds import words_commitment
from infila.server.creation import NewTable
from infila.server.entries import after
from infila.server.errors import Conflict, Forbidden, Refused, Unknown
from infila.server.index import row_of
from infila.server.levels import ComputerLevel
from infila.server.snapshot import COMPUTER, Call, Entry, read_move
from infila.web.languages import said
from tests.server.desk import Desk, at_desk, until


def test_a_table_waits_for_its_people_and_then_begins(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        made = await desk.service.creation.create(anna, NewTable("sequence", seats=("me", "open"), private=False))
        assert (made.state, made.seat, made.view) == ("waiting", 0, None)
        assert [each.id for each in await desk.service.lobby.open_tables()] == [made.id]
        seen = await desk.service.seats.sit(made.id, bruno)
        assert (seen.state, seen.seat) == ("playing", 1)
        assert seen.view is not None and seen.view.names == ("Anna", "Bruno")
        assert not await desk.service.lobby.open_tables()
        assert [each.id for each in await desk.service.lobby.my_tables(bruno)] == [made.id]
        with pytest.raises(Refused, match="all seats are taken"):
            await desk.service.seats.sit(made.id, anna)

    at_desk(tmp_path, scenario)


def test_a_private_table_is_in_no_list(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        await desk.service.creation.create(anna, NewTable("zatre", seats=("me", "open")))
        assert not await desk.service.lobby.open_tables()

    at_desk(tmp_path, scenario)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (NewTable("chess"), "there is no game 'chess'"),
        (NewTable("zatre", {"players": 9}), "players cannot be 9"),
        (NewTable("zatre", seats=("me",)), "1 seats for 2 players"),
        (NewTable("zatre", seats=("me", "genius")), "a seat cannot be 'genius'"),
        (NewTable("zatre", move_seconds=10**9), "at most 60 days"),
        (NewTable("zatre", position={"game": "zatre"}), "needs its options"),
    ],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, wanted: NewTable, sentence: str) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        with pytest.raises(infila.InfilaError, match=sentence):
            await desk.service.creation.create(anna, wanted)

    at_desk(tmp_path, scenario)


def test_moves_are_checked_by_the_rules_the_version_and_the_seat(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno, carla = await desk.people("Anna", "Bruno", "Carla")
        table = await desk.table(anna, bruno, options={"dealer": 2})
        seen = await desk.service.audience.view(table, anna)
        assert seen.view is not None
        good = seen.view.moves[0]
        with pytest.raises(IllegalMove, match=r"^T4: there is no row to take"):
            await desk.service.moves.play(table, anna, "take", seen.version)
        with pytest.raises(IllegalMove, match="it is not your turn"):
            await desk.service.moves.play(table, bruno, good, seen.version)
        with pytest.raises(Forbidden, match="do not sit"):
            await desk.service.moves.play(table, carla, good, seen.version)
        with pytest.raises(Conflict) as problem:
            await desk.service.moves.play(table, anna, good, seen.version - 1)
        assert problem.value.version == seen.version
        with pytest.raises(Unknown):
            await desk.service.moves.play("nowhere", anna, good, 1)
        number, snapshot = await desk.service.moves.play(table, anna, good, seen.version, "k1")
        assert (number, snapshot.version, len(snapshot.history)) == (4, 4, 1)
        assert await desk.service.moves.play(table, anna, good, seen.version, "k1") == (number, snapshot)

    at_desk(tmp_path, scenario)


def test_of_two_racing_clients_exactly_one_wins(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        for _ in range(20):
            table = await desk.table(anna, bruno)
            person, seen = await desk.on_turn(table, anna, bruno)
            assert seen.view is not None
            moves = desk.chance.sample(seen.view.moves, 2)
            tries = [desk.service.moves.play(table, person, move, seen.version, move) for move in moves]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(isinstance(each, Conflict) for each in outcomes) == [False, True]
            assert len((await desk.service.audience.view(table, None)).history) == 1

    at_desk(tmp_path, scenario)


def test_the_database_itself_lets_only_one_of_two_servers_write(tmp_path: Path) -> None:
    """Should two servers hold the same table, the number of an entry decides, and the slower one reads the log anew."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.view is not None
        theirs, mine = desk.chance.sample(seen.view.moves, 2)
        entry = Entry(seen.number + 1, "move", seen.seat, person, theirs, "theirs", desk.clock.now)
        await desk.store.write([row_of(table, entry)])
        with pytest.raises(Conflict, match="somebody else was quicker") as problem:
            await desk.service.moves.play(table, person, mine, seen.version)
        now = await desk.service.audience.view(table, person)
        assert [move.text for move in now.history] == [theirs] and problem.value.version == now.version
        await desk.play(table, anna, bruno)

    at_desk(tmp_path, scenario)


def test_computers_can_play_among_themselves(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("random", "random")))
        assert made.state == "playing" and made.seat is None

        async def over() -> bool:
            return (await desk.service.audience.view(made.id, anna)).state == "over"

        await until(over)

    at_desk(tmp_path, scenario)


def test_the_log_tells_everything_again(tmp_path: Path) -> None:
    """A service that knows nothing but the database has the same table."""
    before: list[Any] = []

    async def play(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, game="sequence")
        await desk.play(table, anna, bruno, moves=7)
        await desk.service.chat.say(table, anna, "good luck")
        await desk.service.take_backs.ask(table, anna)
        await desk.service.people.rename(bruno, "Bruno the Second")
        before.extend([table, anna, bruno, await desk.service.audience.view(table, bruno)])

    async def look(desk: Desk) -> None:
        table, anna, bruno, then = before
        now = await desk.service.audience.view(table, bruno)
        assert now.view is not None and then.view is not None
        assert now.view.states.tobytes() == then.view.states.tobytes()
        assert now.view.log == then.view.log and "Bruno the Second" in now.view.log
        facts = ("number", "version", "history", "chat", "request", "clock", "seats", "state", "last", "rematch")
        assert [getattr(now.snapshot, each) for each in facts] == [getattr(then.snapshot, each) for each in facts]
        await desk.service.take_backs.answer(table, bruno if now.must_answer else anna, False)
        await desk.play(table, anna, bruno, moves=2)

    at_desk(tmp_path, play)
    at_desk(tmp_path, look)


def test_a_stream_that_broke_off_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        from infila.server.wire import event_bytes

        anna, bruno = await desk.people("Anna", "Bruno")
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open")))
        live: list[tuple[int, bytes]] = []

        async def listen() -> None:
            async for number, seen in desk.service.audience.subscribe(made.id, bruno):
                live.append((number, event_bytes(seen)))

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        await desk.service.seats.sit(made.id, bruno)
        await desk.play(made.id, anna, bruno, moves=6)
        await desk.service.chat.say(made.id, anna, "well")
        await desk.service.take_backs.ask(made.id, anna)
        await desk.service.take_backs.answer(made.id, bruno, True)  # a deal in which the take-back needs consent
        await desk.play(made.id, anna, bruno, moves=3)
        last = (await desk.service.audience.view(made.id, None)).number

        async def complete() -> bool:
            return live[-1][0] == last

        await until(complete)
        for since in range(live[0][0], last):
            again = []
            async for number, seen in desk.service.audience.subscribe(made.id, bruno, since=since):
                again.append((number, event_bytes(seen)))
                if number == last:
                    break
            assert again == [each for each in live if each[0] > since]
        listening.cancel()

    at_desk(tmp_path, scenario, new_seed=lambda: "1")


def test_computers_play_their_seats_and_everybody_gets_a_result(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(
            anna, NewTable("take_that", {"players": 3}, ("me", "random", "beginner"))
        )

        async def step() -> bool:
            seen = await desk.service.audience.view(made.id, anna)
            if seen.state == "playing" and seen.view is not None and seen.view.moves:
                await desk.service.moves.play(made.id, anna, desk.chance.choice(seen.view.moves), seen.version)
            return seen.state == "over"

        await until(step)
        seen = await desk.service.audience.view(made.id, None)
        assert seen.seed is not None and infila.load(await desk.service.audience.log(made.id, None)).over
        (record,) = await desk.service.lobby.statistics(anna)
        assert (record.game, record.against, record.played) == ("take_that", "beginner", 1)
        again = await desk.service.rematches.ask(made.id, anna)
        assert again.seat == 1 and [seat.name for seat in again.seats] == ["beginner", "Anna", "random"]
        assert (await desk.service.rematches.ask(made.id, anna)).id == again.id
        early = await desk.service.audience.view_at(made.id, None, 5, seat=1)
        assert early.view is not None and len(early.history) == 5 and early.view.seat == 1

    at_desk(tmp_path, scenario)


def test_computers_take_up_their_turns_after_a_restart(tmp_path: Path) -> None:
    tables = []

    async def leave(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "random")))
        await desk.service.seats.leave(made.id, anna, level=ComputerLevel.RANDOM)
        tables.append(made.id)

    async def look(desk: Desk) -> None:
        async def over() -> bool:
            return (await desk.service.audience.view(tables[0], None)).state == "over"

        await until(over)

    at_desk(tmp_path, leave, pace=5.0)
    at_desk(tmp_path, look)


def test_who_leaves_is_replaced_and_can_come_back(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        with pytest.raises(Refused, match="can be replaced after"):
            await desk.service.seats.replace_absent(table, anna, 1)
        person, seen = await desk.on_turn(table, anna, bruno)
        seen = await desk.service.seats.leave(table, person, level=ComputerLevel.RANDOM)
        assert seen.seats[seen.seat or 0].away == "left"

        async def moved() -> bool:
            return bool((await desk.service.audience.view(table, None)).history)

        await until(moved)
        with pytest.raises(Refused, match="Come back first"):
            await desk.service.moves.play(
                table, person, "take", (await desk.service.audience.view(table, None)).version
            )
        await desk.service.seats.come_back(table, person)
        await desk.play(table, anna, bruno, moves=2)
        while (await desk.on_turn(table, anna, bruno))[0] != person:
            await desk.play(table, anna, bruno)
        desk.clock.now += 100
        other = bruno if person == anna else anna
        seat = (await desk.service.audience.view(table, None)).snapshot.player
        seen = await desk.service.seats.replace_absent(table, other, seat or 0)
        assert seen.seats[seat or 0].away == "replaced"

    at_desk(tmp_path, scenario)


def test_a_clock_that_runs_out_brings_the_computer(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, move_seconds=60, game_seconds=100)
        person, seen = await desk.on_turn(table, anna, bruno)
        assert seen.deadline == desk.clock.now + 60
        desk.clock.now += 50
        await desk.play(table, anna, bruno)
        seen = await desk.service.audience.view(table, person)
        assert seen.clocks[seen.seat or 0].game_left == 50
        live = desk.service.tables.in_memory[table]
        await desk.service.moves.time_out(live)
        assert not any(seat.away for seat in live.snapshot.seats)
        late, seen = await desk.on_turn(table, anna, bruno)
        desk.clock.now += 60
        await desk.service.moves.time_out(live)
        assert live.snapshot.seats[seen.seat or 0].away == "time"
        await desk.service.seats.come_back(table, late)

    at_desk(tmp_path, scenario)


def test_partners_are_silent_where_table_talk_is_forbidden(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        (eve,) = await desk.people("Eve")
        table = await desk.table(*people, game="sequence", options={"table_talk": "forbidden"})
        with pytest.raises(Refused, match="S17: table talk is forbidden"):
            await desk.service.chat.say(table, people[1], "play the jack")
        await desk.service.chat.say(table, eve, "he has a jack")
        assert not (await desk.service.audience.view(table, people[0])).chat
        assert [said.text for said in (await desk.service.audience.view(table, None)).chat] == ["he has a jack"]
        with pytest.raises(Refused, match="S17: another side"):
            await desk.service.calls.call(table, people[1], "offence 2")
        await desk.service.people.rename(people[2], "Jack of spades")
        seen = await desk.service.calls.call(table, people[1], "offence 1")
        assert seen.snapshot.called == Call(1, "offence 1")
        with pytest.raises(Forbidden):
            await desk.service.calls.judge(table, people[1], True)
        seen = await desk.service.calls.judge(table, people[0], True)
        assert seen.history[-1].text == "offence 1" and seen.history[-1].seat is None
        assert set(seen.snapshot.to_act) == {0, 2}

    at_desk(tmp_path, scenario)


def test_calls_are_for_what_the_host_decides(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        table = await desk.table(*people, game="sequence", options={"table_talk": "forbidden"})
        calls = desk.service.calls
        with pytest.raises(Refused, match="nobody has called for the host"):
            await calls.judge(table, people[0], True)
        person, seen = await desk.on_turn(table, *people)
        assert seen.view is not None
        with pytest.raises(IllegalMove, match="nothing that the host decides"):
            await calls.call(table, person, seen.view.moves[0])
        with pytest.raises(IllegalMove, match="S17: there is no side 3"):
            await calls.call(table, person, "offence 3")
        await desk.service.people.rename(people[2], "Jack of spades")
        seen = await calls.call(table, people[1], "offence 1")
        assert not seen.calls and not seen.history
        assert (await calls.judge(table, people[0], False)).snapshot.called is None
        assert not (await desk.service.audience.view(table, people[1])).calls
        await desk.service.people.rename(people[2], "Jack of hearts")
        seen = await desk.service.audience.view(table, people[1])
        assert [(move, reason.values) for move, reason in seen.calls] == [("offence 1", {"side": 1})]
        await desk.service.people.rename(people[1], "Two of spades")
        seen = await calls.call(table, people[0], "offence 2")
        assert not seen.history, "the host's own call needs somebody of the other side"
        with pytest.raises(Forbidden, match="a cause of their own side"):
            await calls.judge(table, people[0], True)
        assert (await calls.judge(table, people[3], True)).history[-1].text == "offence 2"
        allowed = await desk.table(*people, game="sequence")
        with pytest.raises(IllegalMove, match="S17: table talk is allowed"):
            await calls.call(allowed, people[0], "offence 2")
        assert not (await desk.service.audience.view(allowed, people[0])).calls

    at_desk(tmp_path, scenario)


def test_a_call_of_an_older_log_is_understood(tmp_path: Path) -> None:
    """It held the number of the side that had talked."""

    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno", "Carla", "Dino")
        table = await desk.table(*people, game="sequence", options={"table_talk": "forbidden"})
        before = (await desk.service.audience.view(table, None)).snapshot
        number = before.number + 1
        called = after(before, Entry(number, "call", 1, people[1], "1", None, desk.clock.now))
        assert called.called == Call(1, "offence 1")
        again = after(called, Entry(number + 1, "call", 1, people[0], "", None, desk.clock.now))
        assert again.called is None

    at_desk(tmp_path, scenario)


def test_a_lesson_refuses_other_moves_whoever_sends_them(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        lessons, moves = desk.service.lessons, desk.service.moves
        seen = await lessons.learn(anna, "take_that")
        assert seen.view is not None
        with pytest.raises(Refused, match="Read on first"):
            await moves.play(seen.id, anna, seen.view.moves[0], seen.version)
        seen = await lessons.read_on(seen.id, anna)
        assert seen.view is not None and seen.snapshot.lesson is not None
        step = seen.snapshot.lesson.step
        assert step is not None and step.moves
        other = next(move for move in seen.view.moves if not step.takes(move))
        words = contract_of("take_that").words()["lesson"]
        with pytest.raises(Refused, match=re.escape(words[f"{step.key}_not"])):
            await moves.play(seen.id, anna, other, seen.version)
        with pytest.raises(IllegalMove):
            await moves.play(seen.id, anna, "nonsense", seen.version)
        assert not (await desk.service.audience.view(seen.id, anna)).history
        await moves.play(seen.id, anna, step.moves[0], seen.version)

    at_desk(tmp_path, scenario)


def test_one_person_can_hold_several_seats(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "me")))
        for _ in range(5):
            seen = await desk.service.audience.view(made.id, anna)
            assert seen.seat == seen.snapshot.player and seen.mine == (0, 1)
            await desk.play(made.id, anna)
        seen = await desk.service.audience.view(made.id, anna)
        assert seen.snapshot.player is not None
        assert (await desk.service.audience.view(made.id, anna, seen.snapshot.player)).seat == seen.snapshot.player
        with pytest.raises(Forbidden, match="only the one whose turn it is"):
            await desk.service.audience.view(made.id, anna, 1 - seen.snapshot.player)
        assert (await desk.service.audience.view(made.id, anna, spectating=True)).seat is None

    at_desk(tmp_path, scenario)


def test_contributions_are_mixed_into_the_shuffle_before_the_deal(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        hers, his = "a" * 64, "b" * 64
        wanted = NewTable("take_that", seats=("me", "open"), commitment=words_commitment(hers, 1))
        made = await desk.service.creation.create(anna, wanted)
        assert len(made.commitment) == 64 and made.seed is None
        seen = await desk.service.seats.sit(made.id, bruno, commitment=words_commitment(his, 1))
        assert seen.state == "waiting"
        assert (await desk.service.shuffle.open(made.id, bruno, his)).state == "waiting"
        seen = await desk.service.shuffle.open(made.id, anna, hers)
        assert seen.state == "playing" and seen.view is not None
        assert f"words: {hers} | {his}" in seen.view.log
        seen = await desk.play(made.id, anna, bruno, moves=200)
        game = infila.load(await desk.service.audience.log(made.id, None))
        assert game.over and game.commitment == made.commitment and game.seed == seen.seed
        with pytest.raises(Refused, match="too late"):
            await desk.service.shuffle.commit(made.id, anna, "0" * 64)

    at_desk(tmp_path, scenario)


def test_a_log_can_be_uploaded(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno)
        await desk.play(table, anna, bruno, moves=200)
        text = await desk.service.audience.log(table, None)
        seen = await desk.service.creation.upload(bruno, text)
        assert seen.state == "over" and await desk.service.audience.log(seen.id, None) == text
        assert len(await desk.service.lobby.statistics(bruno)) == 1
        unfinished = infila.new("zatre", seed=3).save()
        seen = await desk.service.creation.upload(anna, unfinished)
        assert (await desk.play(seen.id, anna, moves=3)).state == "playing"
        with pytest.raises(infila.BadLog):
            await desk.service.creation.upload(anna, "nonsense")

    at_desk(tmp_path, scenario)


def test_the_host_can_fill_the_seats_or_close_the_table(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        made = await desk.service.creation.create(
            anna, NewTable("take_that", {"players": 4}, ("me", "open", "open", "open"))
        )
        await desk.service.seats.sit(made.id, bruno, 2)
        with pytest.raises(Forbidden):
            await desk.service.seats.fill(made.id, bruno, ComputerLevel.RANDOM)
        await desk.service.seats.leave(made.id, bruno)
        seen = await desk.service.seats.fill(made.id, anna, ComputerLevel.RANDOM)
        assert seen.state == "playing" and [seat.kind for seat in seen.seats] == ["person", *["computer"] * 3]
        other = await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "open")))
        assert (await desk.service.seats.leave(other.id, anna)).state == "closed"
        with pytest.raises(Refused, match="all seats are taken"):
            await desk.service.seats.sit(other.id, bruno)

    at_desk(tmp_path, scenario)


def test_what_is_over_is_let_go_and_still_listed(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, options={"rounds": 1})
        stream = desk.service.audience.subscribe(table, anna)
        await anext(stream)
        await desk.service.people.rename(bruno, "Bea")
        seen = await desk.play(table, anna, bruno, moves=500)
        assert seen.state == "over" and table in desk.service.tables.in_memory
        await stream.aclose()
        assert table not in desk.service.tables.in_memory
        (line,) = await desk.service.lobby.my_tables(anna)
        assert (line.id, line.state, line.seats) == (table, "over", (("person", "Anna"), ("person", "Bea")))
        assert table not in desk.service.tables.in_memory
        assert (await desk.service.audience.view(table, anna)).seed is not None

    at_desk(tmp_path, scenario)


def test_a_refusal_calls_a_computer_what_it_is(tmp_path: Path) -> None:
    """Its name in a log is its level."""

    async def scenario(desk: Desk) -> None:
        people = await desk.people("Anna", "Bruno")
        table = await desk.table(*people)
        mover, seen = await desk.on_turn(table, *people)
        waiting = (await desk.service.audience.view(table, next(each for each in people if each != mover))).view
        assert waiting is not None
        with pytest.raises(IllegalMove, match=rf"not your turn: {waiting.names[waiting.player]} is on turn"):
            read_move(seen.snapshot, waiting, "take")
        seats = tuple(replace(seat, kind=COMPUTER) for seat in seen.snapshot.seats)
        with pytest.raises(IllegalMove, match="not your turn: the computer is on turn") as refused:
            read_move(replace(seen.snapshot, seats=seats), waiting, "take")
        assert str(said(refused.value, "it")).endswith("non tocca a te: tocca al computer.")

    at_desk(tmp_path, scenario)


def test_memory_is_bounded(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        tables = [
            (await desk.service.creation.create(anna, NewTable("take_that", seats=("me", "me")))).id for _ in range(8)
        ]
        assert len(desk.service.tables.in_memory) <= 4
        for table in tables:
            await desk.play(table, anna, moves=2)
        assert len(desk.service.tables.in_memory) <= 4

    at_desk(tmp_path, scenario, tables_in_memory=3)


def test_what_is_past_keeps_little(tmp_path: Path) -> None:
    """What each has seen of a moment is many times the moment itself; who was cut off sees the same again."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, game="sequence")
        begin = (await desk.service.audience.view(table, anna)).number
        seen = []
        for _ in range(3):
            await desk.play(table, anna, bruno)
            seen.append((await desk.service.audience.view(table, anna)).view)
        recent = desk.service.tables.in_memory[table].recent
        assert not any(update.snapshot.views for update in recent)
        stream = desk.service.audience.subscribe(table, anna, since=begin)
        again = [(await anext(stream))[1].view for _ in range(3)]
        await stream.aclose()
        assert None not in seen and [each and each.log for each in again] == [each and each.log for each in seen]
        assert [each and each.moves for each in again] == [each and each.moves for each in seen]

    at_desk(tmp_path, scenario)
