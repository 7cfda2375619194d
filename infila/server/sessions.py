"""Sessions: the browsers and programs in which somebody is themselves, each with an end.

A session lasts as long as its row: ending it deletes the row. Whoever asks is looked up in memory, where the latest
are. What is ended here is ended everywhere, and its open streams with it: other servers of the same database are told.

A browser's session goes on for as long as it is used. A program's ends after a year.

Cookies and tokens from before there were sessions name a person. They count until `people.unlisted_until`, which the
migration has set; such a cookie becomes a session with the next page.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import Executable

from infila.server import schema
from infila.server.device_links import DeviceLinks
from infila.server.errors import Unauthorised
from infila.server.identity import new_id
from infila.server.lease import Superseded
from infila.server.session import BROWSER, BROWSER_SECONDS, DAY, PROGRAM, PROGRAM_SECONDS, Session
from infila.server.settings import Settings
from infila.server.store import Store

K = TypeVar("K")
V = TypeVar("V")
MOST_SESSIONS = 50  # of a person
MOST_KNOWN = 20_000  # kept in memory
SAME_BROWSER_SECONDS = 60  # in which all tabs of a browser become one session


class Sessions:
    def __init__(
        self,
        store: Store,
        settings: Settings,
        links: DeviceLinks,
        send_away: Callable[[Callable[[Session], bool]], None],
    ) -> None:
        self._store = store
        self._now = settings.now
        self._links = links
        self._send_away = send_away  # those who listen in certain sessions
        self._known: OrderedDict[str, Session | None] = OrderedDict()  # None: ended
        self._unlisted: OrderedDict[str, dict[str, Session]] = OrderedDict()  # by person, then by kind
        self._upgraded: OrderedDict[tuple[str, str], Session] = OrderedDict()  # by person and label
        self._changing = asyncio.Lock()  # sessions of people who may have others

    # who asks

    async def find(self, session: str) -> Session | None:
        """The session of a cookie or token whose signature is right; None if it is over."""
        if session in self._known:
            self._known.move_to_end(session)
        else:
            c = schema.sessions.c
            found = await self._read(c.id == session)
            if session not in self._known:  # else it was ended, or found, meanwhile
                _keep(self._known, session, found[0] if found else None)
        known = self._known[session]
        return known if known is not None and known.expires > self._now() else None

    async def find_unlisted(self, person: str, kind: str) -> Session | None:
        """All browsers or programs of a person that are older than sessions; None if they no longer count."""
        if person not in self._unlisted:
            c = schema.people.c
            query = select(c.unlisted_until, c.created).where(c.id == person)
            row = await self._store.read(lambda connection: connection.execute(query).first())
            until, created = (row[0] or 0.0, row[1]) if row is not None else (0.0, 0.0)
            if person not in self._unlisted:  # else it was ended, or found, meanwhile
                both = {kind: Session("", person, kind, "", created, created, until) for kind in (BROWSER, PROGRAM)}
                _keep(self._unlisted, person, both)
        found = self._unlisted[person][kind]
        return found if self.counts(found) else None

    def counts(self, session: Session) -> bool:
        return not session.ended and session.expires > self._now()

    def unseen(self, session: Session) -> bool:
        """Whether somebody is seen for the first time today."""
        return bool(session.id) and self._now() // DAY > session.seen // DAY

    async def see(self, session: Session) -> None:
        """Note that a session is used; a browser's then lasts longer."""
        session.seen = self._now()
        if session.kind == BROWSER:
            session.expires = session.seen + BROWSER_SECONDS
        c = schema.sessions.c
        seen = update(schema.sessions).where(c.id == session.id).values(seen=session.seen, expires=session.expires)
        with suppress(SQLAlchemyError, Superseded):  # nobody is kept out because this cannot be written
            await self._store.write(changes=[seen])

    async def all_of(self, person: str) -> list[Session]:
        """A person's sessions, those used latest first."""
        found = await self._read(schema.sessions.c.person == person)
        return sorted((each for each in found if self.counts(each)), key=lambda each: -each.seen)

    async def _read(self, which: Any) -> list[Session]:
        def read(connection: Connection) -> list[Session]:
            return [Session(**row) for row in connection.execute(select(schema.sessions).where(which)).mappings()]

        return await self._store.read(read)

    # beginnings

    async def first(self, person: str, kind: str, label: str, newcomer: str | None = None) -> Session:
        """A person's first session; one who is new, and called so, is written with it."""
        made = [] if newcomer is None else [insert(schema.people).values(id=person, name=newcomer, created=self._now())]
        return await self._begin(person, kind, label, made)

    async def make_link(self, maker: Session) -> str:
        """A link to another device; none for a browser that was ended a moment ago."""
        async with self._changing:
            self._check(maker)
            return self._links.make(maker.person, maker.id)

    async def enter(self, link: str, label: str) -> Session:
        """The session of another device, which has the link."""
        async with self._changing:
            taken = self._links.take(link)
            try:
                return await self._add(taken.person, BROWSER, label, {taken.maker})
            except Exception:
                self._links.put(taken)
                raise

    async def add_program(self, maker: Session, name: str) -> Session:
        async with self._changing:
            self._check(maker)
            return await self._add(maker.person, PROGRAM, name, {maker.id})

    async def renew(self, session: Session) -> Session:
        """Another session for a program, for a year, instead of the one it has."""
        async with self._changing:
            self._check(session)
            gone = delete(schema.sessions).where(schema.sessions.c.id == session.id)
            news = self._store.news(ended=[session.id])
            renewed = await self._begin(session.person, session.kind, session.label, [gone, *news])
            self._bury({session.id})
            return renewed

    async def upgrade(self, old: Session, label: str) -> Session:
        """A session for a browser with a cookie from before there were any; all its tabs get the same."""
        async with self._changing:
            self._check(old)
            made = self._upgraded.get((old.person, label))
            if made is None or not self.counts(made) or made.created < self._now() - SAME_BROWSER_SECONDS:
                made = await self._add(old.person, BROWSER, label, set())
                _keep(self._upgraded, (old.person, label), made)
            return made

    def _check(self, session: Session) -> None:
        """What was asked for before a session ended is not done after it."""
        if not self.counts(session):
            raise Unauthorised("you are no longer known here: this was ended on another device a moment ago.")

    async def _add(self, person: str, kind: str, label: str, keep: Collection[str]) -> Session:
        """One more session; if there are too many, those that were not used for longest make room."""
        others = await self.all_of(person)
        surplus = max(len(others) + 1 - MOST_SESSIONS, 0)
        gone = {each.id for each in [each for each in reversed(others) if each.id not in keep][:surplus]}
        changes: list[Executable] = []
        if gone:
            ended = delete(schema.sessions).where(schema.sessions.c.id.in_(gone))
            changes = [ended, *self._store.news(ended=sorted(gone))]
        made = await self._begin(person, kind, label, changes)
        self._bury(gone)
        return made

    async def _begin(self, person: str, kind: str, label: str, also: Sequence[Executable]) -> Session:
        now = self._now()
        lasting = BROWSER_SECONDS if kind == BROWSER else PROGRAM_SECONDS
        session = Session(new_id(), person, kind, label, now, now, now + lasting)
        row = asdict(session)
        del row["ended"]
        over = delete(schema.sessions).where(schema.sessions.c.expires <= now)
        await self._store.write(changes=[*also, over, insert(schema.sessions).values(**row)])
        _keep(self._known, session.id, session)
        return session

    # ends

    async def end(self, person: str, session: str) -> None:
        """End one of a person's sessions, or with an empty id all from before there were any."""
        async with self._changing:
            if session == "":
                await self._store.write(changes=[_end_unlisted(person), *self._store.news(unlisted=person)])
                self._bury_unlisted(person)
            elif session in {each.id for each in await self.all_of(person)}:
                over = delete(schema.sessions).where(schema.sessions.c.id == session)
                await self._store.write(changes=[over, *self._store.news(ended=[session])])
                self._bury({session})
            self._links.withdraw(person)

    async def end_others(self, mine: Session) -> None:
        """End all sessions of a person but one, those from before there were any too."""
        async with self._changing:
            self._check(mine)
            c = schema.sessions.c
            gone = {each.id for each in await self.all_of(mine.person)} - {mine.id}
            others = delete(schema.sessions).where(c.person == mine.person, c.id != mine.id)
            news = self._store.news(ended=sorted(gone), unlisted=mine.person)
            await self._store.write(changes=[others, _end_unlisted(mine.person), *news])
            self._bury(gone)
            self._bury_unlisted(mine.person)
            self._links.withdraw(mine.person)

    def hear(self, ended: Collection[str] = (), unlisted: str = "") -> None:
        """Another server tells which sessions have ended."""
        self._bury(ended)
        if unlisted:
            self._bury_unlisted(unlisted)

    def forget(self) -> None:
        """Sessions may have ended without this server having heard of it: whoever asks is looked up again."""
        self._known.clear()
        self._unlisted.clear()

    def _bury(self, gone: Collection[str]) -> None:
        """In memory too, and whoever listens in such a session hears no more."""
        for session in gone:
            if (known := self._known.get(session)) is not None:
                known.ended = True
            _keep(self._known, session, None)
        if gone:
            self._send_away(lambda session: session.id in gone)

    def _bury_unlisted(self, person: str) -> None:
        for session in self._unlisted.get(person, {}).values():
            session.ended = True
        over = {kind: Session("", person, kind, "", 0.0, 0.0, 0.0, ended=True) for kind in (BROWSER, PROGRAM)}
        _keep(self._unlisted, person, over)
        self._send_away(lambda session: session.person == person and not session.id)


def _end_unlisted(person: str) -> Executable:
    return update(schema.people).where(schema.people.c.id == person).values(unlisted_until=None)


def _keep(known: OrderedDict[K, V], key: K, value: V) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > MOST_KNOWN:
        known.popitem(last=False)
