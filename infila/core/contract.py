"""What every game offers, and how compiled code finds the rules of the record it holds.

`deal`, `legal`, `play`, … below are the generic rules: called with any game's record they run that game's own rule.
Compiled code resolves them by the type of the record while it is compiled (`numba.extending.overload`), so that one
driver serves all games and is cached; plain Python looks the record's type up at run time.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numba.core import types
from numba.extending import overload

from infila.core.chance import luck_below
from infila.core.errors import BrokenGame, IllegalMove, InfilaError
from infila.core.fallback import NoAdvice, NoEvents, PlainHost, PlainStory
from infila.core.games import NAMES, broken
from infila.core.options import Options
from infila.core.rule import STAMPS, layout, part, stamp_of
from infila.core.words import saying, words_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from infila.core.features import Feature, Symmetry
    from infila.core.picture import Pictures

SPECTATOR = -1  #: the viewer who has no seat
HOST = -1  #: the actor of a move that belongs to no seat


class Rules(Protocol):
    """A game's `rules.py`.

    Actions are small ints. Those of one kind (place, twist, take) are contiguous: kind k's are KIND_FIRST[k] up to but
    not including KIND_FIRST[k + 1], and `legal` writes kind after kind. Random play chooses a kind by KIND_WEIGHT and
    then a move of that kind.
    """

    State: "np.dtype[Any]"  #: the type of a state, made by `infila.core.rule.record`
    MAX_LEGAL: int  #: how many actions can be legal at once
    ACTIONS: int  #: how many there are: 0 to ACTIONS - 1
    KINDS: tuple[str, ...]  #: what the kinds of actions are called
    KIND_FIRST: "np.ndarray[Any, np.dtype[np.int64]]"  #: the first action of each kind, and ACTIONS
    KIND_WEIGHT: "np.ndarray[Any, np.dtype[np.int64]]"  #: how often random play chooses each kind

    def deal(self, s: Any) -> None:
        """Begin: the record is all zero but for the options and the generator."""

    def legal(self, s: Any, out: Any) -> Any:
        """Write all legal actions, of every seat that may act now, into `out`; return how many."""

    def play(self, s: Any, action: Any) -> None:
        """Do a legal action, with all that follows by itself."""

    def player(self, s: Any) -> Any:
        """The seat on turn; once the game is over, the one whose turn was last."""

    def mover(self, s: Any) -> Any:
        """The seat that is to act: the one on turn, unless another must act before it. It always has an action."""

    def actor(self, s: Any, action: Any) -> Any:
        """The seat whose action this is, HOST if nobody's."""

    def over(self, s: Any) -> Any:
        """Whether the game has ended."""

    def scores(self, s: Any, out: Any) -> None:
        """Each seat's score so far; at the end the highest wins and equal scores share the place."""

    def hide(self, s: Any, viewer: Any) -> None:
        """Erase all that the viewer, a seat or SPECTATOR, cannot know."""

    def redraw(self, s: Any, viewer: Any, key0: Any, key1: Any) -> None:
        """Hide, then draw all that is hidden anew, consistently with what the viewer knows, with a new generator."""


class Notation(Protocol):
    """A game's `notation.py`. Functions that people's input reaches get the view of the seat that acts, never more."""

    def text(self, s: Any, action: int) -> str:
        """The standard text of an action, without its seat."""

    def parse(self, s: Any, text: str, seat: int) -> int:
        """The action meant by `text`, legal or not; raises IllegalMove if it can be none."""

    def refusal(self, s: Any, action: int, seat: int) -> IllegalMove:
        """Why an action that is not legal is not."""

    def parts(self, s: Any, action: int) -> tuple[str, ...]:
        """The action as a path of parts of the picture: hand card, then cell."""

    def to_json(self, s: Any) -> dict[str, Any]:
        """A position as JSON (docs/positions.md): the fields that are this game's own."""

    def from_json(self, s: Any, fields: Mapping[str, Any]) -> None:
        """Fill a record, options set; raises BadPosition."""


@dataclass(frozen=True)
class Reason:
    """Something said in every language: why a move is good or bad, what a move does, what counted."""

    key: str  #: of `texts/*.toml`; the table is `reasons`, unless another is named
    values: Mapping[str, Any]  #: what stands in its gaps


@dataclass(frozen=True)
class Item:
    """One thing that counted: a line, a cross, a bonus, a card."""

    points: int
    text: str  #: what it is, in English
    rule: str  #: the number of the rule that says so
    reason: Reason  #: the text for every language: table `scores`


