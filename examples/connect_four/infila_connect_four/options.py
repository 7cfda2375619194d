"""The options of Connect Four."""

from dataclasses import dataclass

from infila.core.options import Options, number, seat


@dataclass(frozen=True)
class ConnectFourOptions(Options):
    players: int = number(2, 2, 2, "how many play")
    starter: int | str = seat("who begins (C2)")

    def longest(self) -> int:
        return 42  # C1: the places of the board
