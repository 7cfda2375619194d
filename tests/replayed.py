"""Games of a study, played again in plain Python, and what can be counted in them."""

import re
from typing import Any

import numpy as np

from infila.core import chance, driver
from infila.core.contract import Item
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.players import search


class Played:
    """A random game, move by move."""

    def __init__(self, name: str, options: dict[str, Any], number: int) -> None:
        self.contract = contract_of(name)
        chosen = self.contract.options.make(options)
        states = np.zeros(1, self.contract.rules.State)
        chosen.write(states[0])
        driver.deal_at(states, 0, np.uint64(0), np.uint64(number))
        luck = np.zeros(1, np.uint64)
        chance.seed_luck(luck, states[0])
        out, points = np.zeros(self.contract.rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64)
        self.seats: list[int] = []
        self.widths: list[int] = []
        self.texts: list[str] = []
        self.ends: list[Any] = []  # the position at the end of every stage
        while not driver.status_at(states, 0, points)[1]:
            actions = out[: driver.legal_at(states, 0, out)].tolist()
            seat = int(driver.status_at(states, 0, points)[0])
            assert all(driver.actor_at(states, 0, action) == seat for action in actions)
            action = int(search.random_at(states, seat, luck, out))
            self.seats.append(seat)
            self.widths.append(len(actions))
            self.texts.append(self.contract.notation.text(states[0], action))
            if (ended := self.contract.scoring.ending(states[0], action)) is not None:
                self.ends.append(ended)
            driver.play_at(states, 0, action)
        self.ends.append(states[0])
        self.scores = points[: chosen.to_dict()["players"]].tolist()
        self.side_of = [chosen.side(seat) for seat in range(len(self.scores))]

    @property
    def turns(self) -> int:
        return 1 + sum(a != b for a, b in zip(self.seats, self.seats[1:], strict=False))

    def items(self) -> list[list[Item]]:
        """All that counted, by seat."""
        stages = [self.contract.scoring.explain(end) for end in self.ends]
        return [[item for stage in stages for item in stage[seat]] for seat in range(len(self.scores))]

    def sides_in_order(self) -> list[int]:
        seats = [(self.seats[0] + step) % len(self.scores) for step in range(len(self.scores))]
        return list(dict.fromkeys(self.side_of[seat] for seat in seats))


def counted(texts: list[str], pattern: str) -> int:
    return sum(bool(re.fullmatch(pattern, text)) for text in texts)


def winners(totals: list[float]) -> list[int]:
    return [k for k, total in enumerate(totals) if total == max(totals)]
