"""The state of a table that is about to be: made while it is written, so that whoever waits for it has it at once then.

Whoever writes says what is to be made (`infila.site.browser.app`); a server, where others wait for the same core, makes
nothing ahead.
"""

from typing import Any

from infila.server.table_view import Moment, TableView


class Ahead:
    def __init__(self) -> None:
        self._table: TableView | None = None
        self._rest: tuple[Any, ...] = ()
        self._made = b""

    def keep(self, table: TableView, moment: Moment, language: str, curtain: bool, made: bytes) -> None:
        """What somebody will see, in place of what was kept before; of a clock nobody knows what it will show."""
        if not table.header.timed:
            self._table, self._rest, self._made = table, _rest(table, moment, language, curtain), made

    def find(self, table: TableView, moment: Moment, language: str, curtain: bool) -> bytes | None:
        """What was made, if all that it was made from is as it was thought to be."""
        if self._table is None or self._table.snapshot is not table.snapshot:
            return None
        return self._made if self._rest == _rest(table, moment, language, curtain) else None


def _rest(table: TableView, moment: Moment, language: str, curtain: bool) -> tuple[Any, ...]:
    """What is seen of a snapshot depends on this, and on nothing else."""
    return table.person, table.seat, table.here, moment.away, moment.to_answer, language, curtain
