"""A game in play, and what one seat sees of it: the two nouns of the library.

`Game` is the referee: it knows everything. `View` is made from a hidden copy of the state and knows only what its seat
may know.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infila.core import seeds
from infila.core.errors import BadLog, BadPosition, IllegalMove, InfilaError
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import SEPARATOR, Log, parse

if TYPE_CHECKING:
    import numpy as np
    from rich.console import RenderableType

    from infila.core.contract import Contract, Item
    from infila.core.record import States


@dataclass(frozen=True)
class Stage:
    """A round, or a game of a match: for each seat, everything that counted in it."""

    title: str  #: "round 2"
    seats: "list[list[Item]]"


class _Board:
    """What a game and a view have in common: a record and what can be read off it."""

    contract: "Contract"  #: the game's rules, notation and texts
    states: "States"  #: an array of one record: the state, or in a view a copy with the rest hidden
    names: tuple[str, ...]  #: of the players, in the order of the seats
    _stages: Growing[Stage]  # those that have ended

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.contract.name

    @property
    def options(self) -> dict[str, Any]:
        """All options by name, `players` among them."""
        return self.contract.options.read(self.states[0]).to_dict()

    def _status(self) -> tuple[int, bool, list[int]]:
        import numpy as np

        from infila.core import driver
        from infila.core.notation import POINTS

        points = np.zeros(POINTS, np.int64)
        player, over = driver.status_at(self.states, 0, points)
        return int(player), bool(over), points[: len(self.names)].tolist()

    @property
    def player(self) -> int:
        """The seat on turn, from 0; once the game is over, the one whose turn was last."""
        return self._status()[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._status()[1]

    @property
    def scores(self) -> list[int]:
        """Each seat's score; at the end the highest wins, and equal scores share the place."""
        return self._status()[2]

    @property
    def winners(self) -> list[int]:
        """The seats with the best score, once the game is over; none before, and none in a draw."""
        _, over, scores = self._status()
        return [seat for seat, score in enumerate(scores) if over and score == max(scores) and self._won(scores)]

    def _won(self, scores: list[int]) -> bool:
        return not self.contract.needs_winner or len(set(scores)) > 1

    def actions(self) -> list[int]:
        """All legal actions now, as small ints for programs; `text` says what one means."""
        return self._legal()[0]

    def _legal(self) -> tuple[list[int], list[int]]:
        """All legal actions, and the seat of each."""
        from infila.core.notation import legal_actions

        return legal_actions(self.contract, self.states)

    def _actions_of(self, seat: int) -> list[int]:
        return [action for action, actor in zip(*self._legal(), strict=True) if actor == seat]

    def text(self, action: int) -> str:
        """The standard text of an action."""
        return self._texts([action])[0]

    def _texts(self, actions: list[int]) -> list[str]:
        from infila.core.notation import move_texts

        return move_texts(self.contract, self.states, actions)

    def acting(self) -> list[int]:
        """The seats that have a move now."""
        return sorted({seat for seat in self._legal()[1] if seat >= 0})

    def host_actions(self) -> list[int]:
        """The legal actions that belong to no seat: the host of a table plays them."""
        from infila.core.contract import HOST

        return self._actions_of(HOST)

    def parts(self, move: str) -> tuple[str, ...]:
        """A legal move as a path of parts of the picture, for clicking."""
        actions = self.actions()
        for action, text in zip(actions, self._texts(actions), strict=True):
            if text == move:
                return self.contract.notation.parts(self.states[0], action)
        raise IllegalMove("", f"{move!r} is not among the legal moves.")

    def explain(self) -> list[Stage]:
        """Everything that counts in the scores, stage by stage: each line, cross, bonus and card; in the current stage,
        as far as it is known here."""
        current = Stage(self.contract.scoring.stage(self.states[0]), self.contract.scoring.explain(self.states[0]))
        return [*self._stages, current]


