"""What every game offers: a protocol for each module of its folder, and `Contract`, which holds them together.

The protocols are the only list of what a game's modules contain: `infila.core.dispatch` makes their rules generic, and
`infila.core.games` uses them to check whether a game from another package is complete.
"""

import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from infila.core.chance import Chance
from infila.core.errors import IllegalMove, InfilaError
from infila.core.fallback import NoAdvice, NoEvents, PlainHost, PlainStory, PlainTouch
from infila.core.games import NAMES, broken, contract_of
from infila.core.options import Options
from infila.core.record import Ints, Table
from infila.core.words import Saying, saying, words_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from infila.core.features import Feature, Symmetry
    from infila.core.picture import Pictures

SPECTATOR = -1  #: the viewer who has no seat
HOST = -1  #: the actor of a move that belongs to no seat

AnyState: TypeAlias = Any  # the State of any game: a game's own functions name theirs


class Rules(Protocol):
    """A game's `rules.py`.

    Actions are small ints. Those of one kind (place, twist, take) are contiguous: kind k has KIND_FIRST[k] up to but
    not including KIND_FIRST[k + 1], and `legal` writes one kind after another. Random play first chooses a kind, by
    KIND_WEIGHT, and then a move of that kind.

    A game in which seats may act out of turn also has rules `mover` and `actor`; for any that it lacks,
    `infila.core.defaults` has them.
    """

    MAX_LEGAL: int  #: the most actions that can be legal at once
    ACTIONS: int  #: how many there are: 0 to ACTIONS - 1
    KINDS: tuple[str, ...]  #: the names of the kinds of actions
    KIND_FIRST: Table  #: the first action of each kind, and ACTIONS
    KIND_WEIGHT: Table  #: how often random play chooses each kind

    @property
    def State(self) -> type[Chance]:
        """The record that holds a whole game."""

    def deal(self, s: AnyState) -> None:
        """Begin: apart from the options and the generator, the record is all zeros."""

    def legal(self, s: AnyState, out: Ints) -> int:
        """Write the legal actions of every seat that may act now into `out`; return how many there are."""

    def play(self, s: AnyState, action: int) -> None:
        """Perform a legal action, and everything that follows from it."""

    def scores(self, s: AnyState, out: Ints) -> None:
        """Each seat's score so far; at the end the highest wins and equal scores share the place."""

    def hide(self, s: AnyState, viewer: int) -> None:
        """Erase everything that the viewer, a seat or SPECTATOR, cannot know."""

    def redraw(self, s: AnyState, viewer: int, key0: int, key1: int) -> None:
        """Hide, then draw everything hidden anew, consistently with what the viewer knows, with a new generator."""


class Notation(Protocol):
    """A game's `notation.py`. Functions that people's input can reach get the view of the acting seat, never more."""

    def text(self, s: AnyState, action: int) -> str:
        """The standard text of an action, without its seat."""

    def parse(self, s: AnyState, text: str, seat: int) -> int:
        """The action that `text` stands for, legal or not; raises IllegalMove if it cannot be one."""

    def refusal(self, s: AnyState, action: int, seat: int) -> IllegalMove:
        """Why an action is not legal, given that it is not."""

    def parts(self, s: AnyState, action: int) -> tuple[str, ...]:
        """The action as a path of parts of the picture: hand card, then cell."""

    def to_json(self, s: AnyState) -> dict[str, Any]:
        """A position as JSON (docs/reference/positions.md): this game's own fields."""

    def from_json(self, s: AnyState, fields: Mapping[str, Any]) -> None:
        """Fill a record whose options are set; raises BadPosition."""


@dataclass(frozen=True)
class Reason:
    """Something said in every language: why a move is good or bad, what a move does, what counted."""

    key: str  #: of `texts/*.toml`; the table is `reasons`, unless another is named
    values: Mapping[str, Any]  #: what fills its gaps


@dataclass(frozen=True)
class Item:
    """One thing that counted: a line, a cross, a bonus, a card."""

    points: int
    text: str  #: what it is, in English
    rule: str  #: the number of the rule it comes from
    reason: Reason  #: the text for every language: table `scores`


