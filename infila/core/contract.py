"""What every game offers, and how compiled code finds the rules of the record it holds.

`deal`, `legal`, `play`, … below are the generic rules: called with any game's record they run that game's own rule.
Compiled code resolves them by the type of the record while it is compiled (`numba.extending.overload`), so that one
driver serves all games and is cached; plain Python looks the record's type up at run time.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numba.core import types
from numba.extending import overload

from infila.core.chance import luck_below
from infila.core.errors import IllegalMove
from infila.core.options import Options
from infila.core.rule import rule

if TYPE_CHECKING:
    from rich.console import RenderableType

SPECTATOR = -1
HOST = -1  # the actor of a move that belongs to no seat


class Rules(Protocol):
    """A game's `rules.py`.

    Actions are small ints. Those of one kind (place, twist, take) are contiguous: kind k's are KIND_FIRST[k] up to but
    not including KIND_FIRST[k + 1], and `legal` writes kind after kind. Random play chooses a kind by KIND_WEIGHT and
    then a move of that kind.
    """

    State: "np.dtype[Any]"
    MAX_LEGAL: int
    ACTIONS: int
    KINDS: tuple[str, ...]
    KIND_FIRST: "np.ndarray[Any, np.dtype[np.int64]]"
    KIND_WEIGHT: "np.ndarray[Any, np.dtype[np.int64]]"

    def deal(self, s: Any) -> None:
        """Begin: the record is all zero but for the options and the generator."""

    def legal(self, s: Any, out: Any) -> Any:
        """Write all legal actions, of every seat that may act now, into `out`; return how many."""

    def play(self, s: Any, action: Any) -> None:
        """Do a legal action, with all that follows by itself."""

    def player(self, s: Any) -> Any:
        """The seat on turn; once the game is over, the one whose turn was last."""

    def actor(self, s: Any, action: Any) -> Any:
        """The seat whose action this is, HOST if nobody's."""

    def over(self, s: Any) -> Any: ...

    def scores(self, s: Any, out: Any) -> None:
        """Each seat's score so far; at the end the highest wins and equal scores share the place."""

    def hide(self, s: Any, viewer: Any) -> None:
        """Erase all that the viewer, a seat or SPECTATOR, cannot know."""

    def redraw(self, s: Any, viewer: Any, key0: Any, key1: Any) -> None:
        """Hide, then draw all that is hidden anew, consistently with what the viewer knows, with a new generator."""


class Notation(Protocol):
    """A game's `notation.py`. Functions that people's input reaches get the view of the seat that acts, never more."""

    def text(self, s: Any, action: int) -> str: ...

    def parse(self, s: Any, text: str, seat: int) -> int:
        """The action meant by `text`, legal or not; raises IllegalMove if it can be none."""

    def refusal(self, s: Any, action: int, seat: int) -> IllegalMove:
        """Why an action that is not legal is not."""

    def parts(self, s: Any, action: int) -> tuple[str, ...]:
        """The action as a path of parts of the picture: hand card, then cell."""

    def to_json(self, s: Any) -> dict[str, Any]:
        """The fields of docs/positions.md that are this game's own."""

    def from_json(self, s: Any, fields: Mapping[str, Any]) -> None:
        """Fill a record, options set; raises BadPosition."""


@dataclass(frozen=True)
class Item:
    """One thing that counted: a line, a cross, a bonus, a card."""

    points: int
    text: str
    rule: str


class Scoring(Protocol):
    """A game's `scoring.py`: why the score is what it is. A *stage* is a round, or a game of a match."""

    def stage(self, s: Any) -> str:
        """What the current stage is called: "round 2"."""

    def explain(self, s: Any) -> list[list[Item]]:
        """For each seat everything that counts in the current stage; over all stages the points add up to the score."""

    def ending(self, s: Any, action: int) -> Any | None:
        """If this action ends a stage and begins another: the position as the stage ended, else None."""


class Screen(Protocol):
    """A game's `screen.py`."""

    def draw(self, s: Any, viewer: int, names: Sequence[str]) -> "RenderableType":
        """A view, drawn for a terminal."""


@dataclass(frozen=True)
class Contract:
    """A game as the rest of infila knows it: what its folder's `__init__.py` gives as `CONTRACT`."""

    package: str  # where its other modules are
    name: str
    title: str
    examples: str  # what moves look like: "34, 94x49 or take"
    rules: Rules
    options: type[Options]
    notation: Notation
    scoring: Scoring
    turn_rule: str  # the rule that says whose turn it is
    needs_winner: bool = False  # equal scores of all are a draw, not a shared win
    rules_version: int = 1

    @property
    def screen(self) -> Screen:
        """Imported only when there is something to draw: simulations need no terminal."""
        return cast(Screen, importlib.import_module(f"{self.package}.screen"))

    def text(self, language: str = "en") -> str:
        """The rules, explained to people, in Markdown."""
        return resources.files(self.package).joinpath("texts", f"{language}.md").read_text(encoding="utf-8")


