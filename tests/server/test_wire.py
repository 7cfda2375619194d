"""The wire: for every viewer, all bytes that the server sends stay the same when what it cannot know is drawn anew.

Two servers with the same clock, ids and seeds are told the same. At one of them everything that a viewer cannot know is
drawn anew; from there on they are played side by side, for as long as the moves are possible at both and the viewer has
learnt nothing that tells them apart, and then the next viewer has its turn. Pages, states, events, logs, refusals: the
viewer must get the same bytes from both, headers included.
"""

import asyncio
import itertools
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.core.game import Game
from infila.core.games import NAMES
from infila.core.growing import Growing
from infila.core.record import States
from infila.server import audience, computers
from infila.server.pages.chronicle import Chronicle
from infila.server.past import Past
from infila.server.snapshot import Snapshot
from infila.server.tables import LiveTable
from infila.server.take_backs import nothing_learnt
from tests.cases import cases_of
from tests.play import kind_of
from tests.server.asgi import HOST, Headers, Server, Stream, content, status
from tests.server.desk import Clock

pytestmark = pytest.mark.slow

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("zatre", {"players": 2, "keeping": "free"}, {"move_seconds": 60}),
    ("zatre", {"players": 4, "keeping": "forced", "teams": True}, {}),
    ("take_that", {"players": 2, "expert": True, "rounds": 1}, {"casual": False}),
    ("take_that", {"players": 4, "expert": False, "rounds": 1}, {"game_seconds": 86400 * 3}),
    ("completto", {"players": 2, "games": 1}, {}),
    ("completto", {"players": 3, "games": 1}, {"move_seconds": 300, "casual": False}),
    ("sequence", {"players": 2, "draw": "manual", "advanced": True}, {"game_seconds": 600}),
    ("sequence", {"players": 4, "sides": 2, "table_talk": "forbidden"}, {}),
    ("sequence", {"players": 3, "sides": 3}, {}),
]
NONSENSE = ("take", "draw", "pass", "34", "7S@b2", "5@h8", "42@7", "2: draw", "dance")
PARTS: tuple[list[str], ...] = (
    ["hand-5", "cell-c9"],
    ["hand-7S", "cell-b2"],
    ["place-3", "place-4"],
    ["hand-38", "row-end"],
)
PARTS += tuple([part] for part in ("bag", "pile", "covered", "discards", "minus", "row-end", "cell-h8", "cell-e5"))
PARTS += tuple([part] for part in ("hand-2", "hand-55", "hand-QH", "open-42", "partner-2", "row-44", "row-2-place-3"))
LANGUAGES = ("en", "it", "de")
SPECTATOR = None
MOST_MOVES = 110  # Completto at random can go on for ever
LONGEST_PHASE, THOROUGH = 5, 17  # moves until it is another viewer's turn, and until everything is asked for


class Elsewhere(Game):
    """A game that was the real one until some move, and has been another since, which looks the same to a viewer."""

    turned: States  # the real state at that moment,
    into: States  # and what it became

    @classmethod
    def from_game(cls, game: Game, into: States) -> "Elsewhere":
        other = object.__new__(cls)
        other.__dict__.update(game.__dict__, turned=game.states, into=into, states=into.copy())
        return other

    def play_action(self, action: int) -> None:
        super().play_action(action)
        if self.states.tobytes() == self.turned.tobytes():
            self.states = self.into.copy()

    def copy(self) -> "Elsewhere":
        other = object.__new__(Elsewhere)
        other.__dict__.update(self.__dict__, states=self.states.copy(), _stages=self._stages)
        return other

    def before(self, moves: int = 1) -> "Elsewhere":
        other = self.copy()
        again = Game(replace(self._log, moves=Growing()))
        other.states, other._log, other._stages = again.states, again._log, again._stages
        for move in self.history[: len(self.history) - moves]:
            other.play(move)
        return other


