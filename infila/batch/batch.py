"""`Batch`: many games side by side, one step at a time, on CPU threads or on a GPU (docs/how-to/batch.md).

Only what is asked for is computed, and nothing leaves the device.
"""

import hashlib
from typing import Any

import numpy as np

from infila.batch.batch_cpu import Cpu
from infila.core.errors import IllegalMove, InfilaError, check_number, check_seed
from infila.core.games import contract_of


class Batch:
    """Holds n games of one kind (docs/how-to/batch.md). A game that ends is dealt anew at once.

    Game k of slot i is game i + k × n of the seed, the same as in `simulate`. `device` is "cpu", with as many threads
    as there are cores unless `threads` says otherwise, or "gpu"; `options` are those of the game. Arrays are NumPy's,
    or on a GPU those of any library that supports `__cuda_array_interface__`.

    >>> from infila.batch import Batch
    >>> batch = Batch("take_that", 1000, seed=1, players=3)
    >>> actions, counts = batch.legal()
    >>> batch.step(actions[:, 0])
    >>> batch.observe().shape, batch.mask().shape
    ((1000, 1072), (1000, 199))
    """

    def __init__(
        self,
        game: str,
        n: int,
        device: str = "cpu",
        seed: int = 0,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        contract = contract_of(game)
        chosen = contract.options.make(options)
        check_number("n", n, 1, 10**9)
        check_seed(seed)
        if threads is not None:
            check_number("threads", threads, 1, 1024)
        if device not in ("cpu", "gpu"):
            raise InfilaError(f"there is no device {device!r}. Choose cpu or gpu.")
        template = np.zeros(1, contract.rules.State)
        chosen.write(template[0])
        self.game = game
        self.n = n
        self.device = device
        self.options = chosen.to_dict()
        self.players = int(self.options["players"])  #: the number of players
        self.actions = contract.rules.ACTIONS  #: how many actions the game has
        self.features = contract.features.SIZE  #: how many numbers an observation has
        self.most_legal = contract.rules.MAX_LEGAL  #: how many actions can be legal at once
        self._own: dict[str, Any] = {}
        self._seed = seed
        try:
            self._on: Any = _gpu(contract, template, n) if device == "gpu" else Cpu(contract, template, n, threads)
            self.states = self._on.zeros((n,), contract.rules.State)  #: the current states, to be read only
            self._games = self._on.zeros((n,), np.uint64)
            self._allowed = self._on.zeros((n, (self.actions + 31) // 32), np.uint32)
            self.rewards = self._on.zeros((n, self.players), np.float32)  #: of games the last step ended, else 0
            self.scores = self._on.zeros((n, self.players), np.int32)  #: final scores of the same games, else 0
            self.dones = self._on.zeros((n,), np.uint8)  #: 1 for the games that the last step ended
        except MemoryError:
            size = n * contract.rules.State.dtype.itemsize / 2**30
            raise InfilaError(f"{n:,} games of {size:.1f} GiB do not fit into memory. Take fewer games.") from None
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Deal all games anew: the first n of the seed, or of another seed."""
        if seed is not None:
            check_seed(seed)
            self._seed = seed
        self._on.deal(self.states, self._seed, self._games, self.scores, self.rewards, self.dones)
        self._movers_known = self._allowed_known = False

    @property
    def movers(self) -> Any:
        """The seat that is to act in each game, int8."""
        seats = self._buffer("movers", None, (self.n,), np.int8)
        if not self._movers_known:
            self._on.movers(self.states, seats)
            self._movers_known = True
        return seats

    def legal(self, out: Any = None, counts: Any = None) -> tuple[Any, Any]:
        """The legal actions of the seats that are to act, int16, a row for each game, padded with -1; and their number,
        int32. Unless you pass buffers, they are written into the batch's own, the same ones every time."""
        lists = self._buffer("legal", out, (self.n, self.most_legal), np.int16)
        numbers = self._buffer("counts", counts, (self.n,), np.int32)
        self._on.legal(self.states, self._allowed, lists, numbers)
        self._allowed_known = True
        return lists if out is None else out, numbers if counts is None else counts

    def mask(self, out: Any = None) -> Any:
        """The legal actions of the seats to act: a byte for each action, 1 or 0."""
        mask = self._buffer("mask", out, (self.n, self.actions), np.uint8)
        self._on.mask(self.states, self._allowed, mask)
        self._allowed_known = True
        return mask if out is None else out

    def observe(self, out: Any = None, seats: Any = None) -> Any:
        """What the seats that are to act, or others, may know (docs/reference/observations.md): int8, one row per game.

        `seats` is a seat for all games, or an array with one for each."""
        rows = self._buffer("observations", out, (self.n, self.features), np.int8)
        self._on.observe(self.states, self._viewers(seats), rows)
        return rows if out is None else out

    def _viewers(self, seats: Any) -> Any:
        if seats is None:
            return self.movers
        viewers = self._buffer("viewers", None, (self.n,), np.int8)
        if isinstance(seats, int):
            check_number("seats", seats, 0, self.players - 1)
            self._on.fill(viewers, seats)
            return viewers
        wrong = self._on.seats(self._given("seats", seats), viewers, self.players)
        if wrong >= 0:
            raise InfilaError(f"game {wrong} has no such seat: seats are 0 to {self.players - 1}.")
        return viewers

    def step(self, actions: Any, wait: bool = True) -> None:
        """Play one action in each game: one of the seat that is to act, or any other that is legal. `rewards`, `scores`
        and `dones` then describe the games that have ended, which have been dealt anew.

        An illegal action raises IllegalMove, and no game has moved. On a GPU that means waiting for it; with
        wait=False nobody waits, the batch stands still after an illegal action, and the next `check` raises.
        """
        given = self._given("actions", actions)
        if not self._allowed_known:
            self._on.mask(self.states, self._allowed)
        results = self._games, self.scores, self.rewards, self.dones
        wrong = self._on.step(self.states, self._allowed, self._seed, given, results, wait)
        self._movers_known = self._allowed_known = False
        self._raise(wrong, given)

    def check(self) -> None:
        """Raise IllegalMove if an action that nobody waited for was illegal; the batch then goes on from before it."""
        self._raise(self._on.wrong(), None)

    def _raise(self, wrong: int, given: Any) -> None:
        if wrong < 0:
            return
        what = "the action" if given is None else f"action {int(self._on.host(given)[wrong])}"
        raise IllegalMove("", f"in game {wrong} {what} is not legal, so no game has moved. mask() shows which are.")

    def playouts(self, repeat: int = 1, first: int = 0, policy: Any = None, noise: int = 0) -> tuple[Any, Any]:
        """Play every game from here to its end `repeat` times, on copies: each seat's mean reward, float32, and the
        number of moves of all playouts, int64.

        Play is random, or by a policy (docs/how-to/batch.md): a table of int16 of shape (features + 1, actions) for
        all seats, or with a leading dimension for a table for each. A different `first` brings different luck.
        """
        check_number("repeat", repeat, 1, 10**6)
        check_number("first", first, 0, 10**9)
        check_number("noise", noise, 0, 2**31)
        rewards = self._on.zeros((self.n, self.players), np.float32)
        moves = self._on.zeros((self.n,), np.int64)
        self._on.play_out(self.states, first, repeat, rewards, moves, self._table(policy), noise)
        return rewards, moves

    def _table(self, policy: Any) -> Any:
        if policy is None:
            return None
        table = self._on.read(policy, "policy")
        shape = (self.features + 1, self.actions)
        if table.dtype != np.int16 or tuple(table.shape) not in (shape, (self.players, *shape)):
            raise InfilaError(
                f"a policy is an array of int16 of shape {shape} or {(self.players, *shape)}, not {_describe(table)}."
            )
        return table.reshape(-1, *shape)

    def digest(self) -> str:
        """A SHA-256 of the current states: the same on any number of threads and on a GPU."""
        return hashlib.sha256(np.ascontiguousarray(self._on.host(self.states)).tobytes()).hexdigest()

    def synchronize(self) -> None:
        """Wait until a GPU has done everything it was asked for; needed to measure time."""
        self._on.synchronize()

    def _buffer(self, what: str, given: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """The caller's buffer, if it is suitable, or else the batch's own."""
        if given is None:
            if what not in self._own:
                self._own[what] = self._on.zeros(shape, dtype)
            return self._own[what]
        array = self._on.write(given, what)
        if array.dtype != dtype or tuple(array.shape) != shape:
            wanted = f"{np.dtype(dtype).name} of shape {shape}"
            raise InfilaError(f"the buffer for {what} must be {wanted}, not {_describe(array)}.")
        return array

    def _given(self, what: str, given: Any) -> Any:
        array = self._on.read(given, what)
        if array.dtype.kind not in "iu" or tuple(array.shape) != (self.n,):
            raise InfilaError(f"{what} must be whole numbers of shape ({self.n},), not {_describe(array)}.")
        return array


def _describe(array: Any) -> str:
    return f"{array.dtype} of shape {tuple(array.shape)}"


def _gpu(contract: Any, template: Any, n: int) -> Any:
    from infila.batch.batch_gpu import Gpu

    return Gpu(contract, template, n)