def item(package: str, points: int, rule: str, key: str, **values: Any) -> Item:
    """A thing that counted, by its key in the table `scores` of a package's texts; `values` fill its gaps."""
    return Item(points, words_of(package, "en")["scores"][key].format(**values), rule, Reason(key, values))


def refuse(package: str, rule: str, key: str, **gaps: Any) -> IllegalMove:
    """Why a move is not legal, by its key of `texts/*.toml`, table `refusals`, so that it is said in every language."""
    return IllegalMove(rule, saying(package, key, **gaps))


class Scoring(Protocol):
    """A game's `scoring.py`: why the score is what it is. A *stage* is a round, or a game of a match."""

    def stage(self, s: Any) -> str:
        """What the current stage is called: "round 2"."""

    def explain(self, s: Any) -> list[list[Item]]:
        """For each seat everything that counts in the current stage; over all stages the points add up to the score."""

    def ending(self, s: Any, action: int) -> Any | None:
        """If this action ends a stage and begins another: the position as the stage ended, else None."""


WORTH = 1_000_000  #: of a position that is won


@dataclass(frozen=True)
class Level:
    """How a computer player thinks. Without simulations it plays the move that `rate` likes best."""

    noise: int = 0  #: ratings are misjudged by up to so much
    simulations: int = 0  #: for each decision
    compared: int = 0  #: moves drawn at random of which a playout plays the best rated; 0: plays at random
    curiosity: float = 1.0  #: how much a high rating counts against results so far
    horizon: int = 0  #: how far playouts go before they are judged, as the game counts it
    doubt: int = 0  #: what a search judges before the end of the game it misjudges by up to so many thousandths


class Play(Protocol):
    """A game's `play.py`: what a strong player looks at. All numbers are ints."""

    SPREAD: int  #: a move rated so much below the best is tried a quarter as often
    LEVELS: Mapping[str, Level]  #: all five of `infila.players.LEVELS`

    def rate(self, s: Any, actions: Any, n: Any, ratings: Any) -> None:
        """How good each of the first n actions is, all of one seat and legal; by what that seat may know."""

    def worth(self, s: Any, out: Any) -> None:
        """Each seat's prospects, from 0 to WORTH; over all sides they make WORTH together, and at the end are facts."""

    def enough(self, s: Any, root: Any, horizon: Any) -> Any:
        """Whether a playout that began at root may be judged here by `worth`, before the game is over."""


class Features(Protocol):
    """A game's `features.py`: a seat's view as numbers to learn from (docs/observations.md)."""

    FEATURES: "tuple[Feature, ...]"  #: one after the other, as `lay_out` gives them
    SIZE: int  #: of an observation, for all options and numbers of players
    SYMMETRIES: "tuple[Symmetry, ...]"  #: the first changes nothing

    def observe(self, s: Any, viewer: Any, out: Any) -> None:
        """Write all features into `out`, int8: only what the viewer, a seat, may know, whatever else s holds."""


COUNTED = 48  #: numbers that a study keeps of one game


@dataclass(frozen=True)
class Event:
    """Something that a rule makes happen, as a study tells of it."""

    rule: str  #: its number
    text: str  #: what happens, in English


class Study(Protocol):
    """A game's `study.py`: how often its rules matter."""

    EVENTS: tuple[Event, ...]  #: COUNTED at most

    def note(self, before: Any, action: Any, after: Any, counts: Any) -> None:
        """Count in counts[k] how often event k happened in a move, given the records before and after it.

        All COUNTED counts begin a game at 0; those after the events are for what the game itself has to remember.
        """


class Advice(Protocol):
    """A game's `advice.py`: reasons for hints."""

    def reasons(self, s: Any, action: int) -> list[Reason]:
        """What a strong player would say of a move, the most important first; s is the view of the seat that acts."""


class Story(Protocol):
    """A game's `story.py`: moves in words. Keys of `texts/*.toml`."""

    def tell(self, s: Any, action: int, after: Any = None) -> Reason:
        """A move that was made, table `moves`; s and `after` are what a spectator saw before and after it."""

    def act(self, s: Any, action: int) -> Reason:
        """A move that can be made, table `acts`; s is the view of the seat that acts."""


class Host(Protocol):
    """A game's `host.py`: actions that belong to no seat (their actor is HOST), and what players may not say.

    Any seat may call for such an action; whoever made the table decides. In the texts, table `host`, `right` is what
    the host says who grants a call, `wrong` what the host says who does not.
    """

    def silence(self, options: Options) -> IllegalMove | None:
        """Why the players may not talk while the game is on; None if they may."""

    def objection(self, s: Any, action: int, seat: int) -> IllegalMove | None:
        """Why a seat may not call for an action; None if it may. s is the view of that seat."""

    def call(self, s: Any, action: int) -> Reason:
        """What somebody says who calls for an action, table `host`; s is the view of that seat."""


