"""How much anybody may ask of the server: how long what they send may be, and how often they may send it.

The lengths stand here and nowhere else: the bodies of requests, the fields of pages and the tables themselves use them.

How often: buckets of permits, refilled as time goes by. What is asked takes permits from the bucket of the person and
from the one of the address it comes from, because a new person costs nothing and a new address does. An address has
more, because a family, a school class or a company may share it. The reasons are in docs/how-to/serving.md.
"""

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from infila.server.errors import Full, TooMuch

# characters
LONGEST_NAME = 30
LONGEST_MESSAGE = 500
LONGEST_MOVE = 80
LONGEST_KEY = 64  # by which a move that is sent twice is known
LONGEST_PATH = 500  # of an address, without what is asked after the question mark

# bytes
LARGEST_HEAD = 32_000  # of a request: its address and headers;
LARGEST_BODY = 64_000  # what follows,
LARGEST_LOG = 1_000_000  # and of one that uploads a log

MOST_SEATS = 12  # of any table
MOST_BUCKETS = 50_000  # kept in memory, the latest


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


# of a person, or of all who have not said who they are at an address
LIMITS = {
    "move": Limit(60, 20),
    "chat": Limit(8, 0.5),
    "make": Limit(20, 0.2),  # tables
    "computers": Limit(44, 0.2),  # seats at new tables that computers have or may get
    "upload": Limit(6, 0.05),  # logs
    "act": Limit(60, 5),
    "solo": Limit(60, 10),  # tasks of computers, and what a browser has found
    "think": Limit(10, 0.5),  # hints: the computer thinks for as long as for a move
    "review": Limit(10, 0.05),  # games that are looked at once more: minutes of thinking each
    "rebuild": Limit(60, 10),  # a table as it was, or all that was missed: moves are played again
    "read": Limit(300, 60),
}
# of an address
BY_ADDRESS = {
    "any": Limit(2000, 200),  # requests of all kinds, also of those that come to nothing
    "person": Limit(40, 0.05),  # new people
    "link": Limit(80, 0.1),  # links to another device that are tried
    "move": Limit(300, 60),
    "chat": Limit(60, 4),
    "make": Limit(60, 0.2),
    "computers": Limit(240, 1),
    "upload": Limit(18, 0.1),
    "act": Limit(300, 25),
    "solo": Limit(600, 80),
    "think": Limit(30, 1),
    "review": Limit(30, 0.1),
    "rebuild": Limit(180, 20),
    "read": Limit(1500, 150),
}
# open at the same time: pages and programs that listen to a table
MOST_STREAMS = 40  # of a person
MOST_STREAMS_OF_ADDRESS = 150
# at the same time: tables where the server has something to do or somebody is
MOST_TABLES_OF_ADDRESS = 100


class Limiter:
    def __init__(self, clock: Callable[[], float], *, active: bool, streams: int = 4000) -> None:
        self._clock = clock
        self.active = active
        self._most_streams = streams
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._streams: Counter[str] = Counter()

    @property
    def remembered(self) -> int:
        """How much is kept in memory about people and addresses."""
        return len(self._buckets)

    @property
    def streams(self) -> int:
        """How many are open."""
        return self._streams["all"]

    @contextmanager
    def stream(self, person: str | None, address: str) -> Iterator[None]:
        """Counts a stream for as long as it is open; raises TooMuch if there are too many."""
        counted = [f"at {address}", f"of {person or address}", "all"]
        if self.active:
            for who, most in zip(counted[:2], (MOST_STREAMS_OF_ADDRESS, MOST_STREAMS), strict=True):
                if self._streams[who] >= most:
                    raise TooMuch(
                        "{count} pages are open already. Close some of them, then load this one again.",
                        count=most,
                        seconds=30,
                    )
            if self._streams["all"] >= self._most_streams:
                raise Full("too many people are here at the moment. Try again in a few minutes.", seconds=60)
        self._streams.update(counted)
        try:
            yield
        finally:
            self._streams.subtract(counted)
            for who in counted:
                if not self._streams[who]:
                    del self._streams[who]

    def check(self, kind: str, address: str, person: str | None = None, cost: float = 1) -> None:
        """Take permits of the person and of the address; if either has too few, take none and raise TooMuch."""
        if not self.active:
            return
        now = self._clock()
        asked = [(f"at {address}", BY_ADDRESS.get(kind)), (f"of {person or address}", LIMITS.get(kind))]
        left: dict[tuple[str, str], float] = {}
        seconds = 0.0
        for who, limit in asked:
            if limit is not None:
                before, then = self._buckets.get((kind, who), (limit.burst, now))
                have = min(limit.burst, before + max(now - then, 0.0) * limit.per_second)
                left[kind, who] = have
                seconds = max(seconds, (min(cost, limit.burst) - have) / limit.per_second)
        for key, have in left.items():
            self._buckets[key] = (have if seconds > 0 else max(have - cost, 0.0), now)
            self._buckets.move_to_end(key)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if seconds > 0:
            raise TooMuch("that was too much at once. Wait a little, then go on.", seconds=math.ceil(seconds))

    def check_tables(self, address: str, homes: Callable[[], Iterator[str]]) -> None:
        """Whether there may be one more table; `homes` are where those come from who have made the tables where
        something goes on."""
        if self.active and sum(home == address for home in homes()) >= MOST_TABLES_OF_ADDRESS:
            raise TooMuch(
                "{count} games are going on already. Finish some of them, then begin another.",
                count=MOST_TABLES_OF_ADDRESS,
                seconds=60,
            )
