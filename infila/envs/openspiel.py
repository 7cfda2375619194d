"""The games as OpenSpiel games: `infila_zatre(players=3,keeping=forced)` and so on, once this module is imported.

>>> import pyspiel
>>> import infila.envs.openspiel
>>> game = pyspiel.load_game("infila_take_that(players=3,rounds=1)")
>>> state = game.new_initial_state()
>>> while state.is_chance_node():
...     state.apply_action(7)
>>> state.action_to_string(state.legal_actions()[0])
'25'

All chance lies in three chance nodes at the beginning, which choose one of 2**30 deals: deal d is game d of seed 0, in
`simulate` and `Batch` too. A state is a function of its history, and nothing after the deal is left to chance.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.errors import IllegalMove
from infila.core.features import named
from infila.core.games import NAMES, contract_of
from infila.core.notation import move_texts, position_of
from infila.core.options import Spec
from infila.envs.table import OVER, Table

try:
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'infila[openspiel]'") from None

DEALS = 3  # chance nodes
OUTCOMES = 2**10  # of each
PREFIX = "infila_"

# more actions than a game can have, by the rules that end it: the tiles (Z1), the cards of a round (T1), 1,000 turns of
# every game of a match (C12), 1,000 turns (S18)
LONGEST = {"zatre": 1000, "take_that": 160, "completto": 3100, "sequence": 6000}
STAGES = {"take_that": "rounds", "completto": "games"}


def _parameter(spec: Spec, usual: Any) -> Any:
    """An option's default as OpenSpiel knows it: 0 for what depends on others, and for a seat drawn at random."""
    return 0 if usual is None or spec.kind == "seat" else usual


@cache
def _type(name: str) -> Any:
    contract = contract_of(name)
    specs = contract.options.specs()
    fields = contract.options.__dataclass_fields__
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=contract.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(specs["players"].values),
        min_num_players=min(specs["players"].values),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={key: _parameter(spec, fields[key].default) for key, spec in specs.items()},
    )


def _chosen(parameters: dict[str, Any]) -> dict[str, Any]:
    """OpenSpiel's parameters as options; a 0 says nothing."""
    return {key: value for key, value in parameters.items() if value is False or value != 0}


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. Winners share what all others lost, who lost 1 each."""

    name: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        name = self.name
        self.table = Table(name, "win", _chosen(parameters or {}))
        options = self.table.options.to_dict()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.actions,
            max_chance_outcomes=OUTCOMES,
            num_players=self.table.players,
            min_utility=-1.0,
            max_utility=self.table.players - 1.0,
            utility_sum=0.0,
            max_game_length=LONGEST[name] * int(options.get(STAGES.get(name, ""), 1)),
        )
        super().__init__(_type(name), info, parameters or {})

    def new_initial_state(self) -> "State":
        return State(self, self.table)

    def max_chance_nodes_in_history(self) -> int:
        return DEALS

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        return Observer(self.table, kind is not None and kind.perfect_recall)


class World:
    """What a state holds. Copying is a copy of the record; all else is never changed in place."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.states = np.zeros(1, table.contract.rules.State)
        self.deal: tuple[int, ...] = ()
        self.seat = OVER
        self.legal: list[int] = []
        self.moves = ""

    def __deepcopy__(self, _memo: Any) -> "World":
        other = World.__new__(World)
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
        return other

    def __reduce__(self) -> Any:
        kept = self.states.tobytes(), self.deal, self.moves
        return _restored, (self.table.contract.name, self.table.options.to_dict(), *kept)

    def choose_deal(self, outcome: int) -> None:
        self.deal = (*self.deal, outcome)
        if len(self.deal) == DEALS:
            number = sum(part * OUTCOMES**i for i, part in enumerate(self.deal))
            self.table.options.write(self.states[0])
            driver.deal_at(self.states, 0, np.uint64(0), np.uint64(number))
            self.look()

    def play(self, action: int) -> None:
        if action not in self.legal:
            raise IllegalMove("", f"action {action} is not legal now, so nothing has been played.")
        driver.play_at(self.states, 0, action)
        self.moves += f" {action}"
        self.look()

    def look(self) -> None:
        """Who is to act, and with what. The table's own game is not needed: it lends its buffers."""
        table = self.table
        table.set_up(self.states)
        self.seat = table.seat
        self.legal = sorted(table.legal)

    def redraw(self, seat: int, luck: Callable[[], float]) -> None:
        keys = (np.uint64(int(luck() * 2**53)) for _ in range(2))
        driver.redraw_at(self.states, 0, seat, *keys)
        self.look()

    def hidden(self, seat: int) -> Any:
        states = self.states.copy()
        driver.hide_at(states, 0, seat)
        return states


