"""The games as OpenSpiel games, registered as `infila_` and their names once this module is imported.

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

`endgame` turns a position in which little is hidden into a game. Its only chance node has all the deals that the
position allows, so that it can be solved.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import SPECTATOR
from infila.core.errors import InfilaError
from infila.core.features import named
from infila.core.games import contract_of, usable_games
from infila.core.notation import move_texts, position_of
from infila.core.options import Spec
from infila.envs.episode import OVER, Episode
from infila.envs.world import DIGEST, Origin, World, opened, packed

try:
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'infila[openspiel]'") from None

PREFIX = "infila_"


def _parameter(spec: Spec, usual: Any) -> Any:
    """An option's default as OpenSpiel knows it: 0 for what depends on others, and for a seat drawn at random."""
    return 0 if usual is None or spec.kind == "seat" else usual


def _game_type(short_name: str, long_name: str, players: tuple[int, ...], **more: Any) -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        **more,
    )


@cache
def _type(name: str) -> Any:
    contract = contract_of(name)
    specs = contract.options.specs()
    fields = contract.options.__dataclass_fields__
    return _game_type(
        PREFIX + name,
        contract.title,
        specs["players"].values,
        provides_information_state_tensor=False,
        parameter_specification={key: _parameter(spec, fields[key].default) for key, spec in specs.items()},
    )


