"""Playing again: after a game somebody asks, everybody answers, and the next game begins.

Who asks has said yes. The game begins when all have answered and at least two play, or when the time is over; the
computer sits where those sat who said no or nothing, so that nobody has a seat in a game that they have not heard of.
Where only computers played with whoever asks, it begins at once.
"""

from infila.server.creation import Creation
from infila.server.errors import Refused
from infila.server.identity import id_after
from infila.server.ledger import Ledger
from infila.server.own_seats import behind_curtain, own_seat, viewing_seat
from infila.server.settings import Settings
from infila.server.snapshot import Offer
from infila.server.table_view import TableView
from infila.server.tables import Draft, LiveTable, Tables


class Rematches:
    def __init__(self, ledger: Ledger, settings: Settings, tables: Tables, creation: Creation) -> None:
        self._ledger = ledger
        self._now = settings.now
        self._tables = tables
        self._creation = creation

    async def ask(self, table: str, person: str) -> TableView:
        """Ask for another game, or say yes if somebody has; the table of the next game once there is one."""
        return await self._say(table, person, agreed=True, asking=True)

    async def answer(self, table: str, person: str, agreed: bool) -> TableView:
        """Say yes or no to an offer; another answer counts as long as the game has not begun. Who asked withdraws the
        offer by a no."""
        return await self._say(table, person, agreed=agreed, asking=False)

    async def _say(self, table: str, person: str, *, agreed: bool, asking: bool) -> TableView:
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            seat = own_seat(snapshot, person)
            if not snapshot.over:
                raise Refused("a rematch comes after the game.")
            if snapshot.rematch:
                return await self._next(live, person)
            if snapshot.offer is None and not asking:
                raise Refused("nobody asks for another game.")
            if not _has_said(snapshot.offer, person, agreed):
                await self._tables.write(live, [Draft("again", seat, person, "yes" if agreed else "no")])
            offer = live.snapshot.offer
            if offer is None or not _all_have_answered(offer, live.snapshot.people):
                return live.seen_by(person, viewing_seat(live.snapshot, person))
            await self._begin(live, offer)
            return await self._next(live, person)

    async def run_out(self, live: LiveTable) -> None:
        """The time to answer may be over: then the game begins with those who have said yes."""
        async with live.lock:
            offer = live.snapshot.offer
            if offer is None:
                return
            if offer.ends + self._tables.lost_time(live.snapshot) <= self._now():
                await self._begin(live, offer)
            else:
                await self._tables.write(live)  # gives back the time in which nobody could answer

    async def _begin(self, live: LiveTable, offer: Offer) -> None:
        """Make the table, once: its id follows from the offer, so that after a failure it is found."""
        before = live.snapshot
        following = id_after(f"{before.header.id} {offer.number} {before.header.seed}")
        if not await self._ledger.game_of(following):
            await self._creation.again(following, before, offer.person, offer.agreed)
        await self._tables.write(live, [Draft("rematch", None, offer.person, following)])

    async def _next(self, live: LiveTable, person: str) -> TableView:
        again = await self._tables.glance(live.snapshot.rematch)
        return TableView(again, person, behind_curtain(again, person, viewing_seat(again, person)))


def _has_said(offer: Offer | None, person: str, agreed: bool) -> bool:
    return offer is not None and person in (offer.agreed if agreed else offer.declined)


def _all_have_answered(offer: Offer, people: frozenset[str]) -> bool:
    return offer.agreed | offer.declined >= people
