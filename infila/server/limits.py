"""How much anybody may ask of the server: how long what they send may be, and how often they may send it.

The lengths stand here and nowhere else: the bodies of requests, the fields of pages and the tables themselves use them.
How often: a bucket of permits for everybody, refilled as time goes by.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from infila.server.errors import TooMuch

# characters
LONGEST_NAME = 30  # a person's, or a level's
LONGEST_MESSAGE = 500
LONGEST_WORDS = 100  # mixed into the shuffle
LONGEST_MOVE = 80
LONGEST_KEY = 64  # by which a move that is sent twice is known

LARGEST_BODY = 64_000  # bytes of a request,
LARGEST_LOG = 1_000_000  # and of one that uploads a log
MOST_SEATS = 12  # of any table
MOST_BUCKETS = 50_000


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


LIMITS = {
    "move": Limit(60, 20),
    "chat": Limit(8, 0.5),
    "make": Limit(20, 0.2),  # tables, uploads
    "person": Limit(30, 0.2),  # new people, by address
    "act": Limit(60, 5),
    "think": Limit(10, 0.5),  # hints: the computer thinks for as long as for a move
    "read": Limit(300, 60),
}
MOST_STREAMS = 40  # open at the same time: a person's pages and programs


class Limiter:
    def __init__(self, clock: Callable[[], float], *, active: bool) -> None:
        self._clock = clock
        self._active = active
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._streams: Counter[str] = Counter()

    @contextmanager
    def stream(self, who: str) -> Iterator[None]:
        """Counts a stream for as long as it is open; raises TooMuch if there are too many."""
        if self._active and self._streams[who] >= MOST_STREAMS:
            raise TooMuch(
                "{count} pages are open already. Close some of them, then load this one again.", count=MOST_STREAMS
            )
        self._streams[who] += 1
        try:
            yield
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    def check(self, kind: str, who: str) -> None:
        """Take a permit; raises TooMuch if there is none."""
        if not self._active:
            return
        limit, now = LIMITS[kind], self._clock()
        left, then = self._buckets.pop((kind, who), (limit.burst, now))
        left = min(limit.burst, left + max(now - then, 0.0) * limit.per_second)
        self._buckets[kind, who] = (max(left - 1, 0.0), now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise TooMuch("that was too much at once. Wait a little, then go on.")
