"""Observations: what a seat may know, as numbers to learn from.

An observation is one row of int8. Everything in these games is a small whole number (a tile, a card, a count), so a
byte holds it exactly, four times as many fit into a cache, a GPU's memory or a replay buffer as with float32, and a
network's first layer turns them into floats where it needs them. The few numbers without a bound (a lead, the rounds to
come) are cut off at ±127, beyond which nothing depends on them.

Seats are counted from the viewer: seat 0 is the viewer, seat 1 the one to the left. The size is the same for all
options and numbers of players; empty seats are zeros.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from infila.core.rule import rule

MOST = 127  # larger numbers are cut to this
ALIGNED = 16  # bytes: a row is a multiple of this, as matrix units prefer and a GPU's widest stores require


@dataclass(frozen=True)
class Feature:
    """A named part of an observation: a number, a vector, or planes."""

    name: str
    shape: tuple[int, ...]
    least: int  #: bounds of its numbers
    most: int
    meaning: str
    offset: int = 0  #: where it begins in the observation; `lay_out` sets it

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def part(self) -> slice:
        """Its place in the observation."""
        return slice(self.offset, self.offset + self.size)


def lay_out(*features: Feature) -> tuple[Feature, ...]:
    """The features one after another, padded to a multiple of ALIGNED."""
    placed: list[Feature] = []
    offset = 0
    spare = -sum(feature.size for feature in features) % ALIGNED
    for feature in (*features, Feature("spare", (spare,), 0, 0, "zeros: a row is a multiple of 16 bytes")):
        placed.append(replace(feature, offset=offset))
        offset += feature.size
    return tuple(placed)


def named(features: Sequence[Feature], observations: Any) -> dict[str, Any]:
    """The features of one observation, or of a batch of them, by name, each in its shape; they share its memory.

    >>> import infila
    >>> from infila.core.features import named
    >>> from infila.games.take_that.features import FEATURES
    >>> view = infila.new("take_that", seed=7, dealer=1).view(0)
    >>> int(named(FEATURES, view.observation())["hand"].sum())
    9
    """
    leading = observations.shape[:-1]
    return {f.name: observations[..., f.part].reshape(*leading, *f.shape) for f in features}


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or relabel a game that changes none of its rules, so that one game teaches as much as two.

    If `action` is good after `observation`, `actions[action]` is as good after `observation[features]`.
    """

    name: str
    features: Any  #: for each number of the new observation, its place in the old one
    actions: Any  #: for each action, the one it becomes


def permuted(features: Sequence[Feature], **parts: Any) -> Any:
    """The table of a symmetry; `parts` says, for features by name and in their shape, where each number comes from."""
    table = np.arange(sum(feature.size for feature in features))
    for feature in features:
        if feature.name in parts:
            wanted = np.broadcast_to(parts[feature.name], feature.shape)
            table[feature.part] = feature.offset + wanted.reshape(-1)
    return table


def identity(size: int, actions: int) -> Symmetry:
    """The one that changes nothing: the first of every game's."""
    return Symmetry("as it is", np.arange(size), np.arange(actions))


@rule
def cut(number: Any) -> Any:
    """A number without a bound as a byte."""
    return min(max(number, -MOST), MOST)


@rule
def seat_from(viewer: Any, steps: Any, players: Any) -> Any:
    """The seat `steps` places to the left of the viewer."""
    seat = viewer + steps
    return seat if seat < players else seat - players
