"""Ends of games as pages show them: drawn once for a viewer, and kept for a while."""

import asyncio
from collections import OrderedDict
from typing import Any

from infila.server.pages.chronicle import Chronicle
from infila.server.pages.table_facts import facts_of
from infila.server.table_view import Moment, TableView
from infila.web.end import End, end

MOST_KEPT = 300  # ends
MANY = 400  # moves, with which it takes a while


class Endings:
    """Ends of games as they were drawn: they change no more."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], End] = OrderedDict()

    async def of(self, table: TableView, chronicle: Chronicle, language: str) -> End:
        """The end of a game that is over, for this viewer."""
        key = table.id, table.version, table.seat, table.mine, language
        if key not in self._kept:
            facts = await facts_of(table, Moment(), chronicle, language, False)
            drawn = await asyncio.to_thread(end, facts, language) if len(facts.told) > MANY else end(facts, language)
            self._kept[key] = drawn
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return self._kept[key]