class Screen(Protocol):
    """A game's `screen.py`: a view in a terminal."""

    def draw(self, s: Any, viewer: int, names: Sequence[str]) -> "RenderableType":
        """A view, drawn for a terminal with rich; `viewer` is a seat or SPECTATOR."""


@dataclass(frozen=True)
class Contract:
    """A game as the rest of infila knows it: what its folder's `__init__.py` gives as `CONTRACT`.

    A game need not bring `story.py`, `advice.py`, `study.py`, `host.py`, `poster.svg`, or texts in other languages than
    English.
    """

    package: str  #: where its other modules are
    name: str  #: as programs call it: "take_that"
    title: str  #: as people call it: "Take That"
    examples: str  #: what moves look like: "34, 94x49 or take"
    rules: Rules
    options: type[Options]
    notation: Notation
    scoring: Scoring
    turn_rule: str  #: the number of the rule that says whose turn it is
    needs_winner: bool = False  #: equal scores of all are a draw, not a shared win
    rules_version: int = 1  #: a change that makes an old log play differently gets a new one

    @property
    def screen(self) -> Screen:
        """The game's `screen.py`, imported only when there is something to draw: simulations need no terminal."""
        return cast(Screen, self._module("screen"))

    @property
    def play(self) -> Play:
        """The game's `play.py`, imported only when a computer player thinks."""
        return cast(Play, self._module("play"))

    @property
    def features(self) -> Features:
        """The game's `features.py`, imported only when somebody learns."""
        return features_of(self.rules)

    @property
    def picture(self) -> "Pictures":
        """The game's `picture.py`, imported only when there is something to draw."""
        return cast("Pictures", self._module("picture"))

    @property
    def story(self) -> Story:
        """The game's `story.py`; a game without words for its moves tells them as they are written."""
        return cast(Story, self._module("story")) if self.brings("story.py") else PlainStory(self)

    @property
    def advice(self) -> Advice:
        """The game's `advice.py`; a game without one gives no reasons."""
        return cast(Advice, self._module("advice")) if self.brings("advice.py") else NoAdvice()

    @property
    def study(self) -> Study:
        """The game's `study.py`; a game without one has no events of its own."""
        return cast(Study, self._module("study")) if self.brings("study.py") else NoEvents()

    @property
    def host(self) -> Host:
        """The game's `host.py`; where there is none everybody may talk, and calls are said as moves are written."""
        return cast(Host, self._module("host")) if self.brings("host.py") else PlainHost(self)

    def _module(self, name: str) -> ModuleType:
        try:
            return importlib.import_module(f"{self.package}.{name}")
        except InfilaError:
            raise
        except Exception as problem:
            if self.name in NAMES:
                raise
            raise broken(self.name, self.package, f"its {name}.py cannot be imported ({problem})") from problem

    def file(self, *path: str) -> Traversable:
        """A file of the game's package."""
        return resources.files(self.package).joinpath(*path)

    def brings(self, *path: str) -> bool:
        """Whether the game's package has such a file."""
        return self.file(*path).is_file()

    def languages(self) -> list[str]:
        """The languages that the game speaks, English first."""
        files = resources.files(self.package).joinpath("texts").iterdir()
        found = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
        return ["en", *sorted(found - {"en"})]

    def text(self, language: str = "en") -> str:
        """The rules, explained to people, in Markdown; in English where they are in no other language."""
        spoken = language if self.brings("texts", f"{language}.md") else "en"
        return self.file("texts", f"{spoken}.md").read_text(encoding="utf-8")

    def words(self, language: str = "en") -> dict[str, dict[str, str]]:
        """The game's words and sentences in a language, by table and key: `texts/en.toml`."""
        return words_of(self.package, language)


_BY_LAYOUT: dict[tuple[Any, ...], Rules] = {}


def register(contract: Contract) -> None:
    """Let compiled code find the rules of a record."""
    rules = contract.rules
    key = layout(rules.State.names or (), rules.State.itemsize)
    other = _BY_LAYOUT.setdefault(key, rules)
    if other is not rules:
        raise BrokenGame(
            f"the State of {contract.package} cannot be told from that of {cast(ModuleType, other).__package__}: "
            "give one of its fields another name."
        )
    if stamp := stamp_of(contract.package):
        STAMPS[key] = stamp


