"""A browser's part in the shuffle, for tests: it makes contributions, commits to them, and opens them."""

import random

from infila.core.seeds import words_commitment
from infila.server.service import Service
from infila.server.table_view import TableView

CHANCE = random.Random(8)


def new_words() -> str:
    return f"{CHANCE.getrandbits(256):064x}"


class Contributor:
    """Somebody whose browser contributes."""

    def __init__(self, service: Service, person: str) -> None:
        self.service, self.person = service, person
        self.words = self.commitment = ""

    def new(self, attempt: int = 1) -> str:
        """The commitment to a new contribution."""
        self.words = new_words()
        self.commitment = words_commitment(self.words, attempt)
        return self.commitment

    async def sit(self, table: str, attempt: int = 1) -> TableView:
        return await self.service.seats.sit(table, self.person, None, self.new(attempt), attempt)

    async def commit(self, table: str, attempt: int) -> TableView:
        return await self.service.shuffle.commit(table, self.person, self.new(attempt), attempt)

    async def open(self, table: str) -> TableView:
        return await self.service.shuffle.open(table, self.person, self.words)

    async def leave(self, table: str) -> TableView:
        return await self.service.seats.leave(table, self.person)
