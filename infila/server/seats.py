"""Seats: sitting down, standing up, resigning, a computer that stands in, and coming back.

Who resigns has lost, whatever becomes of the game. As long as two sides are left, a computer plays on in the seat, for
the others want to go on; when one is left the game is over and that side has won. This holds for every game and any
number of players: a side is whoever plays together, and it has resigned when all its people have.

Somebody is absent when the table waits for them, they show no sign of life, and no clock watches over it. Where there
is a clock it alone decides, and brings the computer by itself when it has run out.
"""

from infila.players import LEVELS
from infila.server.contributions import contributing_seat
from infila.server.errors import Forbidden, Refused
from infila.server.levels import USUAL_LEVEL, ComputerLevel
from infila.server.own_seats import existing_seat, own_seat, own_seats, viewing_seat
from infila.server.people import People, visible_name
from infila.server.settings import Settings
from infila.server.shuffle import commit_draft
from infila.server.snapshot import LEFT, OPEN, PERSON, PLAYING, REPLACED, RESIGNED, WAITING, Snapshot, spoken
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables

WORTHY = LEVELS[LEVELS.index(USUAL_LEVEL) :]  # levels that others may put into somebody's seat: none that plays badly
ABSENT_SECONDS = 60  # after which others may let the computer stand in


