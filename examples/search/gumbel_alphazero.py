"""Gumbel AlphaZero with chance nodes, by mctx: a network and a search teach each other Take That.

    python examples/search/gumbel_alphazero.py            # minutes: must beat casual
    python examples/search/gumbel_alphazero.py --quick    # seconds: shows that it runs
    python examples/search/gumbel_alphazero.py --device gpu    # games, search and network on a GPU

**The tree.** A seat does not know the other hand and the cards to come. So below every move of the seat that searches
there is a chance node with a few outcomes: each is a world in which all that it cannot know has been drawn anew
(`Batch.redraw`), and in which the move is then played. The other seat moves in such a world, where it sees its own
hand, with nothing left to chance. The true hidden cards never enter the tree.

**mctx** knows no chance nodes in its Gumbel search, but needs only two things for them: outcomes are further actions,
which no decision node offers; and at a chance node all of them are worth the same, so that they are visited evenly.

**The batch.** mctx wants a function that JAX can compile. `rules` is one: states go in as arrays of bytes and come out
as others (`Batch.unpack`, `Batch.pack`). `buffer_callback` of JAX hands over its own memory, on the CPU as on a GPU,
where nothing is copied to the host either: the same lines run there.

Needs: pip install infila 'jax[cpu]' mctx optax; on a GPU: pip install 'infila[gpu]' 'jax[cuda13]' mctx optax
"""

import argparse
import functools
import time
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from jax import Array
from jax.experimental.buffer_callback import buffer_callback
from network import DISCOUNT, GAME, MOVES, NO, POINTS, Arrays, Learner, Weights, contest, encode, host, network

from infila.batch import Batch

WORLDS = 4  # outcomes of a chance node
CONSIDERED = 8  # moves that the search compares at the root
TRACE = 0.9  # how much what really happened counts beside what the search thought of it
EPOCHS = 2  # how often it learns from each move


