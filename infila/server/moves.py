"""Moves: people's, the computer's, and the clock that moves somebody aside."""

from contextlib import suppress

from infila.core.errors import IllegalMove
from infila.server.errors import Conflict, Refused
from infila.server.ledger import Ledger
from infila.server.levels import ComputerLevel
from infila.server.limits import LONGEST_KEY, LONGEST_MOVE
from infila.server.own_seats import moving_seat
from infila.server.settings import Settings
from infila.server.snapshot import CLOSED, OVER, WAITING, Snapshot, checked_move
from infila.server.tables import Draft, LiveTable, Tables


class Moves:
    def __init__(self, ledger: Ledger, settings: Settings, tables: Tables) -> None:
        self._ledger = ledger
        self._now = settings.now
        self._tables = tables

    async def play(
        self, table: str, person: str, text: str, version: int, key: str | None = None, seat: int | None = None
    ) -> tuple[int, Snapshot]:
        """Make a move for the version one saw. Returns the entry's number and the table as it is then."""
        if key is not None and not (key.isprintable() and len(key) <= LONGEST_KEY):
            raise Refused("a key is one line of at most {most} characters.", most=LONGEST_KEY)
        if len(text) > LONGEST_MOVE:
            raise Refused("a move is a text of at most {most} characters.", most=LONGEST_MOVE)
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            stored = None if key is None else f"{person}/{key}"
            if version != snapshot.version and (number := await self._made_with(table, stored)) is not None:
                return number, snapshot
            place = moving_seat(snapshot, person, seat)
            if version != snapshot.version:
                raise Conflict("the table has moved on to version {version}.", snapshot.version)
            _may_play(snapshot, place)
            game = checked_move(snapshot, place, text)
            _keep_to_lesson(snapshot, game.history[-1])
            try:
                await self._tables.write(live, [Draft("move", place, person, game.history[-1], stored, game)])
            except Conflict:
                if (number := await self._made_with(table, stored)) is None:
                    raise
                return number, live.snapshot
            return live.snapshot.version, live.snapshot

    async def _made_with(self, table: str, key: str | None) -> int | None:
        """The number of the entry that was made with a key: who sends the same again has sent it once. The log knows,
        and is asked only when somebody comes late, so that no table in memory keeps all its keys."""
        return None if key is None else await self._ledger.made_with(table, key)

    async def play_for_computer(
        self, live: LiveTable, seat: int, text: str, version: int, instead: ComputerLevel | None = None
    ) -> None:
        """A computer's move, unless the table has moved on while it thought. `instead`: the computer that sat there has
        failed, and one of this level has made the move and plays on."""
        async with live.lock:
            snapshot = live.snapshot
            if snapshot.version == version and seat in snapshot.computers_to_act:
                game = checked_move(snapshot, seat, text)
                drafts = [] if instead is None else [Draft("level", seat, None, instead)]
                await self._tables.write(live, [*drafts, Draft("move", seat, None, game.history[-1], None, game)])

    async def time_out(self, live: LiveTable) -> None:
        """The clock of the seat on turn has run out: a computer stands in. What cannot be written now is tried again
        when the table has been read."""
        async with live.lock:
            snapshot = live.snapshot
            if snapshot.deadline is None:
                return
            out = snapshot.deadline + self._tables.lost_time(snapshot) <= self._now()
            drafts = [Draft("away", snapshot.player, None, snapshot.clock.when_out())] if out else []
            with suppress(Conflict, *self._ledger.failures):
                await self._tables.write(live, drafts)


def _may_play(snapshot: Snapshot, seat: int) -> None:
    if snapshot.state == WAITING:
        raise Refused("the game has not begun: seats are still open, or somebody is not ready.")
    if snapshot.state == CLOSED:
        raise Refused("this table was closed.")
    if snapshot.state == OVER:
        raise IllegalMove("", "the game is over. Start a new one.")
    if snapshot.seats[seat].away:
        raise Refused("a computer sits in for you. Come back first.")


def _keep_to_lesson(snapshot: Snapshot, move: str) -> None:
    """In a lesson other moves than those it can go on from are refused, with a friendly word why."""
    objection = snapshot.lesson.objection(move) if snapshot.lesson is not None else None
    if objection is not None:
        raise Refused(objection.sentence)
