"""Everything in one file: what a file brings, and what is said of one that is damaged, foreign or made up."""

import asyncio
import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from infila.server.creation import NewTable
from infila.server.errors import Refused
from infila.server.lobby import RUNNING
from infila.server.settings import Settings
from infila.server.snapshot import OVER
from infila.site.browser import everything
from infila.site.browser.app import Site
from infila.site.browser.everything import Brought
from infila.site.browser.ledger import Unkept
from infila.wasm.use import modules_in_use
from tests.site.kept import Kept

NOW = 1_700_000_000.0
DAMAGED, FOREIGN, UNPLAYABLE = "is damaged or incomplete", "is not one of those", "cannot be played again"


@pytest.fixture(autouse=True)
def no_compiler() -> Iterator[None]:
    with modules_in_use():
        yield


class Person:
    """Somebody with a browser of their own."""

    def __init__(self) -> None:
        self.kept = Kept()
        self.chance = random.Random(7)

    async def come(self) -> "Person":
        settings = Settings(limits=False, alone=True, browsers_think=False, pace=0.0, now=lambda: NOW)
        self.site = Site(self.kept, settings=settings)
        await self.site.open()
        self.service, self.me = self.site.app.service, self.site.person
        return self

    async def begin(self, game: str = "take_that", *seats: str, **wanted: Any) -> str:
        seats = seats or ("me", "me")
        return (
            await self.service.creation.create(self.me, NewTable(game, {"players": len(seats)}, seats, **wanted))
        ).id

    async def play(self, table: str, moves: int) -> None:
        for _ in range(moves):
            seen = await self.service.audience.view(table, self.me)
            assert seen.view is not None and seen.seat is not None
            await self.service.moves.play(
                table, self.me, self.chance.choice(seen.view.moves), seen.version, seat=seen.seat
            )

    async def sees(self) -> list[Any]:
        """The lists, results and statistics of one's own games, and how each game stands."""
        lobby = self.service.lobby
        over = await lobby.my_tables(self.me, [OVER])
        positions = []
        for table in (*await lobby.my_tables(self.me, RUNNING), *over):
            seen = await self.service.audience.view(table.id, self.me)
            positions.append((table.id, seen.version, seen.view and seen.view.position, list(seen.history)))
        return [
            await lobby.my_tables(self.me, RUNNING),
            over,
            await lobby.results(self.me, [table.id for table in over]),
            await lobby.statistics(self.me),
            positions,
            await self.service.people.name_of(self.me),
        ]

    async def file(self) -> str:
        return await self.site.everything.packed()

    async def bring(self, text: str) -> Brought:
        return await self.site.everything.bring(text)


