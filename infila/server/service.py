"""The service: everything that can be done at a table, for pages and programs alike, put together in one place."""

from dataclasses import dataclass

from infila.server.audience import Audience
from infila.server.calls import Calls
from infila.server.chat import Chat
from infila.server.creation import Creation
from infila.server.database_ledger import DatabaseLedger
from infila.server.device_links import DeviceLinks
from infila.server.hints import Hints
from infila.server.lessons import Lessons
from infila.server.lobby import Lobby, Playable
from infila.server.moves import Moves
from infila.server.people import People
from infila.server.rematches import Rematches
from infila.server.seats import Seats
from infila.server.sessions import Sessions
from infila.server.settings import Settings
from infila.server.shuffle import Shuffle
from infila.server.store import Store
from infila.server.tables import Ready, Tables, always_ready
from infila.server.take_backs import TakeBacks


@dataclass(frozen=True)
class Service:
    """One part for each subject, all of them over the same tables."""

    tables: Tables
    lobby: Lobby
    people: People
    links: DeviceLinks
    sessions: Sessions
    creation: Creation
    rematches: Rematches
    seats: Seats
    shuffle: Shuffle
    moves: Moves
    take_backs: TakeBacks
    hints: Hints
    chat: Chat
    calls: Calls
    lessons: Lessons
    audience: Audience


def compose(
    store: Store, settings: Settings, ready: Ready = always_ready, playable: Playable = lambda game: True
) -> Service:
    """All parts; `ready` waits until the rules of a game can be used, `playable` says whether they can."""
    ledger = DatabaseLedger(store, settings)
    tables = Tables(ledger, settings, ready)
    lobby = Lobby(ledger, tables, playable)
    people = People(ledger, tables, lobby)
    links = DeviceLinks(settings.now)
    audience = Audience(ledger, settings, tables)
    creation = Creation(settings, tables, people, ready)
    return Service(
        tables=tables,
        lobby=lobby,
        people=people,
        links=links,
        sessions=Sessions(store, settings, links, audience.send_away),
        creation=creation,
        rematches=Rematches(settings, tables, creation),
        seats=Seats(settings, tables, people),
        shuffle=Shuffle(tables),
        moves=Moves(ledger, settings, tables),
        take_backs=TakeBacks(tables),
        hints=Hints(tables),
        chat=Chat(tables, people),
        calls=Calls(tables),
        lessons=Lessons(tables, lobby, creation),
        audience=audience,
    )
