"""New tables: as somebody wishes them, as the rematch of a game, or from a log."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import insert

from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.log import parse
from infila.core.options import Options
from infila.players import USUAL
from infila.server import schema
from infila.server.errors import Refused
from infila.server.identity import clean_name, new_id
from infila.server.index import COMPUTER_LEVELS, LEVELS_SPOKEN
from infila.server.moment import COMPUTER, NAMELESS, OPEN, PERSON, WAITING, Header, Moment, Plan, beginning
from infila.server.people import People
from infila.server.settings import Settings
from infila.server.tables import Act, Live
from infila.server.tableview import TableView
from infila.server.whose import own, whose

ME = "me"
LONGEST_CLOCK = 60 * 86400


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


class Making(People):
    async def create(self, person: str, wanted: NewTable, *, lesson: bool = False) -> TableView:
        """A new table, with its maker seated where they wish; full tables begin at once."""
        await self.ready(wanted.game)
        header, mine = self._header(person, wanted, lesson)
        live = await self._open(header, await self._sitting(dict.fromkeys(mine, person)))
        return self.seen(live, person, mine[0] if len(mine) == 1 else None)

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
        for seat in seats:
            if seat not in (ME, OPEN, *COMPUTER_LEVELS):
                raise Refused("a seat cannot be {seat!r}: it is me, open, {levels}.", seat=seat, levels=LEVELS_SPOKEN)
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
            lesson=lesson,
        )
        return header, [i for i, seat in enumerate(seats) if seat == ME]

    async def rematch(self, table: str, person: str) -> TableView:
        """The next game of the same people, everybody one seat further; who asks second comes to the same table."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            own(moment, person, None)
            if not moment.over:
                raise Refused("a rematch comes after the game.")
            if moment.rematch:
                again = await self.table(moment.rematch)
                return self.seen(again, person, whose(again.moment, person, None, False))
            header, sitting = _rotated(moment, self.settings)
            again = await self._open(header, await self._sitting(sitting))
            await self.write(live, [Act("rematch", None, person, header.id)])
            mine = [seat for seat, who in sitting.items() if who == person]
            return self.seen(again, person, mine[0] if len(mine) == 1 else None)

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
        acts = [Act("sit", seat, person, clean_name(name) or NAMELESS) for seat, name in enumerate(log.seats)]
        acts += [Act("words", seat, person, word) for seat, word in enumerate(log.words) if word]
        acts += [Act("begin"), *_replayed(game)]
        return self.seen(await self._open(header, acts), person, None)

    async def _sitting(self, people: dict[int, str]) -> list[Act]:
        """Those who sit at a table from the beginning."""
        return [Act("sit", seat, person, await self.shown(person)) for seat, person in people.items()]

    async def _open(self, header: Header, acts: Sequence[Act]) -> Live:
        """Write a new table and what happens there at once."""
        live = Live(beginning(header))
        row = {
            "id": header.id,
            "header": msgspec.json.encode(header).decode(),
            "game": header.game,
            "private": header.private,
            "created": header.created,
            "state": WAITING,
        }
        async with live.lock:
            await self.write(live, acts, first=[insert(schema.tables).values(**row)])
        self.keep(live)
        return live


def _options(kind: type[Options], wanted: NewTable) -> Options:
    if wanted.position is None:
        return kind.make(wanted.options)
    options = wanted.position.get("options")
    if not isinstance(options, dict):
        raise Refused("a position needs its options.")
    return kind.make(options)


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
        lesson=False,
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
