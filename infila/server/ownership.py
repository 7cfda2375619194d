"""Which server works on a table, for all that is done at tables: a server alone with its tables works on all of them;
where there are several, `owners` knows."""

from collections.abc import Collection
from typing import Protocol

from infila.server.errors import Full


class Elsewhere(Full):
    """Another server works on this table."""

    def __init__(self, server: str) -> None:
        super().__init__("the tables cannot be reached at the moment. Try again in a moment.", seconds=1)
        self.server = server


class Ownership(Protocol):
    @property
    def taken(self) -> Collection[str]:
        """The tables that were made this server's by `hold`, and still are."""
        ...

    def holds(self, table: str) -> bool: ...

    async def hold(self, table: str) -> float | None:
        """Make a table this server's; since when nobody could play there, if that is known. Raises Elsewhere."""
        ...

    def made(self, table: str) -> None:
        """A new one is this server's."""
        ...

    def release(self, table: str) -> None: ...

    async def lost(self, table: str) -> bool:
        """Whether another server has a table that this one took for its own: asked when the log has what this one has
        not written."""
        ...


class Alone:
    """There is no other server."""

    taken: Collection[str] = ()

    def holds(self, table: str) -> bool:
        return True

    async def hold(self, table: str) -> float | None:
        return None

    def made(self, table: str) -> None: ...

    def release(self, table: str) -> None: ...

    async def lost(self, table: str) -> bool:
        return False