def item(package: str, points: int, rule: str, key: str, **values: Any) -> Item:
    """A thing that counted, by its key in the table `scores` of a package's texts; `values` fill its gaps."""
    return Item(points, words_of(package, "en")["scores"][key].format(**values), rule, Reason(key, values))


def plain_item(points: int, rule: str, text: str) -> Item:
    """A thing that counted, of a game without texts: the same in every language."""
    return Item(points, text, rule, Reason("plain", {"text": text}))


def refuse(package: str, rule: str, key: str, **gaps: Any) -> IllegalMove:
    """Why a move is not legal, by a key of `texts/*.toml`, table `refusals`, so that every language can say it."""
    return IllegalMove(rule, saying(package, key, **gaps))


def astray(package: str, rule: str, key: str, **gaps: Any) -> IllegalMove:
    """What is said to somebody who touches what cannot be played: a key of the table `touches`."""
    return IllegalMove(rule, Saying(package, key, gaps, "touches"))


class Touch(Protocol):
    """A game's `touch.py`: what is said to somebody who touches a part of the picture that they cannot play now."""

    def answer(self, s: AnyState, touched: tuple[str, ...], seat: int) -> IllegalMove | None:
        """Why nothing can be done with the last of these parts once the others are chosen, and what to do instead;
        None if there is nothing to say. s is the view of the seat, which may act now; the parts are whatever somebody
        sent, and need not exist."""


class Scoring(Protocol):
    """A game's `scoring.py`: why the score is what it is. A *stage* is a round, or a game of a match.

    It may have `GROUPS`, in which the end of a game sums items up: for the key of an item the key of its group in the
    table `groups` of the texts, where `<group>_about` says a word more; an empty group leaves an item out. Of groups in
    `COUNTED` the number of items counts, not their points. A game without groups has one for every rule.
    """

    def stage(self, s: AnyState) -> str:
        """What the current stage is called: "round 2"."""

    def explain(self, s: AnyState) -> list[list[Item]]:
        """For each seat, everything that counts in this stage; over all stages the points add up to the score."""

    def ending(self, s: AnyState, action: int) -> Any | None:
        """The position in which a stage ended, if this action ends it and begins another; otherwise None."""


WORTH = 1_000_000  #: of a position that is won


@dataclass(frozen=True)
class Level:
    """How a computer player thinks. Without simulations it plays the move that `rate` likes best."""

    noise: int = 0  #: the most by which ratings are misjudged
    simulations: int = 0  #: for each decision
    compared: int = 0  #: random moves from which a playout takes the best rated; 0: it plays at random
    curiosity: float = 1.0  #: how much a high rating weighs against results so far
    horizon: int = 0  #: how far playouts go before they are judged, in units of the game's own
    doubt: int = 0  #: the most by which a search misjudges what is not yet the end of the game, in thousandths


class Heuristics(Protocol):
    """A game's `heuristics.py`: what a strong player considers. All numbers are ints."""

    SPREAD: int  #: a move rated this far below the best is tried a quarter as often
    LEVELS: Mapping[str, Level]  #: all five of `infila.players.LEVELS`

    def rate(self, s: AnyState, actions: Ints, n: int, ratings: Ints) -> None:
        """How good each of the first n actions is, all legal and of one seat, given what that seat may know."""

    def worth(self, s: AnyState, out: Ints) -> None:
        """Each seat's prospects, from 0 to WORTH; over all sides they add up to WORTH; at the end they are facts."""

    def enough(self, s: AnyState, root: AnyState, horizon: int) -> bool:
        """Whether a playout from `root` may be judged here by `worth`, before the game is over."""


class Features(Protocol):
    """A game's `features.py`: a seat's view as numbers to learn from (docs/reference/observations.md)."""

    FEATURES: "tuple[Feature, ...]"  #: one after the other, as `lay_out` gives them
    SIZE: int  #: of an observation, the same for all options and numbers of players
    SYMMETRIES: "tuple[Symmetry, ...]"  #: the first changes nothing

    def observe(self, s: AnyState, viewer: int, out: Ints) -> None:
        """Write all features into `out`, int8: only what the viewer, a seat, may know, whatever else s holds."""


COUNTED = 48  #: how many numbers a study keeps for one game


@dataclass(frozen=True)
class Event:
    """Something that happens because of a rule, as a study counts it."""

    rule: str  #: its number
    text: str  #: what happens, in English


