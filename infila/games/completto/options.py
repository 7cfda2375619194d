"""The options of Completto."""

from dataclasses import dataclass

from infila.core.options import Options, number, seat
from infila.games.completto.rules import FEWEST, SEATS


@dataclass(frozen=True)
class ComplettoOptions(Options):
    players: int = number(FEWEST, FEWEST, SEATS, "how many play")
    games: int = number(None, 1, 1_000_000, "games of the match (C11); as many as players unless you say")
    first: int | str = seat("who starts the first game (C3)")

    def complete(self) -> None:
        if self.games is None:
            self._set("games", self.players)

    def longest(self) -> int:
        return 3100 * self.games  # C12: 1,000 turns of every game
