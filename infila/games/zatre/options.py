"""The options of Zatre."""

from dataclasses import dataclass

from infila.core.errors import BadOptions
from infila.core.options import Options, choice, flag, number


@dataclass(frozen=True)
class ZatreOptions(Options):
    players: int = number(2, 2, 6, "how many play")
    keeping: str = choice("free", ("free", "forced"), "keep tiles as you like, or only those that fit nowhere (Z12)")
    teams: bool = flag(False, "pairs of neighbours share a sheet; for 4 or 6 players (Z21)")

    def complete(self) -> None:
        if self.teams and self.players not in (4, 6):
            raise BadOptions(f"teams cannot be yes with {self.players} players: pairs need 4 or 6 (Z21).")

    def side(self, seat: int) -> int:
        return seat >> self.teams