class Search:
    """The search for n games at once. `think` gives a move for each and what the search found about all its moves."""

    def __init__(self, n: int, simulations: int, device: str = "cpu") -> None:
        self.n, self.device = n, device
        self.shared = np.asarray if device == "cpu" else cuda_array
        self.leaves = Batch(GAME, n, device=device, players=2)
        shapes = {
            "state": ((n, self.leaves.pack().shape[1]), jnp.uint8),
            "observation": ((n, self.leaves.features), jnp.int8),
            "mask": ((n, self.leaves.actions), jnp.uint8),
            "mover": ((n,), jnp.int8),
            "over": ((n,), jnp.uint8),
            "scores": ((n, 2), jnp.int32),
        }
        results = {name: jax.ShapeDtypeStruct(*shape) for name, shape in shapes.items()}
        self.rules = buffer_callback(self.called, results)
        self.think = jax.jit(functools.partial(self.search, simulations=simulations))
        if device == "gpu":
            self.compile_kernels(results)

    def called(self, ctx: Any, out: Any, *given: Any) -> None:
        """JAX wants this to be played, and hands over its memory."""
        if self.device == "gpu":
            wait_for(ctx.stream)
        self.play({name: self.shared(buffer) for name, buffer in out.items()}, *map(self.shared, given))

    def compile_kernels(self, results: Any) -> None:
        """Once, before a thread of JAX needs them, which could have little room for a compiler."""
        from numba import cuda

        new = {name: cuda.device_array(each.shape, each.dtype) for name, each in results.items()}
        seeds, sure = np.zeros(self.n, np.uint32), np.zeros(self.n, np.uint8)
        first = host(self.leaves.legal()[0])[:, 0].astype(np.int32)
        self.play(new, self.leaves.pack(), self.leaves.movers, *map(cuda.to_device, (seeds, sure, first)))

    def play(self, new: Any, state: Any, viewer: Any, seed: Any, unsure: Any, action: Any) -> None:
        """Draw anew what the viewers cannot know, where they are `unsure`, and play an action in each game."""
        batch = self.leaves
        batch.unpack(state)
        batch.redraw(seats=viewer, seed=seed, where=unsure.view(np.bool_))
        batch.step(action)
        batch.pack(new["state"])
        batch.observe(new["observation"])
        batch.mask(new["mask"])
        for name, array in (("mover", batch.movers), ("over", batch.dones), ("scores", batch.scores)):
            copy(array, new[name])
        batch.synchronize()

    def search(
        self, weights: Weights, key: Array, state: Array, observation: Array, mask: Array, seat: Array, simulations: int
    ) -> Arrays:
        root, logits, value = look(weights, observation, mask)
        at = root | {"state": state, "mover": seat, "viewer": seat, "waiting": jnp.full(self.n, -1)}
        no_chance = jnp.full((self.n, WORLDS), NO)
        found = mctx.gumbel_muzero_policy(
            weights,
            key,
            mctx.RootFnOutput(prior_logits=jnp.concatenate([logits, no_chance], axis=1), value=value, embedding=at),
            self.step,
            simulations,
            invalid_actions=jnp.concatenate([logits, no_chance], axis=1) <= NO,
            qtransform=even_chances,
            max_num_considered_actions=CONSIDERED,
        )
        chances = found.action_weights[:, :MOVES]
        chosen = jnp.take_along_axis(root["moves"], found.action[:, None], axis=1)[:, 0]
        return {"move": chosen, "chances": chances, "value": found.search_tree.summary().value, "ahead": root["ahead"]}

    def step(self, weights: Weights, key: Array, choice: Array, at: Arrays) -> Any:
        """From a node to a new one. `waiting` is the move that a chance node is about, or -1 at a decision."""
        chance = at["waiting"] >= 0
        wanted = jnp.take_along_axis(at["moves"], jnp.minimum(choice, MOVES - 1)[:, None], axis=1)[:, 0]
        action = jnp.where(chance, at["waiting"], wanted)
        unsure = at["mover"] == at["viewer"]
        seed = jax.random.bits(key, (self.n,), jnp.uint32)
        after = self.rules(at["state"], at["viewer"], seed, unsure.astype(jnp.uint8), action)

        seen, logits, value = look(weights, after["observation"], after["mask"])
        mine = jnp.where(after["mover"] == at["mover"], 1.0, -1.0)  # whose worth and lead these are
        final = (after["scores"][:, 0] - after["scores"][:, 1]) * jnp.where(at["mover"] == 0, 1, -1)
        reward = (jnp.where(after["over"] > 0, final, mine * seen["ahead"]) - at["ahead"]) / POINTS
        discount = jnp.where(after["over"] > 0, 0.0, mine)

        # a move leads to a chance node, which is worth what one look into a world says; an outcome leads into one
        outcomes = jnp.where(unsure[:, None] | (jnp.arange(WORLDS) == 0), 0.0, NO)
        as_move = jnp.concatenate([jnp.full((self.n, MOVES), NO), outcomes], axis=1)
        as_chance = jnp.concatenate([logits, jnp.full((self.n, WORLDS), NO)], axis=1)
        output = mctx.RecurrentFnOutput(
            reward=jnp.where(chance, reward, 0.0),
            discount=jnp.where(chance, discount, 1.0),
            prior_logits=jnp.where(chance[:, None], as_chance, as_move),
            value=jnp.where(chance, value, reward + discount * value),
        )
        reached = seen | {"state": after["state"], "mover": after["mover"]}
        new = {name: jnp.where(spread(chance, array), array, at[name]) for name, array in reached.items()}
        return output, at | new | {"waiting": jnp.where(chance, -1, action)}


def look(weights: Weights, observation: Array, mask: Array) -> tuple[Arrays, Array, Array]:
    """What a node remembers of what is seen there, and what the network says to it."""
    seen = encode(observation, mask)
    return {"moves": seen["moves"], "ahead": seen["ahead"]}, *network(weights, seen)


def spread(which: Array, array: Array) -> Array:
    return which.reshape(-1, *[1] * (array.ndim - 1))


def even_chances(tree: mctx.Tree, node: Array) -> Array:
    """What moves are worth to the search; at a chance node nothing is better than anything else."""
    worth = mctx.qtransform_completed_by_mix_value(tree, node)
    return jnp.where(tree.embeddings["waiting"][node] >= 0, 0.0, worth)


def copy(array: Any, out: Any) -> None:
    """Into memory of JAX, wherever that is."""
    if isinstance(out, np.ndarray):
        np.copyto(out, array)
    else:
        out.copy_to_device(array)


def cuda_array(buffer: Any) -> Any:
    from numba import cuda

    return cuda.as_cuda_array(buffer)


def wait_for(stream: int) -> None:
    """JAX has a stream of its own on a GPU: what it passes in must be there."""
    from numba import cuda

    cuda.external_stream(stream).synchronize()


def look_around(batch: Batch) -> tuple[Any, ...]:
    """What a search begins with, in arrays of JAX alone: a batch on a GPU writes into its own again."""
    seen = batch.pack(), batch.observe(), batch.mask(), batch.movers
    batch.synchronize()
    arrays = tuple(jnp.asarray(each).copy() for each in seen)
    jax.block_until_ready(arrays)
    return arrays


def moves_of(found: Any) -> Any:
    """The moves that a search found, when it has: a batch does not wait for JAX."""
    return jax.block_until_ready(found["move"])


