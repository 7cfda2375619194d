"""The lobby: open tables, somebody's own tables, and what they have achieved."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from infila.core.games import NAMES, usable_games
from infila.server.clock import TimeControl
from infila.server.entries import fold
from infila.server.ledger import Filed, GameStatistics, Ledger, Result
from infila.server.snapshot import DEALT, OPEN, PLAYING, WAITING, Snapshot
from infila.server.tables import Tables

MOST_LISTED = 100
Playable = Callable[[str], bool]  # whether a game's rules can be used at once
RUNNING = (WAITING, PLAYING)


class Listed(TimeControl, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Any]
    state: str
    seats: tuple[tuple[str, str], ...]  # kind and name
    created: float
    my_turn: bool = False
    casual: bool = True
    lesson: bool = False
    origin: str = DEALT
    mine: tuple[int, ...] = ()  # the seats of whoever looks


class Lobby:
    def __init__(self, ledger: Ledger, tables: Tables, playable: Playable) -> None:
        self._ledger = ledger
        self._tables = tables
        self._playable = playable

    async def open_tables(self, person: str | None = None) -> list[Listed]:
        """Tables in the lobby that wait for somebody, as this person sees them."""
        tables = await self._listed(await self._ledger.open_tables(MOST_LISTED), person)
        found_open = (table for table in tables if any(kind == OPEN for kind, _name in table.seats))
        return [table for table in found_open if table.origin == DEALT]  # older ones from a position were let in

    async def my_tables(
        self, person: str, states: Sequence[str] = (), *, limit: int = MOST_LISTED, skip: int = 0
    ) -> list[Listed]:
        """Where somebody sits, the newest first; of all states, or of these."""
        return await self._listed(await self._ledger.tables_of(person, states, limit, skip), person)

    async def last_game(self, person: str) -> str:
        """The game that somebody played last, or else the first of all."""
        return await self._ledger.last_game_of(person, usable_games()) or NAMES[0]

    async def results(self, person: str, tables: Sequence[str]) -> dict[str, Result]:
        """How games ended for somebody, by table; with several seats at one, the best of them."""
        return await self._ledger.results_of(person, tables)

    async def count(self, person: str) -> int:
        """At how many tables somebody sits or has sat to the end."""
        return await self._ledger.count_of(person)

    async def game_of(self, table: str) -> str:
        """Which game is played at a table; empty if there is no such table."""
        live = self._tables.in_memory.get(table)
        return await self._ledger.game_of(table) if live is None else live.snapshot.header.game

    async def statistics(self, person: str) -> list[GameStatistics]:
        """A line for every game and kind of opponent."""
        return await self._ledger.statistics_of(person)

    async def due_tables(self) -> list[str]:
        """Tables where the server has to act, now or later."""
        return await self._ledger.due_tables()

    async def _listed(self, found: Sequence[Filed], person: str | None) -> list[Listed]:
        """Only where a game is being played its moves are needed; otherwise, and where its rules cannot be used yet, it
        is enough to know who sits there."""
        held, seating = self._tables.in_memory, []
        for table in found:
            live = held.get(table.id)
            if (live is None or live.stale) and (table.state != PLAYING or not self._playable(table.game)):
                seating.append(table.id)
        seated = await self._ledger.seated_at(seating)
        snapshots = [
            replace(fold(*seated[table.id]), state=table.state)
            if table.id in seated
            else await self._tables.glance(table.id)
            for table in found
        ]
        return [listed(snapshot, person) for snapshot in snapshots]


def listed(snapshot: Snapshot, person: str | None) -> Listed:
    """A table as a line of a list."""
    header = snapshot.header
    return Listed(
        header.id,
        header.game,
        header.options,
        snapshot.state,
        tuple((seat.kind, seat.name) for seat in snapshot.seats),
        header.created,
        any(seat in snapshot.to_act for seat in snapshot.seats_of(person)),
        header.casual,
        header.lesson,
        header.origin,
        snapshot.seats_of(person),
        **header.time_control(),
    )