@dataclass
class Twin:
    """One of the two servers, and one table at it."""

    server: Server
    clock: Clock
    table: str = ""
    people: list[str] = field(default_factory=list)
    programs: dict[str, Headers] = field(default_factory=dict)  # by person
    browsers: dict[str, Headers] = field(default_factory=dict)
    streams: list[Stream] = field(default_factory=list)

    @property
    def live(self) -> LiveTable:
        return self.server.app.service.tables.in_memory[self.table]

    @property
    def snapshot(self) -> Snapshot:
        return self.live.snapshot

    @property
    def game(self) -> Game:
        assert self.snapshot.game is not None
        return self.snapshot.game

    def truth(self, snapshot: Snapshot, game: Game) -> None:
        """Another game at this table; whatever was remembered of the old one is forgotten."""
        self.live.snapshot = replace(snapshot, game=game, views={})
        self.server.app.chronicle = Chronicle()
        self.server.app.service.tables._past = Past()

    def program(self, viewer: int | None) -> Headers:
        return {} if viewer is None else self.programs[self.people[viewer]]

    def browser(self, viewer: int | None) -> Headers:
        """A browser of the viewer's own language; a spectator's has no cookie yet."""
        language = LANGUAGES[-1 if viewer is None else viewer % 3]
        headers = {"accept-language": language, "accept": "text/html", "origin": f"http://{HOST}"}
        if viewer is not None:
            headers |= self.browsers[self.people[viewer]]
        return headers

    async def set_up(self, name: str, options: dict[str, Any], table: dict[str, Any]) -> None:
        service, players = self.server.app.service, options["players"]
        self.people = [await service.people.welcome(f"P{i}") for i in range(players + 1)]
        self.programs = {person: await self.server.program(person) for person in self.people}
        self.browsers = {person: await self.server.browser(person) for person in self.people}
        wanted = {"game": name, "options": options, "seats": ["me", *["open"] * (players - 1)], "hints": True, **table}
        self.table = content(await self.server.ask("POST", "/api/v1/tables", self.program(0), wanted))["id"]
        for seat in range(1, wanted["seats"].count("open") + 1):
            answer = await self.server.ask("POST", f"/api/v1/tables/{self.table}/seat", self.program(seat), {})
            assert status(answer) == 200, answer

    async def watch(self, viewer: int | None) -> None:
        """Streams as pages and programs have them."""
        await self.leave()
        for path, headers in (
            (f"/t/{self.table}/events", self.browser(viewer)),
            (f"/api/v1/tables/{self.table}/events", self.program(viewer)),
        ):
            self.streams.append(self.server.listen(path, headers))
        await self.settle()

    async def leave(self) -> None:
        for stream in self.streams:
            await stream.close()
        self.streams.clear()

    async def settle(self) -> None:
        """Until everything that was told has been sent."""
        quiet, before = 0, -1
        while quiet < 12:
            await asyncio.sleep(0)
            now = sum(len(stream.got) for stream in self.streams)
            quiet, before = (quiet + 1 if now == before else 0), now

    async def move(self, seat: int, text: str) -> bytes:
        body = {"move": text, "version": self.snapshot.version, "key": f"k{self.snapshot.version}"}
        answer = await self.server.ask("POST", f"/api/v1/tables/{self.table}/moves", self.program(seat), body)
        assert status(answer) == 201, answer
        return answer


async def usual(twin: Twin, viewer: int | None) -> AsyncIterator[tuple[str, bytes]]:
    """What a viewer gets after every move."""
    ask, table = twin.server.ask, twin.table
    yield "state", await ask("GET", f"/t/{table}/state", twin.browser(viewer))
    yield "table", await ask("GET", f"/api/v1/tables/{table}", twin.program(viewer))


