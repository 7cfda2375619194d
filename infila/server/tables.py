"""The service: everything that can be done at a table, for pages and programs alike.

Each act is checked against the table as it is, written to the log, and only when the log has it does the table change
and everybody hear of it. One act at a time: who acts on what is no longer so is told.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, desc, func, insert, select, update
from sqlalchemy.sql import Executable

from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.log import parse
from infila.core.options import Options
from infila.players import LEVELS, USUAL
from infila.server import schema
from infila.server.errors import Conflict, Forbidden, Refused, Unknown
from infila.server.identity import clean_name, new_id
from infila.server.moment import (
    CLOSED,
    COMPUTER,
    OPEN,
    OVER,
    PERSON,
    PLAYERS_ROOM,
    PLAYING,
    SPECTATORS_ROOM,
    WAITING,
    Entry,
    Header,
    Moment,
    Plan,
    after,
    beginning,
    checked_move,
    fold,
)
from infila.server.settings import Settings
from infila.server.store import Clash, Row, Store
from infila.server.streams import BEAT, HERE, Update, Watcher
from infila.server.tableview import TableView, seen
from infila.server.takeback import nothing_learnt

logger = logging.getLogger("infila")

ME = "me"
COMPUTER_LEVELS = (*LEVELS, "random")
LONGEST_MOVE, LONGEST_MESSAGE, MOST_MESSAGES = 80, 500, 2000
DAY = 86400
LONGEST_CLOCK = 60 * DAY
ABSENT_SECONDS = 60  # after which others may let the computer stand in
BEAT_SECONDS = 15
MOST_LISTED = 100


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table shall be. `seats` says for each `me`, `open`, or a computer's level."""

    game: str
    options: dict[str, Any] = {}
    seats: tuple[str, ...] = ()
    private: bool = True
    casual: bool = True
    mixing: bool = False
    move_seconds: int = 0
    game_seconds: int = 0
    position: dict[str, Any] | None = None


class Listed(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Any]
    state: str
    seats: tuple[tuple[str, str], ...]  # kind and name
    created: float
    my_turn: bool = False
    casual: bool = True
    move_seconds: int = 0
    game_seconds: int = 0


class Record(msgspec.Struct, frozen=True):
    """What somebody has done in one game so far."""

    game: str
    against: str
    played: int
    won: int
    best: int
    mean: float


@dataclass(frozen=True)
class Act:
    """What shall become an entry."""

    kind: str
    seat: int | None = None
    person: str | None = None
    text: str = ""
    key: str | None = None
    game: Game | None = None


@dataclass(eq=False)
class Live:
    """A table in memory."""

    moment: Moment
    keys: dict[str, int]  # idempotency keys, and the entries they made
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    left_at: dict[str, float] = field(default_factory=dict)  # when people's last page was closed
    stale: bool = False

    @property
    def here(self) -> frozenset[str]:
        return frozenset(watcher.person for watcher in self.watchers if watcher.person is not None)