class View(_Board):
    """What one seat, or a spectator, may know about a game. `Game.view` makes it, and it never changes.

    In a notebook it is shown as a picture, and `print` draws it as text.

    >>> import infila, json
    >>> game = infila.new("take_that", players=2, seed=7, dealer=1)
    >>> view = game.view(1)
    >>> json.loads(view.position)["hands"][0]
    ['?', '?', '?', '?', '?', '?', '?', '?', '?']
    """

    def __init__(
        self, contract: "Contract", states: "States", seat: int | None, log: Log, stages: Growing[Stage]
    ) -> None:
        self.contract = contract
        self.states = states
        self._log = log
        self._stages = stages
        self.seat = seat  #: the viewer's, from 0; None for a spectator
        self.names = log.seats
        self._found: tuple[list[int], list[int]] | None = None
        self._known: tuple[int, bool, list[int]] | None = None

    def _status(self) -> tuple[int, bool, list[int]]:
        """Looked up once: a view does not change."""
        if self._known is None:
            self._known = super()._status()
        player, over, scores = self._known
        return player, over, list(scores)

    def _legal(self) -> tuple[list[int], list[int]]:
        if self._found is None:
            self._found = super()._legal()
        return self._found

    @property
    def moves(self) -> list[str]:
        """The legal moves of this seat; none for a spectator, and none while others must act."""
        return self._texts(self.own_actions())

    def own_actions(self) -> list[int]:
        """The legal actions of this seat."""
        return [] if self.seat is None else self._actions_of(self.seat)

    @property
    def log(self) -> str:
        """The log (docs/reference/log.md) as far as this viewer may read it: the seed is left out until the end."""
        return self._log.text(finished=True)

    @property
    def position(self) -> str:
        """The position as JSON text (docs/reference/positions.md), without anything that this viewer cannot know."""
        from infila.core.notation import position_of

        return json.dumps(position_of(self.contract, self.states, view=True), ensure_ascii=False)

    def observation(self) -> "np.ndarray[Any, np.dtype[np.int8]]":
        """The view as numbers to learn from (docs/reference/observations.md).

        >>> import infila
        >>> infila.new("take_that", seed=7).view(0).observation().shape
        (1072,)
        """
        import numpy as np

        from infila.core import driver

        if self.seat is None:
            raise InfilaError("a spectator has no observation. Take the view of a seat.")
        out = np.zeros(self.contract.features.SIZE, np.int8)
        driver.observe_at(self.states, 0, self.seat, out)
        return out

    def read(self, text: str) -> int:
        """The action that a text stands for; raises IllegalMove if this seat may not do it now."""
        from infila.core.notation import split_seat

        named, body = split_seat(text, len(self.names))
        seat = self.seat
        if seat is None:
            raise IllegalMove("", "spectators do not move.")
        if named not in (None, seat):
            raise IllegalMove("", "you are seat {seat} and cannot move for another.", seat=seat + 1)
        if self.over:
            raise IllegalMove("", "the game is over. Start a new one.")
        mine = self.own_actions()
        if not mine and seat != self.player and not self._is_own(body, seat):
            name = self.names[self.player]
            raise IllegalMove(self.contract.turn_rule, "it is not your turn: {name} is on turn.", name=name)
        action = self.contract.notation.parse(self.states[0], body, seat)
        if action not in mine:
            raise self.contract.notation.refusal(self.states[0], action, seat)
        return action

    def _is_own(self, text: str, seat: int) -> bool:
        """Whether a text means an action of this seat, whoever is on turn; the game says why it is not legal now."""
        from infila.core import driver

        try:
            action = self.contract.notation.parse(self.states[0], text, seat)
        except IllegalMove:
            return False
        return int(driver.actor_at(self.states, 0, action)) == seat

    def why_not(self, text: str) -> str | None:
        """Why this seat may not make a move now, with the number of the rule; None if it may."""
        try:
            self.read(text)
        except IllegalMove as problem:
            return str(problem)
        return None

    def screen(self) -> "RenderableType":
        """The view drawn for a terminal, for rich."""
        seat = -1 if self.seat is None else self.seat
        return self.contract.screen.draw(self.states[0], seat, self.names)

    def _repr_svg_(self) -> str:
        """The view as a picture, for a notebook."""
        from infila.core.picture import alone, sayer

        say = sayer(self.contract.words()["picture"])
        seat = -1 if self.seat is None else self.seat
        drawn = self.contract.picture.panels(self.states[0], seat, self.names, say, ())
        return alone(drawn, self.contract.package)

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=100, color_system=None, force_terminal=False, legacy_windows=False)
        with console.capture() as capture:
            console.print(self.screen())
        return capture.get()


