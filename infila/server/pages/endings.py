"""Ends of games as pages show them: drawn once for a viewer, and kept for a while."""

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Any

from infila.reviewing.ledger import Review
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

    async def of(self, table: TableView, chronicle: Chronicle, language: str, review: Review | None) -> End:
        """The end of a game that is over, for this viewer; its chances are drawn once a review knows them."""
        key = table.id, table.version, table.seat, table.mine, language, review is None
        if key not in self._kept:
            facts = await facts_of(table, Moment(), chronicle, language, False)
            chances = () if review is None else [[value.win for value in seat.curve] for seat in review.seats]
            made = partial(end, facts, language, f"/t/{table.id}", chances)
            self._kept[key] = await asyncio.to_thread(made) if len(facts.told) > MANY else made()
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return self._kept[key]
