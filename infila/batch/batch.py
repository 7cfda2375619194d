"""`Batch`: many games side by side, one step at a time, on CPU threads or on a GPU (docs/how-to/batch.md).

Only what is asked for is computed, and nothing leaves the device. On the CPU an array that somebody still holds is
never written again.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from infila.batch.batch_cpu import Cpu
from infila.batch.deciders import Decide, by_observations
from infila.batch.histories import Histories
from infila.batch.refusing import illegal
from infila.batch.states import States
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.game import Game
from infila.core.games import contract_of

MOST_LENT = 3  # arrays of a kind that are used again and again: while one is read, another can be written
Decider = str | Callable[[Any, Any], Any] | Any  #: a name, a policy, an agent, or a function of observations and masks


class Batch:
    """Holds n games of one kind (docs/how-to/batch.md). A game that ends is dealt anew at once.

    Game k of slot i is game i + k × n of the seed, the same as in `simulate`; if `seed` is an array with one for each
    slot, it is game k of the slot's own seed. `device` is "cpu", with as many threads as there are cores unless
    `threads` says otherwise, or "gpu"; `options` are those of the game. Arrays are NumPy's, or on a GPU those of any
    library that supports `__cuda_array_interface__`. With last=True it is kept how games end, for `observe_last`; with
    logs=True the moves of all games, for `game_at`.

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
        seed: Any = 0,
        threads: int | None = None,
        last: bool = False,
        logs: bool = False,
        **options: Any,
    ) -> None:
        contract = contract_of(game)
        chosen = contract.options.make(options)
        check_number("n", n, 1, 10**9)
        if threads is not None:
            check_number("threads", threads, 1, 1024)
        if device not in ("cpu", "gpu"):
            raise InfilaError(f"there is no device {device!r}. Choose cpu or gpu.")
        n = int(n)
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
        self._contract, self._chosen, self._threads = contract, chosen, threads
        self._lent: dict[str, list[Any]] = {}
        self._now: dict[str, int] = {}
        self._named: dict[str, Decide | None] = {}
        seeds = self._checked_seeds(seed)
        try:
            self._on: Any = _gpu(contract, template, n) if device == "gpu" else Cpu(contract, template, n, threads)
            self._states = self._on.zeros((n,), contract.rules.State)
            self._last = self._on.zeros((n,), contract.rules.State) if last else self._on.no_last
            self._numbers = self._on.zeros((n,), np.uint64)
            self._allowed = self._on.zeros((n, (self.actions + 31) // 32), np.uint32)
        except MemoryError:
            size = n * contract.rules.State.dtype.itemsize / 2**30
            raise InfilaError(f"{n:,} games of {size:.1f} GiB do not fit into memory. Take fewer games.") from None
        self._keeps_last = last
        self._logs = Histories(contract, template, n) if logs else None
        self._deal(seeds)

    def reset(self, seed: Any = None) -> None:
        """Deal all games anew: the first n of the seed, or of another; with an array, the first of each seed."""
        self._deal(self._on.host(self._seeds) if seed is None else self._checked_seeds(seed))

    def _checked_seeds(self, seed: Any) -> Any:
        """A seed for all games, or one for each."""
        if np.ndim(seed) == 0:
            check_seed(seed)
            return np.array([seed], np.uint64)
        seeds = np.asarray(seed)
        if seeds.shape != (self.n,) or seeds.dtype.kind not in "iu" or (seeds < 0).any():
            raise InfilaError(
                f"seed must be a whole number, or an array of {self.n:,} whole numbers of at least 0, "
                f"not {_describe(seeds)}."
            )
        return seeds.astype(np.uint64)

    def _deal(self, seeds: Any) -> None:
        self._seeds = self._on.device(seeds)
        self._stride = self.n if len(seeds) == 1 else 1
        self._on.deal(self._states, self._seeds, self._stride, self._numbers, *self._results(), self._last)
        self._changed()
        if self._logs:
            self._logs.dealt(np.arange(self.n), seeds, self._on.host(self._numbers))

    def _results(self) -> tuple[Any, Any, Any]:
        return (
            self._fresh("scores", (self.n, self.players), np.int32),
            self._fresh("rewards", (self.n, self.players), np.float32),
            self._fresh("dones", (self.n,), np.uint8),
        )

    def _changed(self) -> None:
        """What was known about the states is no longer so."""
        self._movers_known = self._allowed_known = False

    @property
    def states(self) -> Any:
        """The current states, to be read only: on the CPU the batch's own memory, which changes as the games go on, on
        a GPU a copy. `put`, `gather` and `redraw` change them."""
        return self._on.seen(self._states)

    @property
    def rewards(self) -> Any:
        """What each seat gets in the games that the last step ended; 0 in all others."""
        return self._current("rewards")

    @property
    def scores(self) -> Any:
        """The final scores of the same games; 0 in all others."""
        return self._current("scores")

    @property
    def dones(self) -> Any:
        """1 for the games that the last step ended."""
        return self._current("dones")

    @property
    def discounts(self) -> Any:
        """What is to come counts this much, float32: 0 where the last step ended a game, 1 elsewhere."""
        out = self._fresh("discounts", (self.n,), np.float32)
        self._on.discount(self.dones, out)
        return out

    @property
    def movers(self) -> Any:
        """The seat that is to act in each game, int8, to be read only."""
        return self._on.held(self._to_act())

    def _to_act(self) -> Any:
        if not self._movers_known:
            self._on.movers(self._states, self._fresh("movers", (self.n,), np.int8))
            self._movers_known = True
        return self._current("movers")

    def legal(self, out: Any = None, counts: Any = None) -> tuple[Any, Any]:
        """The legal actions of the seats that are to act, int16, a row for each game, padded with -1; and their number,
        int32."""
        lists = self._buffer("legal", out, (self.n, self.most_legal), np.int16)
        numbers = self._buffer("counts", counts, (self.n,), np.int32)
        self._on.legal(self._states, self._allowed, lists, numbers)
        self._allowed_known = True
        return lists if out is None else out, numbers if counts is None else counts

    def mask(self, out: Any = None) -> Any:
        """The legal actions of the seats to act: a byte for each action, 1 or 0."""
        mask = self._buffer("mask", out, (self.n, self.actions), np.uint8)
        self._on.mask(self._states, self._allowed, mask)
        self._allowed_known = True
        return mask if out is None else out

    def observe(self, out: Any = None, seats: Any = None) -> Any:
        """What the seats that are to act, or others, may know (docs/reference/observations.md): int8, one row per game.

        `seats` is a seat for all games, or an array with one for each."""
        rows = self._buffer("observations", out, (self.n, self.features), np.int8)
        self._on.observe(self._states, self._viewers(seats), rows)
        return rows if out is None else out

    def observe_last(self, seats: Any, out: Any = None) -> Any:
        """What seats see after the last step, before any game was dealt anew: where `dones` is 1, how the game ended.

        Only a batch that was made with last=True knows that."""
        if not self._keeps_last:
            raise InfilaError("this batch does not keep how games end. Make it with last=True.")
        rows = self._buffer("observations", out, (self.n, self.features), np.int8)
        viewers = self._viewers(seats)
        self._on.observe(self._states, viewers, rows)
        self._on.observe_ended(self._last, self.dones, viewers, rows)
        return rows if out is None else out

    def _viewers(self, seats: Any, where: Any = None) -> Any:
        if seats is None:
            return self._to_act()
        viewers = self._fresh("viewers", (self.n,), np.int8)
        if isinstance(seats, int):
            check_number("seats", seats, 0, self.players - 1)
            self._on.fill(viewers, seats)
            return viewers
        wrong = self._on.seats(self._given("seats", seats, where), viewers, self.players)
        if wrong >= 0:
            raise InfilaError(f"game {wrong} has no such seat: seats are 0 to {self.players - 1}.")
        return viewers

    def step(self, actions: Any, wait: bool = True, where: Any = None) -> None:
        """Play one action in each game: one of the seat that is to act, or any other that is legal. `rewards`, `scores`
        and `dones` then describe the games that have ended, which have been dealt anew.

        With `where`, only some games move: those where a boolean for each game is true, or those with these indices, in
        which case there is an action for each index.

        An illegal action raises IllegalMove, and no game has moved. On a GPU that means waiting for it; with
        wait=False nobody waits, the batch stands still after an illegal action, and the next `check` raises.
        """
        places = self._where(where)
        given = self._given("actions", actions, places)
        if not self._allowed_known:
            self._on.mask(self._states, self._allowed)
        dealing, before = (self._seeds, self._stride), self._now.copy()
        results = self._numbers, *self._results(), self._last
        wanted = None if places is None else places[1]
        wrong = self._on.step(self._states, self._allowed, dealing, given, wanted, results, wait or bool(self._logs))
        if wrong >= 0:
            self._now = before
            self._refuse(wrong, int(self._on.host(given)[wrong]))
        self._changed()
        if self._logs:
            host = self._on.host
            moved = np.arange(self.n) if wanted is None else np.flatnonzero(host(wanted))
            self._logs.note(moved, host(given), host(self.dones), host(self._seeds), host(self._numbers))

    def check(self) -> None:
        """Raise IllegalMove if an action that nobody waited for was illegal; the batch then goes on from before it."""
        wrong = self._on.wrong()
        if wrong >= 0:
            self._refuse(wrong, None)

    def _refuse(self, wrong: int, action: int | None) -> None:
        raise illegal(self._contract, self._record(wrong), wrong, action)

    def _record(self, i: int) -> Any:
        """The record of game i, alone."""
        return self._on.host(self._states[i : i + 1]).copy()

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, which: Any) -> States:
        """Copies of some games as they stand: of one by its index, or of several by indices, a slice or booleans."""
        places = self._indices(which, distinct=False)
        return States(self._contract, self._chosen, self._on.gather(self._states, places), self._on)

    def __setitem__(self, which: Any, states: "States | Game") -> None:
        """Put states into some games."""
        self.put(which, states)

    def put(self, which: Any, states: "States | Game") -> None:
        """Replace some games, chosen as in batch[…]: each by one of the states, or all by the only one, or by a `Game`.

        When it ends, the next game of the slot is the one that it would have been anyway.
        """
        if isinstance(states, Game):
            words = np.frombuffer(states.states.tobytes(), np.int64).reshape(1, -1)
            states = States(states.contract, states.contract.options.read(states.states[0]), words)
        if not isinstance(states, States):
            raise InfilaError(f"only states or a game can be put into a batch, not {type(states).__name__}.")
        if states.game != self.game or states.options != self.options:
            raise InfilaError(
                f"these are states of {states.game!r} with the options {states.options}; "
                f"the batch plays {self.game!r} with {self.options}."
            )
        places = self._indices(which, distinct=True)
        if len(states) not in (1, len(places)):
            raise InfilaError(f"there are {len(states):,} states for {len(places):,} games: give one, or one for each.")
        rows = states._words if states._on is not None and states._on.name == self._on.name else None
        rows = self._on.device(states._host()) if rows is None else rows
        self._check_going(rows)
        self._on.scatter(self._states, places, rows)
        self._changed()
        if self._logs:
            self._logs.begun_anew(self._on.host(places), self._on.host(rows))

    def _check_going(self, rows: Any) -> None:
        """A game that is over has no moves, and cannot be played on."""
        ended = self._on.first_over(rows, self._contract)
        if ended >= 0:
            raise InfilaError(f"state {ended} is a game that is over: there is nothing to play on.")

    def gather(self, source: Any, to: Any = None) -> None:
        """Copy games inside the batch: game to[k] becomes a copy of game source[k]; without `to`, game k.

        All are read before any is written. So one state becomes many, and many fewer."""
        places = self._indices(source, distinct=False)
        targets = None if to is None else self._indices(to, distinct=True)
        wanted = self.n if targets is None else len(targets)
        if len(places) != wanted:
            raise InfilaError(f"{len(places):,} games cannot be copied into {wanted:,}: give one for each.")
        copies = self._on.gather(self._states, places)
        if targets is None:
            self._on.replace(self._states, copies)
        else:
            self._on.scatter(self._states, targets, copies)
        self._changed()
        if self._logs:
            into = np.arange(self.n) if targets is None else self._on.host(targets)
            self._logs.gathered(self._on.host(places), into)

    def pack(self, out: Any = None) -> Any:
        """All states as rows of bytes, uint8, where the batch lies: for libraries that keep states in arrays of their
        own. `unpack` takes them back."""
        rows = self._buffer("states", out, (self.n, self._states.dtype.itemsize), np.uint8)
        self._on.copy(self._states, rows)
        return rows if out is None else out

    def unpack(self, rows: Any) -> None:
        """Replace all games by states that `pack` of a batch with the same game and options has given.

        Bytes are believed: what is not such a state may crash. States from others belong into a file (`States.load`).
        """
        given = self._on.read(rows, "states")
        shape = (self.n, self._states.dtype.itemsize)
        if given.dtype != np.uint8 or tuple(given.shape) != shape:
            raise InfilaError(f"packed states must be uint8 of shape {shape}, not {_describe(given)}.")
        given = self._on.as_words(given)
        self._check_going(given)
        self._on.replace(self._states, given)
        self._changed()
        if self._logs:
            self._logs.begun_anew(np.arange(self.n), self._on.host(given))

    def redraw(self, seats: Any = None, seed: Any = 0, where: Any = None) -> None:
        """Draw everything anew that a seat cannot know: the one that is to act, or others, given as for `observe`. The
        seat sees no difference; what is to come is drawn anew, too.

        `seed` is a number for all games, each of which gets luck of its own, or an array of seeds: a game and its seed
        then give the same redrawn game in any slot. `where` says in which games, as for `step`.
        """
        places = self._where(where)
        viewers = self._viewers(seats, places)
        if np.ndim(seed) == 0:
            check_seed(seed)
            seeds = self._on.device(np.array([seed], np.uint64))
        else:
            seeds = self._on.unsigned(self._given("seed", seed, places))
        self._on.redraw(self._states, self._on.everywhere if places is None else places[1], viewers, seeds)
        self._changed()
        if self._logs:
            drawn = np.arange(self.n) if places is None else np.flatnonzero(self._on.host(places[1]))
            self._logs.begun_anew(drawn, self._on.host(self._on.gather(self._states, self._on.device(drawn))))

    def decide(self, by: Decider, where: Any = None, first: int = 0, noise: int = 0) -> Any:
        """What others would do: an action for each game, int16, to be given to `step`.

        `by` is `random` or a level that does not search (`casual`), who see what the seat to act may see; a policy, as
        in `playouts`, with its noise; a function that gets observations and masks of all games and returns actions; or
        an agent with a method `act` that does the same, itself or by its name (docs/reference/agents.md).
        `where` leaves games out, as in `step`: their action is -2. A different `first` brings different luck.
        """
        check_number("first", first, 0, 10**9)
        places = self._where(where)
        wanted = self._on.everywhere if places is None else places[1]
        decide = self._decider(by)
        if decide is not None:
            return decide(self.observe(), self.mask())
        actions = self._fresh("decisions", (self.n,), np.int16)
        if not isinstance(by, str):
            check_number("noise", noise, 0, 2**31)
            self._on.prefer(self._states, wanted, self._table(by), noise, first, actions)
            return actions
        from infila.players.player import player

        level = player(self.game, by).level
        if level is not None and level.simulations:
            raise InfilaError(f"{by} searches, which a batch does not do: take random or a level that does not.")
        self._on.decide(self._states, wanted, None if level is None else level.noise, first, actions)
        return actions

    def _decider(self, by: Decider) -> Decide | None:
        """How somebody decides by observations and masks, if they do; an agent with a name is made once."""
        if not isinstance(by, str):
            return by_observations(self.game, by)
        if by not in self._named:
            self._named[by] = by_observations(self.game, by)
        return self._named[by]

    def game_at(self, i: int, last: bool = False) -> Game:
        """Game i as a `Game`: its view, picture, position and log.

        Its log begins where the game stands, or if the batch was made with logs=True, at the deal, or where it was last
        put or redrawn. With last=True it is the game that the last step ended there.
        """
        check_number("i", i, 0, self.n - 1)
        if not last:
            return self._logs.game(i) if self._logs else Histories.begin(self._contract, self._record(i))
        if not int(self._on.host(self.dones[i : i + 1])[0]):
            raise InfilaError(f"the last step has not ended game {i}.")
        if self._logs:
            return self._logs.ended[int(i)]()
        if not self._keeps_last:
            raise InfilaError("this batch does not keep how games end. Make it with last=True or logs=True.")
        return Histories.begin(self._contract, self._on.host(self._last[i : i + 1]).copy())

    def save(self, path: str | Path) -> None:
        """Write all games to a file, and which game of its seed each slot is at; `Batch.load` goes on from there."""
        host = self._on.host
        self[:].save(path, numbers=host(self._numbers).astype("<u8"), seeds=host(self._seeds).astype("<u8"))

    @classmethod
    def load(cls, path: str | Path, device: str = "cpu", threads: int | None = None, **arguments: Any) -> "Batch":
        """A batch from a file that a batch, or states, have written. What is damaged or foreign is refused."""
        states, more = States.load_with_more(path)
        n = len(states)
        if n == 0:
            raise InfilaError(f"{path} holds no games.")
        seeds, numbers = more.get("seeds", np.zeros(1, np.uint64)), more.get("numbers")
        if seeds.shape not in ((1,), (n,)) or (numbers is not None and numbers.shape != (n,)):
            raise InfilaError(f"{path} is damaged: it does not have a number for every game.")
        seed = int(seeds[0]) if len(seeds) == 1 else seeds
        batch = cls(states.game, n, device, seed, threads, **arguments, **states.options)
        batch.put(slice(None), states)
        if numbers is not None:
            batch._numbers = batch._on.device(numbers.copy())
        return batch

    @classmethod
    def of(cls, states: States, device: str = "cpu", seed: Any = 0, threads: int | None = None, **more: Any) -> "Batch":
        """A batch of given states, one game for each."""
        batch = cls(states.game, len(states), device, seed, threads, **more, **states.options)
        batch.put(slice(None), states)
        return batch

    def __getstate__(self) -> dict[str, Any]:
        host = self._on.host
        return {
            "arguments": (self.game, self.n, self.device, host(self._seeds), self._threads, self._keeps_last),
            "options": self.options,
            "arrays": {name: host(getattr(self, name)) for name in ("_states", "_last", "_numbers")},
            "results": {name: host(self._current(name)) for name in ("scores", "rewards", "dones")},
            "logs": self._logs,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        game, n, device, seeds, threads, last = state["arguments"]
        seed = int(seeds[0]) if len(seeds) == 1 else seeds
        Batch.__init__(self, game, n, device, seed, threads, last, **state["options"])
        for name, array in state["arrays"].items():
            setattr(self, name, self._on.device(array.copy()))
        for name, array in state["results"].items():
            self._lent[name] = [self._on.device(array.copy())]
            self._now[name] = 0
        self._logs = state["logs"]

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
        self._on.play_out(self._states, first, repeat, rewards, moves, self._table(policy), noise)
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
        return hashlib.sha256(np.ascontiguousarray(self._on.host(self._states)).tobytes()).hexdigest()

    def synchronize(self) -> None:
        """Wait until a GPU has done everything it was asked for; needed to measure time."""
        self._on.synchronize()

    def _buffer(self, what: str, given: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """The caller's buffer, if it is suitable, or else the batch's own."""
        if given is None:
            return self._fresh(what, shape, dtype)
        array = self._on.write(given, what)
        if array.dtype != dtype or tuple(array.shape) != shape:
            wanted = f"{np.dtype(dtype).name} of shape {shape}"
            raise InfilaError(f"the buffer for {what} must be {wanted}, not {_describe(array)}.")
        return array

    def _fresh(self, what: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array to write into that nobody else holds: one that was given back, or a new one."""
        arrays = self._lent.setdefault(what, [])
        for k in range(len(arrays)):
            if self._on.is_free(arrays, k):
                self._now[what] = k
                return arrays[k]
        next_one = (self._now.get(what, -1) + 1) % MOST_LENT
        arrays[next_one : next_one + 1] = [self._on.zeros(shape, dtype)]  # who holds the one before may keep it
        self._now[what] = next_one
        return arrays[next_one]

    def _current(self, what: str) -> Any:
        return self._lent[what][self._now[what]]

    def _given(self, what: str, given: Any, places: Any = None) -> Any:
        """A number for each game; for those at some places, spread over all games."""
        array = self._on.read(given, what)
        count = self.n if places is None or places[0] is None else len(places[0])
        if array.dtype.kind not in "iu" or tuple(array.shape) != (count,):
            raise InfilaError(f"{what} must be whole numbers of shape ({count},), not {_describe(array)}.")
        return array if count == self.n and (places is None or places[0] is None) else self._on.spread(array, places[0])

    def _where(self, where: Any) -> tuple[Any, Any] | None:
        """Which games are meant: indices, if they were given, and a byte for each game; None: all."""
        if where is None:
            return None
        given = self._read_which(where)
        if given.dtype == np.bool_:
            if tuple(given.shape) != (self.n,):
                raise InfilaError(f"where must be {self.n:,} booleans, or indices, not {_describe(given)}.")
            return None, self._on.where(given)
        places = self._indices(given, distinct=True)
        return places, self._on.at(places)

    def _read_which(self, which: Any) -> Any:
        """Indices or booleans where the batch lies: short lists may be Python's own."""
        if isinstance(which, slice):
            which = range(self.n)[which]
        if isinstance(which, range):  # of which NumPy would ask number by number
            which = self._on.device(np.arange(which.start, which.stop, which.step))
        elif isinstance(which, (int, np.integer, list, tuple)):
            which = self._on.device(np.atleast_1d(np.asarray(which, None if np.size(which) else np.int64)))
        return self._on.read(which, "indices")

    def _indices(self, which: Any, distinct: bool) -> Any:
        """Which games are meant, as indices that exist; if `distinct`, none of them twice."""
        given = self._read_which(which)
        if given.dtype == np.bool_ and tuple(given.shape) == (self.n,):
            given = self._on.device(np.flatnonzero(self._on.host(given)))
        if given.dtype.kind not in "iu" or len(given.shape) != 1:
            raise InfilaError(
                f"games are chosen by whole numbers, a slice or {self.n:,} booleans, not {_describe(given)}."
            )
        places, wrong = self._on.indices(given, self.n, distinct)
        if wrong >= 0:
            i = int(self._on.host(given)[wrong])
            why = "comes twice" if 0 <= i < self.n else "does not exist"
            raise InfilaError(f"game {i} {why}: the games are 0 to {self.n - 1:,}.")
        return places


def _describe(array: Any) -> str:
    return f"{array.dtype} of shape {tuple(array.shape)}"


def _gpu(contract: Any, template: Any, n: int) -> Any:
    from infila.batch.batch_gpu import Gpu

    return Gpu(contract, template, n)
