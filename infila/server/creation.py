"""New tables: as somebody wishes them, as the rematch of a game, from a log, or from a move of a game that is over."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from infila.core.errors import BadLog
from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import Log, parse
from infila.core.notation import position_of, set_up
from infila.core.options import Options
from infila.core.record import copied
from infila.core.seeds import key_of
from infila.players import USUAL
from infila.server.clock import TimeControl
from infila.server.entries import beginning, log_of
from infila.server.errors import Full, Refused
from infila.server.gently import Gently, gently
from infila.server.identity import Name, clean_name, new_id
from infila.server.levels import LEVELS_SPOKEN, USUAL_LEVEL, ComputerLevel
from infila.server.limits import MOST_SEATS
from infila.server.people import People
from infila.server.settings import Settings
from infila.server.shuffle import Commitment, commit_draft
from infila.server.snapshot import COMPUTER, NAMELESS, OPEN, PERSON, Header, PlannedSeat, Seat, Snapshot, numbered
from infila.server.table_view import TableView
from infila.server.tables import Draft, LiveTable, Ready, Tables

ME = "me"
MOST_MOVES = 20_000
BEYOND_ALL = Options().longest()  # of games whose rules tell no limit


class NewTable(TimeControl, frozen=True, forbid_unknown_fields=True):
    """How a table shall be. `seats` says for each `me`, `open`, or a computer's level, and `names` how those are called
    who share one's screen: for each seat a name, or nothing where it is one's own. `hints`: also against other people,
    who are told of each. With a `commitment` the maker, if they sit there, contributes to the shuffle: see
    docs/reference/chance.md."""

    game: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seats: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    private: bool = True
    casual: bool = True
    hints: bool = False
    position: dict[str, Any] | None = None
    commitment: Commitment = ""

    @property
    def others(self) -> int:
        """How many seats computers have, or may get."""
        if self.seats:
            return sum(seat != ME for seat in self.seats)
        players = self.options.get("players")
        return min(max(players - 1, 1), MOST_SEATS) if isinstance(players, int) else 1


class Creation:
    def __init__(self, settings: Settings, tables: Tables, people: People, ready: Ready) -> None:
        self._settings = settings
        self._tables = tables
        self._people = people
        self._ready = ready

    async def create(self, person: str, wanted: NewTable, *, lesson: bool = False) -> TableView:
        """A new table, with its maker seated where they wish; full tables begin at once."""
        await self._ready(wanted.game)
        header, mine = self._header(person, wanted, lesson)
        if header.position is not None:
            await asyncio.to_thread(set_up, contract_of(header.game), header.position)
            _check_arranged(wanted, await asyncio.to_thread(Game, log_of(beginning(header))))
        names = {seat: clean_name(name) for seat, name in enumerate(wanted.names) if len(mine) > 1}
        happened = await self._sitting(dict.fromkeys(mine, person), names)
        if mine and wanted.commitment:
            happened.append(commit_draft(beginning(header), person, mine[0], wanted.commitment))
        live = await self._open(header, happened)
        return live.seen_by(person, mine[0] if len(mine) == 1 else None)

    def _header(self, person: str, wanted: NewTable, lesson: bool) -> tuple[Header, list[int]]:
        contract = contract_of(wanted.game)
        options = _options(contract.options, wanted)
        count = int(options.to_dict()["players"])
        seats = wanted.seats or (ME, *([USUAL] * (count - 1)))
        if len(seats) != count:
            raise Refused(
                "there are {seats} seats for {players} players: say for each me, open or a level.",
                seats=len(seats),
                players=count,
            )
        plan = tuple(_planned(seat) for seat in seats)
        wanted.check_clock()
        check_length(options)
        header = Header(
            id=new_id(),
            game=wanted.game,
            options=options.to_json(),
            plan=plan,
            seed="" if wanted.position is not None else self._settings.new_seed(),
            position=wanted.position,
            host=person,
            private=wanted.private,
            casual=wanted.casual,
            hints=wanted.hints,
            created=self._settings.now(),
            lesson=lesson,
            **wanted.time_control(),
        )
        return header, [i for i, seat in enumerate(seats) if seat == ME]

    async def again(self, table: str, before: Snapshot, asker: str, playing: frozenset[str]) -> LiveTable:
        """The game after another, at a new table of this id: everybody one seat further, and the computer where those
        sat who do not play."""
        header, sitting = _rotated(table, before, self._settings, asker, playing)
        seated = await self._sitting(sitting, _own_names(before))
        return await self._open(header, [*seated, *_expected(before, sitting)])

    async def upload(self, person: str, text: str) -> TableView:
        """A log becomes a table: a finished game to look at, an unfinished one to go on with, all seats one's own."""
        return await self._uploaded(person, await asyncio.to_thread(parse, text))

    async def upload_what_is_there(self, person: str, text: str) -> tuple[TableView, BadLog | None]:
        """The same with a log that is damaged, up to where it is; and what is wrong with it."""
        try:
            return await self.upload(person, text), None
        except BadLog as problem:
            log = problem.usable
            if not isinstance(log, Log) or not log.moves or (log.seed is None and log.position is None):
                raise
            return await self._uploaded(person, log), problem

    async def _uploaded(self, person: str, log: Log) -> TableView:
        check_length(log.options, len(log.moves))
        await self._ready(log.game)
        game = await asyncio.to_thread(Game, replace(log, moves=Gently(log.moves)))
        if log.position is not None and not game.history:
            _check_playable(game)
        header = Header(
            id=new_id(),
            game=log.game,
            options=log.options.to_json(),
            plan=tuple(PlannedSeat() for _ in log.seats),
            seed=log.seed or "",
            position=log.position,
            host=person,
            created=self._settings.now(),
            uploaded=True,
            attempt=log.attempts,
        )

        def happened() -> Iterator[Draft]:
            for seat, name in enumerate(log.seats):
                yield Draft("sit", seat, person, clean_name(name) or NAMELESS)
            for seat, commitment in enumerate(log.commitments):
                if commitment:
                    yield Draft("commit", seat, person, commitment)
            for seat, word in enumerate(log.words):
                if word:
                    yield Draft("words", seat, person, word)
            yield Draft("begin")
            yield from _replayed(log, game.history)

        return (await self._open(header, happened(), many=True)).seen_by(person, None)

    async def try_again(self, person: str, before: Snapshot, moves: int, seat: int, *, same: bool) -> TableView:
        """A game that is over once more from a move on, against computers: in the same world, or in another that looks
        the same from the seat. Somebody may know it, so neither counts."""
        assert before.game is not None, "a game that is over has begun"
        await self._ready(before.header.game)
        game = await self._tables.game_at(before, moves)
        _check_playable(game)
        levels = [_level_again(each) for each in before.seats]
        if not same:
            key0, key1 = key_of(self._settings.new_seed(), ())
            position = await asyncio.to_thread(_drawn_anew, game, seat, key0, key1)
            seats = tuple(ME if place == seat else str(level) for place, level in enumerate(levels))
            return await self.create(person, NewTable(before.header.game, seats=seats, position=position))
        header = Header(
            id=new_id(),
            game=before.header.game,
            options=before.header.options,
            plan=tuple(PlannedSeat() if i == seat else PlannedSeat(COMPUTER, level) for i, level in enumerate(levels)),
            seed=before.header.seed,
            position=before.header.position,
            host=person,
            created=self._settings.now(),
            uploaded=True,
            attempt=before.attempt,
        )
        sitting, history = await self._sitting({seat: person}, {}), before.game.history[:moves]
        names = [sitting[0].text if place == seat else str(level) for place, level in enumerate(levels)]
        log = replace(log_of(before), seats=numbered(names))

        def happened() -> Iterator[Draft]:
            yield from sitting
            yield from _mixed_in(before)
            yield Draft("begin")
            yield from _replayed(log, history)

        return (await self._open(header, happened(), many=True)).seen_by(person, seat)

    async def _sitting(self, people: dict[int, str], names: dict[int, str]) -> list[Draft]:
        """Those who sit at a table from the beginning, by their own names but where there is another for the seat."""
        return [
            Draft("sit", seat, person, names.get(seat) or await self._people.shown_name(person))
            for seat, person in people.items()
        ]

    async def _open(self, header: Header, drafts: Iterable[Draft], *, many: bool = False) -> LiveTable:
        """Write a new table and what happens there at once."""
        if not self._tables.make_room():
            raise Full("all tables are taken at the moment. Try again in a few minutes.", seconds=60)
        live = LiveTable(beginning(header))
        async with live.lock:
            await (self._tables.write_many if many else self._tables.write)(live, drafts, new=True)
        self._tables.keep(live)
        return live


