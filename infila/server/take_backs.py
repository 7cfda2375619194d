"""Taking back: alone at once if nobody has learnt anything from the move, computed from views; else by consent.

Somebody has learnt nothing from a move if, in every world that looked to them as the real one did before the move, the
move was possible too and left them seeing the same. Then taking it back puts everybody where they were. The seat that
asks must not learn from the answer either: the question is asked in worlds that look to *it* like the real one, drawn
from nothing but what it sees, so the answer is the same in all of them.

Who is asked need not answer: a request keeps nobody from playing. Whoever is on turn and plays on has said no by that,
and whoever asked and plays on no longer asks. Only computers wait for the answer.
"""

import asyncio
import hashlib
from itertools import count

from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.server.errors import Refused
from infila.server.own_seats import other_people, own_seat, viewing_seat
from infila.server.snapshot import PLAYING, Snapshot, spoken
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables

WORLDS = 3  # drawn for the seat that asks
LOOKS = 4  # drawn in each of them for every seat


class TakeBacks:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def ask(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take back one's last move and what followed: alone where nobody has learnt anything, else by consent."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            place, keep = _last_own(snapshot, person, seat)
            if snapshot.seats[place].away:
                raise Refused("a computer sits in for you. Come back first.")
            if await self._alone(snapshot, place, keep):
                drafts = [await self._back(snapshot, place, person, keep)]
            elif not snapshot.header.casual:
                raise Refused("somebody has learnt something since, and this game is not casual: the move stands.")
            elif snapshot.request is not None:
                raise Refused("somebody asks for a take-back already.")
            elif not other_people(snapshot, person):
                drafts = [await self._back(snapshot, place, person, keep)]
            elif absent := _absent(snapshot, person):
                raise Refused(
                    "{name} is away and cannot be asked: all moves stand until they are back.", name=spoken(absent)
                )
            else:
                drafts = [Draft("ask", place, person, str(keep))]
            await self._tables.write(live, drafts)
            return live.seen_by(person, place)

    async def how(self, table: str, person: str, seat: int | None = None) -> str:
        """How a take-back would go: `alone`, `ask`, or empty: not at all."""
        snapshot = (await self._tables.find(table)).snapshot
        try:
            place, keep = _last_own(snapshot, person, seat)
        except Refused:
            return ""
        if snapshot.seats[place].away:
            return ""
        if await self._alone(snapshot, place, keep):
            return "alone"
        if not snapshot.header.casual or snapshot.request is not None or _absent(snapshot, person):
            return ""
        return "ask" if other_people(snapshot, person) else "alone"

    async def answer(self, table: str, person: str, agreed: bool) -> TableView:
        """Say yes or no to a take-back; once everybody has said yes it is done. Who asked can withdraw."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            seat = own_seat(snapshot, person)
            request = snapshot.request
            if request is None:
                raise Refused("nobody asks for a take-back.")
            drafts = [Draft("answer", seat, person, "yes" if agreed else "no")]
            asker = snapshot.seats[request.seat].person or ""
            if agreed and other_people(snapshot, asker) <= request.agreed | {person}:
                drafts.append(await self._back(snapshot, request.seat, asker, request.keep))
            await self._tables.write(live, drafts)
            return live.seen_by(person, viewing_seat(live.snapshot, person))

    async def _back(self, snapshot: Snapshot, seat: int, person: str, keep: int) -> Draft:
        game = await self._tables.game_at(snapshot, keep)
        return Draft("back", seat, person, str(keep), game=game)

    async def _alone(self, snapshot: Snapshot, seat: int, keep: int) -> bool:
        """Whether a seat's move can be taken back without asking anybody: it was the last, and told nobody anything."""
        if keep != len(snapshot.history) - 1:
            return False
        before = await self._tables.game_at(snapshot, keep)
        return await asyncio.to_thread(nothing_learnt, before, seat, snapshot.history[-1].text)


def _absent(snapshot: Snapshot, person: str) -> str:
    """The name of somebody else for whom a computer stands in: without their consent nothing they know of goes."""
    asked = other_people(snapshot, person)
    return next((seat.name for seat in snapshot.seats if seat.away and seat.person in asked), "")


def _last_own(snapshot: Snapshot, person: str, seat: int | None) -> tuple[int, int]:
    """Whose move would be taken back, and how many moves would stay."""
    mine = snapshot.seats_of(person) if seat is None else (own_seat(snapshot, person, seat),)
    if snapshot.state != PLAYING:
        raise Refused("nothing can be taken back now.")
    for keep in range(len(snapshot.history) - 1, -1, -1):
        played = snapshot.history[keep]
        if played.seat is not None and played.seat in mine:
            return played.seat, keep
    raise Refused("there is no move of yours to take back.")


def nothing_learnt(before: Game, seat: int, move: str) -> bool:
    """Whether a seat's move, made in `before`, told nobody anything new, this seat included."""
    chance = _chance(before, seat, move)
    worlds = [before, *(before.redrawn(seat, next(chance)) for _ in range(WORLDS))]
    others = [viewer for viewer in range(len(before.names)) if viewer != seat]
    if not _same_for(worlds, seat, move):
        return False
    return all(
        _same_for([world, *(world.redrawn(viewer, next(chance)) for _ in range(LOOKS))], viewer, move)
        for world in worlds[1:]
        for viewer in others
    )


def _same_for(worlds: list[Game], viewer: int, move: str) -> bool:
    """Whether the move is possible in all worlds and leaves this viewer with the same view in each."""
    views = set()
    for world in worlds:
        try:
            views.add(world.after(move).view(viewer).states.tobytes())
        except InfilaError:
            return False
    return len(views) == 1


def _chance(before: Game, seat: int, move: str) -> "count[int]":
    """Numbers that follow from what the seat sees and does."""
    seen = before.view(seat).states.tobytes() + move.encode()
    return count(int.from_bytes(hashlib.blake2b(seen, digest_size=6).digest(), "little"))
