"""Ending a game by agreement: nobody has won, and it counts for nobody.

Somebody offers it, and everybody else who plays says yes or no; one no is enough, and whoever was told no must play on
before they can offer it again. Whoever offers it withdraws it by a no of their own. An offer keeps nobody from playing,
and is over when anybody goes or comes back. With computers alone one ends the game at once.

Who has left, resigned or run out of time has lost and need not be asked. For whom others have let the computer play,
who may be winning, the game cannot be ended.
"""

from infila.server.errors import Refused
from infila.server.own_seats import own_seat, viewing_seat
from infila.server.snapshot import PERSON, PLAYING, REPLACED, Snapshot, spoken
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables


class Stops:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def offer(self, table: str, person: str) -> TableView:
        """Offer to end the game, or say yes if somebody has."""
        return await self._say(table, person, agreed=True, asking=True)

    async def answer(self, table: str, person: str, agreed: bool) -> TableView:
        return await self._say(table, person, agreed=agreed, asking=False)

    async def _say(self, table: str, person: str, *, agreed: bool, asking: bool) -> TableView:
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            seat = _deciding_seat(snapshot, person)
            offer = snapshot.stop
            standing = offer is not None and not offer.declined
            if not standing and not asking:
                raise Refused("nobody offers to end the game.")
            if agreed:
                _may_agree(snapshot, person)
            said = offer.agreed if offer is not None and standing else frozenset()
            drafts = []
            if not agreed or person not in said:
                drafts.append(Draft("stop", seat, person, "yes" if agreed else "no"))
            if agreed and asked(snapshot, person) <= said:
                drafts.append(Draft("stop", seat, person, "over"))
            await self._tables.write(live, drafts)
            return live.seen_by(person, viewing_seat(live.snapshot, person))


def asked(snapshot: Snapshot, person: str) -> frozenset[str]:
    """All others without whom the game does not end."""
    people = (seat.person for seat in snapshot.seats if seat.kind == PERSON and not seat.away)
    return frozenset(each for each in people if each is not None and each != person)


def _deciding_seat(snapshot: Snapshot, person: str) -> int:
    """The seat with which somebody decides: one that they play themselves."""
    own_seat(snapshot, person)
    if snapshot.state != PLAYING:
        raise Refused("only a game that is being played can be ended.")
    if snapshot.header.lesson:
        raise Refused("a lesson need not be ended: you can simply go.")
    mine = [seat for seat in snapshot.seats_of(person) if not snapshot.seats[seat].away]
    if not mine:
        raise Refused("a computer plays for you: whether the game ends is for the others to say.")
    return mine[0]


def _may_agree(snapshot: Snapshot, person: str) -> None:
    offer = snapshot.stop
    if offer is not None and offer.declined and offer.person == person and offer.moves == len(snapshot.history):
        raise Refused("the others want to play on. Once a move has been made you can ask again.")
    others = (seat for seat in snapshot.seats if seat.kind == PERSON and seat.person != person)
    if absent := next((seat for seat in others if seat.away == REPLACED), None):
        raise Refused(
            "{name} is away and cannot be asked: the game goes on until they are back.", name=spoken(absent.name)
        )
