"""The OpenSpiel games: OpenSpiel's own tests and bots, and that they are our games."""

import json
import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import infila
from infila.core.errors import IllegalMove, InfilaError
from infila.envs.openspiel import DEALS, Rollouts
from tests.play import GAMES

VARIANTS = {
    "zatre": "players=3,keeping=forced",
    "take_that": "players=3,rounds=1,expert=True,dealer=2",
    "completto": "players=2,games=1",
    "sequence": "players=4,draw=manual,table_talk=forbidden",
}


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
def test_openspiels_own_test(name: str) -> None:
    pyspiel.random_sim_test(loaded(name), num_sims=1, serialize=name != "completto", verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_states_are_our_games_and_keep_secrets(name: str) -> None:
    state = begun(name, moves=12)
    position = json.loads(str(state))
    game = infila.load(position)
    seat = state.current_player()
    assert game.position() == position
    assert sorted(game.view(seat).own_actions()) == state.legal_actions()
    assert state.action_to_string(state.legal_actions()[0]) in game.moves
    for player in range(state.num_players()):
        view = game.view(player)
        assert json.loads(state.observation_string(player)) == view.position()
        tensor = np.array(state.observation_tensor(player))
        assert (tensor == view.observation()[: len(tensor)]).all()
        assert state.information_state_tensor(player) == tensor.tolist()


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


def test_a_playthrough() -> None:
    actions = begun("take_that", moves=3).history()
    text = generate_playthrough.playthrough("infila_take_that(players=2,rounds=1)", actions[:DEALS])
    assert "IsTerminal() = True" in text


def test_wrong_use_gets_a_sentence() -> None:
    with pytest.raises(InfilaError, match="players cannot be 9"):
        pyspiel.load_game("infila_take_that(players=9)")
    with pytest.raises(InfilaError, match="keeping cannot be 'never'"):
        pyspiel.load_game("infila_zatre(keeping=never)")
    state = begun("take_that")
    with pytest.raises(IllegalMove, match="action 198 is not legal"):
        state.apply_action(198)
