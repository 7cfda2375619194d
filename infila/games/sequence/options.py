"""The options of Sequence."""

from dataclasses import dataclass

from infila.core.errors import BadOptions
from infila.core.options import Options, choice, flag, one_of
from infila.core.words import joined, saying
from infila.games.sequence.state import EACH, side_of

PLAYERS = tuple(players for players, cards in enumerate(EACH) if cards)  # S3


@dataclass(frozen=True)
class SequenceOptions(Options):
    players: int = one_of(2, PLAYERS, "how many play")
    sides: int | None = one_of(None, (2, 3), "how many sides they form (S4)")
    advanced: bool = flag(False, "one-eyed jacks also break completed sequences (S15)")
    draw: str = choice("auto", ("auto", "manual"), "whether players draw for themselves, and can miss it (S16)")
    table_talk: str = choice("allowed", ("allowed", "forbidden"), "advice between teammates (S17)")

    def complete(self) -> None:
        possible = [sides for sides in (2, 3) if self.players % sides == 0]
        if self.sides is None:  # S19
            self._set("sides", possible[0])
        elif self.sides not in possible:
            gaps = {"players": self.players, "sides": self.sides, "wanted": joined("or", possible)}
            raise BadOptions(saying("infila.games.sequence", "no_sides", **gaps))

    def side(self, seat: int) -> int:
        return side_of(self.sides or 2, seat)

    def longest(self) -> int:
        return 6000  # S18: 1,000 turns