@cache
def _table(name: str, options: tuple[tuple[str, Any], ...]) -> Table:
    return Table(name, "win", dict(options))


def _restored(name: str, options: dict[str, Any], record: bytes, deal: tuple[int, ...], moves: str) -> World:
    world = World(_table(name, tuple(options.items())))
    world.states = np.frombuffer(record, world.states.dtype).copy()
    world.deal, world.moves = deal, moves
    if len(deal) == DEALS:
        world.look()
    return world


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game. The Python half is one `World`, which OpenSpiel copies and pickles."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game)
        self.world = World(table)

    def current_player(self) -> int:
        world = self.world
        if len(world.deal) < DEALS:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if world.seat == OVER else world.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        if len(self.world.deal) < DEALS:
            self.world.choose_deal(action)
        else:
            self.world.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return move_texts(self.world.table.contract, self.world.states, [action])[0]

    def is_terminal(self) -> bool:
        return len(self.world.deal) == DEALS and self.world.seat == OVER

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.world.table.players
        self.world.table.set_up(self.world.states)
        return self.world.table.results()

    def resample_from_infostate(self, player: int, luck: Callable[[], float]) -> "State":
        """A state that looks the same to a player: all that it cannot know is drawn anew.

        Its history keeps the old deal. OpenSpiel's bots in Python find this method; those in C++ cannot call it.
        """
        other: State = self.clone()
        other.world.redraw(player, luck)
        return other

    def __str__(self) -> str:
        world = self.world
        if len(world.deal) < DEALS:
            return f"deal {list(world.deal)}"
        return json.dumps(position_of(world.table.contract, world.states))


class Observer:
    """What a player may know: as JSON and as features (docs/observations.md); an information state has the moves too.

    Past moves are public in all games, and of what a seat once saw its record keeps what can still matter; so seat,
    moves and view are what a player with a perfect memory knows. They are a text; its tensor is the view's.
    """

    def __init__(self, table: Table, perfect_recall: bool) -> None:
        self.features = table.contract.features.FEATURES
        self.perfect_recall = perfect_recall
        self.tensor = np.zeros(table.features, np.float32)
        parts = named(self.features, self.tensor)
        self.dict = {name: part for name, part in parts.items() if part.size and name != "spare"}
        self.bytes = np.zeros(table.features, np.int8)

    def set_from(self, state: State, player: int) -> None:
        self.tensor.fill(0)
        if len(state.world.deal) == DEALS:
            driver.observe_at(state.world.states, 0, player, self.bytes)
            self.tensor[:] = self.bytes

    def string_from(self, state: State, player: int) -> str:
        world = state.world
        if len(world.deal) < DEALS:
            return f"player {player}, before the deal"
        hidden = world.hidden(player)
        if not self.perfect_recall:
            return json.dumps(position_of(world.table.contract, hidden, view=True))
        seen = hashlib.blake2b(hidden.tobytes(), digest_size=16).hexdigest()
        return f"player {player}, moves{world.moves}, sees {seen}"


class Rollouts:
    """An evaluator for OpenSpiel's MCTS and IS-MCTS bots that plays at random in compiled code."""

    def __init__(self, rollouts: int = 1, seed: int = 0) -> None:
        self.rollouts = rollouts
        self.luck = np.array([seed], np.uint64)

    def evaluate(self, state: State) -> Any:
        """The mean result of each player."""
        table = state.world.table
        out = np.zeros(table.contract.rules.MAX_LEGAL, np.int16)
        total = np.zeros(table.players)
        for _ in range(self.rollouts):
            table.states[0] = state.world.states[0]
            driver.playout_at(table.states, 0, out, self.luck, driver.ENDLESS)
            total += table.results()
        return total / self.rollouts

    def prior(self, state: State) -> list[tuple[int, float]]:
        """All moves alike."""
        legal = state.world.legal
        return [(action, 1 / len(legal)) for action in legal]


# a class for each game: the registry outlives the interpreter, and letting go of a function then would crash it
for _name in NAMES:
    pyspiel.register_game(_type(_name), type(f"Game_{_name}", (Game,), {"name": _name}))