class Game(_Board):
    """A game with everything known. Make one with `infila.new` or `infila.load`.

    Moves are texts. `play` and `undo` change the game and return nothing; `after` and `before` return another game and
    leave this one as it is.

    >>> import infila
    >>> game = infila.new("take_that", players=2, seed=7, dealer=1)
    >>> game.player
    0
    >>> game.moves[:3]
    ['13', '14', '38']
    >>> game.play("38")
    >>> game.after("48", "take").history
    ('38', '48', 'take')
    >>> game.history
    ('38',)
    """

    def __init__(self, log: Log) -> None:
        """Set a game up and play `log.moves`; an illegal one raises BadLog."""
        self.contract = contract_of(log.game)
        self.names = log.seats
        self._log = replace(log, moves=Growing(), lines=())
        self.states = self._beginning()
        self._stages = Growing()
        for i, move in enumerate(log.moves):
            try:
                self.play(move)
            except IllegalMove as problem:
                line = log.lines[i] if log.lines else i + 1
                raise BadLog(line, "{move!r} cannot be played here. {why}", self._log, move=move, why=problem) from None

    def _beginning(self) -> "States":
        import numpy as np

        from infila.core import driver
        from infila.core.notation import set_up

        log = self._log
        if log.position is not None:
            return set_up(self.contract, log.position)
        if log.seed is None:
            raise InfilaError(
                "this log has no seed, so its deal is not known. Once the game is over it has one and can be replayed."
            )
        states = np.zeros(1, self.contract.rules.State)
        log.options.write(states[0])
        key0, key1 = seeds.key_of(log.seed, log.words)
        driver.deal_at(states, 0, np.uint64(key0), np.uint64(key1))
        return states

    @property
    def moves(self) -> list[str]:
        """All legal moves now, as text; those out of turn name their seat."""
        return self._texts(self.actions())

    def moves_by_seat(self) -> list[tuple[str, int]]:
        """All legal moves now, each with the seat that makes it, or -1 if it belongs to no seat."""
        actions, seats = self._legal()
        return list(zip(self._texts(actions), seats, strict=True))

    @property
    def history(self) -> Sequence[str]:
        """The moves played so far, like a tuple; later moves do not change it."""
        return self._log.moves

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, to be shown before the deal."""
        return self._log.commitment

    @property
    def seed(self) -> str | None:
        """It tells every card to come: keep it secret during the game. None if the game began from a position."""
        return self._log.seed

    def play(self, move: str) -> None:
        """Play a move in this game; raises IllegalMove, and changes nothing, if the rules do not allow it.

        >>> import infila
        >>> infila.new("take_that", seed=7).play("take")
        Traceback (most recent call last):
        infila.core.errors.IllegalMove: T4: there is no row to take. Open one with any card of your hand.
        """
        self.play_action(self._read(move))

    def after(self, *moves: str) -> "Game":
        """The game as it would be after these moves; this one does not change.

        >>> import infila
        >>> game = infila.new("take_that", players=2, seed=7, dealer=1)
        >>> game.after("38").player, game.player
        (1, 0)
        """
        other = self.copy()
        for move in moves:
            other.play(move)
        return other

    def play_action(self, action: int) -> None:
        """Play a legal action, as `View.read` gives it for the seat that acts."""
        from infila.core import driver
        from infila.core.record import copied

        text = sys.intern(self.text(action))  # many games hold the same few moves
        scoring = self.contract.scoring
        before = copied(self.states)
        driver.play_at(self.states, 0, action)
        if scoring.stage(before[0]) != scoring.stage(self.states[0]):
            ended = scoring.ending(before[0], action)
            if ended is not None:
                stage = Stage(scoring.stage(before[0]), scoring.explain(ended))
                self._stages = self._stages.with_next(stage)
        self._log = replace(self._log, moves=self._log.moves.with_next(text))

    def _read(self, text: str) -> int:
        """The action that a text means, judged from the acting seat's own view."""
        from infila.core.notation import split_seat

        if not isinstance(text, str):
            raise IllegalMove("", f"a move is a text such as {self.contract.examples}, not {text!r}.")
        named, body = split_seat(text, len(self.names))
        for action in self.host_actions() if named is None else ():
            if self.text(action) == body:
                return action
        return self.view(self.player if named is None else named).read(body)

    def action_of(self, move: str) -> int:
        """The action that the text of a legal move stands for."""
        return self._read(move)

    def mover(self, move: str) -> int | None:
        """The seat that would make a move, given as in `moves`; None if it belongs to no seat."""
        for text, seat in self.moves_by_seat():
            if text == move:
                return seat if seat >= 0 else None
        raise IllegalMove("", f"{move!r} is not among the legal moves.")

    def undo(self, moves: int = 1) -> None:
        """Take back the last moves in this game."""
        again = self.before(moves)
        self.states, self._log, self._stages = again.states, again._log, again._stages

    def before(self, moves: int = 1) -> "Game":
        """The game as it was before its last moves: it is played again without them. This one does not change."""
        if not 0 <= moves <= len(self.history):
            raise InfilaError(f"{moves} moves cannot be taken back: {len(self.history)} have been played.")
        return Game(replace(self._log, moves=Growing(self.history[: len(self.history) - moves])))

    def copy(self) -> "Game":
        """A copy of the game: what is played in one does not change the other."""
        from infila.core.record import copied

        other = object.__new__(Game)
        other.contract, other.names, other._log = self.contract, self.names, self._log
        other.states, other._stages = copied(self.states), self._stages
        return other

    def renamed(self, names: Sequence[str]) -> "Game":
        """The same game with other names for its seats."""
        other = self.copy()
        other.names = _names(names, len(self.names), "seats")
        other._log = replace(self._log, seats=other.names)
        return other

    def view(self, seat: int | None = None) -> View:
        """What a seat, from 0, may know; without a seat, what a spectator may know."""
        from infila.core import driver
        from infila.core.record import copied

        if seat is not None and not 0 <= seat < len(self.names):
            raise InfilaError(f"there is no seat {seat}; the seats are 0 to {len(self.names) - 1}.")
        hidden = copied(self.states)
        driver.hide_at(hidden, 0, -1 if seat is None else seat)
        log = self._log
        if log.position is not None:
            log = replace(log, position=self._beginning_seen_by(seat))
        return View(self.contract, hidden, seat, log if self.over else replace(log, seed=None), self._stages)

    def _beginning_seen_by(self, seat: int | None) -> dict[str, Any]:
        from infila.core import driver
        from infila.core.notation import position_of

        states = self._beginning()
        driver.hide_at(states, 0, -1 if seat is None else seat)
        return position_of(self.contract, states, view=True)

    def redrawn(self, seat: int | None, seed: int) -> "Game":
        """A game that looks the same to a seat (or a spectator): everything that it cannot know is drawn anew.

        Its past is not known, so it cannot be taken back or replayed.
        """
        import numpy as np

        from infila.core import driver

        other = self.copy()
        driver.redraw_at(other.states, 0, -1 if seat is None else seat, np.uint64(seed), np.uint64(len(self.history)))
        return other

    def why_not(self, text: str) -> str | None:
        """Why a move is not legal now, with the number of the rule; None if it is legal.

        >>> import infila
        >>> infila.new("take_that", seed=7).why_not("take")
        'T4: there is no row to take. Open one with any card of your hand.'
        """
        try:
            self._read(text)
        except IllegalMove as problem:
            return str(problem)
        return None

    @property
    def position(self) -> str:
        """The whole position, hidden parts included, as JSON text (docs/reference/positions.md)."""
        from infila.core.notation import position_of

        return json.dumps(position_of(self.contract, self.states), ensure_ascii=False)

    @property
    def log(self) -> str:
        """The public log (docs/reference/log.md): it has the seed only once the game is over."""
        return (self._log if self.over else replace(self._log, seed=None)).text(finished=True)

    def save(self) -> str:
        """The log with its seed, to go on later. It tells everything: keep it private during the game."""
        return self._log.text(finished=False)


