"""Tables for whoever comes back: one of a game, dealt while nobody does anything, so that its page is kept (`house.js`)
and there before Python is. Nobody knows of one until its page is shown; then it is a table like any other."""

from contextlib import suppress

from infila.core.games import contract_of, usable_games
from infila.server.creation import NewTable
from infila.server.levels import ComputerLevel
from infila.server.pages.level import seats_at
from infila.server.service import Service
from infila.server.snapshot import PLAYING
from infila.server.table_view import TableView
from infila.site.browser.ledger import LAYING, BrowserLedger, Unkept


class Laid:
    def __init__(self, ledger: BrowserLedger, service: Service, person: str) -> None:
        self._ledger, self._service, self._person = ledger, service, person

    async def table(self, game: str, level: ComputerLevel) -> TableView | None:
        """The table that is laid for a quick game, or a new one; None as long as a computer has to move there."""
        if game not in usable_games():
            return None
        name = await self._service.people.name_of(self._person)
        what = f"{game} {contract_of(game).rules_version} {level} {name}"  # all that a quick game depends on
        table = next((each for each, laid in self._ledger.laid.items() if laid == what), None)
        table = table or await self._lay(game, level, what)
        seen = await self._service.audience.view(table, self._person)
        return seen if seen.state == PLAYING and seen.view is not None and seen.view.own_actions() else None

    async def _lay(self, game: str, level: ComputerLevel, what: str) -> str:
        laying = LAYING.set(what)
        try:
            return (await self._service.creation.create(self._person, NewTable(game, seats=seats_at(game, level)))).id
        finally:
            LAYING.reset(laying)

    async def take(self, table: str) -> None:
        """Somebody sees this table."""
        with suppress(Unkept):  # then it is taken by the first move
            await self._ledger.take(table)