class Seats:
    def __init__(self, settings: Settings, tables: Tables, people: People) -> None:
        self._now = settings.now
        self._tables = tables
        self._people = people

    async def sit(
        self,
        table: str,
        person: str,
        seat: int | None = None,
        commitment: str = "",
        attempt: int = 1,
        name: str = "",
    ) -> TableView:
        """Take an open seat, with a commitment to a contribution to the shuffle if one likes. The last to come begins
        the game, unless contributions have to be opened first. A name is the person's from now on, or, if they sit here
        already, that of whoever sits beside them."""
        live = await self._tables.find(table)
        further = bool(live.snapshot.seats_of(person))
        if name and not further:
            await self._people.rename(person, name)
        name = visible_name(name) if name and further else await self._people.shown_name(person)
        async with live.lock:
            snapshot = live.snapshot
            free = [i for i, each in enumerate(snapshot.seats) if each.kind == OPEN]
            if snapshot.state != WAITING or not free:
                raise Refused("all seats are taken. You can watch.")
            place = free[0] if seat is None else existing_seat(snapshot, seat)
            if place not in free:
                raise Refused("seat {seat} is taken.", seat=place + 1)
            _may_sit(snapshot, person)
            drafts = [Draft("sit", place, person, name)]
            if commitment:
                if contributing_seat(snapshot, person) is not None:
                    raise Refused("you contribute to this shuffle already, at another seat.")
                drafts.append(commit_draft(snapshot, person, place, commitment, attempt))
            await self._tables.write(live, drafts)
            return live.seen_by(person, place)

    async def fill(
        self, table: str, person: str, level: ComputerLevel = USUAL_LEVEL, seat: int | None = None
    ) -> TableView:
        """The host wants to wait no longer: computers take the open seats, or one of them."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            if person != snapshot.header.host:
                raise Forbidden("only the host may fill the seats.")
            free = [i for i, each in enumerate(snapshot.seats) if each.kind == OPEN]
            if snapshot.state != WAITING or not free:
                raise Refused("no seat is open.")
            if seat is not None and existing_seat(snapshot, seat) not in free:
                raise Refused("seat {seat} is taken.", seat=seat + 1)
            wanted = free if seat is None else [seat]
            await self._tables.write(live, [Draft("fill", place, person, level) for place in wanted])
            return live.seen_by(person, viewing_seat(live.snapshot, person))

    async def dismiss(self, table: str, person: str, seat: int) -> TableView:
        """The host asks somebody to leave before the deal, who then cannot sit down here again."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            if person != snapshot.header.host:
                raise Forbidden("only the host may ask somebody to leave.")
            if snapshot.state != WAITING:
                raise Refused("the cards are dealt: nobody can be asked to leave any more.")
            guest = snapshot.seats[existing_seat(snapshot, seat)].person
            if guest is None or guest == person:
                raise Refused("nobody sits there whom you could ask to leave.")
            await self._tables.write(live, [Draft("stand", place, person) for place in snapshot.seats_of(guest)])
            return live.seen_by(person, viewing_seat(live.snapshot, person))

    async def resign(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Give the game up: it is lost for this person. The last side that is left has won."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            places = [place for place in own_seats(snapshot, person, seat) if not snapshot.seats[place].resigned]
            if snapshot.state != PLAYING:
                raise Refused("only a game that is being played can be resigned.")
            if snapshot.header.lesson:
                raise Refused("a lesson need not be resigned: you can simply go.")
            if not places:
                raise Refused("you have resigned already.")
            await self._tables.write(
                live, [Draft("away", place, person, f"{USUAL_LEVEL} {RESIGNED}") for place in places]
            )
            return live.seen_by(person, places[0])

    async def leave(
        self, table: str, person: str, seat: int | None = None, level: ComputerLevel = USUAL_LEVEL
    ) -> TableView:
        """Stand up: before the deal the seat is open again, after it a computer stands in until one returns."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            places = own_seats(snapshot, person, seat)
            if snapshot.state == WAITING:
                drafts = [Draft("stand", place, person) for place in places]
                if person == snapshot.header.host and len(snapshot.seats_of(person)) == len(places):
                    drafts.append(Draft("close", None, person))
            elif snapshot.state == PLAYING:
                here = [place for place in places if not snapshot.seats[place].away]
                drafts = [Draft("away", place, person, f"{level} {LEFT}") for place in here]
            else:
                raise Refused("the game is over: you can simply go.")
            await self._tables.write(live, drafts)
            return live.seen_by(person, None if snapshot.state == WAITING else places[0])

    async def come_back(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take one's seat again from the computer that stood in."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            places = snapshot.seats_of(person) if seat is None else (own_seat(snapshot, person, seat),)
            away = [place for place in places if snapshot.seats[place].away]
            if not away or snapshot.state != PLAYING:
                raise Refused("no computer sits in for you here.")
            if any(snapshot.seats[place].resigned for place in away):
                raise Refused("you have resigned: the computer plays on for you.")
            if any(snapshot.clock.used_up(place) for place in away):
                raise Refused("your time for this game is used up: the computer plays on for you.")
            await self._tables.write(live, [Draft("return", place, person) for place in away])
            return live.seen_by(person, away[0])

    async def replace_absent(self, table: str, person: str, seat: int, level: ComputerLevel = USUAL_LEVEL) -> TableView:
        """Let the computer stand in for somebody for whom the table has waited for a while, and who is not here."""
        if level not in WORTHY:
            raise Refused("a computer that plays for somebody else is one of {levels}.", levels=", ".join(WORTHY))
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            mine = own_seat(snapshot, person)
            other = snapshot.seats[existing_seat(snapshot, seat)]
            if snapshot.state != PLAYING or other.kind != PERSON or other.away or other.person == person:
                raise Refused("nobody has to be replaced there.")
            name = spoken(other.name)
            if snapshot.header.timed:
                raise Refused("the clock decides here: a computer plays for {name} when it is out.", name=name)
            silent = self._now() - live.silent_since(other.person or "")
            if seat != snapshot.player or other.person in live.here or silent < ABSENT_SECONDS:
                raise Refused(
                    "{name} can be replaced after being away for {seconds} seconds while it is their turn.",
                    name=name,
                    seconds=ABSENT_SECONDS,
                )
            await self._tables.write(live, [Draft("away", seat, person, f"{level} {REPLACED}")])
            return live.seen_by(person, mine)


def _may_sit(snapshot: Snapshot, person: str) -> None:
    """Everybody one seat, so that nobody takes them all; hot seat is for who has made a table among friends."""
    header = snapshot.header
    if person in snapshot.barred:
        raise Forbidden("the host has asked you to leave this table. You can watch.")
    if snapshot.seats_of(person) and (person != header.host or not header.private):
        raise Refused("you sit here already: the other seats are for others.")
