"""The puzzles that games bring, for pages: read when somebody first asks."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from infila.puzzles.collection import shipped, unpacked
from infila.puzzles.puzzle import Puzzle

Fetch = Callable[[str], Awaitable[bytes]]  # the file of a game; nothing if it has none


class Puzzles:
    """On a server they lie beside the games; on a site they are `fetch`ed."""

    def __init__(self, fetch: Fetch | None = None) -> None:
        self._fetch = fetch
        self._known: dict[str, Sequence[Puzzle]] = {}

    async def of(self, game: str) -> Sequence[Puzzle]:
        """All of a game, which may be none."""
        if game not in self._known:
            if self._fetch is None:
                self._known[game] = await asyncio.to_thread(partial(shipped, game))
            else:
                file = await self._fetch(game)
                self._known[game] = tuple(unpacked(file, game).puzzles) if file else ()
        return self._known[game]