def self_play(batch: Batch, search: Search, weights: Weights, key: Array, steps: int) -> dict[str, Any]:
    """Notes of all moves: arrays of (steps, games, …)."""
    notes = []
    for each in jax.random.split(key, steps):
        seen = look_around(batch)
        found = search.think(weights, each, *seen)
        batch.step(moves_of(found))
        scores = host(batch.scores)
        ended = {"over": host(batch.dones).astype(bool), "final": scores[:, 0] - scores[:, 1]}
        thought = {name: host(found[name]) for name in ("chances", "value", "ahead")}
        observation, mask, mover = map(host, seen[1:])
        notes.append(thought | ended | {"observation": observation, "mask": mask, "mover": mover})
    return {name: np.stack([note[name] for note in notes]) for name in notes[0]}


def lessons(notes: dict[str, Any]) -> dict[str, Any]:
    """What the network shall learn: the chances that the search gave to the moves, and what came of them.

    The worth of a move is its points, and then what the next one was worth, seen from the same side: by the search at
    first, and further on by what really happened (a trace).
    """
    last = len(notes["over"]) - 1
    worth = np.zeros_like(notes["value"])
    worth[last] = notes["value"][last]
    for t in reversed(range(last)):
        over = notes["over"][t]
        mine = np.where(notes["mover"][t + 1] == notes["mover"][t], 1.0, -1.0)
        final = notes["final"][t] * np.where(notes["mover"][t] == 0, 1, -1)
        points = (np.where(over, final, mine * notes["ahead"][t + 1]) - notes["ahead"][t]) / POINTS
        next_one = (1 - TRACE) * notes["value"][t + 1] + TRACE * worth[t + 1]
        worth[t] = points + np.where(over, 0, DISCOUNT * mine * next_one)
    data = {name: notes[name][:last] for name in ("observation", "mask", "chances")} | {"worth": worth[:last]}
    return {name: array.reshape(-1, *array.shape[2:]) for name, array in data.items()}


def player(weights: Weights, n: int, simulations: int, device: str) -> Any:
    """The network with its search, for a contest."""
    search, keys = Search(n, simulations, device), iter(jax.random.split(jax.random.key(2), 10_000))
    return lambda batch: moves_of(search.think(weights, next(keys), *look_around(batch)))


def check_honesty(search: Search, batch: Batch, weights: Weights) -> None:
    """Whatever the hidden cards are, the search finds the same."""
    before = search.think(weights, jax.random.key(3), *look_around(batch))
    batch.redraw(seed=9)
    after = search.think(weights, jax.random.key(3), *look_around(batch))
    assert all((before[name] == after[name]).all() for name in before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="see that it runs, without learning much")
    parser.add_argument("--rounds", type=int, default=120, help="of self-play and learning (default 120)")
    parser.add_argument("--simulations", type=int, default=16, help="for each move (default 16)")
    parser.add_argument("--deals", type=int, default=200, help="of the contest, each played twice (default 200)")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="of games, search and network")
    wanted = parser.parse_args()
    if wanted.device == "cpu":
        jax.config.update("jax_platforms", "cpu")
    elif jax.default_backend() == "cpu":
        parser.error("JAX sees no GPU here: pip install 'jax[cuda13]', or take --device cpu")
    rounds, games, steps, simulations = (1, 8, 4, 4) if wanted.quick else (wanted.rounds, 128, 32, wanted.simulations)
    deals, device = wanted.deals, wanted.device
    batch, search = Batch(GAME, games, device, seed=1, players=2), Search(games, simulations, device)
    size = min(512, games * (steps - 1))
    learner = Learner(rounds * EPOCHS * (games * (steps - 1) // size), size)
    chance, played, start, begun = np.random.default_rng(1), 0, time.process_time(), time.perf_counter()
    for number, key in enumerate(jax.random.split(jax.random.key(1), rounds), start=1):
        notes = self_play(batch, search, learner.weights, key, steps)
        for _ in range(EPOCHS):
            learner.learn(lessons(notes), chance)
        played += int(notes["over"].sum())
        if number % 10 == 0 or number == rounds:
            took, cpu = time.perf_counter() - begun, time.process_time() - start
            print(f"{number} rounds, {played} games, {took:.0f} s, {cpu:.0f} s of CPU", flush=True)
    check_honesty(search, batch, learner.weights)
    if not wanted.quick:
        share, reach = contest(player(learner.weights, 2 * deals, simulations, device), deals, device=device)
        print(f"against casual: {share:.1%} ± {reach:.1%} of {2 * deals} games", flush=True)
        assert share - reach > 0.5


if __name__ == "__main__":
    main()
