"""Wrong use of every interface: its own convention, or one clear error; nothing is silent, nothing has changed.

The rows of the table in docs/how-to/environments.md, one after the other.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

from infila.batch import Batch
from infila.core.errors import IllegalMove, InfilaError
from infila.envs.gymnasium import SeatEnv
from infila.envs.openspiel import Rollouts
from infila.envs.parallel import parallel_env
from infila.envs.pettingzoo import env
from infila.envs.vector import SeatVectorEnv, SelfPlayVectorEnv
from infila.envs.world import DEALS


class OnGpu:
    """An array that says it lies on a GPU."""

    __cuda_array_interface__ = {"shape": (3,), "typestr": "<i8", "data": (0, False), "version": 3}  # noqa: RUF012


def batch() -> Batch:
    return Batch("take_that", 3, seed=1)


def seat(**arguments: Any) -> Any:
    made = SeatEnv("take_that", opponents="random", rounds=1, **arguments)
    made.reset(seed=1)
    return made


def vector() -> Any:
    made = SelfPlayVectorEnv("take_that", 3)
    made.reset(seed=1)
    return made


def agents(**arguments: Any) -> Any:
    made = env("take_that", rounds=1, dealer=1, **arguments)
    made.reset(seed=1)
    return made


def parallel(**arguments: Any) -> Any:
    made = parallel_env("take_that", rounds=1, dealer=1, **arguments)
    made.reset(seed=1)
    return made


def spiel(moves: int = 0) -> Any:
    state = pyspiel.load_game("infila_take_that(rounds=1)").new_initial_state()
    for _ in range(DEALS):
        state.apply_action(7)
    while moves and not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        moves -= 1
    return state


def played_out(game: Any) -> Any:
    """To the end, dead agents included."""
    while game.agents:
        observation, _, termination, _, _ = game.last()
        game.step(None if termination else int(observation["action_mask"].argmax()))
    return game


def over(made: Any) -> Any:
    """A seat's game to the end."""
    ended = False
    while not ended:
        ended = made.step(int(made.action_masks().argmax()))[2]
    return made


def parallel_over() -> Any:
    game = parallel()
    seen = game.reset(seed=1)[0]
    while game.agents:
        seen = game.step({agent: int(seen[agent]["action_mask"].argmax()) for agent in game.agents})[0]
    return game


MASKED = 198  # taking the row, when there is none (T4)
ODD = [None, "34", 1.5, -1, 10**30, np.array([34]), True]

