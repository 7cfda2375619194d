"""A table as programs get it: JSON made from a TableView and nothing else. Seats count from 1, as in positions."""

from typing import Any

import msgspec

from infila.core.carried import packed
from infila.core.game import View
from infila.server.contributions import awaited
from infila.server.lobby import Listed
from infila.server.snapshot import PLAYING, Message, Notice, Offer, Seat, StopOffer
from infila.server.table_view import TableView


class SeatJson(msgspec.Struct, frozen=True):
    """Who sits there; `away` says why a computer stands in for a person: left, time, replaced or resigned. Before the
    deal `awaited` says what the shuffle waits for: a `commitment`, its `opening`, or nothing. `words` are what was
    opened, told after the deal."""

    kind: str
    name: str
    level: str
    away: str
    here: bool
    awaited: str
    commitment: str
    words: str


class ClockJson(msgspec.Struct, frozen=True):
    """Seconds used and left when the present turn began."""

    used: float
    game_left: float | None
    move_left: float | None
    running: bool


class MoveJson(msgspec.Struct, frozen=True):
    """A move that was made; `seat` is null for the host's own acts."""

    number: int
    seat: int | None
    text: str


class AskJson(msgspec.Struct, frozen=True):
    """A take-back that is asked for."""

    seat: int
    keep: int
    must_answer: bool


class StopJson(msgspec.Struct, frozen=True):
    """Somebody, `seat`, offers to end the game, which nobody wins then: the seats that have said yes."""

    seat: int
    yes: list[int]
    must_answer: bool


class OfferJson(msgspec.Struct, frozen=True):
    """Somebody, `seat`, asks for another game: the seats that have said yes and no, and when it begins without those
    who have said nothing."""

    seat: int
    yes: list[int]
    no: list[int]
    ends: float
    must_answer: bool


class NoticeJson(msgspec.Struct, frozen=True):
    """A seat changed hands: its person left, ran out of time, resigned or came back (`back`), or was replaced, `by` the
    wish of another seat. Or it took a `hint`. Before the deal: the shuffle begins again, with `attempt`, because the
    one called `name` stood up (`stood`), was asked to leave (`sent`) or has committed a second time (`anew`). Or a move
    that the seat asked to take back stands: `by` has said no (`declined`) or has played on (`overtaken`). Or it has
    offered to end the game, and `by` wants to `play on`."""

    number: int
    what: str
    seat: int
    by: int | None
    name: str
    attempt: int


class MessageJson(msgspec.Struct, frozen=True):
    number: int
    seat: int | None
    name: str
    text: str
    room: str


class TableJson(msgspec.Struct, frozen=True):
    """A table as one viewer sees it. `origin` is `deal` where nobody knew the cards before; at a table from a
    `position` or a `log`, and in a `lesson`, somebody did: no shuffle is promised, and no result counts. `hints`: there
    are some for people who play against people too. `attempt` is how often the shuffle has been begun. `stopped`: the
    game was ended by agreement."""

    id: str
    number: int
    version: int
    state: str
    game: str
    options: dict[str, Any]
    seat: int | None
    mine: list[int]
    host: bool
    seats: list[SeatJson]
    player: int | None
    over: bool
    scores: list[int]
    winners: list[int]
    moves: list[str]
    last: MoveJson | None
    played: int
    position: dict[str, Any] | None
    origin: str
    casual: bool
    hints: bool
    private: bool
    clocks: list[ClockJson]
    since: float
    deadline: float | None
    ask: AskJson | None
    stop: StopJson | None
    stopped: bool
    called: str | None
    must_judge: bool
    notice: NoticeJson | None
    commitment: str
    attempt: int
    seed: str | None
    rematch: str
    offer: OfferJson | None


class RecordJson(msgspec.Struct, frozen=True):
    """The position as its record, in base64, as far as one's `seat` may know it: what is hidden is not in it. `rules`
    and `layout` say which rules can read it; `version` is the table's."""

    version: int
    seat: int | None
    game: str
    rules: int
    layout: str
    record: str


class Accepted(msgspec.Struct, frozen=True):
    """The move's own number, and the version of the table as it is now."""

    number: int
    version: int


class ListedJson(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Any]
    state: str
    seats: list[str]
    open: int
    my_turn: bool
    origin: str
    casual: bool
    move_seconds: int
    game_seconds: int
    created: float


