"""A table as one viewer sees it: what pages and programs are made from.

What is hidden comes through `view`, which the rules have made for this viewer; the rest is known to all at the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from infila.core.contract import Reason
from infila.core.game import View
from infila.server.causes import judges, obstacle
from infila.server.clock import SeatClock
from infila.server.snapshot import (
    OVER,
    PERSON,
    PLAYERS_ROOM,
    PLAYING,
    SPECTATORS_ROOM,
    Call,
    Header,
    Message,
    Offer,
    Played,
    Seat,
    Snapshot,
    StopOffer,
    TakeBackRequest,
)
from infila.server.watchers import FIRST, Update


@dataclass(frozen=True)
class Moment:
    """What goes on while nothing happens, in seconds: how long this turn has lasted, without the time in which nobody
    could move, and how long each seat's person has been away; None for who is here, or was not since the server began.
    And how long an offer to play again can still be answered.
    """

    spent: float = 0.0
    away: tuple[float | None, ...] = ()
    to_answer: float = 0.0


@dataclass(frozen=True)
class TableView:
    snapshot: Snapshot
    person: str | None
    seat: int | None  # whose eyes these are; None: a spectator's
    kind: str = FIRST  # what has just happened
    here: frozenset[str] = frozenset()  # people whose page is open

    @property
    def id(self) -> str:
        return self.snapshot.header.id

    @property
    def header(self) -> Header:
        """How the table was made. Its seed is not for viewers: see `seed`."""
        return self.snapshot.header

    @property
    def number(self) -> int:
        return self.snapshot.number

    @property
    def version(self) -> int:
        return self.snapshot.version

    @property
    def state(self) -> str:
        return self.snapshot.state

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where; what they have opened for the shuffle only after the deal."""
        seats = self.snapshot.seats
        return tuple(replace(seat, words="") for seat in seats) if self.snapshot.game is None else seats

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """All seats that this person holds; several in a hot seat game."""
        return self.snapshot.seats_of(self.person)

    @property
    def host(self) -> bool:
        """Whether this person made the table."""
        return self.person is not None and self.person == self.header.host

    @cached_property
    def view(self) -> View | None:
        """The game as this viewer may know it; None before the deal."""
        return self.snapshot.view(self.seat)

    @property
    def history(self) -> Sequence[Played]:
        return self.snapshot.history

    @cached_property
    def chat(self) -> tuple[Message, ...]:
        """Spectators talk among themselves until the game is over."""
        rooms = {PLAYERS_ROOM} if self.mine and self.state != OVER else {PLAYERS_ROOM, SPECTATORS_ROOM}
        return tuple(message for message in self.snapshot.chat if message.room in rooms)

    @property
    def clocks(self) -> tuple[SeatClock, ...]:
        """The clock of every seat; none where nobody is timed."""
        snapshot = self.snapshot
        if not self.header.timed:
            return ()
        running = (snapshot.player == i and not seat.by_computer for i, seat in enumerate(self.seats))
        return tuple(snapshot.clock.of(i, each) for i, each in enumerate(running))

    @property
    def deadline(self) -> float | None:
        return self.snapshot.deadline

    @property
    def request(self) -> TakeBackRequest | None:
        """A take-back that somebody asks for."""
        return self.snapshot.request

    @property
    def among_people(self) -> bool:
        """Whether this person plays with others, not only with computers."""
        return any(seat.kind == PERSON and seat.person != self.person for seat in self.seats)

    @property
    def must_answer(self) -> bool:
        """Whether the table waits for this person's yes or no to a take-back."""
        return self.request is not None and bool(self.mine) and self.person not in self.request.agreed

    @property
    def stop(self) -> StopOffer | None:
        """Somebody offers to end the game."""
        offer = self.snapshot.stop
        return None if offer is None or offer.declined or self.state != PLAYING else offer

    @property
    def must_answer_stop(self) -> bool:
        playing = any(not self.seats[seat].away for seat in self.mine)
        return self.stop is not None and playing and self.person not in self.stop.agreed

    @property
    def calls(self) -> tuple[tuple[str, Reason], ...]:
        """Acts of the host that this viewer may call for: the move, and what one says who calls for it."""
        view = self.view
        if view is None or view.seat is None or self.state != PLAYING or self.snapshot.called is not None:
            return ()
        host, s = view.contract.host, view.states[0]
        moves = ((view.text(action), host.call(s, action)) for action in view.host_actions())
        return tuple(
            (move, reason)
            for move, reason in moves
            if obstacle(self.snapshot, self.person or "", Call(view.seat, move)) is None
        )

    @property
    def must_judge(self) -> bool:
        """Whether the table waits for this person's word on a call."""
        return self.person in judges(self.snapshot)

    @property
    def commitment(self) -> str:
        return self.header.commitment

    @property
    def seed(self) -> str | None:
        """The seed, once the game is over."""
        return self.header.seed or None if self.state == OVER else None

    @property
    def offer(self) -> Offer | None:
        """Somebody asks to play again."""
        return self.snapshot.offer

    @property
    def rematch(self) -> str:
        """The table of the next game, if there is one."""
        return self.snapshot.rematch

    def is_here(self, seat: int) -> bool:
        return self.seats[seat].person in self.here


def seen(update: Update, person: str | None, seat: int | None, here: frozenset[str]) -> TableView | None:
    """An update as a viewer may see it; None if it is none of theirs."""
    view = TableView(update.snapshot, person, seat, update.kind, here)
    last = update.snapshot.last
    if update.kind == "chat" and last is not None and (not view.chat or view.chat[-1].number != last.number):
        return None
    return view
