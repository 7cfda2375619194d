"""A table at one moment: what its header and its entries up to there tell, and nothing else.

`after(snapshot, entry)` is the only way a table changes, at the table as well as when it is read back from the
database; so a table that was interrupted at any moment goes on exactly as it was. Snapshots are never changed: whoever
holds one can look at it for as long as they like.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import Game, View
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import Log
from infila.core.options import Options
from infila.core.seeds import MOST_ATTEMPTS, commitment
from infila.core.words import CORE, Saying, saying
from infila.lessons.progress import Progress, progress
from infila.server.clock import Clock, TimeControl
from infila.server.levels import ComputerLevel, stored_level

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"
OPEN, PERSON, COMPUTER = "open", "person", "computer"
PLAYERS_ROOM, SPECTATORS_ROOM = "table", "spectators"
DEALT, LESSON, FROM_POSITION, FROM_LOG = "deal", "lesson", "position", "log"  # how a table's game begins
LEFT, TIME, REPLACED, RESIGNED, BACK = "left", "time", "replaced", "resigned", "back"
STOOD, SENT, ANEW = "stood", "sent", "anew"  # why a shuffle begins again
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
    """A seat changed hands: somebody went or came back, or `by`, another seat, has let the computer play for them. Or,
    with an `attempt`, the shuffle begins again because of `name`, who stood up, was sent away, or committed anew."""

    number: int
    what: str  # LEFT, TIME, REPLACED, RESIGNED or BACK; STOOD, SENT or ANEW
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
    called: Call | None = None
    said: tuple[int, ...] = ()  # for each seat the last entry with which it said something that nobody has judged yet
    notices: Growing[Notice] = field(default_factory=Growing)
    barred: frozenset[str] = frozenset()  # people whom the host has asked to leave
    attempt: int = 1  # at the shuffle
    over_since: float = 0.0
    paused_at: float = 0.0  # when time was last given back: what came before needs no more of it
    rematch: str = ""
    read: int = 0  # in a lesson: how much of what the coach says before anything is to be done has been read
    last: Entry | None = None
    _views: dict[int, View] = field(default_factory=dict, repr=False, compare=False)

    def view(self, seat: int | None) -> View | None:
        """What a seat or a spectator may know; None before the deal."""
        if self.game is None:
            return None
        place = NO_SEAT if seat is None else seat
        if place not in self._views:
            self._views[place] = self.game.view(seat)
        return self._views[place]

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
        if self.game is None or not self.over:
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
    def due(self) -> float | None:
        """When the server itself has to act."""
        return self.clock.since if self.computers_to_act else self.deadline


def beginning(header: Header) -> Snapshot:
    """A table before anybody has come to it."""
    seats = tuple(_computer(plan.level) if plan.kind == COMPUTER else Seat() for plan in header.plan)
    clock = Clock(header, (0.0,) * len(seats))
    return Snapshot(header, clock, seats=seats, said=(0,) * len(seats), attempt=header.attempt)


def sides_left(header: Header, seats: Sequence[Seat]) -> frozenset[int]:
    """The sides that still play: those where a person has not resigned, or where there are only computers."""
    side = header.typed_options.side
    people = {side(i) for i, seat in enumerate(seats) if seat.kind == PERSON}
    staying = {side(i) for i, seat in enumerate(seats) if seat.kind == PERSON and not seat.resigned}
    return frozenset(side(i) for i in range(len(seats)) if side(i) in staying or side(i) not in people)


def _computer(text: str) -> Seat:
    level = stored_level(text)
    return Seat(COMPUTER, name=str(level), level=level)


def log_of(snapshot: Snapshot) -> Log:
    """The log of a game that begins now."""
    header = snapshot.header
    names = numbered([seat.name for seat in snapshot.seats])
    contract = contract_of(header.game)
    if header.position is not None:
        return Log(header.game, header.typed_options, names, position=header.position, rules=contract.rules_version)
    words, commitments = zip(*((seat.words, seat.commitment) for seat in snapshot.seats), strict=True)
    return Log(
        header.game,
        header.typed_options,
        names,
        commitment=commitment(header.seed),
        commitments=commitments if any(commitments) else (),
        attempts=snapshot.attempt,
        words=words if any(words) else (),
        seed=header.seed,
        rules=contract.rules_version,
    )


def numbered(names: list[str]) -> tuple[str, ...]:
    """Equal names told apart."""
    return tuple(
        f"{name} {names[:i].count(name) + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)
    )


def spoken(name: str) -> str | Saying:
    """A name for a refusal, which whoever reads it is told in their language if it is none."""
    return saying(CORE, "guest") if name == NAMELESS else name


def after(snapshot: Snapshot, entry: Entry, game: Game | None = None) -> Snapshot:
    """The table after an entry; `game` is the game after it, if the caller has played the move already."""
    changes = _CHANGES[entry.kind](snapshot, entry, game)
    return replace(snapshot, number=entry.number, last=entry, **({"_views": {}} | changes))


def fold(header: Header, entries: Iterable[Entry]) -> Snapshot:
    snapshot = beginning(header)
    for entry in entries:
        snapshot = after(snapshot, entry)
    return snapshot


Changes = dict[str, Any]


def _with_seat(snapshot: Snapshot, seat: int, **changes: Any) -> tuple[Seat, ...]:
    return (*snapshot.seats[:seat], replace(snapshot.seats[seat], **changes), *snapshot.seats[seat + 1 :])


def _seat(entry: Entry) -> int:
    assert entry.seat is not None, f"an entry {entry.kind} without a seat"
    return entry.seat


def _sit(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return _reseated(snapshot, entry, Seat(PERSON, name=entry.text, person=entry.person))


def _stand(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Somebody stands up; where another does it for them, the host has asked them to leave."""
    seat = _seat(entry)
    person = snapshot.seats[seat].person
    sent = frozenset() if person is None or person == entry.person else frozenset([person])
    return {**_reseated(snapshot, entry, Seat(), SENT if sent else STOOD), "barred": snapshot.barred | sent}


