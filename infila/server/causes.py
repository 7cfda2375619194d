"""Causes: when an act of the host accuses somebody, what it takes, and who decides.

What an act accuses somebody of (table talk, S17) must have been said: there is no call against a side that has said
nothing since the game began, or nothing since it was judged last. A new name is something said too. Nobody judges a
cause of their own side: the host decides if they do not play or belong to neither side; else anybody of a third side;
and where there are only the two, the accused side has to agree. An act that accuses nobody is the host's alone.
"""

from infila.server.errors import Forbidden, Refused
from infila.server.snapshot import PLAYING, Call, Snapshot


def judges(snapshot: Snapshot) -> frozenset[str]:
    """The people any of whom may decide on the call that was made."""
    if snapshot.called is None or snapshot.state != PLAYING:
        return frozenset()
    return judges_of(snapshot, snapshot.called)


def judges_of(snapshot: Snapshot, call: Call) -> frozenset[str]:
    """The people any of whom may decide on a call."""
    accused, side, host = snapshot.accused(call.move), snapshot.header.typed_options.side, snapshot.header.host
    if not accused:
        return frozenset([host])
    parties = {side(call.seat), *map(side, accused)}
    people = {i: seat.person for i, seat in enumerate(snapshot.seats) if seat.person is not None}
    here = {i: person for i, person in people.items() if not snapshot.seats[i].away}
    neutral = frozenset(here.values()) - {person for i, person in people.items() if side(i) in parties}
    if host in neutral or host not in people.values():
        return frozenset([host])
    callers = {person for i, person in people.items() if side(i) == side(call.seat)}
    return neutral or frozenset(here[i] for i in accused if i in here) - callers


def obstacle(snapshot: Snapshot, person: str, call: Call) -> Refused | None:
    """Why a person may not call for an act that is possible; None if they may."""
    accused = snapshot.accused(call.move)
    if accused & set(snapshot.seats_of(person)):
        return Forbidden("nobody accuses a side on which they play themselves.")
    if accused and not any(snapshot.said[seat] for seat in accused):
        return Refused("that side has said nothing since the game began, or nothing that was not judged already.")
    if not judges_of(snapshot, call):
        return Refused("nobody is here who could decide about that call.")
    return None
