"""The options of Completto."""

from dataclasses import dataclass

from infila.core.options import Options, number, seat


@dataclass(frozen=True)
class ComplettoOptions(Options):
    players: int = number(2, 2, 4, "how many play")
    games: int = number(None, 1, 1_000_000, "games of the match (C11); as many as players unless you say")
    first: int | str = seat("who starts the first game (C3)")

    def complete(self) -> None:
        if self.games is None:
            self._set("games", self.players)
