"""A table as one viewer sees it: what pages and programs are made from.

What is hidden comes through `view`, which the rules have made for this viewer; the rest is known to all at the table.
"""

from dataclasses import dataclass
from functools import cached_property

from infila.core.game import View
from infila.server.moment import OVER, PLAYERS_ROOM, Ask, Header, Message, Moment, Played, Seat
from infila.server.streams import BEAT, HERE, Update


@dataclass(frozen=True)
class Clock:
    """Of one seat, in seconds. `left` counts down from `since` if the seat is on turn; None: no clock of this kind."""

    used: float
    game_left: float | None
    move_left: float | None
    running: bool


@dataclass(frozen=True)
class TableView:
    moment: Moment
    person: str | None
    seat: int | None  # whose eyes these are; None: a spectator's
    kind: str = "view"  # what has just happened
    here: frozenset[str] = frozenset()  # people whose page is open

    @property
    def id(self) -> str:
        return self.moment.header.id

    @property
    def header(self) -> Header:
        """How the table was made. Its seed is not for viewers: see `seed`."""
        return self.moment.header

    @property
    def number(self) -> int:
        return self.moment.number

    @property
    def version(self) -> int:
        return self.moment.version

    @property
    def state(self) -> str:
        return self.moment.state

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.moment.seats

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """All seats that this person holds; several in a hot seat game."""
        return self.moment.seats_of(self.person)

    @property
    def host(self) -> bool:
        """Whether this person made the table."""
        return self.person is not None and self.person == self.header.host

    @cached_property
    def view(self) -> View | None:
        """The game as this viewer may know it; None before the deal."""
        return self.moment.view(self.seat)

    @property
    def history(self) -> tuple[Played, ...]:
        return self.moment.history

    @cached_property
    def chat(self) -> tuple[Message, ...]:
        """Spectators talk among themselves until the game is over."""
        rooms = {PLAYERS_ROOM} if self.mine and self.state != OVER else {PLAYERS_ROOM, "spectators"}
        return tuple(message for message in self.moment.chat if message.room in rooms)

    @property
    def timed(self) -> bool:
        return bool(self.header.move_seconds or self.header.game_seconds)

    @property
    def clocks(self) -> tuple[Clock, ...]:
        header = self.header
        return tuple(
            Clock(
                used,
                max(header.game_seconds - used, 0.0) if header.game_seconds else None,
                float(header.move_seconds) if header.move_seconds else None,
                self.moment.player == i and not self.seats[i].by_computer,
            )
            for i, used in enumerate(self.moment.used)
        )

    @property
    def since(self) -> float:
        """When the present turn began."""
        return self.moment.since

    @property
    def deadline(self) -> float | None:
        return self.moment.deadline

    @property
    def ask(self) -> Ask | None:
        """A take-back that somebody asks for."""
        return self.moment.ask

    @property
    def must_answer(self) -> bool:
        """Whether the table waits for this person's yes or no to a take-back."""
        ask = self.moment.ask
        return ask is not None and bool(self.mine) and self.person not in ask.agreed

    @property
    def commitment(self) -> str:
        return self.header.commitment

    @property
    def seed(self) -> str | None:
        """The seed, once the game is over."""
        return self.header.seed or None if self.state == OVER else None

    @property
    def rematch(self) -> str:
        """The table of the next game, if there is one."""
        return self.moment.rematch

    def is_here(self, seat: int) -> bool:
        return self.seats[seat].person in self.here


def seen(update: Update, person: str | None, seat: int | None, here: frozenset[str]) -> TableView | None:
    """An update as a viewer may see it; None if it is none of theirs."""
    view = TableView(update.moment, person, seat, update.kind, here)
    last = update.moment.last
    if update.kind == "chat" and last is not None and (not view.chat or view.chat[-1].number != last.number):
        return None
    return view


__all__ = ["BEAT", "HERE", "Clock", "TableView", "seen"]