_BY_LAYOUT: dict[tuple[Any, ...], Rules] = {}


def register(rules: Rules) -> None:
    _BY_LAYOUT[_layout(rules.State.names or (), rules.State.itemsize)] = rules


def _layout(names: Any, size: int) -> tuple[Any, ...]:
    return (*names, size)


def rules_of(s: Any) -> Rules:
    """The rules of a record."""
    return _BY_LAYOUT[_layout(s.dtype.names, s.dtype.itemsize)]


def rules_of_type(record: Any) -> Rules | None:
    """The rules of a record as the compiler knows it."""
    if not isinstance(record, types.Record):
        return None
    return _BY_LAYOUT.get(_layout(record.fields, record.size))


def deal(s: Any) -> Any:
    return rules_of(s).deal(s)


def legal(s: Any, out: Any) -> Any:
    return rules_of(s).legal(s, out)


def play(s: Any, action: Any) -> Any:
    return rules_of(s).play(s, action)


def player(s: Any) -> Any:
    return rules_of(s).player(s)


def actor(s: Any, action: Any) -> Any:
    return rules_of(s).actor(s, action)


def over(s: Any) -> Any:
    return rules_of(s).over(s)


def scores(s: Any, out: Any) -> Any:
    return rules_of(s).scores(s, out)


def hide(s: Any, viewer: Any) -> Any:
    return rules_of(s).hide(s, viewer)


def redraw(s: Any, viewer: Any, key0: Any, key1: Any) -> Any:
    return rules_of(s).redraw(s, viewer, key0, key1)


@rule
def choose_by_kind(out: Any, n: Any, luck: Any, first: Any, weight: Any) -> Any:
    """One of the n actions in `out`: first a kind, by weight, then evenly among that kind.

    One pass: a kind takes the place of those before it as often as its weight is of all weights so far.
    """
    if n == 1:
        return out[0]
    kind = 0
    total = 0
    at = 0
    begin = 0
    end = 0
    while at < n:
        while out[at] >= first[kind + 1]:
            kind += 1
        stop = _end_of_kind(out, at, n, first[kind + 1])
        total += weight[kind]
        if at == 0 or luck_below(luck, total) < weight[kind]:
            begin = at
            end = stop
        at = stop
    return out[begin + luck_below(luck, end - begin)]


@rule
def _end_of_kind(out: Any, at: Any, n: Any, bound: Any) -> Any:
    """The first place after `at` whose action is not below `bound`."""
    if out[n - 1] < bound:
        return n
    at += 1
    while out[at] < bound:
        at += 1
    return at


def choose(s: Any, out: Any, n: Any, luck: Any) -> Any:
    """Random play's choice among the n legal actions in `out`."""
    rules = rules_of(s)
    return choose_by_kind(out, n, luck, rules.KIND_FIRST, rules.KIND_WEIGHT)


def implementations() -> dict[Callable[..., Any], Callable[..., Any]]:
    """For each generic rule what the compiler, given the type of the record, puts in its place."""

    def by_name(name: str, arguments: int) -> Callable[..., Any]:
        def one(s: Any) -> Any:
            own = getattr(rules_of_type(s), name)
            return lambda s: own(s)

        def two(s: Any, a: Any) -> Any:
            own = getattr(rules_of_type(s), name)
            return lambda s, a: own(s, a)

        def four(s: Any, a: Any, b: Any, c: Any) -> Any:
            own = getattr(rules_of_type(s), name)
            return lambda s, a, b, c: own(s, a, b, c)

        by_count: dict[int, Callable[..., Any]] = {1: one, 2: two, 4: four}
        return by_count[arguments]

    def choosing(s: Any, out: Any, n: Any, luck: Any) -> Any:
        rules = rules_of_type(s)
        assert rules is not None
        first, weight = rules.KIND_FIRST, rules.KIND_WEIGHT
        return lambda s, out, n, luck: choose_by_kind(out, n, luck, first, weight)

    return {
        deal: by_name("deal", 1),
        player: by_name("player", 1),
        over: by_name("over", 1),
        legal: by_name("legal", 2),
        play: by_name("play", 2),
        actor: by_name("actor", 2),
        scores: by_name("scores", 2),
        hide: by_name("hide", 2),
        redraw: by_name("redraw", 4),
        choose: choosing,
    }


for _generic, _implementation in implementations().items():
    overload(_generic, strict=False)(_implementation)
