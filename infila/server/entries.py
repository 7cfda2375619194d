"""What each kind of entry changes at a table.

`after(snapshot, entry)` is the only way a table changes, at the table as well as when it is read back from the
database; so a table that was interrupted at any moment goes on exactly as it was.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import Log
from infila.core.seeds import MOST_ATTEMPTS, commitment
from infila.server.clock import Clock
from infila.server.levels import stored_level
from infila.server.snapshot import (
    ANEW,
    BACK,
    CLOSED,
    COMPUTER,
    DECLINED,
    HINTED,
    OVER,
    OVERTAKEN,
    PERSON,
    PLAY_ON,
    PLAYING,
    REPLACED,
    RESIGNED,
    SENT,
    STOOD,
    Call,
    Entry,
    Header,
    Message,
    Notice,
    Offer,
    Played,
    Seat,
    Snapshot,
    StopOffer,
    TakeBackRequest,
    numbered,
    sides_left,
)


def beginning(header: Header) -> Snapshot:
    """A table before anybody has come to it."""
    seats = tuple(_computer(plan.level) if plan.kind == COMPUTER else Seat() for plan in header.plan)
    clock = Clock(header, (0.0,) * len(seats))
    return Snapshot(header, clock, seats=seats, said=(0,) * len(seats), attempt=header.attempt)


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


def after(snapshot: Snapshot, entry: Entry, game: Game | None = None) -> Snapshot:
    """The table after an entry; `game` is the game after it, if the caller has played the move already."""
    changes = _CHANGES[entry.kind](snapshot, entry, game)
    return replace(snapshot, number=entry.number, last=entry, **({"views": {}} | changes))


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
    game = game or before.after(entry.text)
    return {
        "game": game,
        "version": entry.number,
        "history": snapshot.history.with_next(Played(entry.number, entry.seat, game.history[-1], entry.at)),
        **_stands(snapshot, entry, OVERTAKEN),
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
    game = game or snapshot.game.before(len(snapshot.history) - keep)
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
        return _stands(snapshot, entry, DECLINED)
    return {"request": replace(request, agreed=request.agreed | {entry.person or ""})}


def _stands(snapshot: Snapshot, entry: Entry, what: str) -> Changes:
    """Nothing is taken back: somebody said no, or has played on, which says the same. Who asked knows of their own."""
    request = snapshot.request
    if request is None or entry.person is None or entry.person == snapshot.seats[request.seat].person:
        return {"request": None}
    notice = Notice(entry.number, what, request.seat, entry.seat, entry.at)
    return {"request": None, "notices": snapshot.notices.with_next(notice)}


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
        "stop": None,
        "notices": snapshot.notices.with_next(Notice(entry.number, why, seat, by[0] if by else None, entry.at)),
    }
    if why == RESIGNED and snapshot.state == PLAYING and len(sides_left(snapshot.header, seats)) < 2:
        changes |= {"state": OVER, "over_since": entry.at, "version": entry.number, "called": None}
    return changes


def _stop(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Yes or no to ending the game, of which the first yes is the offer; `over` ends it, once all have said yes."""
    offer, person = snapshot.stop, entry.person or ""
    if entry.text == "over":
        return {
            "state": OVER,
            "over_since": entry.at,
            "version": entry.number,
            "clock": _next_turn(snapshot, entry),
            "stop": None,
            "stopped": True,
            "request": None,
            "called": None,
        }
    if entry.text == "yes":
        if offer is None or offer.declined:
            offer = StopOffer(_seat(entry), person, len(snapshot.history), frozenset())
        return {"stop": replace(offer, agreed=offer.agreed | {person}), "views": snapshot.views}
    if offer is None or person == offer.person:
        return {"stop": None, "views": snapshot.views}
    notice = Notice(entry.number, PLAY_ON, offer.seat, entry.seat, entry.at)
    return {
        "stop": replace(offer, declined=True),
        "notices": snapshot.notices.with_next(notice),
        "views": snapshot.views,
    }


def _return(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    seat = _seat(entry)
    return {
        "seats": _with_seat(snapshot, seat, level=None, away=""),
        "stop": None,
        "clock": _next_turn(snapshot, entry),
        "notices": snapshot.notices.with_next(Notice(entry.number, BACK, seat, None, entry.at)),
    }


def _hint(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Somebody who plays against people was told what the computer would do; all others hear of it."""
    notice = Notice(entry.number, HINTED, _seat(entry), None, entry.at)
    return {"notices": snapshot.notices.with_next(notice), "views": snapshot.views}


def _level(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """A computer has failed; `text` is the level of the one that plays on."""
    return {"seats": _with_seat(snapshot, _seat(entry), level=stored_level(entry.text)), "views": snapshot.views}


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
    return {"chat": snapshot.chat.with_next(message), "said": _having_said(snapshot, entry), "views": snapshot.views}


def _call(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """A call; without a move the call that was made is found to be wrong."""
    move = _called_move(snapshot, entry.text)
    if move:
        return {"called": Call(_seat(entry), move), "views": snapshot.views}
    said = snapshot.said if snapshot.called is None else _judged(snapshot, snapshot.called.move)
    return {"called": None, "said": said, "views": snapshot.views}


def _called_move(snapshot: Snapshot, text: str) -> str:
    """The move that an entry calls for; those of older logs hold only its last word, the number of a side."""
    if not text.isdecimal() or snapshot.game is None:
        return text
    moves = [snapshot.game.text(action) for action in snapshot.game.host_actions()]
    return next((move for move in moves if move.split()[-1] == text), "")


def _rematch(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"rematch": entry.text, "offer": None, "answered": snapshot.offer, "views": snapshot.views}


def _again(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Yes or no to another game. The first yes is the offer; it is over when who asked says no, or all others have."""
    person, offer = entry.person or "", snapshot.offer
    if entry.text == "yes" and offer is None:
        offer = Offer(entry.number, _seat(entry), person, entry.at, frozenset([person]))
    elif entry.text == "yes" and offer is not None:
        offer = replace(offer, agreed=offer.agreed | {person}, declined=offer.declined - {person})
    elif offer is not None:
        offer = replace(offer, agreed=offer.agreed - {person}, declined=offer.declined | {person})
    refused = offer is not None and (person == offer.person or offer.declined >= snapshot.people - {offer.person})
    ends = entry.text != "yes" and refused
    return {"offer": None if ends else offer, "answered": offer if ends else None, "views": snapshot.views}


def _read(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    return {"read": int(entry.text), "views": snapshot.views}


def _pause(snapshot: Snapshot, entry: Entry, _game: Game | None) -> Changes:
    """Nobody could move for so many seconds: the server was down, or its database."""
    seconds, offer = float(entry.text), snapshot.offer
    return {
        "clock": snapshot.clock.paused(seconds),
        "offer": None if offer is None else replace(offer, since=offer.since + seconds),
        "paused_at": entry.at,
        "views": snapshot.views,
    }


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
    "stop": _stop,
    "hint": _hint,
    "level": _level,
    "name": _name,
    "chat": _chat,
    "call": _call,
    "rematch": _rematch,
    "again": _again,
    "read": _read,
    "pause": _pause,
    "close": _close,
}
