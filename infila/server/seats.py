"""Seats: sitting down, standing up, a computer that stands in, and coming back."""

from infila.players import USUAL
from infila.server.errors import Forbidden, Refused
from infila.server.index import COMPUTER_LEVELS, LEVELS_SPOKEN
from infila.server.limits import LONGEST_WORDS
from infila.server.moment import OPEN, PERSON, PLAYING, WAITING
from infila.server.people import People
from infila.server.tables import Act
from infila.server.tableview import TableView
from infila.server.whose import existing, own, whose

ABSENT_SECONDS = 60  # after which others may let the computer stand in


class Seats(People):
    async def sit(self, table: str, person: str, seat: int | None = None, words: str = "") -> TableView:
        """Take an open seat, with words to mix into the shuffle if one likes; the last to come begins the game."""
        name = await self.shown(person)
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            free = [i for i, each in enumerate(moment.seats) if each.kind == OPEN]
            if moment.state != WAITING or not free:
                raise Refused("all seats are taken. You can watch.")
            place = free[0] if seat is None else existing(moment, seat)
            if place not in free:
                raise Refused("seat {seat} is taken.", seat=place + 1)
            acts = [Act("sit", place, person, name)]
            if words:
                acts.append(Act("words", place, person, _words(words)))
            await self.write(live, acts)
            return self.seen(live, person, place)

    async def mix(self, table: str, person: str, words: str = "", seat: int | None = None) -> TableView:
        """Mix words into the shuffle, or none: this person is ready for the deal."""
        live = await self.table(table)
        async with live.lock:
            if live.moment.state != WAITING:
                raise Refused("the cards are dealt: words can be mixed in only before.")
            places = [own(live.moment, person, seat)] if seat is not None else list(live.moment.seats_of(person))
            if not places:
                raise Forbidden("you do not sit at this table.")
            await self.write(live, [Act("words", place, person, _words(words)) for place in places])
            return self.seen(live, person, places[0])

    async def fill(self, table: str, person: str, level: str = USUAL) -> TableView:
        """The host wants to wait no longer: computers take the open seats."""
        if level not in COMPUTER_LEVELS:
            raise Refused("there is no level {level!r}. There are {levels}.", level=level, levels=LEVELS_SPOKEN)
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            if person != moment.header.host:
                raise Forbidden("only the host may fill the seats.")
            free = [i for i, each in enumerate(moment.seats) if each.kind == OPEN]
            if moment.state != WAITING or not free:
                raise Refused("no seat is open.")
            await self.write(live, [Act("fill", seat, person, level) for seat in free])
            return self.seen(live, person, whose(live.moment, person, None, False))

    async def leave(self, table: str, person: str, seat: int | None = None, level: str = USUAL) -> TableView:
        """Stand up: before the deal the seat is open again, after it a computer stands in until one returns."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            places = [own(moment, person, seat)] if seat is not None else list(moment.seats_of(person))
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
            await self.write(live, acts)
            return self.seen(live, person, None if moment.state == WAITING else places[0])

    async def come_back(self, table: str, person: str, seat: int | None = None) -> TableView:
        """Take one's seat again from the computer that stood in."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            places = [own(moment, person, seat)] if seat is not None else list(moment.seats_of(person))
            away = [place for place in places if moment.seats[place].away]
            if not away or moment.state != PLAYING:
                raise Refused("no computer sits in for you here.")
            limit = moment.header.game_seconds
            if limit and any(moment.used[place] >= limit for place in away):
                raise Refused("your time for this game is used up: the computer plays on for you.")
            await self.write(live, [Act("return", place, person) for place in away])
            return self.seen(live, person, away[0])

    async def replace_absent(self, table: str, person: str, seat: int, level: str = USUAL) -> TableView:
        """Let the computer stand in for somebody who has not been here for a while."""
        live = await self.table(table)
        async with live.lock:
            moment = live.moment
            mine = own(moment, person, None)
            other = moment.seats[existing(moment, seat)]
            if moment.state != PLAYING or other.kind != PERSON or other.away or other.person == person:
                raise Refused("nobody has to be replaced there.")
            now = self.settings.clock()
            gone = live.left_at.get(other.person or "", moment.since)
            if other.person in live.here or now - gone < ABSENT_SECONDS:
                raise Refused(
                    "{name} can be replaced after being away for {seconds} seconds.",
                    name=other.name,
                    seconds=ABSENT_SECONDS,
                )
            await self.write(live, [Act("away", seat, person, f"{level} replaced")])
            return self.seen(live, person, mine)


def _words(text: str) -> str:
    words = " ".join(text.replace("|", " ").split())
    if len(words) > LONGEST_WORDS or not words.isprintable():
        raise Refused("words to mix in are one line of at most {most} characters.", most=LONGEST_WORDS)
    return words
