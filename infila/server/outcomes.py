"""What everybody has achieved in a game that is over."""

from typing import NamedTuple

from infila.server.levels import strength
from infila.server.snapshot import COMPUTER, PERSON, REPLACED, Snapshot


class Outcome(NamedTuple):
    """For one seat; `against` is the strongest computer at the table, or people."""

    seat: int
    person: str | None
    against: str
    score: int
    won: bool
    drawn: bool


def outcomes_between(before: Snapshot, now: Snapshot) -> list[Outcome]:
    """What everybody has achieved by what has just happened: nothing unless that was the end of a game that counts."""
    return _outcomes(now) if now.over and not before.over and not (now.header.arranged or now.stopped) else []


def _outcomes(snapshot: Snapshot) -> list[Outcome]:
    """Who has resigned, or has gone and is not back, has lost, whoever played on for them; for whom others have let the
    computer play it does not count."""
    game = snapshot.game
    assert game is not None, "a game that is over has begun"
    levels = [seat.level for seat in snapshot.seats if seat.kind == COMPUTER and seat.level is not None]
    against = max(levels, key=strength).value if levels else "people"
    winners, scores = snapshot.winners, game.scores
    return [
        Outcome(
            i,
            seat.person,
            against,
            scores[i] if seat.given_up is None else min(seat.given_up, scores[i]),
            i in winners and not seat.away,
            not winners and not seat.away,
        )
        for i, seat in enumerate(snapshot.seats)
        if seat.kind == PERSON and seat.away != REPLACED
    ]
