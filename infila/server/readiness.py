"""Whether anybody can be sent to this server."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infila.server.store import Store

KEPT_SECONDS = 1.0  # for which an answer is good: nobody makes the database work by asking often
PATIENCE = 2.0  # seconds for the database


@dataclass
class Readiness:
    stopping: bool = False
    _found: str = ""
    _until: float = 0.0
    _asking: "asyncio.Task[str] | None" = None

    async def obstacle(self, store: "Store") -> str:
        """Why nobody can be sent here; empty if they can."""
        if self.stopping:
            return "the server stops."
        if asyncio.get_running_loop().time() >= self._until:
            if self._asking is None:
                self._asking = asyncio.create_task(self._ask(store))
            self._found = await asyncio.shield(self._asking)
        return self._found

    async def _ask(self, store: "Store") -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                await store.ping()
            found = "" if store.away_since is None else "the database cannot be written."
        except Exception:
            found = "the database does not answer."
        self._until, self._asking = asyncio.get_running_loop().time() + KEPT_SECONDS, None
        return found
