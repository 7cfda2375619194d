"""A small network for Take That with two players: what it looks at, what it says, and how good it is.

Both searches beside this file ask it which moves look good and what a position is worth. It is the network of
docs/tutorials/notebooks/take_that.py, which explains it and trains it without a search. Worth is counted in tens of
points: how much further ahead whoever is to move will be at the end than they are now.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from infila.batch import Against, Batch
from infila.core.features import named
from infila.games.take_that.features import FEATURES, NUMBER, SIZE
from infila.games.take_that.rules import ACTIONS, PLACE, TAKE, TWIST

GAME = "take_that"
HAND, WIDTH, POINTS = 9, 64, 10
MOVES = 2 * HAND + 1  # 9 places in the hand to place from, the same 9 to twist with, and to take the row
RATE, DISCOUNT = 2e-3, 0.97  # of learning, at first; and of points to come
NO = -1e9  # the logit of what cannot be

APART = abs(NUMBER[:, None] - NUMBER)
NEAR = ((APART > 0) & (APART <= 10)).astype(np.float32)  # T4
TWIN = np.searchsorted(NUMBER, NUMBER % 10 * 10 + NUMBER // 10)  # T5: the place of each card's twisted card
TOAD = (NUMBER % 11 == 0).astype(np.float32)
OUTER = (abs(NUMBER - 55) / 43).astype(np.float32)  # the further out, the fewer cards fit

Arrays = dict[str, Array]
Weights = dict[str, Arrays]
Player = Callable[[Batch], Any]  #: an action for each game of a batch


def encode(observations: Array, mask: Array) -> Arrays:
    """Each card in hand, the table, and the moves, of many observations; and how far ahead whoever is to move is."""
    parts = {name: part.astype(jnp.float32) for name, part in named(FEATURES, observations).items()}
    hand, row, unseen = parts["hand"], parts["row"], parts["unseen"]
    mine = hand @ NEAR  # for every card, how many of mine fit beside it
    fixed = [jnp.broadcast_to(each, hand.shape) for each in (TOAD, OUTER)]
    twins = [cards[:, TWIN] for cards in (hand, row, unseen)]
    fitting = [mine / 4, unseen @ NEAR / 10, (unseen * (mine <= 1)) @ NEAR / 5]
    toads = [(cards * TOAD) @ NEAR for cards in (hand, unseen)]
    about = jnp.stack([*fixed, *twins, *fitting, *toads], axis=-1)  # (games, 79, 10)

    held, places = jax.lax.top_k(hand, HAND)  # 1 and which card it is, or 0 where the hand is smaller
    numbers = jnp.asarray(NUMBER)[places]
    moves = jnp.concatenate([PLACE + numbers, TWIST + numbers, jnp.full_like(numbers[:, :1], TAKE)], axis=1)
    legal = jnp.take_along_axis(mask, moves, axis=1) * jnp.concatenate([held, held, jnp.ones_like(held[:, :1])], axis=1)
    facts = jnp.take_along_axis(about, places[..., None], axis=1) * held[..., None]
    cards = jnp.concatenate([jnp.stack([held, legal[:, :HAND], legal[:, HAND:-1]], axis=-1), facts], axis=-1)

    ends = [jnp.einsum("nc,ncf->nf", parts["depth"] == place, about) for place in (1, 2)]
    price = row @ (1 + 4 * TOAD)[:, None]  # T8: what taking the row costs
    pile, sizes = parts["pile"], parts["hand_size"][:, :2]
    table = [*ends, price / 10, parts["row_size"] / 10, pile / 60, pile == 0, sizes / HAND, parts["rounds_to_come"]]
    seen = {"cards": cards, "table": jnp.concatenate(table, axis=1), "legal": legal > 0}
    return seen | {"moves": moves.astype(jnp.int32), "ahead": -parts["lead"][:, 1]}


@jax.jit
def first_weights(key: Array) -> Weights:
    """Before it has learned anything all moves are about as likely."""
    shapes = ((1, SIZE), jnp.int8), ((1, ACTIONS), jnp.uint8)
    seen = jax.eval_shape(encode, *(jax.ShapeDtypeStruct(*shape) for shape in shapes))
    card, table = seen["cards"].shape[-1], seen["table"].shape[-1]
    layers = {
        "card": (card, WIDTH),
        "table": (table, WIDTH),
        "card_again": (WIDTH, WIDTH),
        "hand": (WIDTH, WIDTH),
        "whole": (WIDTH + table, WIDTH),
        "whole_again": (WIDTH, WIDTH),
        "place_or_twist": (WIDTH, 2),
        "take": (WIDTH, 1),
        "value": (WIDTH, 1),
    }
    weights = {}
    for each, (name, shape) in zip(jax.random.split(key, len(layers)), layers.items(), strict=True):
        scale = np.sqrt(2 / shape[0]) if shape[1] == WIDTH else 0.01
        weights[name] = {"by": scale * jax.random.normal(each, shape), "plus": jnp.zeros(shape[1])}
    return weights


def network(weights: Weights, seen: Arrays) -> tuple[Array, Array]:
    """The logits of all moves, and what the position is worth to whoever is to move."""

    def layer(name: str, x: Array) -> Array:
        return x @ weights[name]["by"] + weights[name]["plus"]

    held, table = seen["cards"][..., :1], seen["table"]
    each = jax.nn.relu(layer("card", seen["cards"]) + layer("table", table)[:, None]) * held
    each = jax.nn.relu(layer("card_again", each) + layer("hand", each.mean(axis=1))[:, None]) * held
    whole = jax.nn.relu(layer("whole", jnp.concatenate([each.mean(axis=1), table], axis=1)))
    whole = jax.nn.relu(layer("whole_again", whole))
    place, twist = jnp.moveaxis(layer("place_or_twist", each), -1, 0)
    wishes = jnp.concatenate([place, twist, layer("take", whole)], axis=1)
    return jnp.where(seen["legal"], wishes, NO), layer("value", whole)[:, 0]


def loss(weights: Weights, data: Arrays) -> Array:
    """How far the network is from the moves (as chances) and the worth that it shall learn."""
    logits, value = network(weights, data)
    surprise = -(data["chances"] * jax.nn.log_softmax(logits)).sum(axis=1)
    return jnp.mean(surprise + 0.5 * (value - data["worth"]) ** 2)


class Learner:
    """The network and what changes it."""

    def __init__(self, updates: int, batch_size: int) -> None:
        self.weights: Weights = first_weights(jax.random.key(1))
        self.optimizer = optax.adam(optax.cosine_decay_schedule(RATE, updates))
        self.state = self.optimizer.init(self.weights)
        self.batch_size = batch_size
        self.update = jax.jit(self.updated)

    def updated(self, weights: Weights, state: Any, part: Arrays) -> Any:
        data = encode(part["observation"], part["mask"]) | {"chances": part["chances"], "worth": part["worth"]}
        change, state = self.optimizer.update(jax.grad(loss)(weights, data), state)
        return optax.apply_updates(weights, change), state

    def learn(self, data: dict[str, Any], chance: np.random.Generator) -> None:
        """Once from everything: observations, masks, the chances of all moves, and what they were worth."""
        moves = len(data["worth"])
        for part in np.split(chance.permutation(moves), range(self.batch_size, moves, self.batch_size)):
            if len(part) == self.batch_size:
                some = {name: array[part] for name, array in data.items()}
                self.weights, self.state = self.update(self.weights, self.state, some)


def ahead_of(scores: Any, seats: Any) -> Any:
    """By how many points these seats are ahead of the other."""
    return (scores[:, 0] - scores[:, 1]) * np.where(seats == 0, 1, -1)


def host(array: Any) -> Any:
    """An array of whatever library, on the CPU or a GPU, as NumPy's."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else np.asarray(array)


def contest(
    player: Player, deals: int, opponent: str = "casual", seed: int = 1000, device: str = "cpu"
) -> tuple[float, float]:
    """A player's share of the games, and how far its 95 % interval reaches to both sides.

    Each deal is played twice, with the seats exchanged, and all games run side by side. As the two games of a deal
    share its luck, the interval comes from how the share varies between deals.
    """
    seats = np.repeat([0, 1], deals)
    batch = Batch(GAME, 2 * deals, device, seed=np.tile(np.arange(seed, seed + deals), 2))
    table = Against(batch, seats, by=opponent)
    won = np.full(2 * deals, np.nan)
    while np.isnan(won).any():
        table.step(player(table.batch))
        ended = (host(table.dones) > 0) & np.isnan(won)
        won[ended] = (1 + host(table.rewards)[np.arange(2 * deals), seats][ended]) / 2  # a draw is half a win
    shares = won.reshape(2, deals).mean(axis=0)
    return float(shares.mean()), float(1.96 * shares.std(ddof=1) / np.sqrt(deals))
