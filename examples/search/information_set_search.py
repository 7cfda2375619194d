"""Information-set search with a network: it learns from games of `casual`, and then beats `casual` by looking ahead.

    python examples/search/information_set_search.py            # minutes: must beat casual
    python examples/search/information_set_search.py --quick    # seconds: shows that it runs

**The network** learns from a dataset (`infila.dataset`): which moves `casual` made, and how many points came of them.
It is better than its teacher, as it does not learn the slips that `casual` makes at random.

**The search** is information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) with the network in the
place of random play. There is one tree for what a seat knows, not one for each world that there may be. Every
simulation draws such a world (`Batch.redraw`), goes down the tree by moves that are legal there, and asks the network
about the first position that the tree does not have yet. The true hidden cards are never looked at: they are drawn
anew before anything else happens.

Which way to go is decided as in AlphaZero, by what moves have been worth so far and by how likely the network finds
them, in this world. A node is the moves that lead to it: what somebody drew meanwhile does not part it. That is a
simplification, and it keeps trees small.

All games of a batch search at the same time, each in a tree of its own, and the trees are plain arrays.

Needs: pip install infila 'jax[cpu]' optax
"""

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from network import DISCOUNT, GAME, POINTS, Learner, Weights, ahead_of, contest, encode, network

from infila.batch import Batch
from infila.dataset import make

CURIOSITY = 1.0  # how much what is likely counts beside what has been worth something


@jax.jit
def ask(weights: Weights, observations: Array, mask: Array) -> tuple[Array, Array]:
    """The chances of all actions; and how far ahead whoever is to move will be at the end, in tens of points."""
    seen = encode(observations, mask)
    logits, value = network(weights, seen)
    rows = jnp.arange(len(observations))[:, None]
    chances = jnp.zeros(mask.shape).at[rows, seen["moves"]].max(jax.nn.softmax(logits))
    return chances, seen["ahead"] / POINTS + value


class Search:
    """Trees of n games, to be grown anew for every move."""

    def __init__(self, weights: Weights, n: int, simulations: int) -> None:
        self.weights, self.simulations = weights, simulations
        self.games = np.arange(n)
        self.worlds = Batch(GAME, n, players=2)
        shape = n, simulations + 1, self.worlds.actions
        self.visits, self.totals = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        self.child = np.zeros(shape, np.int32)  # the node that an action leads to, or 0
        self.known = np.zeros(shape[:2], bool)  # nodes that the network has been asked about
        self.moves = 0

    def __call__(self, batch: Batch) -> Any:
        """The action that was tried most often in each game."""
        for array in (self.visits, self.totals, self.child, self.known):
            array[:] = 0
        self.known[:, 0] = True
        states, viewers = batch.pack(), batch.movers
        self.moves += 1
        for number in range(1, self.simulations + 1):
            self.worlds.unpack(states)
            self.worlds.redraw(seats=viewers, seed=self.moves * self.simulations + number)
            self.simulate(number, viewers)
        return self.visits[:, 0].argmax(axis=1)

    def simulate(self, number: int, viewers: Any) -> None:
        """Once down the tree in every game; a node that is new gets this number."""
        worlds, games = self.worlds, self.games
        node, going = np.zeros(len(games), np.int64), np.ones(len(games), bool)
        margin = np.zeros(len(games), np.float32)  # by how much the viewer will be ahead
        path = []
        while True:
            mask = worlds.mask()
            chances, guess = map(np.asarray, ask(self.weights, worlds.observe(), mask))
            side = np.where(worlds.movers == viewers, 1, -1)
            new = going & ~self.known[games, node]
            self.known[games[new], node[new]] = True
            margin[new] = (side * guess)[new]
            going = going & ~new
            if not going.any():
                break
            action = self.choose(node, mask, chances, side, guess)
            worlds.step(action, where=going)
            path.append((games[going], node[going], action[going]))
            over = going & (worlds.dones > 0)
            margin[over] = (ahead_of(worlds.scores, viewers) / POINTS)[over]
            below = self.child[games, node, action]
            self.child[games[going], node[going], action[going]] = np.where(below == 0, number, below)[going]
            node, going = np.where(going, self.child[games, node, action], node), going & ~over
        for where in path:
            self.visits[where] += 1
            self.totals[where] += margin[where[0]]

    def choose(self, node: Any, mask: Any, chances: Any, side: Any, guess: Any) -> Any:
        """By worth and curiosity, among what is legal in these worlds; the untried is worth what the network says."""
        visits, totals = self.visits[self.games, node], self.totals[self.games, node]
        worth = np.where(visits > 0, side[:, None] * totals / np.maximum(visits, 1), guess[:, None])
        tried = (visits * mask).sum(axis=1, keepdims=True)
        score = worth + CURIOSITY * chances * np.sqrt(tried + 1) / (visits + 1)
        return np.where(mask > 0, score, -np.inf).argmax(axis=1)


