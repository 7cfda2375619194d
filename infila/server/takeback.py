"""Taking back: alone at once if nobody has learnt anything from the move, computed from views; else by consent.

Somebody has learnt nothing from a move if, in every world that looked to them as the real one did before the move, the
move was possible too and left them seeing the same. Then taking it back puts everybody where they were. The seat that
asks must not learn from the answer either: the question is asked in worlds that look to *it* like the real one, drawn
from nothing but what it sees, so the answer is the same in all of them.
"""

import asyncio
import hashlib
from itertools import count

from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.server.errors import Refused
from infila.server.moment import PLAYING, Moment
from infila.server.tables import Act, Tables
from infila.server.tableview import TableView
from infila.server.whose import others, own, whose

WORLDS = 3  # drawn for the seat that asks
LOOKS = 4  # drawn in each of them for every seat


class TakeBacks(Tables):
    async def take_back(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take back one's last move and what followed: alone where nobody has learnt anything, else by consent."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            place, keep = _last_own(moment, person, seat)
            if await self.alone(moment, place, keep):
                acts = [Act("back", place, person, str(keep))]
            elif not moment.header.casual:
                raise Refused("somebody has learnt something since, and this game is not casual: the move stands.")
            elif moment.ask is not None:
                raise Refused("somebody asks for a take-back already.")
            elif not others(moment, person):
                acts = [Act("back", place, person, str(keep))]
            else:
                acts = [Act("ask", place, person, str(keep))]
            await self.write(live, acts)
            return self.seen(live, person, place)

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
        moment = (await self.table(table)).moment
        try:
            place, keep = _last_own(moment, person, seat)
        except Refused:
            return ""
        if await self.alone(moment, place, keep):
            return "alone"
        if not moment.header.casual or moment.ask is not None:
            return ""
        return "ask" if others(moment, person) else "alone"

    async def answer(self, table: str, person: str, agreed: bool) -> TableView:
        """Say yes or no to a take-back; once everybody has said yes it is done. Who asked can withdraw."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            seat = own(moment, person, None)
            ask = moment.ask
            if ask is None:
                raise Refused("nobody asks for a take-back.")
            acts = [Act("answer", seat, person, "yes" if agreed else "no")]
            asker = moment.seats[ask.seat].person or ""
            if agreed and others(moment, asker) <= ask.agreed | {person}:
                acts.append(Act("back", ask.seat, asker, str(ask.keep)))
            await self.write(live, acts)
            return self.seen(live, person, whose(live.moment, person, None, False))


def _last_own(moment: Moment, person: str, seat: int | None) -> tuple[int, int]:
    """Whose move would be taken back, and how many moves would stay."""
    mine = moment.seats_of(person) if seat is None else (own(moment, person, seat),)
    if moment.state != PLAYING:
        raise Refused("nothing can be taken back now.")
    for keep in range(len(moment.history) - 1, -1, -1):
        played = moment.history[keep]
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
            views.add(world.copy().play(move).view(viewer).states.tobytes())
        except InfilaError:
            return False
    return len(views) == 1


def _chance(before: Game, seat: int, move: str) -> "count[int]":
    """Numbers that follow from what the seat sees and does."""
    seen = before.view(seat).states.tobytes() + move.encode()
    return count(int.from_bytes(hashlib.blake2b(seen, digest_size=6).digest(), "little"))