def alone(test: Callable[[Person], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test(await Person().come())

    asyncio.run(whole())


async def with_games(person: Person) -> Person:
    """Two games that are played, one of which a computer plays too, one that is over, and a lesson."""
    await person.service.people.rename(person.me, "Anna")
    await person.play(await person.begin("sequence"), 9)
    await person.begin("zatre", "me", "beginner")
    lost = await person.begin("completto", "me", "beginner")
    await person.service.seats.resign(lost, person.me)
    await person.service.lessons.learn(person.me, "take_that")
    return person


def made_up(text: str, change: Callable[[dict[str, Any]], Any]) -> str:
    """A file whose sum is right whatever was changed in it."""
    found = json.loads(text)
    changed = deepcopy(found["kept"])
    found["kept"] = change(changed) or changed
    inside = json.dumps(found["kept"], separators=(",", ":"))
    found["sum"] = hashlib.sha256(inside.encode()).hexdigest()
    return json.dumps(found, separators=(",", ":"))


def test_another_browser_has_the_same_games_results_and_statistics() -> None:
    async def moved(anna: Person) -> None:
        await with_games(anna)
        await asyncio.sleep(0.2)
        text = await anna.file()
        assert anna.me not in text, "who somebody is stays in their browser"
        other = await Person().come()
        assert await other.bring(text) == Brought(new=4)
        assert await other.sees() == await anna.sees()
        assert (await other.service.lobby.statistics(other.me))[0].played == 1
        running = await other.service.lobby.my_tables(other.me, RUNNING)
        await other.play(next(table.id for table in running if len(table.mine) == 2), 2)
        again = await Person().come()
        again.kept = other.kept
        assert await (await again.come()).sees() == await other.sees(), "it is there after a reload"

    alone(moved)


def test_what_is_here_stays_what_went_on_goes_on_and_what_parted_is_a_game_of_its_own() -> None:
    async def brought_twice(anna: Person) -> None:
        table = await anna.begin("sequence")
        await anna.play(table, 3)
        early = await anna.file()
        bruno = await Person().come()
        assert await bruno.bring(early) == Brought(new=1)
        assert await bruno.bring(early) == Brought(same=1)
        await bruno.play(table, 2)
        assert await bruno.bring(early) == Brought(same=1), "the longer one stays"
        assert await anna.bring(await bruno.file()) == Brought(longer=1)
        assert await anna.sees() == await bruno.sees()
        anna.chance, bruno.chance = random.Random(1), random.Random(2)
        await anna.play(table, 2)
        await bruno.play(table, 2)
        before = await anna.service.audience.view(table, anna.me)
        assert await anna.bring(await bruno.file()) == Brought(new=1)
        assert await anna.bring(await bruno.file()) == Brought(same=1)
        await bruno.play(table, 1)
        assert await anna.bring(await bruno.file()) == Brought(longer=1), "the copy is known again"
        assert (await anna.service.audience.view(table, anna.me)).version == before.version
        assert await bruno.bring(await anna.file()) == Brought(new=1, same=1)
        assert await anna.bring(await bruno.file()) == Brought(same=2)
        assert (
            len(await anna.service.lobby.my_tables(anna.me)) == len(await bruno.service.lobby.my_tables(bruno.me)) == 2
        )

    alone(brought_twice)


def test_a_name_is_taken_only_where_there_is_none() -> None:
    async def named(anna: Person) -> None:
        await with_games(anna)
        bruno, nobody = await Person().come(), await Person().come()
        await bruno.service.people.rename(bruno.me, "Bruno")
        for each, name in ((bruno, "Bruno"), (nobody, "Anna")):
            await each.bring(await anna.file())
            assert await each.service.people.name_of(each.me) == name

    alone(named)


def test_without_room_nothing_is_written() -> None:
    async def full(anna: Person) -> None:
        text = await (await with_games(anna)).file()
        other = await Person().come()

        async def no_room(_changes: str) -> bool:
            raise OSError("QuotaExceededError")

        other.kept.append = no_room  # type: ignore[method-assign, assignment]
        with pytest.raises(Unkept):
            await other.bring(text)
        assert other.kept.logs == {} and await other.service.lobby.count(other.me) == 0

    alone(full)


def test_files_that_are_none() -> None:
    async def refused(anna: Person) -> None:
        table = await anna.begin()
        await anna.play(table, 3)
        text = await anna.file()
        other = await Person().come()
        cases = {
            "": "choose a file",
            "  \n": "choose a file",
            "infila log 1\ngame take_that": FOREIGN,
            "{}": FOREIGN,
            "[]": FOREIGN,
            "null": FOREIGN,
            '"infila"': FOREIGN,
            "\x00\x01PNG": FOREIGN,
            "[" * 100_000: FOREIGN,
            '{"a":' * 100_000: FOREIGN,
            '{"infila":"everything","kept":' + "[" * 100_000: DAMAGED,
            '{"infila":"everything","format":"1"}': FOREIGN,
            '{"infila":"everything","format":true}': FOREIGN,
            '{"infila":"everything","format":1}': DAMAGED,
            '{"infila":"everything","format":0}': DAMAGED,
            '{"infila":"everything","format":1,"sum":5,"kept":[]}': DAMAGED,
            '{"infila":"everything","format":1,"sum":NaN,"kept":[]}': DAMAGED,
            '{"infila":"everything","format":2,"anything":[]}': "newer edition",
            text[: len(text) // 2]: DAMAGED,
            text[:-1]: DAMAGED,
            text.replace('"move"', '"mvoe"', 1): DAMAGED,
            text.replace('"move"', '"m\\u00f6ve"', 1): DAMAGED,
            f'{{"infila":"everything",{"9" * 5000}': DAMAGED,
            text + " " * everything.LARGEST: "too large",
            "ü" * (everything.LARGEST // 2 + 1): "too large",
        }
        for case, sentence in cases.items():
            with pytest.raises(Refused, match=sentence):
                await other.bring(case)
        assert other.kept.logs == {} and set(other.kept.facts) == {"me", f"name {other.me}"}

    alone(refused)


Change = Callable[[dict[str, Any]], Any]


def in_header(**values: Any) -> Change:
    return lambda kept: kept["tables"][0]["header"].update(values)


def in_entry(number: int, place: int, value: Any) -> Change:
    def change(kept: dict[str, Any]) -> None:
        kept["tables"][0]["entries"][number][place] = value

    return change


def by_the_other(kept: dict[str, Any]) -> None:
    last = kept["tables"][0]["entries"][-1]
    last[2] = 1 - last[2]


def with_entry(kind: str, seat: Any, text: str, person: Any = "me") -> Change:
    def change(kept: dict[str, Any]) -> None:
        entries = kept["tables"][0]["entries"]
        entries.append([len(entries) + 1, kind, seat, person, text, None, NOW])

    return change


MADE_UP: dict[str, tuple[Change, str]] = {
    "no object": (lambda kept: [1], DAMAGED),
    "half a character": (lambda kept: kept.update(name="\ud800"), DAMAGED),
    "a number for a name": (lambda kept: kept.update(name=5), DAMAGED),
    "something more": (lambda kept: kept.update(more=5), DAMAGED),
    "the same table twice": (lambda kept: kept["tables"].append(kept["tables"][0]), FOREIGN),
    "no table": (lambda kept: kept["tables"].append({}), UNPLAYABLE),
    "nothing happened": (lambda kept: kept["tables"][0].update(entries=[]), UNPLAYABLE),
    "an unknown game": (in_header(game="chess"), UNPLAYABLE),
    "a path for a game": (in_header(game="../zatre"), UNPLAYABLE),
    "a path for an id": (in_header(id="../x"), UNPLAYABLE),
    "an id that is markup": (in_header(id="<script>"), UNPLAYABLE),
    "an id without end": (in_header(id="a" * 10_000), UNPLAYABLE),
    "a rematch of markup": (in_header(rematch_of="<b>"), UNPLAYABLE),
    "another deal": (in_header(seed="0" * 32), UNPLAYABLE),
    "options that do not exist": (in_header(options={"players": 2, "wings": 5}), UNPLAYABLE),
    "more players than seats": (in_header(options={"players": 3}), UNPLAYABLE),
    "seats without end": (in_header(plan=[{}] * 1000), UNPLAYABLE),
    "an unknown kind of seat": (in_header(plan=[{"kind": "god"}, {}]), UNPLAYABLE),
    "a position of nothing": (in_header(position={"options": {}}), UNPLAYABLE),
    "a clock that runs backwards": (in_header(move_seconds=-5), UNPLAYABLE),
    "a day that no calendar has": (in_header(created=1e300), UNPLAYABLE),
    "a hundredth attempt": (in_header(attempt=100), UNPLAYABLE),
    "a move against the rules": (in_entry(-1, 4, "99"), UNPLAYABLE),
    "a move of a seat below": (in_entry(-1, 2, -1), UNPLAYABLE),
    "a move of a seat beyond": (in_entry(-1, 2, 2), UNPLAYABLE),
    "a move of a seat that is not on turn": (by_the_other, UNPLAYABLE),
    "an unknown kind of entry": (in_entry(-1, 1, "cheat"), UNPLAYABLE),
    "a gap in the numbers": (in_entry(-1, 0, 77), UNPLAYABLE),
    "a name of somebody else": (in_entry(0, 3, "somebody"), UNPLAYABLE),
    "a name with a line break": (in_entry(0, 4, "An\nna"), UNPLAYABLE),
    "a name without end": (in_entry(0, 4, "A" * 31), UNPLAYABLE),
    "a time that no calendar has": (in_entry(-1, 6, 1e15), UNPLAYABLE),
    "a time before all times": (in_entry(-1, 6, -1.0), UNPLAYABLE),
    "a flag for a number": (in_entry(-1, 0, True), UNPLAYABLE),
    "a key without end": (in_entry(-1, 5, "k" * 100), UNPLAYABLE),
    "a text without end": (with_entry("chat", 0, json.dumps(["table", "A", "x" * 5000])), UNPLAYABLE),
    "a talk of numbers": (with_entry("chat", 0, "[1, 2, 3]"), UNPLAYABLE),
    "a second deal": (with_entry("begin", None, ""), UNPLAYABLE),
    "moves taken back that were never made": (with_entry("back", 0, "-2"), UNPLAYABLE),
    "a question about moves to come": (with_entry("ask", 0, "9"), UNPLAYABLE),
    "gone for no reason": (with_entry("away", 0, "club bored"), UNPLAYABLE),
    "a pause for ever": (with_entry("pause", None, "inf"), UNPLAYABLE),
    "a pause of nothing": (with_entry("pause", None, "nan"), UNPLAYABLE),
    "a rematch that is markup": (with_entry("rematch", None, "<b>"), UNPLAYABLE),
    "pages of a lesson without end": (with_entry("read", 0, "x"), UNPLAYABLE),
}


def test_files_that_somebody_has_made_up() -> None:
    async def refused(anna: Person) -> None:
        table = await anna.begin()
        await anna.play(table, 3)
        await anna.play(await anna.begin("sequence"), 3)
        text = await anna.file()
        other = await Person().come()
        for name, (change, sentence) in MADE_UP.items():
            with pytest.raises(Refused, match=sentence):
                await other.bring(made_up(text, change))
                raise AssertionError(f"{name} was taken in")
        assert other.kept.logs == {} and set(other.kept.facts) == {"me", f"name {other.me}"}
        assert await other.bring(made_up(text, lambda kept: None)) == Brought(new=2)

    alone(refused)


def test_any_byte_of_a_file_may_be_another() -> None:
    """What is damaged is refused, and nothing else comes of it."""

    async def damaged(anna: Person) -> None:
        await anna.play(await anna.begin(), 3)
        text = await anna.file()
        other, chance = await Person().come(), random.Random(3)
        for _ in range(300):
            at = chance.randrange(len(text))
            letter = chr(chance.randrange(32, 127))
            if letter != text[at]:
                with pytest.raises(Refused):
                    await other.bring(text[:at] + letter + text[at + 1 :])
        assert other.kept.logs == {}

    alone(damaged)