ENDGAME = _game_type(
    PREFIX + "endgame",
    "Endgame of a position",
    (2, 12),
    provides_information_state_tensor=True,
    parameter_specification={"position": ""},
    default_loadable=False,
)


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. The winners share what the others lose, 1 each."""

    name: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = parameters or {}
        self.origin: Origin = self.name, tuple(sorted(self.chosen(given).items()))
        self.episode, self.beginning = opened(self.origin)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.episode.actions,
            max_chance_outcomes=len(self.beginning.chances),
            num_players=self.episode.players,
            min_utility=-1.0,
            max_utility=self.episode.players - 1.0,
            utility_sum=0.0,
            max_game_length=self.episode.options.longest(),
        )
        super().__init__(self.kind(), info, given)

    def kind(self) -> Any:
        return _type(self.name)

    def chosen(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """OpenSpiel's parameters as options; a 0 means not given, which is why seats count from 1 here."""
        specs = contract_of(self.name).options.specs()
        said = {key: value for key, value in parameters.items() if value is False or value != 0}
        return {key: specs[key].from_json(value) if key in specs else value for key, value in said.items()}

    def new_initial_state(self) -> "State":
        """A state before the deal."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """The number of chance nodes, all of them at the beginning."""
        return self.beginning.nodes

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer | Factor | None":
        """An observer of what a player may know, or only of its public or its private part."""
        if kind is None:
            return Observer(self.episode, False)
        kinds = pyspiel.PrivateInfoType
        match kind.public_info, kind.private_info, kind.perfect_recall:
            case True, kinds.SINGLE_PLAYER, recall:
                return Observer(self.episode, recall)
            case True, kinds.NONE, False:
                return Factor(private=False)
            case False, kinds.SINGLE_PLAYER, False:
                return Factor(private=True)
        return None


class EndgameGame(Game):
    """A position in which only what everybody sees is fixed; the only chance node deals the rest."""

    name = "endgame"

    def kind(self) -> Any:
        return ENDGAME

    def chosen(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"position": parameters.get("position", "")}


def endgame(position: str | Mapping[str, Any]) -> Any:
    """The OpenSpiel game that continues from a position, as `game.position` gives it."""
    return pyspiel.load_game(ENDGAME.short_name, {"position": packed(position)})


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game. The Python half is one `World`, which OpenSpiel copies and pickles."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.world = World(game.origin, game.episode, game.beginning)

    def current_player(self) -> int:
        """The seat that is to act, or OpenSpiel's sign for chance or for the end."""
        world = self.world
        if not world.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if world.seat == OVER else world.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome of a chance node, with its probability."""
        return self.world.beginning.chances

    def _apply_action(self, action: int) -> None:
        if self.world.dealt:
            self.world.play(action)
        else:
            self.world.choose_deal(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        if not 0 <= action < self.world.episode.actions:
            raise InfilaError(f"there is no action {action}: the actions are 0 to {self.world.episode.actions - 1}.")
        return move_texts(self.world.episode.contract, self.world.states, [action])[0]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.world.dealt and self.world.seat == OVER

    def returns(self) -> list[float]:
        """What each player got; nothing before the end."""
        if not self.is_terminal():
            return [0.0] * self.world.episode.players
        self.world.episode.set_up(self.world.states)
        return self.world.episode.results()

    def resample_from_infostate(self, player: int, luck: Callable[[], float]) -> "State":
        """A state that looks the same to a player: everything it cannot know is drawn anew.

        Its history keeps the old deal. OpenSpiel's bots in Python find this method; those in C++ cannot call it.
        """
        other: State = self.clone()
        if other.world.dealt:
            other.world.redraw(player, luck)
        return other

    def __str__(self) -> str:
        world = self.world
        if not world.dealt:
            return f"deal {list(world.deal)}"
        return json.dumps(position_of(world.episode.contract, world.states))


class Observer:
    """What a player may know: as JSON and as features (docs/reference/observations.md).

    With perfect recall it is an information state: the seat, all moves so far, which are public, and a digest of what
    the seat saw whenever it acted and of what it sees now. As a tensor it is the seat, the bits of the digest and the
    features: the digest tells any two pasts apart, but nothing else can be learnt from it.
    """

    def __init__(self, episode: Episode, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        past = episode.players + 8 * DIGEST if perfect_recall else 0
        self.tensor = np.zeros(past + episode.features, np.float32)
        self.past, self.now = self.tensor[:past], self.tensor[past:]
        parts = named(episode.contract.features.FEATURES, self.now)
        self.dict = {name: part for name, part in parts.items() if part.size}
        if perfect_recall:
            self.dict["player"], self.dict["past"] = self.past[: episode.players], self.past[episode.players :]
        self.bytes = np.zeros(episode.features, np.int8)

    def set_from(self, state: State, player: int) -> None:
        self.tensor.fill(0)
        if state.world.dealt:
            driver.observe_at(state.world.states, 0, player, self.bytes)
            self.now[:] = self.bytes
        if self.perfect_recall:
            self.dict["player"][player] = 1
            digest = state.world.recall(player) if state.world.dealt else bytes(DIGEST)
            self.dict["past"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))

    def string_from(self, state: State, player: int) -> str:
        world = state.world
        if not world.dealt:
            return f"player {player}, before the deal"
        if not self.perfect_recall:
            return json.dumps(world.position(player))
        return f"player {player}, moves{world.moves}, sees {world.recall(player).hex()}"


class Factor:
    """A part of what a player may know now, as JSON: what everybody may, or the fields that tell the player more."""

    tensor = None

    def __init__(self, private: bool) -> None:
        self.private = private
        self.dict: dict[str, Any] = {}

    def set_from(self, state: State, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: State, player: int) -> str:
        world = state.world
        if not world.dealt:
            return "before the deal"
        public = world.position(SPECTATOR)
        if not self.private:
            return json.dumps(public)
        return json.dumps({key: value for key, value in world.position(player).items() if value != public[key]})


class Rollouts:
    """An evaluator for OpenSpiel's MCTS and IS-MCTS bots that plays at random in compiled code."""

    def __init__(self, rollouts: int = 1, seed: int = 0) -> None:
        self.rollouts = rollouts
        self.luck = np.array([seed], np.uint64)

    def evaluate(self, state: State) -> Any:
        """The mean result of each player."""
        episode = state.world.episode
        if not state.world.dealt:
            raise InfilaError("there is nothing to play out before the deal: choose it first.")
        out = np.zeros(episode.contract.rules.MAX_LEGAL, np.int16)
        total = np.zeros(episode.players)
        for _ in range(self.rollouts):
            episode.states[0] = state.world.states[0]
            driver.playout_at(episode.states, 0, out, self.luck, driver.ENDLESS)
            total += episode.results()
        return total / self.rollouts

    def prior(self, state: State) -> list[tuple[int, float]]:
        """All moves are equally likely."""
        legal = state.world.legal
        return [(action, 1 / len(legal)) for action in legal]


def _class(name: str) -> type[Game]:
    return type(name, (Game,), {"name": name, "__module__": __name__, "__doc__": contract_of(name).title})


# a class for each game, kept here: the registry outlives the interpreter, and letting go of a function then would crash
GAMES = {name: _class(name) for name in usable_games()}
globals().update(GAMES)  # where pickle looks for them

for _name, _game in GAMES.items():
    pyspiel.register_game(_type(_name), _game)
pyspiel.register_game(ENDGAME, EndgameGame)
