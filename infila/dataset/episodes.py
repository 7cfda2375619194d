"""A dataset for Minari: each episode is one seat's way through one game, as it would live through it in Gymnasium."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from infila.batch import stepping
from infila.core.errors import InfilaError
from infila.dataset.data import MASK, OBSERVATION, Dataset

FORM = "minari:"  # what a dataset's name begins with, on the command line


def check_id(name: str) -> None:
    """Refuse a name that Minari would not take, or that is taken, before anything is played."""
    minari = _minari()
    try:
        minari.dataset.minari_dataset.parse_dataset_id(name)
    except ValueError:
        raise InfilaError(f"{name!r} cannot be the id of a Minari dataset: ids look like games/club-v0.") from None
    if name in minari.list_local_datasets():
        raise InfilaError(f"there is a Minari dataset {name} already. Delete it, or choose another version.")


def to_minari(data: Dataset, name: str, progress: Callable[[int], None] = lambda games: None) -> Any:
    """Create a local Minari dataset and return it.

    An observation is a dictionary of `observation` and `action_mask`; the one after the last action shows the end of
    the game, with a mask that is all true, as whatever would be chosen there does not matter. The reward comes with the
    last action.
    """
    minari = _minari()
    from gymnasium import spaces
    from minari.data_collector import EpisodeBuffer

    check_id(name)
    episodes: list[Any] = []
    for i in range(0, data.games):
        episodes.extend(_episodes(data, i, len(episodes), EpisodeBuffer))
        progress(i + 1)
    size, actions = data.contract.features.SIZE, data.contract.rules.ACTIONS
    seen: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(-128, 127, (size,), np.int8),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it misses an author and an environment
        return minari.create_dataset_from_buffers(
            name,
            episodes,
            observation_space=spaces.Dict(seen),
            action_space=spaces.Discrete(actions),
            algorithm_name=", ".join(data.by),
            description=f"{data!r}, seed {data.seed}, made by infila",
            requirements=["infila"],
        )


def _episodes(data: Dataset, i: int, first: int, episode: Any) -> list[Any]:
    """The episodes of game i, numbered from `first`."""
    columns = data.columns(i, 1)
    finals = data.finals(i, 1)
    masks, number = data.unpack(columns[MASK]).view(np.int8), int(data.numbers[i])
    found: list[Any] = []
    for seat in sorted(set(columns["seat"].tolist())):
        mine = columns["seat"] == seat
        end = np.zeros((1, data.contract.features.SIZE), np.int8)
        stepping.observe_all(finals, np.array([seat], np.int8), end)
        seen = {
            "observation": np.concatenate([columns[OBSERVATION][mine], end]),
            "action_mask": np.concatenate([masks[mine], np.ones((1, masks.shape[1]), np.int8)]),
        }
        rewards, done = columns["reward"][mine], columns["done"][mine]
        found.append(
            episode(
                id=first + len(found),
                seed=number,
                options={"seat": seat},
                observations=seen,
                actions=columns["action"][mine].astype(np.int64),
                rewards=rewards,
                terminations=done,
                truncations=np.zeros_like(done),
                infos={},
            )
        )
    return found


def _minari() -> Any:
    try:
        import h5py  # noqa: F401  (Minari says only when it writes that it needs it)
        import minari
    except ImportError:
        raise InfilaError("Minari is not installed: pip install 'infila[minari]'.") from None
    return minari
