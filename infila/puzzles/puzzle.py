"""What a puzzle is: a position, whose move it is, what every move costs, and how often the computer's levels find the
best one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from infila.core import driver
from infila.core.errors import InfilaError
from infila.core.game import Game, View, load
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import Log
from infila.core.notation import position_of, set_up

GRADES = ("easy", "medium", "hard")
ASKED = ("casual", "club", "expert", "master")  # the levels that try it …
TRIES = 8  # … each so often
EASY, MEDIUM = 0.4, 0.25  # of all these tries, at least so many find it
CLEAR = 0.08  # by how much of a win the best move is better than all others: eight points of chance


@dataclass(frozen=True)
class Puzzle:
    """A position with one move that is clearly best.

    >>> from infila.puzzles.collection import shipped
    >>> puzzle = shipped("take_that")[0]
    >>> set(puzzle.best) <= set(puzzle.view.moves)
    True
    """

    position: Mapping[str, Any] = field(repr=False)  #: a world as the seat may imagine it: nobody's real cards
    seat: int  #: from 0
    best: tuple[str, ...]  #: the move to find, and those that come to the same
    margin: float  #: by how much it is better than all others, as a share of the win
    error: float  #: the standard error of that
    costs: Mapping[str, int] = field(repr=False)  #: of every other move, in points of chance
    found: tuple[int, ...]  #: in how many of TRIES each of ASKED finds it

    @property
    def grade(self) -> int:
        """How hard it is: 0 to 2, as in GRADES."""
        share = sum(self.found) / (len(ASKED) * TRIES)
        return 0 if share >= EASY else 1 if share >= MEDIUM else 2

    def game(self) -> Game:
        """The position as a game that can be played on."""
        return load(self.position)

    @cached_property
    def view(self) -> View:
        """What the seat may know, which is what it is asked about."""
        contract = contract_of(self.position["game"])
        hidden = set_up(contract, self.position)
        driver.hide_at(hidden, 0, self.seat)
        options = contract.options.read(hidden[0])
        names = tuple(f"seat {i + 1}" for i in range(int(options.to_dict()["players"])))
        position = position_of(contract, hidden, view=True)
        log = Log(contract.name, options, names, position=position, rules=contract.rules_version)
        return View(contract, hidden, self.seat, log, Growing())

    def to_json(self) -> dict[str, Any]:
        """As a file has it; seats count from 1."""
        return {
            "position": dict(self.position),
            "seat": self.seat + 1,
            "best": list(self.best),
            "margin": round(self.margin, 4),
            "error": round(self.error, 4),
            "costs": dict(self.costs),
            "found": list(self.found),
        }


def from_json(said: Any, game: str) -> Puzzle:
    """A puzzle of a game as a file has it; raises InfilaError. Its position is set up when it is looked at."""
    try:
        position, best, costs, found = said["position"], said["best"], said["costs"], said["found"]
        sound = (
            position["game"] == game
            and 1 <= said["seat"] <= position["options"]["players"]
            and best
            and all(isinstance(move, str) for move in (*best, *costs))
            and all(isinstance(cost, int) for cost in costs.values())
            and len(found) == len(ASKED)
            and all(isinstance(count, int) for count in found)
        )
        if not sound:
            raise ValueError
        return Puzzle(
            position=position,
            seat=said["seat"] - 1,
            best=tuple(best),
            margin=float(said["margin"]),
            error=float(said["error"]),
            costs=costs,
            found=tuple(found),
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        raise InfilaError("this is not a puzzle.") from None
