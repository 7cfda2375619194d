"""Whence people ask: the address that each was last seen at, so that many names from one place count as one there."""

from collections import OrderedDict

MOST = 50_000  # people who are kept in mind


class Whence:
    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        self._addresses[person] = address
        self._addresses.move_to_end(person)
        if len(self._addresses) > MOST:
            self._addresses.popitem(last=False)

    def of(self, person: str) -> str:
        """Who has not been seen since the server began comes from a place of their own."""
        return self._addresses.get(person, person)