async def everything(twin: Twin, viewer: int | None) -> AsyncIterator[tuple[str, bytes]]:
    """Whatever else a viewer can ask for that does not change the table."""
    ask, page, path = twin.server.ask, f"/t/{twin.table}", f"/api/v1/tables/{twin.table}"
    browser, program, version = twin.browser(viewer), twin.program(viewer), twin.snapshot.version
    played = len(twin.snapshot.history)
    for name in (page, f"{page}/log", "/", "/mine"):
        yield name, await ask("GET", name, browser)
    asked = (path, *(f"{path}/{what}" for what in ("history", "record", "log", "take-back")))
    for name in (*asked, "/api/v1/tables", "/api/v1/me/tables"):
        yield name, await ask("GET", name, program)
    for at in (played, played // 2, played + 1):
        yield "replay", await ask("GET", f"{page}?at={at}", browser)
        yield "past", await ask("GET", f"{path}?moves={at}", program)
    for eyes in range(len(twin.snapshot.seats) + 1):
        yield "replay", await ask("GET", f"{page}/state?at={played // 2}&seat={eyes}", browser)
    for seat in range(1, len(twin.snapshot.seats) + 1):
        yield "another seat", await ask("GET", f"{path}?seat={seat}", program)
    async for each in refusals(twin, viewer, version):
        yield each
    if viewer is not None and (view := twin.snapshot.view(viewer)) is not None and view.own_actions():
        yield "hint", await ask("POST", f"{page}/hint", browser, {})
    for parts in PARTS:
        yield "why", await ask("POST", f"{page}/why", browser, {"parts": parts})


async def refusals(twin: Twin, viewer: int | None, version: int) -> AsyncIterator[tuple[str, bytes]]:
    """Moves that are none, and acts that nobody may do now."""
    ask, page, path = twin.server.ask, f"/t/{twin.table}", f"/api/v1/tables/{twin.table}"
    browser, program = twin.browser(viewer), twin.program(viewer)
    view = twin.snapshot.view(viewer)
    assert view is not None
    for text in NONSENSE:
        if viewer is not None and view.why_not(text) is not None:
            wanted = {"move": text, "version": version}
            yield text, await ask("POST", f"{path}/moves", program, wanted)
            yield text, await ask("POST", f"{page}/moves", browser, wanted)
    late = {"move": "take", "version": version - 1}
    yield "late", await ask("POST", f"{path}/moves", program, late)
    for act in ("take-back/answer", "call/answer", "return", "rematch", "seat", "dance") if viewer is not None else ():
        yield act, await ask("POST", f"{page}/{act}", browser, {})


@dataclass
class Twins:
    real: Twin
    other: Twin
    chance: random.Random
    viewer: int | None = None
    compared: int = 0

    async def begin(self, viewer: int | None) -> None:
        """From here on the two differ in what this viewer cannot know."""
        self.viewer = viewer
        self.same_again()
        game = self.real.game
        drawn = game.redrawn(viewer, self.chance.randrange(2**60))
        self.other.truth(self.real.snapshot, Elsewhere.from_game(game, drawn.states))
        assert self.looks_the_same(), f"the view of {viewer} itself tells something"
        for twin in (self.real, self.other):
            await twin.watch(viewer)

    def same_again(self) -> None:
        self.other.truth(self.real.snapshot, self.real.game.copy())

    def looks_the_same(self) -> bool:
        real, other = self.real.game.view(self.viewer), self.other.game.view(self.viewer)
        return real.states.tobytes() == other.states.tobytes() and real.explain() == other.explain()

    async def compare(self, asked: Any) -> None:
        both = [[each async for each in asked(twin, self.viewer)] for twin in (self.real, self.other)]
        for (what, one), (_, two) in zip(*both, strict=True):
            assert one == two, f"{what} of viewer {self.viewer} tells something"
            self.compared += len(one)

    def compare_events(self) -> None:
        for real, other in zip(self.real.streams, self.other.streams, strict=True):
            assert real.got == other.got, f"an event for viewer {self.viewer} tells something"
            self.compared += len(real.got)
            real.got = other.got = b""

    def choose(self) -> tuple[int, str]:
        """Somebody's move, if possible one that can be made at both tables."""
        real, other = self.real.snapshot, self.other.snapshot
        acting = list(real.to_act)
        self.chance.shuffle(acting)
        for seat in acting:
            mine, theirs = real.view(seat), other.view(seat)
            assert mine is not None and theirs is not None
            if common := sorted(set(mine.moves) & set(theirs.moves)):
                return seat, self.one_of(common)
        self.same_again()
        view = real.view(acting[0])
        assert view is not None
        return acting[0], self.one_of(view.moves)

    def one_of(self, moves: list[str]) -> str:
        kind = self.chance.choice(sorted({kind_of(move) for move in moves}))
        return self.chance.choice([move for move in moves if kind_of(move) == kind])

    async def move(self) -> bool:
        """A move at both tables; whether the viewer still cannot tell them apart."""
        seat, text = self.choose()
        answers = []
        for twin in (self.real, self.other):
            twin.clock.now += 1.25
            answers.append(await twin.move(seat, text))
            await twin.settle()
        same = self.looks_the_same() and not self.real.snapshot.over
        if same:
            assert seat != self.viewer or answers[0] == answers[1]
            self.compare_events()
        return same

    async def talk(self) -> None:
        """A player and somebody who watches say something, where talk is allowed; somebody wants to take back."""
        for twin in (self.real, self.other):
            eve, path = len(twin.people) - 1, f"/api/v1/tables/{twin.table}"
            for person in (0, eve):
                await twin.server.ask("POST", f"{path}/chat", twin.program(person), {"text": "<b>good luck"})
            for seat in range(eve):
                await twin.server.ask("POST", f"{path}/take-back", twin.program(seat), {})
                if twin.snapshot.request is not None:
                    break
            await twin.settle()
        if self.looks_the_same():
            self.compare_events()
        else:  # what was taken back was why they looked the same
            await self.begin(self.viewer)


@asynccontextmanager
async def twins(folder: Path, name: str, options: dict[str, Any], table: dict[str, Any]) -> AsyncIterator[Twins]:
    async with AsyncExitStack() as stack:
        made = []
        for which in ("real", "other"):
            random.seed(name)  # ids and secrets are drawn from it: see the fixture
            clock = Clock()
            server = Server(folder / which, now=clock, new_seed=lambda: "17")
            twin = Twin(await stack.enter_async_context(server.running()), clock)
            stack.push_async_callback(twin.leave)
            await twin.set_up(name, options, table)
            made.append(twin)
        yield Twins(made[0], made[1], random.Random(name))


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids and secrets that can be drawn again, and an adviser who is quick; no signs of life in between."""
    monkeypatch.setattr(secrets, "choice", random.choice)
    monkeypatch.setattr(secrets, "token_hex", lambda size: random.randbytes(size).hex())
    monkeypatch.setattr(computers, "ADVISER", "beginner")
    monkeypatch.setattr(audience, "BEAT_SECONDS", 10**6)


@pytest.mark.parametrize(("name", "options", "table"), CASES)
def test_all_bytes_are_the_same_after_a_redraw(
    tmp_path: Path, name: str, options: dict[str, Any], table: dict[str, Any]
) -> None:
    async def play() -> None:
        async with twins(tmp_path, name, options, table) as pair:
            viewers = itertools.cycle((SPECTATOR, *range(options["players"])))
            same, phase = False, 0
            for played in range(MOST_MOVES):
                if not same or phase == LONGEST_PHASE:
                    await pair.begin(next(viewers))
                    phase = 0
                phase += 1
                if phase in (2, LONGEST_PHASE):
                    await pair.compare(usual)
                if played % THOROUGH == THOROUGH - 1:
                    await pair.compare(everything)
                if played % THOROUGH == THOROUGH // 2:
                    await pair.talk()
                same = await pair.move()
                if pair.real.snapshot.over:
                    break
            assert pair.compared > 500_000

    asyncio.run(play())


async def curtained(twin: Twin, _: int | None) -> AsyncIterator[tuple[str, bytes]]:
    """The page of somebody who holds all seats, with nobody's side shown."""
    for path in ("", "/state", "/log", "?at=3", "/state?at=3"):
        yield path, await twin.server.ask("GET", f"/t/{twin.table}{path}", twin.browser(0))


@pytest.mark.parametrize("name", NAMES)
def test_behind_the_curtain_nothing_can_be_seen(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with twins(tmp_path, name, {"players": 2}, {"seats": ["me", "me"]}) as pair:
            pair.real.people[1] = pair.other.people[1] = pair.real.people[0]
            for _ in range(6):
                await pair.move()
                await pair.begin(SPECTATOR)
                await pair.compare(curtained)

    asyncio.run(play())


@pytest.mark.parametrize("name", NAMES)
def test_whether_one_may_take_back_tells_nothing(name: str) -> None:
    """A card from the hand tells that it was there, a card drawn tells its drawer what it is; who takes a row, moves
    what lies open or covered, or must pass, shows nothing that is new."""
    chance = random.Random(name)
    game = infila.new(name, players=2, seed=4, **cases_of(name).taken_back)
    found: dict[str, set[bool]] = {}
    for _ in range(40):
        if game.over:
            break
        move = chance.choice(game.moves)
        seat = game.mover(move)
        if seat is not None:
            answer = nothing_learnt(game, seat, move)
            found.setdefault(kind_of(move), set()).add(answer)
            for _ in range(2):
                assert nothing_learnt(game.redrawn(seat, chance.randrange(2**60)), seat, move) == answer
        game.play(move)
    assert found == cases_of(name).nothing_learnt
