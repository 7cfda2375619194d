"""Reviews as they were drawn, for as long as they do not change."""

from collections import OrderedDict
from typing import Any

from markupsafe import Markup

MOST_KEPT = 60

Fragments = dict[str, Markup]


class Drawn:
    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Fragments] = OrderedDict()

    def find(self, key: tuple[Any, ...]) -> Fragments | None:
        return self._kept.get(key)

    def keep(self, key: tuple[Any, ...], made: Fragments) -> Fragments:
        self._kept[key] = made
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return made