def check_length(options: Options, moves: int = 0) -> None:
    """Whoever watches or returns has the whole game replayed: it must have an end that somebody can wait for."""
    longest = options.longest()
    if moves > MOST_MOVES or MOST_MOVES < longest < BEYOND_ALL:
        raise Refused("a game at a table has at most {most} moves; this one can have more.", most=MOST_MOVES)


def _options(kind: type[Options], wanted: NewTable) -> Options:
    if wanted.position is None:
        return kind.from_json(wanted.options)
    options = wanted.position.get("options")
    if not isinstance(options, dict):
        raise Refused("a position needs its options.")
    return kind.from_json(options)


def _planned(seat: str) -> PlannedSeat:
    """A seat as somebody wishes it."""
    if seat in (ME, OPEN):
        return PlannedSeat()
    if seat not in list(ComputerLevel):
        raise Refused("a seat cannot be {seat!r}: it is me, open, {levels}.", seat=seat, levels=LEVELS_SPOKEN)
    return PlannedSeat(COMPUTER, ComputerLevel(seat))


def _check_arranged(wanted: NewTable, game: Game) -> None:
    """Whoever sets up a position knows all hands: such a table is for those whom they tell, and nothing is shuffled."""
    if not wanted.private:
        raise Refused("a table from a position is private: only those who have its link can sit down.")
    _check_playable(game)


