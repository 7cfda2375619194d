"""The options of Zatre."""

from dataclasses import dataclass

from infila.core.errors import BadOptions
from infila.core.options import Options, choice, flag, number
from infila.core.words import saying


@dataclass(frozen=True)
class ZatreOptions(Options):
    players: int = number(2, 2, 6, "how many play")
    keeping: str = choice("free", ("free", "forced"), "keep tiles as you like, or only those that fit nowhere (Z12)")
    teams: bool = flag(False, "pairs of neighbours share a sheet; for 4 or 6 players (Z21)")

    def complete(self) -> None:
        if self.teams and self.players not in (4, 6):
            raise BadOptions(saying("infila.games.zatre", "no_pairs", players=self.players))

    def side(self, seat: int) -> int:
        return seat >> self.teams

    def longest(self) -> int:
        return 1000  # Z1: by the tiles
