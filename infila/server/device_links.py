"""Links to another device: whoever has one can become that person there, once, within ten minutes.

They are kept in memory only, and there only as hashes: no copy of the database has one, and a server that is started
again has none. A person has one at a time; another one, or the end of any of their sessions, ends it.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from infila.server.errors import Unknown
from infila.server.identity import new_id

LINK_SECONDS = 600
LINK_LENGTH = 24  # characters: 119 bits
MOST_LINKS = 10_000


@dataclass(frozen=True)
class DeviceLink:
    person: str
    maker: str  # the session that has made it
    digest: bytes
    expires: float


class DeviceLinks:
    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._of: OrderedDict[str, DeviceLink] = OrderedDict()  # by person
        self._by: dict[bytes, DeviceLink] = {}  # by digest

    def make(self, person: str, maker: str) -> str:
        """The only time that the link itself is told."""
        self.withdraw(person)
        link = new_id(LINK_LENGTH)
        self.put(DeviceLink(person, maker, _digest(link), self._now() + LINK_SECONDS))
        return link

    def put(self, link: DeviceLink) -> None:
        """Also puts one back that was taken for nothing."""
        if link.person not in self._of:
            self._of[link.person] = self._by[link.digest] = link
        if len(self._of) > MOST_LINKS:
            self.withdraw(next(iter(self._of)))

    def open(self, person: str) -> DeviceLink | None:
        """The one that can still be used."""
        link = self._of.get(person)
        return link if link is not None and link.expires > self._now() else None

    def withdraw(self, person: str) -> None:
        if (link := self._of.pop(person, None)) is not None:
            del self._by[link.digest]

    def find(self, link: str) -> DeviceLink:
        """What a link is good for. Of one that is not, nobody learns whether it ever was."""
        found = self._by.get(_digest(link))
        if found is None or found.expires <= self._now():
            raise Unknown("this link is not good, or no longer: it works once, and for ten minutes. Make a new one.")
        return found

    def take(self, link: str) -> DeviceLink:
        """Nobody else gets it then."""
        found = self.find(link)
        self.withdraw(found.person)
        return found


def _digest(link: str) -> bytes:
    return hashlib.sha256(link.encode()).digest()