def new(
    game: str,
    players: int | None = None,
    seed: int | str | None = None,
    seats: Sequence[str] | None = None,
    words: Sequence[str] | None = None,
    **options: Any,
) -> Game:
    """A new game, dealt. Without a seed it gets 128 secret bits; the same seed, words and options give the same deal.

    `game` is one of `infila.games`. `seats` names the players; `words` are what each of them mixes into the shuffle
    (docs/reference/chance.md). Options are those of the game, by name; the page of its rules lists them.

    >>> import infila
    >>> game = infila.new("take_that", players=2, seed=7, seats=["Anna", "Bruno"], rounds=1)
    >>> game.options
    {'players': 2, 'rounds': 1, 'expert': False, 'dealer': 'random'}
    >>> infila.new("sequence", players=5)
    Traceback (most recent call last):
    infila.core.errors.BadOptions: players cannot be 5: it must be 2, 3, 4, 6, 8, 9, 10 or 12.
    """
    contract = contract_of(game)
    chosen = contract.options.make(options if players is None else {"players": players, **options})
    count = int(chosen.to_dict()["players"])
    text = seeds.new_seed() if seed is None else seeds.checked(seed, "the seed")
    names = _names(seats, count, "seats") if seats else tuple(f"seat {i + 1}" for i in range(count))
    mixed = _names(words, count, "words") if words else ()
    promise = seeds.commitment(text)
    return Game(Log(game, chosen, names, commitment=promise, words=mixed, seed=text, rules=contract.rules_version))


