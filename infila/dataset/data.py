"""`Dataset`: the moves of many games, and everything that follows from them.

Only deals, seats and actions are kept: five bytes a move. Rewards, masks, observations and logs follow from them
exactly, by the rules, and are made when somebody asks for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from infila.batch import noted_play
from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import InfilaError, check_number
from infila.core.game import Game, load
from infila.core.notation import POINTS, position_of
from infila.core.options import Options
from infila.core.record import States, uint64

CHUNK = 256  # games whose masks and observations are made at a time
MASK, OBSERVATION = "mask", "observation"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Games of one kind and one seed. `infila.dataset.make` plays them, `infila.dataset.read` reads them from a file.

    >>> from infila.dataset import make
    >>> data = make("take_that", 20, by=["casual"], seed=1)
    >>> data.games, data.game(3).over, data.columns()["observation"].shape == (data.moves, 1072)
    (20, True, True)
    """

    contract: Contract
    options: Options
    by: tuple[str, ...]  #: who played: in game g, side k is played by player k + g, modulo their number
    seed: int
    numbers: Any  #: of the games in their seed, int64
    lengths: Any  #: how many moves each game has, int64
    actions: Any  #: of all games, one after the other, int16
    seats: Any  #: the seat of each action, int8
    scores: Any  #: final scores, a row for each game, int32

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.lengths)

    @property
    def moves(self) -> int:
        """How many moves they have together."""
        return len(self.actions)

    @property
    def players(self) -> int:
        """How many players a game has."""
        return int(self.options.to_dict()["players"])

    def __len__(self) -> int:
        return self.games

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        alike = self.header() == other.header()
        names = ("numbers", "lengths", "actions", "seats", "scores")
        return alike and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self.games:,} games of {self.contract.title} by {', '.join(self.by)}, {self.moves:,} moves>"

    def header(self) -> dict[str, Any]:
        """What a file says about its games."""
        return {
            "format": "infila dataset 1",
            "game": self.contract.name,
            "rules": self.contract.rules_version,
            "options": self.options.to_json(),
            "by": list(self.by),
            "seed": self.seed,
            "games": self.games,
            "moves": self.moves,
        }

    def deal(self, i: int) -> tuple[int, int]:
        """The deal of game i: its seed and its number there, as `infila simulate` and `Batch` count."""
        check_number("i", i, 0, self.games - 1)
        return self.seed, int(self.numbers[i])

    def game(self, i: int) -> Game:
        """Game i, played to its end: its log, its positions and its views are those of any game."""
        states = self._template()
        driver.deal_at(states, 0, *(uint64(word) for word in self.deal(i)))
        game = load(position_of(self.contract, states))
        first = int(self.lengths[:i].sum())
        for action in self.actions[first : first + int(self.lengths[i])].tolist():
            game.play_action(action)
        return game

    def log(self, i: int) -> str:
        """Game i as a log (docs/reference/log.md), from the position that was dealt."""
        return self.game(i).log

    def rewards(self) -> Any:
        """What each seat gets at the end of each game, float32, as in a `Batch`."""
        best = self.scores == self.scores.max(axis=1, keepdims=True, initial=-(2**31))
        winners = best.sum(axis=1, keepdims=True)
        return np.where(best, self.players / np.maximum(winners, 1) - 1, -1).astype(np.float32)

    def columns(self, first: int = 0, games: int | None = None, *, mask: bool = True, observation: bool = True) -> Any:
        """Everything about the moves of some games, a dictionary of arrays with a row for each move:

        `game` its number in the seed, int64; `seat` int8; `action` int16; `reward` float32, what the seat gets for
        the game, at its last move, and 0 before; `done`, whether it was the seat's last move in the game; `mask`, what
        it could choose from, as bits (`unpack` makes bytes of them); `observation`, what it saw, int8
        (docs/reference/observations.md).
        """
        check_number("first", first, 0, self.games)
        last = self.games if games is None else min(self.games, first + games)
        start, end = (int(self.lengths[:at].sum()) for at in (first, last))
        part = slice(start, end)
        lengths, seats = self.lengths[first:last], self.seats[part]
        game = np.repeat(np.arange(last - first), lengths)
        done = np.zeros(end - start, bool)
        final = np.full(self.players * (last - first), -1, np.int64)
        final[game * self.players + seats] = np.arange(end - start)  # the last one stays
        done[final[final >= 0]] = True
        reward = np.where(done, self.rewards()[first:last][game, seats], np.float32(0))
        found = {
            "game": self.numbers[first:last][game],
            "seat": seats,
            "action": self.actions[part],
            "reward": reward,
            "done": done,
        }
        if mask or observation:
            masks, rows, _ = self._replay(first, last, start, end, mask, observation)
            found |= ({MASK: masks} if mask else {}) | ({OBSERVATION: rows} if observation else {})
        return found

    def chunks(self, *, mask: bool = True, observation: bool = True, games: int = CHUNK) -> Iterator[dict[str, Any]]:
        """The columns of all games, some games at a time, for datasets that do not fit into memory with them."""
        starts = np.concatenate([[0], np.cumsum(self.lengths)])
        for first in range(0, self.games, games):
            last = min(first + games, self.games)
            part = slice(int(starts[first]), int(starts[last]))
            few = replace(
                self,
                numbers=self.numbers[first:last],
                lengths=self.lengths[first:last],
                actions=self.actions[part],
                seats=self.seats[part],
                scores=self.scores[first:last],
            )
            yield few.columns(mask=mask, observation=observation)

    def finals(self, first: int = 0, games: int | None = None) -> States:
        """The final states of some games."""
        last = self.games if games is None else min(self.games, first + games)
        start, end = (int(self.lengths[:at].sum()) for at in (first, last))
        final: States = self._replay(first, last, start, end, False, False)[2]
        return final

    def unpack(self, mask: Any) -> Any:
        """Masks as a byte for each action, 1 or 0."""
        return np.unpackbits(mask, axis=1, count=self.contract.rules.ACTIONS, bitorder="little")

    def checked(self) -> "Dataset":
        """The same games with their scores, if every move is legal and every game is played to its end."""
        finals = [self._replay(*part, False, False)[2] for part in self._parts()]
        points = np.zeros((self.games, POINTS), np.int64)
        if self.games:
            driver.scores_all(np.concatenate(finals), points)
        scores = points[:, : self.players].astype(np.int32)
        return replace(self, scores=scores)

    def _parts(self) -> Iterator[tuple[int, int, int, int]]:
        starts = np.concatenate([[0], np.cumsum(self.lengths)]).tolist()
        for first in range(0, self.games, CHUNK):
            last = min(first + CHUNK, self.games)
            yield first, last, starts[first], starts[last]

    def _replay(self, first: int, last: int, start: int, end: int, mask: bool, observation: bool) -> Any:
        rules = self.contract.rules
        masks = np.zeros((end - start, (rules.ACTIONS + 7) // 8 if mask else 0), np.uint8)
        rows = np.zeros((end - start, self.contract.features.SIZE if observation else 0), np.int8)
        finals = np.zeros(last - first, rules.State)
        played = noted_play.replay_noted(
            self._template(),
            uint64(self.seed),
            np.ascontiguousarray(self.numbers[first:last]),
            np.ascontiguousarray(self.lengths[first:last]),
            np.ascontiguousarray(self.actions[start:end]),
            np.ascontiguousarray(self.seats[start:end]),
            np.zeros(2, rules.State),
            np.zeros(rules.MAX_LEGAL, np.int16),
            np.zeros(1, np.uint64),
            masks,
            rows,
            finals,
        )
        if played != end - start:
            raise InfilaError(
                f"games {first:,} to {last - 1:,} of this dataset cannot be played by the rules: it is damaged, "
                "or somebody has changed it."
            )
        return masks, rows, finals

    def _template(self) -> States:
        template = np.zeros(1, self.contract.rules.State)
        self.options.write(template[0])
        return template
