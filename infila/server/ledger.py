"""What a ledger keeps: the log of every table, who sits where, and what people are called.

All that is done at tables stands on this and knows nothing of what is behind it. A server keeps its ledger in a
database (`database_ledger`). Whoever writes a ledger of another kind has to keep two promises: what was appended is
there for good once `append` has returned, and of two entries of one number the second is a `Clash`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from infila.server.snapshot import Entry, Header, Snapshot


class Clash(Exception):
    """An entry of this number, or with this key, is there already."""


Kept = tuple[Header, list[Entry]]  # what there is of a table
SEATING = ("sit", "stand", "fill", "name")  # entries that say who sits where


class Filed(NamedTuple):
    """A table as a list of tables has it."""

    id: str
    game: str
    state: str


class Result(msgspec.Struct, frozen=True):
    """How a game ended for somebody."""

    won: bool
    score: int
    at: float
    drawn: bool = False


class GameStatistics(msgspec.Struct, frozen=True):
    """What somebody has done in one game so far."""

    game: str
    against: str
    played: int
    won: int
    best: int
    mean: float


class Ledger(Protocol):
    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What is raised when it cannot be reached: nobody knows then whether what was to be written is."""
        ...

    # the log

    async def read(self, table: str) -> Kept | None:
        """A table's header and its log; None if there is no such table."""
        ...

    async def seated_at(self, tables: Sequence[str]) -> dict[str, Kept]:
        """The headers of tables, and of their logs what says who sits where."""
        ...

    async def append(self, before: Snapshot, now: Snapshot, entries: Sequence[Entry], *, new: bool = False) -> None:
        """Write what has happened at a table between two moments, all of it or nothing; a new one with its header.
        Raises Clash if somebody else has written meanwhile."""
        ...

    async def made_with(self, table: str, key: str) -> int | None:
        """The number of the entry that was made with a key."""
        ...

    # tables

    async def game_of(self, table: str) -> str:
        """Which game is played at a table; empty if there is no such table."""
        ...

    async def open_tables(self, limit: int) -> list[Filed]:
        """Tables that anybody may find and that wait for somebody, the newest first."""
        ...

    async def tables_of(self, person: str, states: Sequence[str], limit: int, skip: int) -> list[Filed]:
        """Where somebody sits, the newest first; of all states, or of these."""
        ...

    async def count_of(self, person: str) -> int:
        """At how many tables somebody sits or has sat to the end."""
        ...

    async def last_game_of(self, person: str, games: Sequence[str]) -> str:
        """Which of these games somebody played last; empty if none."""
        ...

    async def due_tables(self) -> list[str]:
        """Tables where something is to be done without anybody asking, now or later."""
        ...

    async def results_of(self, person: str, tables: Sequence[str]) -> dict[str, Result]:
        """How games ended for somebody, by table; with several seats at one, the best of them."""
        ...

    async def statistics_of(self, person: str) -> list[GameStatistics]:
        """A line for every game and kind of opponent."""
        ...

    # people

    async def welcome(self, person: str, name: str) -> None:
        """Somebody new."""
        ...

    async def name_of(self, person: str) -> str: ...

    async def rename(self, person: str, name: str, before: str) -> None:
        """Another name for somebody who was called `before` at tables."""
        ...

    # whether it is there

    @property
    def away_since(self) -> float | None:
        """Since when it cannot be reached; None as long as it can."""
        ...

    def on_return(self, told: Callable[[float], None]) -> None:
        """Have somebody told, in any thread, when it can be reached again: since when it could not."""
        ...

    def last_alive(self) -> float | None:
        """When `note_alive` was last called, also before it was opened this time."""
        ...

    async def note_alive(self, at: float) -> None: ...