def _check_playable(game: Game) -> None:
    if game.over:
        raise Refused("this position is over: there is nothing left to play.")


def _rotated(
    table: str, snapshot: Snapshot, settings: Settings, asker: str, playing: frozenset[str]
) -> tuple[Header, dict[int, str]]:
    """The header of a rematch, and who sits where: everybody one seat further."""
    old, count = snapshot.header, len(snapshot.seats)
    seats = [snapshot.seats[(i - 1) % count] for i in range(count)]
    sitting = {i: seat.person for i, seat in enumerate(seats) if seat.kind == PERSON and seat.person in playing}
    levels = (seat.level if seat.kind == COMPUTER else None for seat in seats)
    plan = tuple(
        PlannedSeat() if i in sitting else PlannedSeat(COMPUTER, level or USUAL_LEVEL) for i, level in enumerate(levels)
    )
    header = msgspec.structs.replace(
        old,
        id=table,
        host=old.host if old.host in playing else asker,
        plan=plan,
        seed=settings.new_seed(),
        position=None,
        created=settings.now(),
        rematch_of=old.id,
        uploaded=False,
        attempt=1,
        lesson=False,
    )
    return header, {i: person for i, person in sitting.items() if person is not None}


def _own_names(before: Snapshot) -> dict[int, str]:
    """Those who share a screen keep their names in a rematch, one seat further."""
    seats = before.seats
    shared = {i: seat.name for i, seat in enumerate(seats) if len(before.seats_of(seat.person)) > 1}
    return {(i + 1) % len(seats): name for i, name in shared.items()}


def _expected(before: Snapshot, sitting: dict[int, str]) -> Iterator[Draft]:
    """Who has contributed to the shuffle of the game before does so again: their browser commits when it comes."""
    for person in {seat.person: None for seat in before.seats if seat.opened}:
        places = [place for place, sitter in sitting.items() if sitter == person]
        if places:
            yield Draft("commit", min(places), person)


def _level_again(seat: Seat) -> ComputerLevel:
    """Who plays on where somebody sat: the same computer, also one that is known from a log by its name."""
    named = seat.name.split(" ")[0]
    known = ComputerLevel(named) if seat.kind == PERSON and named in list(ComputerLevel) else None
    return (seat.level if seat.kind == COMPUTER else known) or USUAL_LEVEL


def _mixed_in(before: Snapshot) -> Iterator[Draft]:
    """What the seats had contributed to a shuffle, so that it deals the same."""
    for place, seat in enumerate(before.seats):
        if seat.commitment:
            yield Draft("commit", place, None, seat.commitment)
    for place, seat in enumerate(before.seats):
        if seat.words:
            yield Draft("words", place, None, seat.words)


def _drawn_anew(game: Game, seat: int, key0: int, key1: int) -> dict[str, Any]:
    """A position as it could be, for all that a seat knows."""
    import numpy as np

    from infila.core import driver

    states = copied(game.states)
    driver.redraw_at(states, 0, seat, np.uint64(key0), np.uint64(key1))
    return position_of(game.contract, states)


def _replayed(log: Log, moves: Sequence[str]) -> Iterator[Draft]:
    """The moves of a game, to be written; each is made when it is asked for."""
    from infila.core import driver
    from infila.core.contract import HOST

    game = Game(replace(log, moves=Growing()))
    for move in gently(moves):
        game = game.copy()
        action = game.action_of(move)
        actor = int(driver.actor_at(game.states, 0, action))
        game.play_action(action)
        yield Draft("move", None if actor == HOST else actor, None, move, None, game)