def _names(texts: Sequence[str], count: int, what: str) -> tuple[str, ...]:
    if isinstance(texts, str) or len(texts) != count:
        raise InfilaError(f"{what} must be a list of {count} texts, one for each player.")
    names = tuple(seeds.checked(text, what) for text in texts)
    if any(SEPARATOR.strip() in name for name in names):
        raise InfilaError(f"{what} cannot contain the character {SEPARATOR.strip()!r}.")
    return names


def load(source: str | Path | Mapping[str, Any]) -> Game:
    """A game from the text of a log or of a position, from a file with either, or from a position as `json.loads` gives
    it.

    >>> import infila
    >>> game = infila.new("take_that", seed=7)
    >>> infila.load(game.position).moves == game.moves
    True
    >>> infila.load(game.save()).moves == game.moves
    True
    """
    if isinstance(source, Mapping):
        return _from_position(source)
    if isinstance(source, Path) or ("\n" not in source and not source.lstrip().startswith("{")):
        source = read_file(Path(source))
    if source.lstrip().startswith("{"):
        try:
            position = json.loads(source)
        except (ValueError, RecursionError):
            raise BadPosition("this is not readable as JSON.") from None
        if not isinstance(position, dict):
            raise BadPosition("a position must be a JSON object.")
        return _from_position(position)
    return Game(parse(source))


def read_file(path: Path, most: int = 16_000_000) -> str:
    """The text of a file; raises an InfilaError that names the file if it cannot be a game."""
    try:
        if path.stat().st_size > most:
            raise InfilaError(f"{path} is too large to be a game.")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadLog(1, f"{path} is not a text file.") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not a file name"
        raise InfilaError(f"{path} cannot be read: {reason}.") from None


def _from_position(position: Mapping[str, Any]) -> Game:
    name = position.get("game")
    if not isinstance(name, str):
        raise BadPosition("a position needs a field 'game' with the name of its game.")
    contract = contract_of(name)
    from infila.core.notation import set_up

    options = contract.options.read(set_up(contract, position)[0])
    names = tuple(f"seat {i + 1}" for i in range(int(options.to_dict()["players"])))
    return Game(Log(name, options, names, position=dict(position), rules=contract.rules_version))
