"""Who is watching a table, and what each of them has still to be told.

A watcher gets every snapshot of the table that it may know of, in order. Who is too far behind is sent away, and gets
all that it has missed, rebuilt from the log, when it comes back with the number of the last snapshot it had.
"""

import asyncio
from dataclasses import dataclass, field

from infila.server.session import Session
from infila.server.snapshot import Snapshot

MOST_BEHIND = 500  # updates

FIRST, HERE, BEAT = "view", "here", "beat"  # how it is now; somebody came or went; nothing happened for a while


@dataclass(frozen=True)
class Update:
    """A snapshot to be told, and what happened: the kind of its last entry, or one of FIRST, HERE and BEAT."""

    snapshot: Snapshot
    kind: str


@dataclass(eq=False)
class Watcher:
    person: str | None
    session: Session | None = None  # in which they listen
    waiting: list[Update] = field(default_factory=list)  # rarely more than one or two
    _wake: "asyncio.Future[None] | None" = None
    closed: bool = False

    def tell(self, update: Update) -> None:
        if len(self.waiting) >= MOST_BEHIND:
            self.closed = True
        elif not self.closed:
            self.waiting.append(update)
        self._rouse()

    def send_away(self) -> None:
        """They may not know any more what is still to be told."""
        self.waiting.clear()
        self.close()

    def close(self) -> None:
        self.closed = True
        self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def next(self) -> Update | None:
        """The next update, as soon as there is one; None at the end."""
        while not self.waiting:
            if self.closed:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self.waiting.pop(0)
