"""`Against`: a batch for a learner that plays one seat of each game; others, inside the batch, play the other seats."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from infila.batch.batch import Batch, Decider
from infila.core.errors import InfilaError

Others = Decider | Sequence[Decider]


class Against:
    """The games of a batch as one seat of each lives through them: it is always this seat's turn.

    `seat` is a seat for all games, or an array with one for each. `by` plays the other seats: a level that does not
    search, `random`, a policy, an agent, or a function of observations and masks, as in `Batch.decide`; or a list of
    such, one for each seat, of which the learner's own is not asked.

    `rewards`, `scores` and `dones` tell of the games that have ended since the learner's last action, whoever ended
    them.

    >>> from infila.batch import Against, Batch
    >>> table = Against(Batch("take_that", 100, seed=1), seat=0, by="casual")
    >>> for _ in range(3):
    ...     actions, counts = table.legal()
    ...     table.step(actions[:, 0])
    >>> set(table.batch.movers.tolist())
    {0}
    """

    def __init__(self, batch: Batch, seat: Any, by: Others) -> None:
        self.batch = batch
        self.n = batch.n
        seats = np.broadcast_to(np.asarray(seat), (self.n,)) if np.ndim(seat) == 0 else np.asarray(seat)
        if seats.shape != (self.n,) or seats.dtype.kind not in "iu" or not _within(seats, batch.players):
            raise InfilaError(f"seat must be 0 to {batch.players - 1}, for all games or for each of {self.n:,}.")
        each = list(by) if isinstance(by, (list, tuple)) else [by] * batch.players
        if len(each) != batch.players:
            raise InfilaError(f"by must be one player, or {batch.players}: one for each seat.")
        self._by = each
        self._own = batch._on.device(seats.astype(np.int8))
        self._turns = 0
        self.reset()

    def reset(self, seed: Any = None) -> None:
        """Deal all games anew, and let others play until the learner is to act."""
        self.batch.reset(seed)
        self._begin()
        self._let_others_play()

    def _begin(self) -> None:
        batch = self.batch
        self.rewards = batch._on.zeros((self.n, batch.players), np.float32)  #: of games that have ended since
        self.scores = batch._on.zeros((self.n, batch.players), np.int32)  #: final scores of the same games
        self.dones = batch._on.zeros((self.n,), np.uint8)  #: how many games have ended since

    def observe(self, out: Any = None) -> Any:
        """What the learner's seats may know."""
        return self.batch.observe(out)

    def mask(self, out: Any = None) -> Any:
        """What they may do, a byte for each action."""
        return self.batch.mask(out)

    def legal(self, out: Any = None, counts: Any = None) -> tuple[Any, Any]:
        """The same as lists, and how long they are."""
        return self.batch.legal(out, counts)

    def step(self, actions: Any) -> None:
        """Play the learner's actions, one in each game, and whatever the others do until it is to act again."""
        self.batch.step(actions)
        self._begin()
        self._add()
        self._let_others_play()

    def _let_others_play(self) -> None:
        batch, on = self.batch, self.batch._on
        while on.others(batch.movers, self._own) is not None:
            for seat, by in self._seated():
                where = on.others(batch.movers, self._own, seat)
                if where is not None:
                    self._turns += 1
                    batch.step(batch.decide(by, where, first=self._turns % 10**9), where=where)
                    self._add()

    def _seated(self) -> list[tuple[int | None, Decider]]:
        """Who plays which seat; one player of all seats is asked once."""
        if all(by is self._by[0] for by in self._by):
            return [(None, self._by[0])]
        return list(enumerate(self._by))

    def _add(self) -> None:
        batch, on = self.batch, self.batch._on
        for total, more in ((self.rewards, batch.rewards), (self.scores, batch.scores), (self.dones, batch.dones)):
            on.add(total, more)


def _within(seats: Any, players: int) -> bool:
    return bool(((seats >= 0) & (seats < players)).all())