def _fill(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return _reseated(snapshot, entry, _computer(entry.text))


def _reseated(snapshot: Snapshot, entry: Entry, sitter: Seat, what: str = STOOD) -> Changes:
    """Another sits there, or nobody. Once somebody has opened that ends the attempt at the shuffle: whoever goes or
    comes may have seen what it would deal."""
    seat, opened = _seat(entry), any(each.opened for each in snapshot.seats)
    seats = (*snapshot.seats[:seat], sitter, *snapshot.seats[seat + 1 :])
    return _begun_again(snapshot, entry, seats, what) if opened else {"seats": seats}


def _begun_again(snapshot: Snapshot, entry: Entry, seats: tuple[Seat, ...], what: str) -> Changes:
    """The next attempt at the shuffle: nothing of the last is used, and everybody commits anew. After the last one the
    table is closed, so that nobody can go on until they like the cards."""
    seat, attempt = _seat(entry), snapshot.attempt + 1
    name, by = snapshot.seats[seat].name, snapshot.seats_of(entry.person)[:1] if what == SENT else ()
    notice = Notice(entry.number, what, seat, by[0] if by else None, entry.at, name, attempt)
    return {
        "seats": tuple(replace(each, commitment="", words="") if each.contributes else each for each in seats),
        "attempt": attempt,
        "notices": snapshot.notices.with_next(notice),
        **({"state": CLOSED} if attempt > MOST_ATTEMPTS else {}),
    }


def _commit(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Somebody commits, or, without a text, is expected to; a second time is another attempt. No typed words count."""
    seat = _seat(entry)
    again = _begun_again(snapshot, entry, snapshot.seats, ANEW) if snapshot.seats[seat].commitment else {}
    seats = [each if each.commitment else replace(each, words="") for each in again.get("seats", snapshot.seats)]
    seats[seat] = replace(seats[seat], contributes=True, commitment=entry.text)
    return {**again, "seats": tuple(seats)}


def _words(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Words that somebody has opened, or, in older logs, typed."""
    return {"seats": _with_seat(snapshot, _seat(entry), words=entry.text)}


def _begin(snapshot: Snapshot, entry: Entry, game: Game | None) -> Changes:
    game = game or Game(log_of(snapshot))
    return {"game": game, "version": entry.number, "clock": _next_turn(snapshot, entry), **_end(game, entry)}


def _end(game: Game, entry: Entry) -> Changes:
    return {"state": OVER, "over_since": entry.at} if game.over else {"state": PLAYING}


def _next_turn(snapshot: Snapshot, entry: Entry) -> Clock:
    return snapshot.clock.turned(entry.at, snapshot.player)


def _move(snapshot: Snapshot, entry: Entry, game: Game | None) -> Changes:
    before = snapshot.game
    assert before is not None, "a move before the deal"
    game = game or before.copy().play(entry.text)
    return {
        "game": game,
        "version": entry.number,
        "history": snapshot.history.with_next(Played(entry.number, entry.seat, game.history[-1], entry.at)),
        "request": None,
        "called": None,
        "said": snapshot.said if entry.seat is not None else _judged(snapshot, game.history[-1]),
        "clock": _next_turn(snapshot, entry),
        **_end(game, entry),
    }


def _judged(snapshot: Snapshot, move: str) -> tuple[int, ...]:
    """What was said, without what the accused of a call have said: that is judged now."""
    accused = snapshot.accused(move)
    return tuple(0 if seat in accused else number for seat, number in enumerate(snapshot.said))


def _back(snapshot: Snapshot, entry: Entry, game: Game | None) -> Changes:
    assert snapshot.game is not None, "a take-back before the deal"
    keep = int(entry.text)
    game = game or snapshot.game.copy().undo(len(snapshot.history) - keep)
    return {
        "game": game,
        "version": entry.number,
        "history": Growing(snapshot.history[:keep]),
        "request": None,
        "called": None,
        "clock": _next_turn(snapshot, entry),
        "state": PLAYING,
    }


def _ask(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"request": TakeBackRequest(_seat(entry), int(entry.text), frozenset([entry.person or ""]))}


def _answer(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    request = snapshot.request
    if request is None or entry.text != "yes":
        return {"request": None}
    return {"request": replace(request, agreed=request.agreed | {entry.person or ""})}


def _away(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """A computer stands in; `text` is its level and why, and in older logs there may be spaces in what is no level."""
    level, _, why = entry.text.rpartition(" ")
    seat, game = _seat(entry), snapshot.game
    given_up = game.scores[seat] if why == RESIGNED and game is not None else None
    seats = _with_seat(snapshot, seat, level=stored_level(level), away=why, given_up=given_up)
    by = snapshot.seats_of(entry.person)[:1] if why == REPLACED else ()
    changes = {
        "seats": seats,
        "clock": _next_turn(snapshot, entry),
        "request": None,
        "notices": snapshot.notices.with_next(Notice(entry.number, why, seat, by[0] if by else None, entry.at)),
    }
    if why == RESIGNED and snapshot.state == PLAYING and len(sides_left(snapshot.header, seats)) < 2:
        changes |= {"state": OVER, "over_since": entry.at, "version": entry.number, "called": None}
    return changes


def _return(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    seat = _seat(entry)
    return {
        "seats": _with_seat(snapshot, seat, level=None, away=""),
        "clock": _next_turn(snapshot, entry),
        "notices": snapshot.notices.with_next(Notice(entry.number, BACK, seat, None, entry.at)),
    }


def _level(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """A computer has failed; `text` is the level of the one that plays on."""
    return {"seats": _with_seat(snapshot, _seat(entry), level=stored_level(entry.text)), "_views": snapshot._views}


def _name(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Another name; while the game is on that is something said."""
    seats = _with_seat(snapshot, _seat(entry), name=entry.text)
    if snapshot.game is None:
        return {"seats": seats}
    other = snapshot.seats[_seat(entry)].name != entry.text
    return {
        "seats": seats,
        "game": snapshot.game.renamed(numbered([seat.name for seat in seats])),
        "said": _having_said(snapshot, entry) if other else snapshot.said,
    }


def _having_said(snapshot: Snapshot, entry: Entry) -> tuple[int, ...]:
    if entry.seat is None or snapshot.state != PLAYING:
        return snapshot.said
    return (*snapshot.said[: entry.seat], entry.number, *snapshot.said[entry.seat + 1 :])


def _chat(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    room, name, text = msgspec.json.decode(entry.text)
    message = Message(entry.number, entry.seat, name, text, room, entry.at)
    return {"chat": snapshot.chat.with_next(message), "said": _having_said(snapshot, entry), "_views": snapshot._views}


def _call(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """A call; without a move the call that was made is found to be wrong."""
    move = _called_move(snapshot, entry.text)
    if move:
        return {"called": Call(_seat(entry), move), "_views": snapshot._views}
    said = snapshot.said if snapshot.called is None else _judged(snapshot, snapshot.called.move)
    return {"called": None, "said": said, "_views": snapshot._views}


def _called_move(snapshot: Snapshot, text: str) -> str:
    """The move that an entry calls for; those of older logs hold only its last word, the number of a side."""
    if not text.isdecimal() or snapshot.game is None:
        return text
    moves = [snapshot.game.text(action) for action in snapshot.game.host_actions()]
    return next((move for move in moves if move.split()[-1] == text), "")


def _rematch(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"rematch": entry.text, "_views": snapshot._views}


def _read(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"read": int(entry.text), "_views": snapshot._views}


def _pause(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Nobody could move for so many seconds: the server was down, or its database."""
    clock = snapshot.clock.paused(float(entry.text))
    return {"clock": clock, "paused_at": entry.at, "_views": snapshot._views}


def _close(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"state": CLOSED}


_CHANGES = {
    "sit": _sit,
    "stand": _stand,
    "fill": _fill,
    "words": _words,
    "commit": _commit,
    "open": _words,
    "begin": _begin,
    "move": _move,
    "back": _back,
    "ask": _ask,
    "answer": _answer,
    "away": _away,
    "return": _return,
    "level": _level,
    "name": _name,
    "chat": _chat,
    "call": _call,
    "rematch": _rematch,
    "read": _read,
    "pause": _pause,
    "close": _close,
}


def checked_move(snapshot: Snapshot, seat: int, text: str) -> Game:
    """The game after a move of a seat, judged from that seat's view; raises IllegalMove with its rule."""
    view = snapshot.view(seat)
    if snapshot.game is None or view is None:
        raise InfilaError("the game has not begun.")
    return snapshot.game.copy().play_action(read_move(snapshot, view, text.strip()))


def read_move(snapshot: Snapshot, view: View, text: str) -> int:
    """The action that a text stands for. In a log a computer has its level for a name; a refusal says what it is."""
    try:
        return view.read(text)
    except IllegalMove as problem:
        if "name" in problem.gaps and snapshot.seats[view.player].kind == COMPUTER:
            raise IllegalMove(problem.rule, "it is not your turn: the computer is on turn.") from problem
        raise
