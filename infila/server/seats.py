"""Seats: sitting down, standing up, a computer that stands in, and coming back."""

from infila.server.errors import Forbidden, Refused
from infila.server.levels import USUAL_LEVEL, ComputerLevel
from infila.server.limits import LONGEST_WORDS
from infila.server.own_seats import existing_seat, own_seat, own_seats, viewing_seat
from infila.server.people import People
from infila.server.settings import Settings
from infila.server.snapshot import OPEN, PERSON, PLAYING, WAITING
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables

ABSENT_SECONDS = 60  # after which others may let the computer stand in


class Seats:
    def __init__(self, settings: Settings, tables: Tables, people: People) -> None:
        self._now = settings.now
        self._tables = tables
        self._people = people

    async def sit(self, table: str, person: str, seat: int | None = None, words: str = "") -> TableView:
        """Take an open seat, with words to mix into the shuffle if one likes; the last to come begins the game."""
        name = await self._people.shown_name(person)
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            free = [i for i, each in enumerate(snapshot.seats) if each.kind == OPEN]
            if snapshot.state != WAITING or not free:
                raise Refused("all seats are taken. You can watch.")
            place = free[0] if seat is None else existing_seat(snapshot, seat)
            if place not in free:
                raise Refused("seat {seat} is taken.", seat=place + 1)
            drafts = [Draft("sit", place, person, name)]
            if words:
                drafts.append(Draft("words", place, person, _words(words)))
            await self._tables.write(live, drafts)
            return live.seen_by(person, place)

    async def mix(self, table: str, person: str, words: str = "", seat: int | None = None) -> TableView:
        """Mix words into the shuffle, or none: this person is ready for the deal."""
        live = await self._tables.find(table)
        async with live.lock:
            if live.snapshot.state != WAITING:
                raise Refused("the cards are dealt: words can be mixed in only before.")
            places = own_seats(live.snapshot, person, seat)
            await self._tables.write(live, [Draft("words", place, person, _words(words)) for place in places])
            return live.seen_by(person, places[0])

    async def fill(self, table: str, person: str, level: ComputerLevel = USUAL_LEVEL) -> TableView:
        """The host wants to wait no longer: computers take the open seats."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            if person != snapshot.header.host:
                raise Forbidden("only the host may fill the seats.")
            free = [i for i, each in enumerate(snapshot.seats) if each.kind == OPEN]
            if snapshot.state != WAITING or not free:
                raise Refused("no seat is open.")
            await self._tables.write(live, [Draft("fill", seat, person, level) for seat in free])
            return live.seen_by(person, viewing_seat(live.snapshot, person))

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
                drafts = [Draft("away", place, person, f"{level} left") for place in here]
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
            if any(snapshot.clock.used_up(place) for place in away):
                raise Refused("your time for this game is used up: the computer plays on for you.")
            await self._tables.write(live, [Draft("return", place, person) for place in away])
            return live.seen_by(person, away[0])

    async def replace_absent(self, table: str, person: str, seat: int, level: ComputerLevel = USUAL_LEVEL) -> TableView:
        """Let the computer stand in for somebody who has not been here for a while."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            mine = own_seat(snapshot, person)
            other = snapshot.seats[existing_seat(snapshot, seat)]
            if snapshot.state != PLAYING or other.kind != PERSON or other.away or other.person == person:
                raise Refused("nobody has to be replaced there.")
            now = self._now()
            gone = live.left_at.get(other.person or "", snapshot.clock.since)
            if other.person in live.here or now - gone < ABSENT_SECONDS:
                raise Refused(
                    "{name} can be replaced after being away for {seconds} seconds.",
                    name=other.name,
                    seconds=ABSENT_SECONDS,
                )
            await self._tables.write(live, [Draft("away", seat, person, f"{level} replaced")])
            return live.seen_by(person, mine)


def _words(text: str) -> str:
    words = " ".join(text.replace("|", " ").split())
    if len(words) > LONGEST_WORDS or not words.isprintable():
        raise Refused("words to mix in are one line of at most {most} characters.", most=LONGEST_WORDS)
    return words
