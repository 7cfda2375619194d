"""The options of all four games."""

from dataclasses import dataclass

from infila.core.options import Options, number, seat


@dataclass(frozen=True)
class SmallOptions(Options):
    players: int = number(2, 2, 2, "how many play")
    starter: int | str = seat("who begins")

    def longest(self) -> int:
        return 12  # no game has more moves; the longest is Completto's, with two for each of six turns
