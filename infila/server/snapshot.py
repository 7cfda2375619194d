"""A table at one moment: what its header and its entries up to there tell, and nothing else; `entries` says how.

Snapshots are never changed: whoever holds one can look at it for as long as they like.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import Game, View
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.options import Options
from infila.core.seeds import commitment
from infila.core.words import CORE, Saying, saying
from infila.lessons.progress import Progress, progress
from infila.server.clock import Clock, TimeControl
from infila.server.levels import ComputerLevel

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"
OPEN, PERSON, COMPUTER = "open", "person", "computer"
PLAYERS_ROOM, SPECTATORS_ROOM = "table", "spectators"
DEALT, LESSON, FROM_POSITION, FROM_LOG = "deal", "lesson", "position", "log"  # how a table's game begins
LEFT, TIME, REPLACED, RESIGNED, BACK = "left", "time", "replaced", "resigned", "back"
STOOD, SENT, ANEW = "stood", "sent", "anew"  # why a shuffle begins again
HINTED = "hint"
DECLINED, OVERTAKEN = "declined", "overtaken"  # why a move that somebody asked to take back stands
PLAY_ON = "play on"  # somebody has offered to end the game, and another wants to play on
OFFER_SECONDS = 60.0  # for the answers of all who are asked to play again
NO_SEAT = -1
NAMELESS = "guest"  # how somebody is called who has not given a name


class PlannedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the table was made: open to whoever comes, or a computer; `stored_level` reads its level."""

    kind: str = OPEN
    level: str = ""


class Header(TimeControl, frozen=True, omit_defaults=True):
    """What is fixed when a table is made."""

    id: str
    game: str
    options: dict[str, Any]
    plan: tuple[PlannedSeat, ...]
    seed: str = ""
    position: dict[str, Any] | None = None
    host: str = ""  # the person who made the table
    private: bool = True
    casual: bool = True
    hints: bool = True  # also for those who play against other people: see `hints`
    created: float = 0.0
    rematch_of: str = ""
    uploaded: bool = False
    attempt: int = 1  # at the shuffle of what was uploaded
    lesson: bool = False  # a guided first game: see `infila.lessons`

    @property
    def typed_options(self) -> Options:
        """The options as the game knows them."""
        return contract_of(self.game).options.from_json(self.options)

    @property
    def origin(self) -> str:
        """How the game begins: with a deal that nobody knew before, or with something that somebody brought."""
        if self.lesson:
            return LESSON
        if self.uploaded:
            return FROM_LOG
        return DEALT if self.position is None else FROM_POSITION

    @property
    def arranged(self) -> bool:
        """Whether somebody could know the cards before: then no shuffle is promised, and no result counts."""
        return self.origin != DEALT

    @property
    def commitment(self) -> str:
        return "" if self.arranged else commitment(self.seed)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened."""

    number: int
    kind: str
    seat: int | None
    person: str | None
    text: str
    key: str | None
    at: float


class Message(msgspec.Struct, frozen=True, gc=False):
    """Something said. `seat` is None for a spectator."""

    number: int
    seat: int | None
    name: str
    text: str
    room: str
    at: float


class Played(msgspec.Struct, frozen=True, gc=False):
    """A move that stands, and who made it; `seat` is None for the host's own acts."""

    number: int
    seat: int | None
    text: str
    at: float


class Notice(msgspec.Struct, frozen=True, gc=False):
    """A seat changed hands: somebody went or came back, or `by`, another seat, has let the computer play for them. Or
    somebody took a hint. Or, with an `attempt`, the shuffle begins again because of `name`, who stood up, was sent
    away, or committed anew. Or a move that the seat asked to take back stands: `by` has said no or played on. Or the
    seat has offered to end the game, and `by` wants to play on."""

    number: int
    what: str  # LEFT, TIME, REPLACED, RESIGNED or BACK; HINTED; STOOD, SENT or ANEW; DECLINED or OVERTAKEN; PLAY_ON
    seat: int
    by: int | None
    at: float
    name: str = ""
    attempt: int = 0