class Study(Protocol):
    """A game's `study.py`: how often its rules matter."""

    EVENTS: tuple[Event, ...]  #: at most COUNTED

    def note(self, before: AnyState, action: int, after: AnyState, counts: Ints) -> None:
        """Count in counts[k] how often event k happened in a move, given the records before and after it.

        All COUNTED counts are 0 when a game begins; those after the events are for whatever the game has to remember.
        """


class Advice(Protocol):
    """A game's `advice.py`: reasons for hints."""

    def reasons(self, s: AnyState, action: int) -> list[Reason]:
        """What a strong player would say about a move, the most important first; s is the view of the acting seat."""


class Story(Protocol):
    """A game's `story.py`: moves in words, as keys of `texts/*.toml`.

    What `propose` says need not repeat what was chosen before. If that is not enough to know the move by, there is also
    `suggest(s, action)`: the same in full, table `suggestions`, for hints.

    With `SOUNDS` it says what moves sound like, by the keys of `tell`: `lay`, as every move for which it says nothing,
    `turn`, `draw`, `take`, `chime`, `croak`, or empty for silence.
    """

    def tell(self, s: AnyState, action: int, after: AnyState = None) -> Reason:
        """A move that was made, table `moves`; s and `after` are what a spectator saw before and after it."""

    def propose(self, s: AnyState, action: int) -> Reason:
        """A move that can be made, table `proposals`; s is the view of the acting seat."""


class Host(Protocol):
    """A game's `host.py`: actions that belong to no seat (their actor is HOST), and what players may not say.

    Any seat may call for such an action. Who decides is the table's affair, and nobody's whom the action is about. In
    the texts, table `host`, `right` is what is said to grant a call, and `wrong` what is said to turn it down.
    """

    def silence(self, options: Options) -> IllegalMove | None:
        """Why the players may not talk during the game; None if they may."""

    def objection(self, s: AnyState, action: int, seat: int) -> IllegalMove | None:
        """Why a seat may not call for an action; None if it may. s is the view of that seat."""

    def call(self, s: AnyState, action: int) -> Reason:
        """What a seat says when it calls for an action, table `host`; s is the view of that seat."""


class Screen(Protocol):
    """A game's `screen.py`: a view in a terminal."""

    def draw(self, s: AnyState, viewer: int, names: Sequence[str]) -> "RenderableType":
        """A view, drawn for a terminal with rich; `viewer` is a seat or SPECTATOR."""


