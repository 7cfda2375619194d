"""The service: everything that can be done at a table, for pages and programs alike, put together in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infila.server.audience import Audience
from infila.server.calls import Calls
from infila.server.chat import Chat
from infila.server.creation import Creation
from infila.server.device_links import DeviceLinks
from infila.server.hints import Hints
from infila.server.ledger import Ledger
from infila.server.lessons import Lessons
from infila.server.lobby import Lobby, Playable
from infila.server.moves import Moves
from infila.server.ownership import Alone, Ownership
from infila.server.people import People
from infila.server.rematches import Rematches
from infila.server.seats import Seats
from infila.server.session import Session
from infila.server.settings import Settings
from infila.server.shuffle import Shuffle
from infila.server.stops import Stops
from infila.server.tables import Ready, Tables, always_ready
from infila.server.take_backs import TakeBacks

if TYPE_CHECKING:  # sessions are kept beside the ledger, by whatever keeps that
    from infila.server.sessions import Sessions

SendAway = Callable[[Callable[[Session], bool]], None]  # ends the streams of certain sessions


@dataclass(frozen=True)
class Service:
    """One part for each subject, all of them over the same tables."""

    owners: Ownership
    tables: Tables
    lobby: Lobby
    people: People
    links: DeviceLinks
    sessions: "Sessions"
    creation: Creation
    rematches: Rematches
    seats: Seats
    shuffle: Shuffle
    moves: Moves
    take_backs: TakeBacks
    stops: Stops
    hints: Hints
    chat: Chat
    calls: Calls
    lessons: Lessons
    audience: Audience


def compose(
    ledger: Ledger,
    settings: Settings,
    sessions: "Callable[[DeviceLinks, SendAway], Sessions]",
    ready: Ready = always_ready,
    playable: Playable = lambda game: True,
    owners: Ownership | None = None,
) -> Service:
    """All parts. `ready` waits until the rules of a game can be used, `playable` says whether they can; `owners` says
    which tables are this server's, if not all are."""
    owners = owners or Alone()
    tables = Tables(ledger, settings, ready, owners)
    lobby = Lobby(ledger, tables, playable)
    people = People(ledger, tables, lobby)
    links = DeviceLinks(settings.now)
    audience = Audience(ledger, settings, tables)
    creation = Creation(settings, tables, people, ready)
    return Service(
        owners=owners,
        tables=tables,
        lobby=lobby,
        people=people,
        links=links,
        sessions=sessions(links, audience.send_away),
        creation=creation,
        rematches=Rematches(ledger, settings, tables, creation),
        seats=Seats(settings, tables, people),
        shuffle=Shuffle(tables),
        moves=Moves(ledger, settings, tables),
        take_backs=TakeBacks(tables),
        stops=Stops(tables),
        hints=Hints(tables),
        chat=Chat(tables, people),
        calls=Calls(tables),
        lessons=Lessons(tables, lobby, creation),
        audience=audience,
    )