class ErrorJson(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence that says what is wrong, with the number of the rule if it is one; after a conflict the version."""

    error: str
    rule: str = ""
    version: int | None = None


def _seat(seat: Seat, here: bool, awaited: str) -> SeatJson:
    return SeatJson(seat.kind, seat.name, seat.level or "", seat.away, here, awaited, seat.commitment, seat.words)


def _from_one(seat: int | None) -> int | None:
    return None if seat is None else seat + 1


def table_json(seen: TableView) -> TableJson:
    from infila.core.notation import position_of

    snapshot, view, header = seen.snapshot, seen.view, seen.header
    last = snapshot.history[-1] if snapshot.history else None
    request = seen.request
    return TableJson(
        id=header.id,
        number=snapshot.number,
        version=snapshot.version,
        state=snapshot.state,
        game=header.game,
        options=header.options,
        seat=_from_one(seen.seat),
        mine=[seat + 1 for seat in seen.mine],
        host=seen.host,
        seats=[_seat(seat, seen.is_here(i), awaited(snapshot, i)) for i, seat in enumerate(seen.seats)],
        player=_from_one(snapshot.player),
        over=snapshot.over,
        scores=[] if view is None else view.scores,
        winners=[seat + 1 for seat in snapshot.winners],
        moves=view.moves if view is not None and snapshot.state == PLAYING else [],
        last=None if last is None else MoveJson(last.number, _from_one(last.seat), last.text),
        played=len(snapshot.history),
        position=None if view is None else position_of(view.contract, view.states, view=True),
        origin=header.origin,
        casual=header.casual,
        hints=header.hints,
        private=header.private or header.arranged,
        clocks=[ClockJson(c.used, c.game_left, c.move_left, c.running) for c in seen.clocks],
        since=snapshot.clock.since,
        deadline=snapshot.deadline,
        ask=None if request is None else AskJson(request.seat + 1, request.keep, seen.must_answer),
        stop=None if seen.stop is None else _stop(seen, seen.stop),
        stopped=snapshot.stopped,
        called=None if snapshot.called is None else snapshot.called.move,
        must_judge=seen.must_judge,
        notice=notice_json(snapshot.notices[-1]) if snapshot.notices else None,
        commitment=header.commitment,
        attempt=snapshot.attempt,
        seed=seen.seed,
        rematch=snapshot.rematch,
        offer=None if seen.offer is None else _offer(seen, seen.offer),
    )


def _stop(seen: TableView, offer: StopOffer) -> StopJson:
    yes = [i + 1 for i, seat in enumerate(seen.seats) if seat.person in offer.agreed]
    return StopJson(offer.seat + 1, yes, seen.must_answer_stop)


def _offer(seen: TableView, offer: Offer) -> OfferJson:
    yes, no = (
        [i + 1 for i, seat in enumerate(seen.seats) if seat.person in said] for said in (offer.agreed, offer.declined)
    )
    waits = bool(seen.mine) and seen.person not in offer.agreed | offer.declined
    return OfferJson(offer.seat + 1, yes, no, offer.ends, waits)


def notice_json(notice: Notice) -> NoticeJson:
    return NoticeJson(notice.number, notice.what, notice.seat + 1, _from_one(notice.by), notice.name, notice.attempt)


def message_json(message: Message) -> MessageJson:
    return MessageJson(message.number, _from_one(message.seat), message.name, message.text, message.room)


def listed_json(listed: Listed) -> ListedJson:
    return ListedJson(
        listed.id,
        listed.game,
        listed.options,
        listed.state,
        [name for _, name in listed.seats],
        sum(kind == "open" for kind, _ in listed.seats),
        listed.my_turn,
        listed.origin,
        listed.casual,
        listed.move_seconds,
        listed.game_seconds,
        listed.created,
    )


_encode = msgspec.json.Encoder().encode


def record_json(seen: TableView, view: View) -> RecordJson:
    return RecordJson(version=seen.version, seat=_from_one(seen.seat), **packed(view))


def event_bytes(seen: TableView) -> bytes:
    """A server-sent event: its number, what happened, and the table, or for a message only the message."""
    if seen.kind == "beat":
        return b": still here\n\n"
    data = message_json(seen.chat[-1]) if seen.kind == "chat" else table_json(seen)
    number = b"" if seen.kind == "here" else b"id: %d\n" % seen.number
    return b"%sevent: %s\ndata: %s\n\n" % (number, seen.kind.encode(), _encode(data))
