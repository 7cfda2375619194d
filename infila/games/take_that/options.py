"""The options of Take That."""

from dataclasses import dataclass

from infila.core.options import Options, flag, number, seat


@dataclass(frozen=True)
class TakeThatOptions(Options):
    players: int = number(2, 2, 4, "how many play")
    rounds: int = number(2, 1, 1_000_000, "rounds to play (T9)")
    expert: bool = flag(False, "whoever takes a row of one card also takes the top card of the pile (T10)")
    dealer: int | str = seat("who deals first (T12)")

    def longest(self) -> int:
        return 160 * self.rounds  # T1: by the cards of a round