@dataclass(frozen=True)
class Seat:
    """Who sits there. A computer that stands in for a person keeps the place until that person returns."""

    kind: str = OPEN
    name: str = ""
    person: str | None = None
    level: ComputerLevel | None = None  # of the computer that plays there
    contributes: bool = False  # to the shuffle: commits, and opens when all have committed
    commitment: str = ""
    words: str = ""  # opened; `TableView` tells nobody before the deal
    away: str = ""  # why a computer stands in: LEFT, TIME, REPLACED or RESIGNED
    given_up: int | None = None  # the score with which somebody resigned

    @property
    def resigned(self) -> bool:
        return self.away == RESIGNED

    @property
    def by_computer(self) -> bool:
        return self.kind == COMPUTER or bool(self.away)

    @property
    def opened(self) -> bool:
        return bool(self.commitment and self.words)


@dataclass(frozen=True)
class TakeBackRequest:
    """Somebody asks to take back: `keep` moves would stay."""

    seat: int
    keep: int
    agreed: frozenset[str]  # people who have said yes


@dataclass(frozen=True)
class StopOffer:
    """Somebody offers the others to end the game, which nobody has won then."""

    seat: int
    person: str
    moves: int  # that had been made
    agreed: frozenset[str]
    declined: bool = False


@dataclass(frozen=True)
class Offer:
    """After a game somebody asks the others to play again; each says yes or no."""

    number: int  # of its entry
    seat: int  # of whoever asks
    person: str
    since: float
    agreed: frozenset[str]
    declined: frozenset[str] = frozenset()

    @property
    def ends(self) -> float:
        """When the game begins without those who have not answered."""
        return self.since + OFFER_SECONDS


@dataclass(frozen=True)
class Call:
    """A seat calls for an act of the host, a move that belongs to no seat."""

    seat: int
    move: str


@dataclass(frozen=True)
class Snapshot:
    header: Header
    clock: Clock
    number: int = 0  # of the last entry: what an event stream counts
    version: int = 0  # of the last entry that changed the game: what a move is made for
    state: str = WAITING
    seats: tuple[Seat, ...] = ()
    game: Game | None = None
    history: Growing[Played] = field(default_factory=Growing)
    chat: Growing[Message] = field(default_factory=Growing)
    request: TakeBackRequest | None = None
    stop: StopOffer | None = None  # the last one
    stopped: bool = False  # the game was ended by agreement: nobody has won, and it counts for nobody
    called: Call | None = None
    said: tuple[int, ...] = ()  # for each seat the last entry with which it said something that nobody has judged yet
    notices: Growing[Notice] = field(default_factory=Growing)
    barred: frozenset[str] = frozenset()  # people whom the host has asked to leave
    attempt: int = 1  # at the shuffle
    over_since: float = 0.0
    paused_at: float = 0.0  # when time was last given back: what came before needs no more of it
    rematch: str = ""
    offer: Offer | None = None  # to play again
    answered: Offer | None = None  # the last one, when it has come to a game or to nothing
    read: int = 0  # in a lesson: how much of what the coach says before anything is to be done has been read
    last: Entry | None = None
    views: dict[int, View] = field(default_factory=dict, repr=False, compare=False)  # by seat, once asked for

    def view(self, seat: int | None) -> View | None:
        """What a seat or a spectator may know; None before the deal."""
        if self.game is None:
            return None
        place = NO_SEAT if seat is None else seat
        if place not in self.views:
            self.views[place] = self.game.view(seat)
        return self.views[place]

    def accused(self, move: str) -> frozenset[int]:
        """The seats that an act of the host is about: those that may not call for it."""
        view = self.view(0)
        assert view is not None, "a call before the deal"
        action, host = view.contract.notation.parse(view.states[0], move, 0), view.contract.host
        return frozenset(
            seat
            for seat in range(len(self.seats))
            if (eyes := self.view(seat)) is not None and host.objection(eyes.states[0], action, seat) is not None
        )

    @property
    def people(self) -> frozenset[str]:
        """All who sit here, also those for whom a computer plays."""
        return frozenset(seat.person for seat in self.seats if seat.kind == PERSON and seat.person is not None)

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        if person is None:
            return ()
        return tuple(i for i, seat in enumerate(self.seats) if seat.person == person)

    @cached_property
    def over(self) -> bool:
        return self.state == OVER

    @cached_property
    def player(self) -> int | None:
        """The seat on turn."""
        return self.game.player if self.game is not None and self.state == PLAYING else None

    @cached_property
    def winners(self) -> list[int]:
        """The seats that have won, by the rules, or because all others have resigned."""
        if self.game is None or not self.over or self.stopped:
            return []
        if self.game.over:
            return self.game.winners
        left, side = sides_left(self.header, self.seats), self.header.typed_options.side
        return [seat for seat in range(len(self.seats)) if side(seat) in left]

    @cached_property
    def to_act(self) -> tuple[int, ...]:
        """Every seat that has a move now."""
        if self.game is None or self.state != PLAYING:
            return ()
        return tuple(self.game.acting())

    @cached_property
    def lesson(self) -> Progress | None:
        """How far the lesson is, if this is one."""
        return progress(self.header.game, self.history, self.read) if self.header.lesson else None

    @cached_property
    def computers_to_act(self) -> tuple[int, ...]:
        """Computers that have a move, those that act out of turn first: what they may do can be missed."""
        if self.request is not None or not any(seat.by_computer for seat in self.seats):
            return ()
        if self.lesson is not None and self.lesson.reading:
            return ()
        acting = [seat for seat in self.to_act if self.seats[seat].by_computer]
        return tuple(sorted(acting, key=lambda seat: seat == self.player))

    @cached_property
    def deadline(self) -> float | None:
        """When the clock of the person on turn runs out."""
        seat = self.player
        return None if seat is None or self.seats[seat].by_computer else self.clock.deadline(seat)

    @property
    def running_since(self) -> float | None:
        """Since when time runs here for people: on a clock, or to answer an offer."""
        if self.offer is not None:
            return self.offer.since
        return None if self.deadline is None else self.clock.since

    @property
    def due(self) -> float | None:
        """When the server itself has to act."""
        if self.offer is not None:
            return self.offer.ends
        return self.clock.since if self.computers_to_act else self.deadline


