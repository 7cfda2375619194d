"""What observations and actions look like, as spaces of Gymnasium."""

from typing import Any

import numpy as np
from gymnasium import spaces

from infila.core.features import Feature


def observations(features: tuple[Feature, ...]) -> "spaces.Box":
    """An observation's numbers with their bounds."""
    low = np.concatenate([np.full(feature.size, feature.least) for feature in features])
    high = np.concatenate([np.full(feature.size, feature.most) for feature in features])
    high = np.maximum(high, low + 1)  # the checkers of both libraries want a range even where there is only a zero
    return spaces.Box(low.astype(np.int8), high.astype(np.int8), dtype=np.int8)


def of_all(features: tuple[Feature, ...], players: int) -> "spaces.Box":
    """The observations of all seats, one after the other."""
    one = observations(features)
    return spaces.Box(np.tile(one.low, players), np.tile(one.high, players), dtype=np.int8)


def masked(features: tuple[Feature, ...], actions: int) -> "spaces.Dict":
    mask: Any = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observations(features), "action_mask": mask})
