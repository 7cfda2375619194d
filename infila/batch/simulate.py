"""Random play of many games: game i of seed s is the same game on any number of threads and on a GPU.

Games are played in chunks, so that there is progress to show, little memory to hold, and nothing lost by an
interruption: what has been played by then is the result.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from infila.cluster.on_ray import check_on, cluster
from infila.cluster.order import in_order, on_threads, parts
from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.games import contract_of
from infila.core.record import States

CHUNK = 4096  # games that a thread plays at a time: about a tenth of a second
CLUSTER_CHUNK = 4 * CHUNK
GPU_CHUNK = 1 << 20


@dataclass
class Tally:
    """The outcome of a simulation. With `report`, also how long games were, what was scored and who won."""

    game: str
    options: Mapping[str, Any]
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    lengths: Counter[int] = field(default_factory=Counter)
    scores: list[Counter[int]] = field(default_factory=list)  #: by seat
    wins: list[float] = field(default_factory=list)  #: by seat; a shared win counts as a fraction
    hash: Any = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        """A SHA-256 of the final states and the lengths of all games, in order."""
        return str(self.hash.hexdigest())

    def summary(self) -> dict[str, Any]:
        """What was played, how fast, and the digest; for JSON."""
        speed = round(self.moves / self.seconds) if self.seconds else 0
        return {
            "game": self.game,
            "options": contract_of(self.game).options.make(self.options).to_json(),
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "moves_per_second": speed,
            "digest": self.digest,
        }

    def report(self) -> dict[str, Any]:
        """Mean length, distribution of scores, wins by seat."""
        every = np.array(sorted(self.lengths.elements())) if self.games else np.zeros(1)
        seats = [np.array(sorted(scores.elements())) for scores in self.scores]
        return {
            "length": _spread(every),
            "scores": [_spread(seat) for seat in seats],
            "wins": [round(won / max(self.games, 1), 5) for won in self.wins],
            "draws": round(1 - sum(self.wins) / max(self.games, 1), 5),
        }


def _spread(values: Any) -> dict[str, float]:
    low, median, high = (float(x) for x in np.percentile(values, [5, 50, 95]))
    return {
        "mean": round(float(values.mean()), 3),
        "least": int(values.min()),
        "5%": low,
        "50%": median,
        "95%": high,
        "most": int(values.max()),
    }


def simulate(
    game: str,
    games: int,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    device: str = "cpu",
    on: str | None = None,
    report: bool = False,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Play games at random. `device` is "cpu" or "gpu"; with `report`, lengths, scores and wins are counted too. `on`
    is a cluster (`infila.cluster.on_ray`); `threads` are the workers of one that is started here.

    `progress` is called after every chunk; KeyboardInterrupt ends early with the games played so far.

    >>> from infila.batch.simulate import simulate
    >>> simulate("take_that", 100, seed=1).digest == simulate("take_that", 100, seed=1, threads=2).digest
    True
    """
    contract = contract_of(game)
    chosen = contract.options.make(options or {})
    check_number("games", games, 1, 10**12)
    check_number("threads", threads, 1, 1024)
    check_seed(seed)
    if device not in ("cpu", "gpu"):
        raise InfilaError(f"there is no device {device!r}. Choose cpu or gpu.")
    if on is not None and device == "gpu":
        raise InfilaError("a cluster plays on its processors. Choose either a cluster or the gpu.")
    check_on(on)
    template = np.zeros(1, contract.rules.State)
    chosen.write(template[0])
    players = int(chosen.to_dict()["players"])
    tally = Tally(game, chosen.to_dict(), scores=[Counter() for _ in range(players)], wins=[0.0] * players)
    if device == "gpu":
        from infila.batch.simulate_gpu import play_chunks

        chunks: Iterator[tuple[States, Any]] = play_chunks(contract, template, seed, games, GPU_CHUNK)
    elif on is not None:
        chunks = _on_cluster(on, game, chosen.to_dict(), seed, games, threads)
    else:
        _warm_up(contract, template)
        chunks = on_threads(partial(_play, contract, template, seed), games, CHUNK, threads)
    start = time.perf_counter()
    try:
        for states, moves in chunks:
            _count(tally, contract, states, moves, report)
            tally.seconds = time.perf_counter() - start
            progress(tally)
    except KeyboardInterrupt:
        tally.seconds = time.perf_counter() - start
    return tally


def _warm_up(contract: Contract, template: States) -> None:
    """Compile, or load what was compiled before, outside the time that is measured."""
    _play(contract, template, 0, 0, 1)


def _play(contract: Contract, template: States, seed: int, first: int, n: int) -> tuple[States, Any]:
    states = np.zeros(n, contract.rules.State)
    moves = np.zeros(n, np.int64)
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    luck = np.zeros(1, np.uint64)
    driver.simulate(states, template, np.uint64(seed), np.uint64(first), moves, out, luck)
    return states, moves


def _on_cluster(
    on: str, game: str, options: Mapping[str, Any], seed: int, games: int, workers: int
) -> Iterator[tuple[States, Any]]:
    with cluster(on, workers) as found:
        for states, moves in in_order(
            lambda part: found.promised(_play_there, game, options, seed, *part),
            parts(games, CLUSTER_CHUNK),
            2 * found.workers,
        ):
            for at in range(0, len(states), CHUNK):  # as threads give them, since the digest goes by chunks
                yield states[at : at + CHUNK].copy(), moves[at : at + CHUNK]


def _play_there(game: str, options: Mapping[str, Any], seed: int, first: int, n: int) -> tuple[States, Any]:
    contract = contract_of(game)
    template = np.zeros(1, contract.rules.State)
    contract.options.make(options).write(template[0])
    return _play(contract, template, seed, first, n)


def _count(tally: Tally, contract: Contract, states: States, moves: Any, report: bool) -> None:
    tally.games += len(states)
    tally.moves += int(moves.sum())
    tally.hash.update(states.tobytes())
    tally.hash.update(moves.astype("<i8").tobytes())
    if not report:
        return
    tally.lengths.update(moves.tolist())
    points = np.zeros((len(states), 16), np.int64)
    driver.scores_all(states, points)
    points = points[:, : len(tally.scores)]
    best = points == points.max(axis=1, keepdims=True)
    if contract.needs_winner:
        best &= ~(points == points[:, :1]).all(axis=1, keepdims=True)
    shares = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    for seat, scores in enumerate(tally.scores):
        scores.update(points[:, seat].tolist())
        tally.wins[seat] += float(shares[:, seat].sum())
