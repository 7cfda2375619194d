"""Endgames as games of OpenSpiel: solved by its algorithms, and by plain Python on the tree of the oracle."""

import itertools
import json
import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.tests import games_sim_test

import infila
from infila.core.errors import IllegalMove, InfilaError
from infila.envs.openspiel import endgame
from tests.envs.cases import passes
from tests.games.take_that.oracle import CARDS, Oracle, twisted
from tests.play import position_in


def last_cards(row: list[int], hands: list[list[int]], pile: list[int]) -> dict[str, Any]:
    """The end of a round of Take That: of the other cards pairs are plus cards of both, the rest minus cards."""
    left = set(CARDS) - {*row, *hands[0], *hands[1], *pile}
    pairs = [card for card in sorted(left) if card < twisted(card) and twisted(card) in left]
    plus = [sorted({*pairs[seat::2], *map(twisted, pairs[seat::2])}) for seat in range(2)]
    single = sorted(left - {*plus[0], *plus[1]})
    position = position_in(infila.new("take_that", players=2, rounds=1, dealer=1, seed=0))
    minus = [single[1::2], single[::2]]
    return position | {"row": row, "hands": hands, "pile": pile, "plus": plus, "minus": minus, "player": 1}


TINY = last_cards([52, 64], [[46, 51], [59]], [25])  # 12 to 15 points; 52 and 64 can be twisted


@dataclass
class Node:
    """A state of the plain tree: the player that is to act, what it knows, and what comes of each move."""

    player: int = -1
    knows: Any = None
    chances: list[float] = field(default_factory=list)
    after: list["Node"] = field(default_factory=list)
    value: float = 0.0  # for the first player, at the end


def grown(oracle: Oracle, state: Any, playing: Any, told: list[tuple[Any, ...]]) -> Node:
    """The tree below a position of the oracle, beside the state of OpenSpiel, which must agree; and the chances that a
    policy gives the moves. `told` is all that each player has seen and done."""
    if oracle.over():
        mine, yours = oracle.scores()
        assert state.is_terminal() and state.returns()[0] == (mine > yours) - (mine < yours)
        return Node(value=state.returns()[0])
    player = oracle.player
    assert player == state.current_player()
    moves = {state.action_to_string(action): action for action in state.legal_actions()}
    assert set(moves) == oracle.moves()
    knows = (*told[player], tuple(sorted(oracle.hands[player])))
    chances = playing.action_probabilities(state)
    node = Node(player, (player, knows), [chances[action] for action in moves.values()])
    for move, action in moves.items():
        after = Oracle.from_position(oracle.position())
        after.play(move)
        heard = [(*(knows if seat == player else told[seat]), move) for seat in range(2)]
        node.after.append(grown(after, state.child(action), playing, heard))
    return node


def trees(playing: Any) -> list[Node]:
    """One for every deal of TINY: which cards are in the first hand, and which of the others in the second."""
    hidden = sorted({*TINY["hands"][0], *TINY["hands"][1], *TINY["pile"]})
    dealt = {}
    root = endgame(TINY).new_initial_state()
    for outcome, _ in root.chance_outcomes():
        position = json.loads(str(root.child(outcome)))
        dealt[str((position["hands"], position["pile"]))] = outcome
    grow = []
    for first in itertools.combinations(hidden, 2):
        for held, drawn in itertools.permutations(set(hidden) - {*first}):
            position = TINY | {"hands": [list(first), [held]], "pile": [drawn]}
            outcome = dealt.pop(str((position["hands"], position["pile"])))
            grow.append(grown(Oracle.from_position(position), root.child(outcome), playing, [(), ()]))
    assert not dealt
    return grow


def value(node: Node) -> float:
    return node.value + sum(p * value(after) for p, after in zip(node.chances, node.after, strict=True))


def best_response(roots: list[Node], player: int) -> float:
    """What a player can get at most against the policy: at each of its information sets the move that is best for all
    the states it may be in, weighed by how the others and chance get there; the last decisions are made first."""
    sign = 1 if player == 0 else -1
    sets: dict[Any, list[tuple[Node, float]]] = defaultdict(list)

    def gather(node: Node, weight: float) -> None:
        if node.player == player:
            sets[node.knows].append((node, weight))
        for p, after in zip(node.chances, node.after, strict=True):
            gather(after, weight if node.player == player else weight * p)

    def worth(node: Node) -> float:
        if not node.after:
            return sign * node.value
        if node.player == player:
            return worth(node.after[chosen[node.knows]])
        return sum(p * worth(after) for p, after in zip(node.chances, node.after, strict=True))

    for root in roots:
        gather(root, 1 / len(roots))
    chosen: dict[Any, int] = {}
    for knows in sorted(sets, key=lambda knows: -len(knows[1])):
        moves = range(len(sets[knows][0][0].after))
        chosen[knows] = max(moves, key=lambda i: sum(weight * worth(node.after[i]) for node, weight in sets[knows]))
    return sum(worth(root) for root in roots) / len(roots)


