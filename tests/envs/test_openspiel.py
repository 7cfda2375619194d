"""The OpenSpiel games: OpenSpiel's own tests and bots, and that they are our games."""

import json
import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, outcome_sampling_mccfr, random_agent
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import infila
from infila.batch import Batch
from infila.core.errors import IllegalMove, InfilaError
from infila.envs.openspiel import Rollouts
from infila.envs.world import DEALS
from tests.cases import cases_of
from tests.envs.cases import passes
from tests.play import GAMES, position_in

VARIANTS = {name: cases_of(name).openspiel for name in GAMES}


def loaded(name: str) -> Any:
    return pyspiel.load_game(f"infila_{name}({VARIANTS[name]})")


def begun(name: str, deal: int = 5, moves: int = 0) -> Any:
    """A state after the deal and some moves at random."""
    state = loaded(name).new_initial_state()
    for _ in range(DEALS):
        state.apply_action(deal)
    chance = random.Random(deal)
    for _ in range(moves):
        state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_tests(name: str) -> None:
    pyspiel.random_sim_test(loaded(name), num_sims=1, serialize=not cases_of(name).aimless, verbose=False)
    games_sim_test.GamesSimTest().sim_game(loaded(name))
    passes(api_test.EnforceAPIOnPartialTreeBase, name, loaded(name))


@pytest.mark.parametrize("name", GAMES)
def test_states_are_our_games_and_keep_secrets(name: str) -> None:
    state = begun(name, moves=12)
    position = json.loads(str(state))
    game = infila.load(position)
    seat = state.current_player()
    assert position_in(game) == position
    assert sorted(game.view(seat).own_actions()) == state.legal_actions()
    assert state.action_to_string(state.legal_actions()[0]) in game.moves
    for player in range(state.num_players()):
        view = game.view(player)
        assert json.loads(state.observation_string(player)) == position_in(view)
        tensor = np.array(state.observation_tensor(player))
        assert (tensor == view.observation()[: len(tensor)]).all()


@pytest.mark.parametrize("name", GAMES)
def test_what_is_public_and_what_is_private_make_what_a_player_sees(name: str) -> None:
    state = begun(name, moves=12)
    kinds = pyspiel.PrivateInfoType
    public, private = (
        make_observation(state.get_game(), pyspiel.IIGObservationType(public_info, False, private_info))
        for public_info, private_info in ((True, kinds.NONE), (False, kinds.SINGLE_PLAYER))
    )
    game = infila.load(json.loads(str(state)))
    everybody = json.loads(public.string_from(state, 0))
    assert everybody == position_in(game.view(None))
    for player in range(state.num_players()):
        more = json.loads(private.string_from(state, player))
        assert everybody | more == position_in(game.view(player))
        assert bool(more) == (cases_of(name).hands and "hands" in more)
    assert make_observation(state.get_game(), pyspiel.IIGObservationType(True, False, kinds.ALL_PLAYERS)) is None


@pytest.mark.parametrize("name", GAMES)
def test_resampling_changes_nothing_that_the_player_sees(name: str) -> None:
    state = begun(name, moves=9)
    seat = state.current_player()
    before = str(state)
    others = [state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0)) for _ in range(5)]
    assert len({str(other) for other in others}) > 1 and str(state) == before
    for other in others:
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_what_is_read_back_go_on_alike(name: str) -> None:
    state = begun(name, moves=9)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    pickled = pickle.loads(pickle.dumps(state))
    replayed = loaded(name).new_initial_state()
    for action in state.history():
        replayed.apply_action(action)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state)
    for other in (read, pickled, replayed):
        assert str(other) == str(state) and other.history() == state.history()
        other.apply_action(other.legal_actions()[0])
        assert str(other) == str(copy)
        assert other.information_state_string(0) == copy.information_state_string(0)


@pytest.mark.parametrize("name", GAMES)
def test_ismcts_and_random_bots_play_a_whole_game(name: str) -> None:
    game = loaded(name)
    luck = np.random.RandomState(1)
    searching = ISMCTSBot(game, Rollouts(seed=1), 1.4, 2, random_state=luck)
    bots = [searching, *(pyspiel.make_uniform_random_bot(seat, seat) for seat in range(1, game.num_players()))]
    state = begun(name)
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    returns = state.returns()
    assert sum(returns) == pytest.approx(0) and min(returns) in (-1, 0)


def test_openspiels_own_rollouts_and_ours() -> None:
    state = begun("take_that", moves=5)
    for evaluator in (RandomRolloutEvaluator(2, np.random.RandomState(1)), Rollouts(2)):
        assert sum(evaluator.evaluate(state)) == pytest.approx(0)
        assert [action for action, _ in evaluator.prior(state)] == state.legal_actions()


def played_through(name: str) -> tuple[Any, str]:
    """A game to its end, and what OpenSpiel writes down of it."""
    state = begun(name, deal=3)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[7 * len(state.history()) % min(len(legal), 3)])  # so no game takes long
    return state, generate_playthrough.playthrough(f"infila_{name}({VARIANTS[name]})", state.history())


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough(name: str) -> None:
    """OpenSpiel writes down all that can be asked of every state of a game."""
    state, text = played_through(name)
    assert text.count("\n# State ") == len(state.history()) + 1
    assert text.count("\nIsTerminal() = True") == 1 and "\nPublicObservationString() = " in text


def test_a_playthrough_is_the_same_again() -> None:
    assert played_through("take_that")[1] == played_through("take_that")[1]


def test_openspiels_learners_find_what_they_ask_for() -> None:
    env = rl_environment.Environment(loaded("take_that"))
    assert env.observation_spec()["info_state"] == (1072,), "what is seen now"
    agents = [random_agent.RandomAgent(player, env.action_spec()["num_actions"]) for player in range(env.num_players)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game("infila_take_that(rounds=1)"))
    solver.iteration()
    assert len(solver._infostates) > 20


def test_wrong_use_gets_a_sentence() -> None:
    with pytest.raises(InfilaError, match="players cannot be 9"):
        pyspiel.load_game("infila_take_that(players=9)")
    with pytest.raises(InfilaError, match="keeping cannot be 'never'"):
        pyspiel.load_game("infila_zatre(keeping=never)")
    state = begun("take_that")
    with pytest.raises(IllegalMove, match="action 198 is not legal"):
        state.apply_action(198)


@pytest.mark.parametrize("name", GAMES)
def test_tensors_are_the_observations_of_a_batch(name: str) -> None:
    """The same numbers in the same order, as floats: deal d is game d of seed 0 in both."""
    batch = Batch(name, 3, **cases_of(name).batch)
    game = pyspiel.load_game(f"infila_{name}", cases_of(name).batch)
    states = []
    for number in range(3):
        state = game.new_initial_state()
        for part in (number, 0, 0):
            state.apply_action(part)
        states.append(state)
    for _ in range(6):
        for seat in range(batch.players):
            seen = batch.observe(seats=seat).astype(np.float32)
            assert (seen == np.array([state.observation_tensor(seat) for state in states])).all()
        assert [state.current_player() for state in states] == batch.movers.tolist()
        actions, counts = batch.legal()
        for i, state in enumerate(states):
            assert sorted(actions[i, : counts[i]].tolist()) == state.legal_actions()
            state.apply_action(int(actions[i, 0]))
        batch.step(actions[:, 0].copy())