def lessons(games: int, seed: int) -> dict[str, Any]:
    """What `casual` did in many games, and the points that came of it: later ones count less."""
    data = make(GAME, games, {"players": 2}, by=["casual"], seed=seed)
    columns = data.columns()
    observation, mask = columns["observation"], data.unpack(columns["mask"])
    seen = jax.jit(encode)(observation, mask)
    chances = np.asarray((seen["moves"] == columns["action"][:, None]) & seen["legal"]).astype(np.float32)
    seats, now = columns["seat"].tolist(), np.asarray(seen["ahead"]).tolist()
    last = set((np.cumsum(data.lengths) - 1).tolist())
    final = iter(reversed(ahead_of(data.scores, np.asarray(data.seats)[sorted(last)]).tolist()))
    worth = [0.0] * len(seats)
    for t in reversed(range(len(seats))):
        if t in last:
            worth[t] = (next(final) - now[t]) / POINTS
        else:
            mine = 1 if seats[t + 1] == seats[t] else -1
            worth[t] = (mine * now[t + 1] - now[t]) / POINTS + DISCOUNT * mine * worth[t + 1]
    return {"observation": observation, "mask": mask, "chances": chances, "worth": np.array(worth, np.float32)}


def trained(games: int, times: int) -> Weights:
    """A network that has seen so many games."""
    data = lessons(games, seed=1)
    size = 512
    learner, chance = Learner(times * (len(data["worth"]) // size), size), np.random.default_rng(1)
    for _ in range(times):
        learner.learn(data, chance)
    return learner.weights


def check_honesty(weights: Weights, n: int, simulations: int) -> None:
    """Whatever the hidden cards are, the search finds the same."""
    batch = Batch(GAME, n, seed=7)
    before = Search(weights, n, simulations)(batch)
    batch.redraw(seed=9)
    assert (Search(weights, n, simulations)(batch) == before).all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="see that it runs, without learning much")
    parser.add_argument("--games", type=int, default=2000, help="of casual, to learn from (default 2000)")
    parser.add_argument("--simulations", type=int, default=32, help="for each move (default 32)")
    parser.add_argument("--deals", type=int, default=200, help="of the contest, each played twice (default 200)")
    wanted = parser.parse_args()
    games, times, simulations, deals = wanted.games, 2, wanted.simulations, wanted.deals
    if wanted.quick:
        games, times, simulations, deals = 10, 1, 3, 2
    start = time.process_time()
    weights = trained(games, times)
    print(f"learned from {games} games in {time.process_time() - start:.0f} s of CPU", flush=True)
    check_honesty(weights, 2 * deals, simulations)
    for name, player in (
        ("the network", lambda batch: np.asarray(ask(weights, batch.observe(), batch.mask())[0]).argmax(axis=1)),
        (f"with {simulations} simulations", Search(weights, 2 * deals, simulations)),
    ):
        start = time.process_time()
        share, reach = contest(player, deals)
        took = time.process_time() - start
        print(f"{name} against casual: {share:.1%} ± {reach:.1%} of {2 * deals} games, {took:.0f} s of CPU", flush=True)
    assert wanted.quick or share - reach > 0.5


if __name__ == "__main__":
    main()
