"""Time in which nobody could move, because the server was down or its database was: it counts on nobody's clock.

While clocks run the server notes every few seconds that it is there. When it starts again it knows how long it was not;
each table whose clock ran gets that time back by an entry in its log, before anything else happens there. Where several
servers share a database, a table that was taken over from one that has ended gets back the time since that was seen.
"""

from collections.abc import Sequence
from typing import NamedTuple

from infila.server.ledger import Ledger
from infila.server.settings import Settings
from infila.server.snapshot import Snapshot

NOTE_SECONDS = 5.0


class Span(NamedTuple):
    since: float
    until: float


class Downtime:
    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        self._ledger = ledger
        self._now = settings.now
        self._spans = [Span(ledger.last_alive() or 0.0, settings.now())]
        self._own: dict[str, Span] = {}  # of tables that were taken over

    def of(self, snapshot: Snapshot) -> float:
        """How many seconds the running clock of a table has to get back."""
        if snapshot.running_since is None:
            return 0.0
        began = max(snapshot.running_since, snapshot.paused_at)
        spans = self._spans
        if (away := self._ledger.away_since) is not None:  # what is written next may be the first that can be
            spans = [*spans, Span(max(away, spans[-1].until), self._now())]
        if (own := self._own.get(snapshot.header.id)) is not None:
            spans = [*spans, own]
        return _length(spans, began)

    def taken_over(self, table: str, since: float) -> None:
        """Nobody could move at a table until now."""
        self._own[table] = Span(since, self._now())

    def forget(self, table: str) -> None:
        self._own.pop(table, None)

    def add(self, since: float) -> None:
        """The database was away until now."""
        self._spans = [*self._spans[-99:], Span(max(since, self._spans[-1].until), self._now())]

    async def note(self) -> None:
        """The server is there."""
        await self._ledger.note_alive(self._now())


def _length(spans: Sequence[Span], began: float) -> float:
    """All spans together, what several of them cover once; of what was before `began` nothing."""
    length = 0.0
    for span in sorted(spans):
        length += max(span.until - max(span.since, began), 0.0)
        began = max(began, span.until)
    return length