def rules_of(s: Any) -> Rules:
    """The rules of a record."""
    return _BY_LAYOUT[layout(s.dtype.names, s.dtype.itemsize)]


def rules_of_type(record: Any) -> Rules | None:
    """The rules of a record as the compiler knows it."""
    if not isinstance(record, types.Record):
        return None
    return _BY_LAYOUT.get(layout(record.fields, record.size))


def play_of(rules: Rules | None) -> Play:
    """The `play.py` beside a game's rules."""
    return cast(Play, importlib.import_module(f"{cast(ModuleType, rules).__package__}.play"))


def features_of(rules: Rules | None) -> Features:
    """The `features.py` beside a game's rules."""
    return cast(Features, importlib.import_module(f"{cast(ModuleType, rules).__package__}.features"))


def study_of(rules: Rules | None) -> Study:
    """The `study.py` beside a game's rules, if there is one."""
    name = f"{cast(ModuleType, rules).__package__}.study"
    return cast(Study, importlib.import_module(name)) if find_spec(name) else NoEvents()


def deal(s: Any) -> Any:
    return rules_of(s).deal(s)


def legal(s: Any, out: Any) -> Any:
    return rules_of(s).legal(s, out)


def play(s: Any, action: Any) -> Any:
    return rules_of(s).play(s, action)


def player(s: Any) -> Any:
    return rules_of(s).player(s)


def mover(s: Any) -> Any:
    return rules_of(s).mover(s)


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


def rate(s: Any, actions: Any, n: Any, ratings: Any) -> Any:
    return play_of(rules_of(s)).rate(s, actions, n, ratings)


def spread(s: Any) -> Any:
    return play_of(rules_of(s)).SPREAD


def worth(s: Any, out: Any) -> Any:
    return play_of(rules_of(s)).worth(s, out)


def enough(s: Any, root: Any, horizon: Any) -> Any:
    return play_of(rules_of(s)).enough(s, root, horizon)


def observe(s: Any, viewer: Any, out: Any) -> Any:
    return features_of(rules_of(s)).observe(s, viewer, out)


def note(before: Any, action: Any, after: Any, counts: Any) -> Any:
    return study_of(rules_of(before)).note(before, action, after, counts)


@part
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


@part
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
            return getattr(rules_of_type(s), name).py_func

        def two(s: Any, a: Any) -> Any:
            return getattr(rules_of_type(s), name).py_func

        def four(s: Any, a: Any, b: Any, c: Any) -> Any:
            return getattr(rules_of_type(s), name).py_func

        by_count: dict[int, Callable[..., Any]] = {1: one, 2: two, 4: four}
        return by_count[arguments]

    def by_play(name: str, arguments: int) -> Callable[..., Any]:
        def two(s: Any, a: Any) -> Any:
            return getattr(play_of(rules_of_type(s)), name).py_func

        def three(s: Any, a: Any, b: Any) -> Any:
            return getattr(play_of(rules_of_type(s)), name).py_func

        def four(s: Any, a: Any, b: Any, c: Any) -> Any:
            return getattr(play_of(rules_of_type(s)), name).py_func

        by_count: dict[int, Callable[..., Any]] = {2: two, 3: three, 4: four}
        return by_count[arguments]

    def observing(s: Any, viewer: Any, out: Any) -> Any:
        return cast(Any, features_of(rules_of_type(s)).observe).py_func

    def noting(before: Any, action: Any, after: Any, counts: Any) -> Any:
        rule = study_of(rules_of_type(before)).note
        return getattr(rule, "py_func", rule)

    def spreading(s: Any) -> Any:
        spread = play_of(rules_of_type(s)).SPREAD
        return lambda s: spread

    def choosing(s: Any, out: Any, n: Any, luck: Any) -> Any:
        rules = rules_of_type(s)
        assert rules is not None
        first, weight = rules.KIND_FIRST, rules.KIND_WEIGHT
        return lambda s, out, n, luck: choose_by_kind(out, n, luck, first, weight)

    return {
        deal: by_name("deal", 1),
        player: by_name("player", 1),
        over: by_name("over", 1),
        mover: by_name("mover", 1),
        legal: by_name("legal", 2),
        play: by_name("play", 2),
        actor: by_name("actor", 2),
        scores: by_name("scores", 2),
        hide: by_name("hide", 2),
        redraw: by_name("redraw", 4),
        choose: choosing,
        rate: by_play("rate", 4),
        worth: by_play("worth", 2),
        enough: by_play("enough", 3),
        spread: spreading,
        observe: observing,
        note: noting,
    }


for _generic, _implementation in implementations().items():
    overload(_generic, strict=False)(_implementation)