@dataclass(frozen=True)
class Contract:
    """A game as the rest of infila knows it: the `CONTRACT` in its folder's `__init__.py`.

    A game need not bring `screen.py`, `picture.py`, `heuristics.py`, `features.py` or texts: `infila.core.plain` stands
    in for them. Nor need it bring `story.py`, `advice.py`, `touch.py`, `study.py` or `host.py`; symbols for its
    pictures, `pieces.svg`, of which `sign-<name>` stands for the game in lists; rules for how they look and where they
    stand, `style.css`; a `poster.svg`; or its rules as WebAssembly, `rules.wasm` and `rules.json`, without which they
    are compiled when the game is first played on a machine.
    """

    package: str  #: where its other modules are
    name: str  #: as programs call it: "connect_four"
    title: str  #: as people call it: "Connect Four"
    examples: str  #: what moves look like: "a, d or g"
    rules: Rules
    options: type[Options]
    notation: Notation
    scoring: Scoring
    turn_rule: str  #: the number of the rule that says whose turn it is
    home: str = "blue"  #: its colour on the page: blue, ochre, teal or vermilion
    needs_winner: bool = False  #: if all scores are equal it is a draw, not a shared win
    rules_version: int = 1  #: raised by any change that makes an old log play differently

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied by its name: a game that is read again finds the rules that are installed there."""
        return contract_of, (self.name,)

    @property
    def screen(self) -> Screen:
        """The game's `screen.py`, imported only when there is something to draw: simulations need no terminal. Without
        one, a position is shown as text."""
        if self.brings("screen.py"):
            return cast(Screen, self._module("screen"))
        from infila.core.plain.look import PlainScreen

        return PlainScreen(self)

    @property
    def heuristics(self) -> Heuristics:
        """The game's `heuristics.py`, imported only when a computer player thinks; without one, players search."""
        return cast(Heuristics, self._module("heuristics"))

    @property
    def features(self) -> Features:
        """The game's `features.py`, imported only when something learns from them; without one, they are the fields of
        the record."""
        return cast(Features, self._module("features"))

    @property
    def picture(self) -> "Pictures":
        """The game's `picture.py`, imported only when there is something to draw; without one, a position is drawn as
        text, and moves as boxes."""
        if self.brings("picture.py"):
            return cast("Pictures", self._module("picture"))
        from infila.core.plain.look import PlainPicture

        return PlainPicture(self)

    @property
    def story(self) -> Story:
        """The game's `story.py`; without one, moves are shown in their notation."""
        return cast(Story, self._module("story")) if self.brings("story.py") else PlainStory(self)

    @property
    def touch(self) -> Touch:
        """The game's `touch.py`; without one, a touch is answered with the refusal of the move that it means."""
        return cast(Touch, self._module("touch")) if self.brings("touch.py") else PlainTouch(self)

    @property
    def advice(self) -> Advice:
        """The game's `advice.py`; without one, there are no reasons."""
        return cast(Advice, self._module("advice")) if self.brings("advice.py") else NoAdvice()

    @property
    def study(self) -> Study:
        """The game's `study.py`; without one, there are no events."""
        return cast(Study, self._module("study")) if self.brings("study.py") else NoEvents()

    @property
    def host(self) -> Host:
        """The game's `host.py`; without one everybody may talk, and calls are shown in the notation of moves."""
        return cast(Host, self._module("host")) if self.brings("host.py") else PlainHost(self)

    def _module(self, name: str) -> ModuleType:
        try:
            self.complete()
            return importlib.import_module(f"{self.package}.{name}")
        except InfilaError:
            raise
        except Exception as problem:
            if self.name in NAMES:
                raise
            raise broken(self.name, self.package, f"its {name}.py cannot be imported ({problem})") from problem

    def complete(self) -> None:
        """Put what stands in for `heuristics.py` and `features.py` where generic rules, which know only the package
        (`infila.core.dispatch`), import them from."""
        if not self.brings("heuristics.py"):
            sys.modules.setdefault(
                f"{self.package}.heuristics", importlib.import_module("infila.core.plain.heuristics")
            )
        if not self.brings("features.py") and f"{self.package}.features" not in sys.modules:
            from infila.core.plain.features import PlainFeatures

            sys.modules[f"{self.package}.features"] = cast(ModuleType, PlainFeatures(self))

    def kind(self, action: int) -> str:
        """What kind of action this is: one of the rules' KINDS."""
        return self.rules.KINDS[int(self.rules.KIND_FIRST.searchsorted(action, side="right")) - 1]

    def file(self, *path: str) -> Traversable:
        """A file of the game's package."""
        return resources.files(self.package).joinpath(*path)

    def brings(self, *path: str) -> bool:
        """Whether the game's package has such a file."""
        return self.file(*path).is_file()

    def style(self) -> str:
        """The game's `style.css`: how its pictures look in each state, and how its table is laid out."""
        return self.file("style.css").read_text(encoding="utf-8") if self.brings("style.css") else ""

    def languages(self) -> list[str]:
        """The languages that the game speaks, English first."""
        folder = self.file("texts")
        files = folder.iterdir() if folder.is_dir() else ()
        found = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
        return ["en", *sorted(found - {"en"})]

    def text(self, language: str = "en") -> str:
        """The rules, explained to people, in Markdown; in English if they do not exist in the language."""
        spoken = language if self.brings("texts", f"{language}.md") else "en"
        if not self.brings("texts", f"{spoken}.md"):
            from infila.core.plain.look import rulebook

            return rulebook(self)
        return self.file("texts", f"{spoken}.md").read_text(encoding="utf-8")

    def words(self, language: str = "en") -> dict[str, dict[str, str]]:
        """The game's words and sentences in a language, by table and key: `texts/en.toml`."""
        found = words_of(self.package, language)
        if self.brings("texts", "en.toml"):
            return found
        from infila.core.plain.look import words

        return {**found, **words(self)}