def plain_exploitability(playing: Any) -> float:
    roots = trees(playing)
    return sum(best_response(roots, player) for player in range(2)) / 2


def test_cfr_solves_an_endgame_and_plain_python_agrees() -> None:
    game = endgame(TINY)
    anything = policy.UniformRandomPolicy(game)
    assert exploitability.exploitability(game, anything) == pytest.approx(plain_exploitability(anything), abs=1e-9)
    assert plain_exploitability(anything) > 0.3
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    left = exploitability.exploitability(game, solved)
    assert left == pytest.approx(plain_exploitability(solved), abs=1e-9)
    assert 0 <= left < 0.002
    expected = expected_game_score.policy_value(game.new_initial_state(), [solved] * 2)
    plain = sum(map(value, trees(solved))) / 12
    assert expected.tolist() == pytest.approx([plain, -plain])


def test_openspiels_own_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the whole tree, perfect recall among them; the numbers that they expect are those of the plain tree."""
    game = endgame(TINY)
    nodes = list(itertools.chain.from_iterable(map(below, trees(policy.UniformRandomPolicy(game)))))
    acting = [node for node in nodes if node.after]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "endgame", (1, len(acting), len(nodes) - len(acting)))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "endgame", len({node.knows for node in acting}))
    passes(api_test.EnforceAPIOnFullTreeBase, "endgame", game)
    passes(api_test.EnforceAPIOnPartialTreeBase, "endgame", game)
    games_sim_test.GamesSimTest().sim_game(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def below(node: Node) -> list[Node]:
    return [node, *itertools.chain.from_iterable(map(below, node.after))]


def test_the_deals_of_an_endgame_and_what_is_remembered_of_them() -> None:
    """All that nobody sees is dealt anew; a hand has no order, so there are 6! / 2! deals.

    Two cards drawn one after the other (T3) lie in a sorted hand, which does not tell which came first; but who drew
    them remembers.
    """
    root = endgame(last_cards([], [[12, 13], [14]], [71, 16, 91])).new_initial_state()
    assert len(root.chance_outcomes()) == math.factorial(6) // 2
    states = []
    for outcome, _ in root.chance_outcomes():
        state = root.child(outcome)
        position = json.loads(str(state))
        if position["hands"] == [[12, 13], [14]] and position["pile"][1] == 16:
            for move in (12, 14, 13):
                state.apply_action(move)
            states.append(state)
    assert len(states) == 2
    for player, pasts in ((0, 2), (1, 1)):
        assert len({state.observation_string(player) for state in states}) == 1
        assert len({state.information_state_string(player) for state in states}) == pasts
        assert len({tuple(state.information_state_tensor(player)) for state in states}) == pasts


def test_what_is_no_endgame_says_why() -> None:
    with pytest.raises(InfilaError, match="deals are possible here, but an endgame has at most 20,000"):
        endgame(infila.new("take_that", seed=1).position)
    over = infila.new("take_that", seed=1, rounds=1)
    while not over.over:
        over.play(over.moves[-1])
    with pytest.raises(InfilaError, match="this game is over"):
        endgame(over.position)
    with pytest.raises(InfilaError, match="the position of an endgame cannot be read"):
        pyspiel.load_game("infila_endgame(position=abc)")
    state = endgame(TINY | {"options": TINY["options"] | {"rounds": 2}}).new_initial_state()
    state.apply_action(0)
    with pytest.raises(IllegalMove, match="action 12 is not legal"):
        state.apply_action(12)
    with pytest.raises(InfilaError, match="something is shuffled here"):
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])


def test_an_endgame_of_zatre_keeps_what_is_known() -> None:
    """Z1, Z12: tiles are alike in part, so deals are not; and of those kept it may be known that they are high ones."""
    game = infila.new("zatre", seed=2, players=2)
    while len(position_in(game)["bag"]) > 2:
        game.play(game.moves[len(game.moves) // 2])
    position = position_in(game)
    assert (position["hands"], position["bag"]) == ([[], [5, 5]], [3, 6])
    for known, wanted in (([0, ""], {"35": 4, "36": 2, "55": 2, "56": 4}), ([2, "456"], {"55": 2, "56": 4})):
        root = endgame(position | {"known": [[0, ""], known]}).new_initial_state()
        found: dict[str, float] = defaultdict(float)
        for outcome, chance in root.chance_outcomes():
            hand = json.loads(str(root.child(outcome)))["hands"][1]
            found["".join(map(str, hand))] += chance
        assert found == pytest.approx({hand: ways / sum(wanted.values()) for hand, ways in wanted.items()})