CASES: dict[str, list[tuple[Callable[[], Any], type[Exception], str]]] = {
    "a masked action": [
        (
            lambda: batch().step(np.full(3, MASKED)),
            IllegalMove,
            "in game 0 action 198 is not legal, so no game has moved",
        ),
        (lambda: seat(illegal="raise", dealer=1).step(MASKED), IllegalMove, "action 198 is not legal now"),
        (lambda: vector().step(np.full(3, MASKED)), IllegalMove, "in game 0 action 198"),
        (lambda: agents(illegal="raise").step(MASKED), IllegalMove, "action 198 is not legal now"),
        (lambda: parallel(illegal="raise").step({"player_0": MASKED}), IllegalMove, "action 198 is not legal now"),
        (lambda: parallel(illegal="raise").step({"player_1": 0}), IllegalMove, "player_1 can only wait now"),
        (lambda: spiel().apply_action(MASKED), IllegalMove, "action 198 is not legal now"),
    ],
    "what is no action": [
        *((lambda odd=odd: seat(illegal="raise").step(odd), IllegalMove, "is not legal now") for odd in ODD),
        *((lambda odd=odd: agents(illegal="raise").step(odd), IllegalMove, "is not legal now") for odd in ODD),
        (lambda: batch().step(None), InfilaError, "actions must be whole numbers"),
        (lambda: batch().step(np.ones(3, bool)), InfilaError, "not bool of shape"),
        (lambda: batch().step([[1], [2, 3], 4]), InfilaError, "actions must be an array, not list"),
        (lambda: batch().step(np.full(3, 2**63, np.uint64)), IllegalMove, "action 9223372036854775808 is not legal"),
        (lambda: vector().step(None), InfilaError, "actions must be whole numbers"),
        (lambda: parallel().step([1, 2]), InfilaError, "actions must be a dictionary"),
        (lambda: parallel().step({"nobody": 1}), InfilaError, "an action for each of player_0, player_1"),
        (lambda: spiel().apply_action("34"), TypeError, "incompatible function arguments"),
        (lambda: spiel().apply_action(-1), pyspiel.SpielError, "kInvalidAction"),
        (lambda: spiel().action_to_string(0, 5000), InfilaError, "there is no action 5000: the actions are 0 to 198"),
    ],
    "no game yet": [
        (lambda: SeatEnv("take_that").step(34), InfilaError, "call reset"),
        (lambda: SeatEnv("take_that").action_masks(), InfilaError, "call reset"),
        (lambda: SeatEnv("take_that", render_mode="ansi").render(), InfilaError, "call reset"),
        (lambda: gymnasium.make("infila/TakeThat-v0").step(34), gymnasium.error.ResetNeeded, "before calling"),
        (lambda: SelfPlayVectorEnv("take_that", 3).step(np.full(3, 34)), InfilaError, "call reset"),
        *(
            (lambda use=use: use(env("take_that", render_mode="svg")), InfilaError, "call reset")
            for use in (lambda e: e.step(34), lambda e: e.last(), lambda e: e.observe("player_0"), lambda e: e.render())
        ),
        (lambda: parallel_env("take_that").step({}), InfilaError, "call reset"),
        (
            lambda: spiel().get_game().new_initial_state().apply_action(5000),
            InfilaError,
            "no deal 5000: the deals are 0 to",
        ),
        (lambda: Rollouts().evaluate(spiel().get_game().new_initial_state()), InfilaError, "before the deal"),
    ],
    "a finished game": [
        (lambda: over(seat()).step(34), InfilaError, "call reset"),
        (lambda: played_out(agents()).step(34), InfilaError, "call reset"),
        (lambda: played_out(agents()).step(None), InfilaError, "call reset"),
        (lambda: played_out(agents()).last(), InfilaError, "call reset"),
        (lambda: parallel_over().step({}), InfilaError, "call reset"),
        (lambda: spiel(1000).apply_action(34), IllegalMove, "action 34 is not legal now"),
    ],
    "who is not there": [
        (lambda: batch().observe(seats=2), InfilaError, "seats cannot be 2"),
        (lambda: SeatEnv("take_that", seat=2), InfilaError, "seat cannot be 2"),
        (lambda: SeatEnv("take_that", opponents=3), InfilaError, "int cannot play: an agent is a function"),  # type: ignore[arg-type]
        (lambda: agents().observe("nobody"), InfilaError, "no agent 'nobody': the agents are player_0, player_1"),
        (lambda: spiel().observation_string(2), pyspiel.SpielError, "player < "),
    ],
    "a buffer of another shape, type or device": [
        (lambda: batch().mask(np.zeros((3, 9), np.uint8)), InfilaError, r"must be uint8 of shape \(3, 199\)"),
        (lambda: batch().mask(np.zeros((3, 199), np.float32)), InfilaError, "not float32"),
        (lambda: batch().mask(np.broadcast_to(np.zeros(199, np.uint8), (3, 199))), InfilaError, "must be writeable"),
        (lambda: batch().observe(OnGpu()), InfilaError, "the array for observations lies on a GPU"),
        (lambda: batch().step(OnGpu()), InfilaError, "the array for actions lies on a GPU"),
        (lambda: batch().playouts(policy=OnGpu()), InfilaError, "the array for policy lies on a GPU"),
        (lambda: vector().step(np.zeros(4, np.int64)), InfilaError, r"of shape \(3,\), not int64 of shape \(4,\)"),
    ],
    "a seed that is none": [
        (lambda: batch().reset(seed=-1), InfilaError, "seed cannot be -1"),
        (lambda: seat().reset(seed=2**64), InfilaError, "a seed cannot be"),
        (lambda: seat().reset(seed=-1), gymnasium.error.Error, "greater or equal to zero"),
        (lambda: vector().reset(seed=2**64), InfilaError, "seed cannot be"),
        (lambda: vector().reset(seed=[1, 2]), InfilaError, "there are 2 seeds for 3 games"),
        (lambda: vector().reset(seed=[1, 2, -1]), InfilaError, "seed cannot be -1"),
        (lambda: vector().reset(seed="abc"), InfilaError, "a seed cannot be 'abc'"),
        (lambda: agents().reset(seed=1.5), InfilaError, "a seed cannot be 1.5"),
        (lambda: parallel().reset(seed="x"), InfilaError, "a seed cannot be 'x'"),
    ],
    "an option that is none": [
        (lambda: Batch("take_that", 1, jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: seat(jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: SelfPlayVectorEnv("take_that", jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: agents(jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: parallel(jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: SeatVectorEnv("take_that", jokers=1), InfilaError, "no option 'jokers'"),
        (lambda: seat().reset(options={"jokers": 1}), InfilaError, "reset has no option 'jokers'"),
        (lambda: vector().reset(options={"jokers": 1}), InfilaError, "reset has no option 'jokers'"),
        (lambda: pyspiel.load_game("infila_take_that(jokers=1)"), pyspiel.SpielError, "Unknown parameter 'jokers'"),
    ],
}


@pytest.mark.parametrize("row", CASES)
def test_one_clear_error(row: str) -> None:
    for use, kind, sentence in CASES[row]:
        with pytest.raises(kind, match=sentence):
            use()


def test_an_error_changes_nothing() -> None:
    playing = agents(illegal="raise")
    before = playing.episode.states.tobytes(), playing.agent_selection, dict(playing.infos)
    for odd in (MASKED, *ODD):
        with pytest.raises(IllegalMove):
            playing.step(odd)
    assert (playing.episode.states.tobytes(), playing.agent_selection, dict(playing.infos)) == before
    games = batch()
    digest = games.digest()
    for wrong in (np.full(3, MASKED), np.zeros(4, np.int64), OnGpu(), None):
        with pytest.raises(InfilaError):
            games.step(wrong)
    assert games.digest() == digest
    state = spiel()
    text = str(state)
    with pytest.raises(IllegalMove):
        state.apply_action(MASKED)
    assert str(state) == text and not state.is_terminal()


def test_arrays_of_a_batch_are_shared_by_dlpack() -> None:
    games = batch()
    for array in (games.mask(), games.observe(), games.legal()[0], games.movers, games.rewards, games.scores):
        assert np.shares_memory(np.from_dlpack(array), array)