class Service:
    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.changed: Callable[[Live], None] = lambda live: None  # told after every change; the computers listen
        self.ready: Callable[[str], Awaitable[None]] = _always_ready  # waits until a game's rules are compiled
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._names: OrderedDict[str, str] = OrderedDict()
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        self.send_home()

    def send_home(self) -> None:
        """End all streams: the server stops."""
        for live in self._live.values():
            for watcher in live.watchers:
                watcher.close()

    # people

    async def new_person(self, name: str = "") -> str:
        person = new_id()
        shown = clean_name(name)
        row = {"id": person, "name": shown, "created": self.settings.clock()}
        await self.store.write(changes=[insert(schema.people).values(**row)])
        self._remember(person, shown)
        return person

    async def name_of(self, person: str) -> str:
        """A person's name; empty if none was given yet."""
        if person not in self._names:
            query = select(schema.people.c.name).where(schema.people.c.id == person)
            name = await self.store.read(lambda connection: connection.scalar(query))
            self._remember(person, str(name or ""))
        return self._names[person]

    def _remember(self, person: str, name: str) -> None:
        self._names[person] = name
        if len(self._names) > 10_000:
            self._names.popitem(last=False)

    async def rename(self, person: str, name: str) -> str:
        """Another name, also at the tables where the person sits."""
        shown = clean_name(name)
        if not shown:
            raise Refused("a name has at least one visible character.")
        change = update(schema.people).where(schema.people.c.id == person).values(name=shown)
        await self.store.write(changes=[change])
        self._remember(person, shown)
        for listed in await self.my_tables(person):
            if listed.state in (WAITING, PLAYING):
                live = await self._table(listed.id)
                async with live.lock:
                    seats = live.moment.seats_of(person)
                    await self._write(live, [Act("name", seat, person, shown) for seat in seats])
        return shown

    # making and finding tables

    async def create(self, person: str, wanted: NewTable) -> TableView:
        """A new table, with its maker seated where they wish; full tables begin at once."""
        await self.ready(wanted.game)
        header, mine = self._header(person, wanted)
        return await self._open(header, person, mine, dict.fromkeys(mine, person))

    def _header(self, person: str, wanted: NewTable) -> tuple[Header, list[int]]:
        contract = contract_of(wanted.game)
        options = _options(contract.options, wanted)
        count = int(options.to_dict()["players"])
        seats = wanted.seats or (ME, *([USUAL] * (count - 1)))
        if len(seats) != count:
            raise Refused(f"there are {len(seats)} seats for {count} players: say for each me, open or a level.")
        for seat in seats:
            if seat not in (ME, OPEN, *COMPUTER_LEVELS):
                raise Refused(f"a seat cannot be {seat!r}: it is me, open, {', '.join(COMPUTER_LEVELS)}.")
        for seconds in (wanted.move_seconds, wanted.game_seconds):
            if not 0 <= seconds <= LONGEST_CLOCK:
                raise Refused("a clock has at most 60 days; 0 means no clock.")
        plan = tuple(Plan(COMPUTER, seat) if seat in COMPUTER_LEVELS else Plan() for seat in seats)
        if wanted.position is not None:
            from infila.core.notation import set_up

            set_up(contract, wanted.position)
        header = Header(
            id=new_id(),
            game=wanted.game,
            options=options.to_dict(),
            plan=plan,
            seed="" if wanted.position is not None else self.settings.new_seed(),
            position=wanted.position,
            host=person,
            private=wanted.private,
            casual=wanted.casual,
            mixing=wanted.mixing,
            move_seconds=wanted.move_seconds,
            game_seconds=wanted.game_seconds,
            created=self.settings.clock(),
        )
        return header, [i for i, seat in enumerate(seats) if seat == ME]

    async def _open(self, header: Header, person: str, mine: Sequence[int], sitting: dict[int, str]) -> TableView:
        """Write a new table with those who sit at it from the beginning."""
        live = Live(beginning(header), {})
        acts = [Act("sit", seat, who, await self._shown(who)) for seat, who in sitting.items()]
        row = {
            "id": header.id,
            "header": msgspec.json.encode(header).decode(),
            "game": header.game,
            "private": header.private,
            "created": header.created,
            "state": WAITING,
        }
        async with live.lock:
            await self._write(live, acts, first=[insert(schema.tables).values(**row)])
        self._keep(live)
        return self._seen(live, person, mine[0] if len(mine) == 1 else None)

    async def _shown(self, person: str) -> str:
        return await self.name_of(person) or "guest"

    async def open_tables(self) -> list[Listed]:
        """Tables in the lobby that wait for somebody."""
        tables = schema.tables
        query = (
            select(tables.c.id)
            .where(tables.c.state == WAITING, tables.c.private.is_(False))
            .order_by(desc(tables.c.created))
            .limit(MOST_LISTED)
        )
        ids = await self.store.read(lambda connection: list(connection.scalars(query)))
        return [listed(await self._table(each), None) for each in ids]

    async def my_tables(self, person: str, *, limit: int = MOST_LISTED) -> list[Listed]:
        """Where somebody sits, the newest first."""
        tables, seats = schema.tables, schema.seats
        query = (
            select(tables.c.id)
            .where(tables.c.id.in_(select(seats.c.table_id).where(seats.c.person == person)))
            .order_by(desc(tables.c.created))
            .limit(limit)
        )
        ids = await self.store.read(lambda connection: list(connection.scalars(query)))
        return [listed(await self._table(each), person) for each in ids]

    async def statistics(self, person: str) -> list[Record]:
        """A line for every game and kind of opponent."""
        c = schema.results.c
        query = (
            select(c.game, c.against, func.count(), func.sum(c.won), func.max(c.score), func.avg(c.score))
            .where(c.person == person)
            .group_by(c.game, c.against)
            .order_by(c.game, c.against)
        )
        rows = await self.store.read(lambda connection: connection.execute(query).all())
        return [Record(row[0], row[1], row[2], int(row[3]), row[4], float(row[5])) for row in rows]

    # looking

    async def view(
        self, table: str, person: str | None, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """A table as somebody sees it. Who holds several seats sees the one asked for, or the one that has to act."""
        live = await self._table(table)
        return self._seen(live, person, _whose(live.moment, person, seat, spectating))

    def _seen(self, live: Live, person: str | None, seat: int | None) -> TableView:
        return TableView(live.moment, person, seat, here=live.here)

    async def moment_at(
        self, table: str, person: str | None, moves: int, seat: int | None = None, *, spectating: bool = False
    ) -> TableView:
        """The table as it was after so many moves. Once the game is over anybody may look through anybody's eyes."""
        live = await self._table(table)
        moment = live.moment
        if moment.game is None or not 0 <= moves <= len(moment.history):
            raise Unknown(f"there is no move {moves}: {len(moment.history)} have been played.")
        if moment.over and seat is not None:
            _check_seat(moment, seat)
        else:
            seat = _whose(moment, person, seat, spectating)
        game = moment.game.copy().undo(len(moment.history) - moves)
        past = replace(moment, game=game, history=moment.history[:moves], ask=None, called=None, _views={})
        return TableView(past, person, seat, here=live.here)

    async def subscribe(
        self,
        table: str,
        person: str | None,
        seat: int | None = None,
        *,
        spectating: bool = False,
        since: int | None = None,
    ) -> AsyncIterator[tuple[int, TableView]]:
        """The table now, and then every change, each with its number; from `since` on if that is where one was."""
        live = await self._table(table)
        _whose(live.moment, person, seat, spectating)
        watcher = Watcher(person)
        missed = [] if since is None else await self._missed(live, since)
        live.watchers.add(watcher)
        self._came(live, person)
        try:
            for earlier in missed or [Update(live.moment, "view")]:
                if view := self._for(live, earlier, person, seat, spectating):
                    yield view.number, view
            while (item := await watcher.next()) is not None:
                if view := self._for(live, item, person, seat, spectating):
                    yield view.number, view
        finally:
            live.watchers.discard(watcher)
            if person is not None and person not in live.here:
                live.left_at[person] = self.settings.clock()
                self._came(live, person)

    def _for(
        self, live: Live, item: Update, person: str | None, seat: int | None, spectating: bool
    ) -> TableView | None:
        try:
            eyes = _whose(item.moment, person, seat, spectating)
        except Refused:  # the person has stood up
            eyes = None
        return seen(item, person, eyes, live.here)

    async def _missed(self, live: Live, since: int) -> list[Update]:
        """Every moment after number `since`, rebuilt from the log."""
        now = live.moment
        if not 0 <= since < now.number:
            return []
        header = now.header

        def rebuild(connection: Connection) -> list[Update]:
            entries = [entry for entry in _entries(connection, header.id) if entry.number <= now.number]
            moment = fold(header, (entry for entry in entries if entry.number <= since))
            updates = []
            for entry in entries[since:]:
                moment = after(moment, entry)
                updates.append(Update(moment, entry.kind))
            return updates

        missed = await self.store.read(rebuild)
        if live.moment.number > now.number:  # something was written while the log was read
            return await self._missed(live, since)
        return missed

    def _came(self, live: Live, person: str | None) -> None:
        """Tell the others that somebody came or went."""
        if person is None or not live.moment.seats_of(person):
            return
        for watcher in live.watchers:
            if watcher.person != person:
                watcher.tell(Update(live.moment, HERE))

    async def _beat(self) -> None:
        """Now and then a sign of life for every stream, so that no connection is taken for dead."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for live in list(self._live.values()):
                for watcher in live.watchers:
                    watcher.tell(Update(live.moment, BEAT))

    # before the deal

    async def sit(self, table: str, person: str, seat: int | None = None, words: str = "") -> TableView:
        """Take an open seat, with words to mix into the shuffle if one likes; the last to come begins the game."""
        live = await self._table(table)
        name = await self._shown(person)
        async with live.lock:
            moment = live.moment
            free = [i for i, each in enumerate(moment.seats) if each.kind == OPEN]
            if moment.state != WAITING or not free:
                raise Refused("all seats are taken. You can watch.")
            place = free[0] if seat is None else _check_seat(moment, seat)
            if place not in free:
                raise Refused(f"seat {place + 1} is taken.")
            acts = [Act("sit", place, person, name)]
            if words:
                acts.append(Act("words", place, person, _words(words)))
            await self._write(live, acts)
            return self._seen(live, person, place)

    async def mix(self, table: str, person: str, words: str = "", seat: int | None = None) -> TableView:
        """Mix words into the shuffle, or none: this person is ready for the deal."""
        live = await self._table(table)
        async with live.lock:
            if live.moment.state != WAITING:
                raise Refused("the cards are dealt: words can be mixed in only before.")
            places = [_own(live.moment, person, seat)] if seat is not None else list(live.moment.seats_of(person))
            if not places:
                raise Forbidden("you do not sit at this table.")
            await self._write(live, [Act("words", place, person, _words(words)) for place in places])
            return self._seen(live, person, places[0])

    async def fill(self, table: str, person: str, level: str = USUAL) -> TableView:
        """The host wants to wait no longer: computers take the open seats."""
        if level not in COMPUTER_LEVELS:
            raise Refused(f"there is no level {level!r}. There are {', '.join(COMPUTER_LEVELS)}.")
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            if person != moment.header.host:
                raise Forbidden("only the host may fill the seats.")
            free = [i for i, each in enumerate(moment.seats) if each.kind == OPEN]
            if moment.state != WAITING or not free:
                raise Refused("no seat is open.")
            await self._write(live, [Act("fill", seat, person, level) for seat in free])
            return self._seen(live, person, _whose(live.moment, person, None, False))

    async def leave(self, table: str, person: str, seat: int | None = None, level: str = USUAL) -> TableView:
        """Stand up: before the deal the seat is open again, after it a computer stands in until one returns."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            places = [_own(moment, person, seat)] if seat is not None else list(moment.seats_of(person))
            if not places:
                raise Forbidden("you do not sit at this table.")
            if moment.state == WAITING:
                acts = [Act("stand", place, person) for place in places]
                if person == moment.header.host and len(moment.seats_of(person)) == len(places):
                    acts.append(Act("close", None, person))
            elif moment.state == PLAYING:
                acts = [Act("away", place, person, f"{level} left") for place in places if not moment.seats[place].away]
            else:
                raise Refused("the game is over: you can simply go.")
            await self._write(live, acts)
            return self._seen(live, person, None if moment.state == WAITING else places[0])

    # playing

    async def move(
        self, table: str, person: str, text: str, version: int, key: str | None = None, seat: int | None = None
    ) -> tuple[int, Moment]:
        """Make a move for the version one saw. Returns the entry's number and the table as it is then."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            stored = None if key is None else f"{person}/{key}"
            if stored in live.keys:
                return live.keys[stored], moment
            place = _mover(moment, person, seat)
            if version != moment.version:
                raise Conflict(f"the table has moved on to version {moment.version}.", moment.version)
            _may_play(moment, place)
            game = checked_move(moment, place, text[:LONGEST_MOVE])
            act = Act("move", place, person, game.history[-1], stored, game)
            await self._write(live, [act])
            return live.moment.number if stored is None else live.keys[stored], live.moment

    async def computer_move(self, live: Live, seat: int, text: str, version: int) -> None:
        """A computer's move, unless the table has moved on while it thought."""
        async with live.lock:
            moment = live.moment
            if moment.version == version and seat in moment.computers_to_act:
                game = checked_move(moment, seat, text)
                await self._write(live, [Act("move", seat, None, game.history[-1], None, game)])

    async def time_out(self, live: Live) -> None:
        """The clock of the seat on turn has run out: a computer stands in."""
        async with live.lock:
            moment = live.moment
            if moment.deadline is not None and moment.deadline <= self.settings.clock():
                await self._write(live, [Act("away", moment.player, None, f"{USUAL} time")])

    async def come_back(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take one's seat again from the computer that stood in."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            places = [_own(moment, person, seat)] if seat is not None else list(moment.seats_of(person))
            away = [place for place in places if moment.seats[place].away]
            if not away or moment.state != PLAYING:
                raise Refused("no computer sits in for you here.")
            limit = moment.header.game_seconds
            if limit and any(moment.used[place] >= limit for place in away):
                raise Refused("your time for this game is used up: the computer plays on for you.")
            await self._write(live, [Act("return", place, person) for place in away])
            return self._seen(live, person, away[0])

    async def replace_absent(self, table: str, person: str, seat: int, level: str = USUAL) -> TableView:
        """Let the computer stand in for somebody who has not been here for a while."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            mine = _own(moment, person, None)
            other = moment.seats[_check_seat(moment, seat)]
            if moment.state != PLAYING or other.kind != PERSON or other.away or other.person == person:
                raise Refused("nobody has to be replaced there.")
            now = self.settings.clock()
            gone = live.left_at.get(other.person or "", moment.since)
            if other.person in live.here or now - gone < ABSENT_SECONDS:
                raise Refused(f"{other.name} can be replaced after being away for {ABSENT_SECONDS} seconds.")
            await self._write(live, [Act("away", seat, person, f"{level} replaced")])
            return self._seen(live, person, mine)

    async def call(self, table: str, person: str, side: int) -> TableView:
        """S17: call table talk against a side; the host confirms it. The host's own call needs nobody else."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            seat = _own(moment, person, None)
            if moment.header.choices.side(seat) == side - 1:
                raise Refused("another side calls table talk, not the one that talked.", "S17")
            game = _offence(moment, side)
            if person == moment.header.host:
                await self._write(live, [Act("move", None, person, game.history[-1], None, game)])
            else:
                await self._write(live, [Act("call", seat, person, str(side))])
            return self._seen(live, person, seat)

    async def judge(self, table: str, person: str, confirmed: bool) -> TableView:
        """S17: the host says whether the call was right."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            if person != moment.header.host:
                raise Forbidden("only the host decides about a call.")
            if moment.called is None:
                raise Refused("nobody has called table talk.")
            if confirmed:
                game = _offence(moment, moment.called[1])
                await self._write(live, [Act("move", None, person, game.history[-1], None, game)])
            else:
                await self._write(live, [Act("call", moment.called[0], person, "")])
            return self._seen(live, person, _whose(live.moment, person, None, False))

    # taking back

    async def take_back(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take back one's last move and what followed: alone where nobody has learnt anything, else by consent."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            place, keep = _last_own(moment, person, seat)
            if await self.alone(moment, place, keep):
                acts = [Act("back", place, person, str(keep))]
            elif not moment.header.casual:
                raise Refused("somebody has learnt something since, and this game is not casual: the move stands.")
            elif moment.ask is not None:
                raise Refused("somebody asks for a take-back already.")
            elif not _others(moment, person):
                acts = [Act("back", place, person, str(keep))]
            else:
                acts = [Act("ask", place, person, str(keep))]
            await self._write(live, acts)
            return self._seen(live, person, place)

    async def alone(self, moment: Moment, seat: int, keep: int) -> bool:
        """Whether a seat's move can be taken back without asking anybody: it was the last, and told nobody anything."""
        if keep != len(moment.history) - 1:
            return False
        game, text = moment.game, moment.history[-1].text
        assert game is not None

        def look() -> bool:
            return nothing_learnt(game.copy().undo(1), seat, text)

        return await asyncio.to_thread(look)

    async def may_take_back(self, table: str, person: str, seat: int | None = None) -> str:
        """How a take-back would go: `alone`, `ask`, or empty: not at all."""
        moment = (await self._table(table)).moment
        try:
            place, keep = _last_own(moment, person, seat)
        except Refused:
            return ""
        if await self.alone(moment, place, keep):
            return "alone"
        if not moment.header.casual or moment.ask is not None:
            return ""
        return "ask" if _others(moment, person) else "alone"

    async def answer(self, table: str, person: str, agreed: bool) -> TableView:
        """Say yes or no to a take-back; once everybody has said yes it is done. Who asked can withdraw."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            seat = _own(moment, person, None)
            ask = moment.ask
            if ask is None:
                raise Refused("nobody asks for a take-back.")
            acts = [Act("answer", seat, person, "yes" if agreed else "no")]
            asker = moment.seats[ask.seat].person or ""
            if agreed and _others(moment, asker) <= ask.agreed | {person}:
                acts.append(Act("back", ask.seat, asker, str(ask.keep)))
            await self._write(live, acts)
            return self._seen(live, person, _whose(live.moment, person, None, False))

    # talking, and after the game

    async def chat(self, table: str, person: str, text: str) -> TableView:
        """Say something: players to everybody, spectators among themselves until the game is over."""
        live = await self._table(table)
        name = await self._shown(person)
        line = " ".join(text.split())
        if not line or len(line) > LONGEST_MESSAGE or not line.isprintable():
            raise Refused(f"a message is one line of 1 to {LONGEST_MESSAGE} characters.")
        async with live.lock:
            moment = live.moment
            mine = moment.seats_of(person)
            if mine and moment.silent:
                raise Refused("table talk is forbidden at this table.", "S17")
            if len(moment.chat) >= MOST_MESSAGES:
                raise Refused("there has been enough talk at this table.")
            room = PLAYERS_ROOM if mine or moment.over else SPECTATORS_ROOM
            seat = mine[0] if mine else None
            shown = moment.seats[seat].name if seat is not None else name
            said = msgspec.json.encode([room, shown, line]).decode()
            await self._write(live, [Act("chat", seat, person, said)])
            return self._seen(live, person, seat)

    async def rematch(self, table: str, person: str) -> TableView:
        """The next game of the same people, everybody one seat further; who asks second comes to the same table."""
        live = await self._table(table)
        async with live.lock:
            moment = live.moment
            _own(moment, person, None)
            if not moment.over:
                raise Refused("a rematch comes after the game.")
            if moment.rematch:
                return await self.view(moment.rematch, person)
            header, sitting = _rotated(moment, self.settings)
            seats = [seat for seat, who in sitting.items() if who == person]
            view = await self._open(header, person, seats, sitting)
            await self._write(live, [Act("rematch", None, person, header.id)])
            return view

    async def upload(self, person: str, text: str) -> TableView:
        """A log becomes a table: a finished game to look at, an unfinished one to go on with, all seats one's own."""
        log = parse(text)
        await self.ready(log.game)
        game = await asyncio.to_thread(Game, log)
        header = Header(
            id=new_id(),
            game=log.game,
            options=log.options.to_dict(),
            plan=tuple(Plan() for _ in log.seats),
            seed=log.seed or "",
            position=log.position,
            host=person,
            created=self.settings.clock(),
            uploaded=True,
        )
        live = Live(beginning(header), {})
        acts = [Act("sit", seat, person, clean_name(name) or "guest") for seat, name in enumerate(log.seats)]
        acts += [Act("words", seat, person, word) for seat, word in enumerate(log.words) if word]
        acts += [Act("begin"), *_replayed(game)]
        row = {
            "id": header.id,
            "header": msgspec.json.encode(header).decode(),
            "game": header.game,
            "private": True,
            "created": header.created,
            "state": WAITING,
        }
        async with live.lock:
            await self._write(live, acts, first=[insert(schema.tables).values(**row)])
        self._keep(live)
        return self._seen(live, person, None)

    async def log(self, table: str, person: str | None) -> str:
        """The log as this viewer may have it: with the seed once the game is over."""
        view = await self.view(table, person)
        if view.view is None:
            raise Refused("the game has not begun: there is no log yet.")
        return view.view.log

    # how it is done

    async def _table(self, table: str) -> Live:
        live = self._live.get(table)
        if live is not None and not live.stale:
            self._live.move_to_end(table)
            return live
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> Live:
        def read(connection: Connection) -> tuple[Header, list[Entry]] | None:
            text = connection.scalar(select(schema.tables.c.header).where(schema.tables.c.id == table))
            if text is None:
                return None
            header = msgspec.json.decode(text, type=Header)
            return header, _entries(connection, table)

        found = await self.store.read(read)
        if found is None:
            raise Unknown("there is no such table.")
        header, entries = found
        await self.ready(header.game)
        moment = await asyncio.to_thread(fold, header, entries)
        keys = {entry.key: entry.number for entry in entries if entry.key is not None}
        known = self._live.get(table)
        if known is not None:  # it was out of date: those who watch it stay
            known.moment, known.keys, known.stale = moment, keys, False
            for watcher in known.watchers:
                watcher.tell(Update(moment, "view"))
            return known
        live = Live(moment, keys)
        self._keep(live)
        self.changed(live)
        return live

    def _keep(self, live: Live) -> None:
        """Hold a table in memory; let the one go that was not asked for longest, if nobody is there."""
        self._live[live.moment.header.id] = live
        if len(self._live) <= self.settings.tables_in_memory:
            return
        for table, other in self._live.items():
            if other is not live and not other.watchers and not other.lock.locked() and other.moment.due is None:
                del self._live[table]
                return

    async def _write(self, live: Live, acts: Sequence[Act], first: Sequence[Executable] = ()) -> None:
        """Acts to the log, and once it has them to everybody. The caller holds the table's lock."""
        if not acts:
            return
        now = self.settings.clock()
        before, moments, rows = live.moment, [], []
        moment = before
        waiting = list(acts)
        while waiting:
            act = waiting.pop(0)
            entry = Entry(moment.number + 1, act.kind, act.seat, act.person, act.text, act.key, now)
            moment = after(moment, entry, act.game)
            moments.append(moment)
            rows.append(_row(moment.header.id, entry))
            if not waiting and _complete(moment):
                waiting.append(Act("begin"))
        try:
            await self.store.write(rows, [*first, *_index(before, moment)])
        except Clash:
            live.stale = True
            fresh = await self._load(before.header.id)
            raise Conflict("somebody else was quicker.", fresh.moment.version) from None
        except BaseException:
            live.stale = True  # whether it was written is not known: the log will tell
            raise
        for each in moments:
            live.moment = each
            if each.last is not None and each.last.key is not None:
                live.keys[each.last.key] = each.number
            for watcher in live.watchers:
                watcher.tell(Update(each, each.last.kind if each.last else ""))
        self.changed(live)

    async def due_tables(self) -> list[str]:
        """Tables where the server has to act, now or later."""
        query = select(schema.tables.c.id).where(schema.tables.c.due.is_not(None))
        return await self.store.read(lambda connection: list(connection.scalars(query)))

    async def table_due(self, table: str) -> Live:
        return await self._table(table)


async def _always_ready(game: str) -> None:
    """For a server that compiles when it has to."""


def _options(kind: type[Options], wanted: NewTable) -> Options:
    if wanted.position is None:
        return kind.make(wanted.options)
    options = wanted.position.get("options")
    if not isinstance(options, dict):
        raise Refused("a position needs its options.")
    return kind.make(options)


def _words(text: str) -> str:
    words = " ".join(text.replace("|", " ").split())
    if len(words) > 100 or not words.isprintable():
        raise Refused("words to mix in are one line of at most 100 characters.")
    return words


def _check_seat(moment: Moment, seat: int) -> int:
    if not 0 <= seat < len(moment.seats):
        raise Unknown(f"there is no seat {seat + 1}: the seats are 1 to {len(moment.seats)}.")
    return seat


def _own(moment: Moment, person: str, seat: int | None) -> int:
    """A seat of one's own: the one named, or the first."""
    mine = moment.seats_of(person)
    if not mine:
        raise Forbidden("you do not sit at this table.")
    if seat is None:
        return mine[0]
    if _check_seat(moment, seat) not in mine:
        raise Forbidden(f"seat {seat + 1} is not yours.")
    return seat


def _mover(moment: Moment, person: str, seat: int | None) -> int:
    """The seat that a move is for: the one named, or of one's own the one that has to act."""
    mine = moment.seats_of(person)
    if seat is None and len(mine) > 1:
        acting = [each for each in mine if each == moment.player] or [each for each in mine if each in moment.to_act]
        return (acting or list(mine))[0]
    return _own(moment, person, seat)


def _may_play(moment: Moment, seat: int) -> None:
    if moment.state == WAITING:
        raise Refused("the game has not begun: seats are still open, or somebody is not ready.")
    if moment.state == CLOSED:
        raise Refused("this table was closed.")
    if moment.seats[seat].away:
        raise Refused("a computer sits in for you. Come back first.")


def _whose(moment: Moment, person: str | None, seat: int | None, spectating: bool) -> int | None:
    """Through whose eyes somebody sees a table."""
    if spectating:
        return None
    mine = moment.seats_of(person)
    if seat is not None:
        return _own(moment, person or "", seat)
    if len(mine) < 2:
        return mine[0] if mine else None
    return _mover(moment, person or "", None)


def _others(moment: Moment, person: str) -> frozenset[str]:
    """The other people who play."""
    return frozenset(
        seat.person
        for seat in moment.seats
        if seat.kind == PERSON and not seat.away and seat.person is not None and seat.person != person
    )


def _last_own(moment: Moment, person: str, seat: int | None) -> tuple[int, int]:
    """Whose move would be taken back, and how many moves would stay."""
    mine = moment.seats_of(person) if seat is None else (_own(moment, person, seat),)
    if moment.state != PLAYING:
        raise Refused("nothing can be taken back now.")
    for keep in range(len(moment.history) - 1, -1, -1):
        played = moment.history[keep]
        if played.seat is not None and played.seat in mine:
            return played.seat, keep
    raise Refused("there is no move of yours to take back.")


def _offence(moment: Moment, side: int) -> Game:
    if moment.game is None or moment.state != PLAYING:
        raise Refused("the game is not on.")
    return moment.game.copy().play(f"offence {side}")


def _complete(moment: Moment) -> bool:
    """Whether the game can begin: every seat taken, and where words are mixed in everybody ready."""
    if moment.state != WAITING or any(seat.kind == OPEN for seat in moment.seats):
        return False
    return not moment.header.mixing or all(seat.ready for seat in moment.seats)


def _rotated(moment: Moment, settings: Settings) -> tuple[Header, dict[int, str]]:
    """The header of a rematch, and who sits where: everybody one seat further."""
    old, count = moment.header, len(moment.seats)
    seats = [moment.seats[(i - 1) % count] for i in range(count)]
    plan = tuple(Plan(COMPUTER, seat.level) if seat.kind == COMPUTER else Plan() for seat in seats)
    header = msgspec.structs.replace(
        old,
        id=new_id(),
        plan=plan,
        seed=settings.new_seed(),
        position=None,
        created=settings.clock(),
        rematch_of=old.id,
        uploaded=False,
    )
    return header, {i: seat.person for i, seat in enumerate(seats) if seat.kind == PERSON and seat.person is not None}


def _replayed(game: Game) -> list[Act]:
    """The moves of a game as acts."""
    acts = []
    again = game.copy().undo(len(game.history))
    for move in game.history:
        again = again.copy()
        actor = again.mover(move)
        again.play(move)
        acts.append(Act("move", actor, None, move, None, again))
    return acts


def _entries(connection: Connection, table: str) -> list[Entry]:
    c = schema.entries.c
    query = select(c.number, c.kind, c.seat, c.person, c.text, c.key, c.at).where(c.table_id == table)
    return [Entry(*row) for row in connection.execute(query.order_by(c.number))]


def _row(table: str, entry: Entry) -> Row:
    return {
        "table_id": table,
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "person": entry.person,
        "text": entry.text,
        "key": entry.key,
        "at": entry.at,
    }


def _index(before: Moment, now: Moment) -> list[Executable]:
    """What the indexes over the log have to change."""
    table = now.header.id
    changes: list[Executable] = []
    if (before.state, before.due) != (now.state, now.due):
        query = update(schema.tables).where(schema.tables.c.id == table)
        changes.append(query.values(state=now.state, due=now.due))
    for i, (old, new) in enumerate(zip(before.seats, now.seats, strict=True)):
        if old.person != new.person:
            c = schema.seats.c
            changes.append(delete(schema.seats).where(c.table_id == table, c.seat == i))
            if new.person is not None:
                changes.append(insert(schema.seats).values(table_id=table, seat=i, person=new.person))
    if now.over and not before.over and not now.header.uploaded:
        changes += _results(now)
    return changes


def _results(moment: Moment) -> list[Executable]:
    game = moment.game
    assert game is not None, "a game that is over has begun"
    levels = [seat.level for seat in moment.seats if seat.kind == COMPUTER]
    against = max(levels, key=COMPUTER_LEVELS.index) if levels else "people"
    winners, scores = game.winners, game.scores
    return [
        insert(schema.results).values(
            table_id=moment.header.id,
            seat=i,
            person=seat.person,
            game=moment.header.game,
            players=len(moment.seats),
            against=against,
            score=scores[i],
            won=i in winners,
            at=moment.over_since,
        )
        for i, seat in enumerate(moment.seats)
        if seat.kind == PERSON and not seat.away
    ]


def listed(live: Live, person: str | None) -> Listed:
    """A table as a line of a list."""
    moment = live.moment
    header = moment.header
    return Listed(
        header.id,
        header.game,
        header.options,
        moment.state,
        tuple((seat.kind, seat.name) for seat in moment.seats),
        header.created,
        any(seat in moment.to_act for seat in moment.seats_of(person)),
        header.casual,
        header.move_seconds,
        header.game_seconds,
    )


__all__ = ["OVER", "Act", "InfilaError", "Listed", "Live", "NewTable", "Record", "Service"]