def sides_left(header: Header, seats: Sequence[Seat]) -> frozenset[int]:
    """The sides that still play: those where a person has not resigned, or where there are only computers."""
    side = header.typed_options.side
    people = {side(i) for i, seat in enumerate(seats) if seat.kind == PERSON}
    staying = {side(i) for i, seat in enumerate(seats) if seat.kind == PERSON and not seat.resigned}
    return frozenset(side(i) for i in range(len(seats)) if side(i) in staying or side(i) not in people)


def numbered(names: list[str]) -> tuple[str, ...]:
    """Equal names told apart."""
    return tuple(
        f"{name} {names[:i].count(name) + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)
    )


def spoken(name: str) -> str | Saying:
    """A name for a refusal, which whoever reads it is told in their language if it is none."""
    return saying(CORE, "guest") if name == NAMELESS else name


def checked_move(snapshot: Snapshot, seat: int, text: str) -> Game:
    """The game after a move of a seat, judged from that seat's view; raises IllegalMove with its rule."""
    view = snapshot.view(seat)
    if snapshot.game is None or view is None:
        raise InfilaError("the game has not begun.")
    after = snapshot.game.copy()
    after.play_action(read_move(snapshot, view, text.strip()))
    return after


def read_move(snapshot: Snapshot, view: View, text: str) -> int:
    """The action that a text stands for. In a log a computer has its level for a name, and somebody without a name an
    English word; a refusal says what they are."""
    try:
        return view.read(text)
    except IllegalMove as problem:
        other = snapshot.seats[view.player]
        if "name" in problem.gaps and other.kind == COMPUTER:
            raise IllegalMove(problem.rule, "it is not your turn: the computer is on turn.") from problem
        if "name" in problem.gaps and other.name == NAMELESS:
            raise IllegalMove(problem.rule, problem.sentence, name=spoken(other.name)) from problem
        raise
