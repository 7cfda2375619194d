"""Turns: of every address a few requests are answered at a time, so that whoever asks for much waits for themselves.

The server does one thing after the other. Without turns a request waits for all that came before it, and somebody who
asks on two hundred connections at once is served two hundred times before anybody else. Here a request waits for at
most a few of every other address.

A request that has been going on for a while is waiting for something itself, a body, a thought or the next event, and
counts no longer. What is computed aside for long, such as a game that is played again, has turns of its own.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from infila.server.errors import TooMuch

AT_ONCE = 2  # requests of an address
A_WHILE = 0.1  # seconds
MOST_WAITING = 500  # of an address: more than it may have connections, because some are closed meanwhile


class Turns:
    """So many at once of every address; each counts to its end, or for so many seconds."""

    def __init__(self, at_once: int = AT_ONCE, seconds: float = A_WHILE) -> None:
        self._at_once, self._seconds = at_once, seconds
        self._going: Counter[str] = Counter()
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def remembered(self) -> int:
        """How much is kept in memory about addresses."""
        return len(self._going) + sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Begins when it is this address's turn, at once if it asks for one thing after the other; raises TooMuch."""
        if self._going[address] < self._at_once:
            self._going[address] += 1
        else:
            await self._wait(address)
        end = self._until_the_end(address)
        try:
            yield
        finally:
            end()

    async def _wait(self, address: str) -> None:
        line = self._lines.setdefault(address, deque())
        if len(line) >= MOST_WAITING:
            raise TooMuch("that was too much at once. Wait a little, then go on.", seconds=1)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._next(address)
            raise

    def _until_the_end(self, address: str) -> Callable[[], None]:
        """What is to be called at the end of a turn; after a while it is called anyway."""
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                timer.cancel()
                self._next(address)

        timer = asyncio.get_running_loop().call_later(self._seconds, end)
        return end

    def _next(self, address: str) -> None:
        """The place of one that has ended goes to who has waited longest."""
        line = self._lines.get(address)
        while line:
            place = line.popleft()
            if not place.done():  # who was called off meanwhile waits no longer
                place.set_result(None)
                return
        self._lines.pop(address, None)
        self._going[address] -= 1
        if not self._going[address]:
            del self._going[address]
