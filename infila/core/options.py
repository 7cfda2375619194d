"""A game's options: a frozen dataclass whose fields know their values, their texts and their place in the record.

An option is one line in the game's `options.py`; the library, the command line, the log and the record read it there.

An option has three forms. In Python it is a value, and a seat counts from 0. Written down, as a text (logs, the command
line) or in JSON (positions, the HTTP API), a seat counts from 1, as people count (docs/reference/positions.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, Self

from infila.core.errors import BadOptions
from infila.core.words import CORE, joined, saying

Form = Literal["python", "text", "json"]

FLAGS: dict[Form, tuple[str, str]] = {"python": ("True", "False"), "text": ("yes", "no"), "json": ("true", "false")}


@dataclass(frozen=True)
class Spec:
    """What one option may be."""

    kind: str  # "number", "flag", "choice" or "seat"
    values: tuple[Any, ...] = ()  # for a number, its least and greatest value, or all values
    meaning: str = ""
    all_listed: bool = False

    def wanted(self, form: Form = "text") -> Any:
        """What may be chosen, in words."""
        if self.kind == "flag":
            return joined("or", FLAGS[form])
        if self.kind == "seat":
            return saying(CORE, "seat_or_random", first=first_seat(form))
        if self.kind == "number" and not self.all_listed:
            return saying(CORE, "number_between", least=self.values[0], most=self.values[1])
        texts = [str(value) for value in self.values]
        return joined("or", (", ".join(texts[:-1]), texts[-1]))

    def accepts(self, value: Any) -> bool:
        if self.kind == "flag":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str) and value in self.values
        if isinstance(value, bool):
            return False
        if self.kind == "seat":
            return value == "random" or (isinstance(value, int) and value >= 0)
        if self.all_listed:
            return isinstance(value, int) and value in self.values
        return isinstance(value, int) and self.values[0] <= value <= self.values[1]

    def from_text(self, text: str) -> Any:
        """The value that a person means; anything else is returned unchanged and refused later."""
        word = text.strip().lower()
        if self.kind == "flag":
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(word, text)
        if self.kind in ("number", "seat") and word.isascii() and word.isdigit() and len(word) < 12:
            return self.from_json(int(word))
        return word

    def to_text(self, value: Any) -> str:
        if self.kind == "flag":
            return "yes" if value else "no"
        return str(self.to_json(value))

    def from_json(self, value: Any) -> Any:
        """The value that JSON means; anything else is returned unchanged and refused later."""
        return value - 1 if self._counts_seats(value) else value

    def to_json(self, value: Any) -> Any:
        return value + 1 if self._counts_seats(value) else value

    def _counts_seats(self, value: Any) -> bool:
        return self.kind == "seat" and isinstance(value, int) and not isinstance(value, bool)

    def to_code(self, value: Any) -> int:
        if self.kind == "choice":
            return self.values.index(value)
        if self.kind == "seat":
            return -1 if value == "random" else int(value)
        return int(value)

    def from_code(self, code: int) -> Any:
        if self.kind == "choice":
            return self.values[code]
        if self.kind == "flag":
            return bool(code)
        if self.kind == "seat":
            return "random" if code < 0 else code
        return code


def first_seat(form: Form) -> int:
    return 0 if form == "python" else 1


def refusal(name: str, value: Any, spec: Spec, players: int, form: Form) -> BadOptions:
    """What is wrong with a value, said in the form in which it was given."""
    shown, first = value if form == "python" else spec.to_json(value), first_seat(form)
    if spec.accepts(value):
        return BadOptions(
            "{name} cannot be seat {value}: there are {players} players. It must be random or {first} to {last}.",
            name=name,
            value=shown,
            players=players,
            first=first,
            last=first + players - 1,
        )
    return BadOptions(
        "{name} cannot be {value!r}: it must be {wanted}.", name=name, value=shown, wanted=spec.wanted(form)
    )


def number(default: int | None, least: int, greatest: int, meaning: str) -> Any:
    """A whole number. If the default depends on other options, it is None, and `Options.complete` sets it."""
    return field(default=default, metadata={"spec": Spec("number", (least, greatest), meaning)})


def one_of(default: int | None, values: tuple[int, ...], meaning: str) -> Any:
    """One of a few whole numbers."""
    return field(default=default, metadata={"spec": Spec("number", values, meaning, all_listed=True)})


def flag(default: bool, meaning: str) -> Any:
    """Yes or no."""
    return field(default=default, metadata={"spec": Spec("flag", (), meaning)})


def choice(default: str, values: tuple[str, ...], meaning: str) -> Any:
    """One of a few words."""
    return field(default=default, metadata={"spec": Spec("choice", values, meaning)})


def seat(meaning: str) -> Any:
    """A seat, or "random", which is the default."""
    return field(default="random", metadata={"spec": Spec("seat", (), meaning)})


@dataclass(frozen=True)
class Options:
    """Base of every game's options. The first is always `players`.

    In the record, an option is the field of its name; a seat is `chosen_<name>`, -1 for random.
    """

    def __post_init__(self) -> None:
        self._check(self.to_dict(), "python")
        self.complete()

    @classmethod
    def _check(cls, values: Mapping[str, Any], form: Form) -> None:
        """Refuse values that an option cannot have, and seats that do not exist."""
        usual = {name: field.default for name, field in cls.__dataclass_fields__.items()}
        given = {name: value for name, value in values.items() if value is not None or usual[name] is not None}
        players = 0
        for name, spec in cls.specs().items():
            value = given.get(name, usual[name])
            if name in given and not spec.accepts(value):
                raise refusal(name, value, spec, players, form)
            if name == "players":
                players = int(spec.to_code(value))
            if spec.kind == "seat" and value != "random" and value >= players:
                raise refusal(name, value, spec, players, form)

    def complete(self) -> None:
        """Fill in what depends on other options; refuse combinations that do not exist."""

    def side(self, seat: int) -> int:
        """The side that a seat plays for; its own, unless the game says otherwise."""
        return seat

    def longest(self) -> int:
        """The most moves a game with these options can have, for OpenSpiel, which must know before a game begins; if
        the rules set no limit, a number beyond all games."""
        return 2**31 - 1

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    @cache
    def specs(cls) -> dict[str, Spec]:
        """What each option may be, by name."""
        return {f.name: f.metadata["spec"] for f in fields(cls)}

    @classmethod
    def make(cls, values: Mapping[str, Any]) -> Self:
        """Options from values by name; raises BadOptions."""
        return cls._made(values, "python")

    @classmethod
    def _made(cls, values: Mapping[str, Any], form: Form) -> Self:
        values = {name: _plain(value) for name, value in values.items()}
        for name in values:
            if name not in cls.specs():
                raise BadOptions(
                    "there is no option {name!r} here; the options are {options}.",
                    name=name,
                    options=", ".join(cls.specs()),
                )
        cls._check(values, form)
        return cls(**values)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Options as people type them; raises BadOptions."""
        specs = cls.specs()
        values = {name: specs[name].from_text(text) if name in specs else text for name, text in texts.items()}
        return cls._made(values, "text")

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Self:
        """Options as JSON has them, in positions and over HTTP; raises BadOptions."""
        specs = cls.specs()
        values = {name: specs[name].from_json(value) if name in specs else value for name, value in written.items()}
        return cls._made(values, "json")

    def to_dict(self) -> dict[str, Any]:
        """The values by name."""
        return {name: getattr(self, name) for name in self.specs()}

    def to_json(self) -> dict[str, Any]:
        """The values by name, as JSON has them."""
        return {name: spec.to_json(getattr(self, name)) for name, spec in self.specs().items()}

    def to_texts(self) -> dict[str, str]:
        """The values by name, as people type them."""
        return {name: spec.to_text(getattr(self, name)) for name, spec in self.specs().items()}

    def write(self, s: Any) -> None:
        """Set the options of a record."""
        for name, spec in self.specs().items():
            s[_place(name, spec)] = spec.to_code(getattr(self, name))

    @classmethod
    def read(cls, s: Any) -> Self:
        """The options of a record."""
        return cls._from_codes(tuple(int(s[_place(name, spec)]) for name, spec in cls.specs().items()))

    @classmethod
    @cache
    def _from_codes(cls, codes: tuple[int, ...]) -> Self:
        specs = zip(cls.specs().items(), codes, strict=True)
        return cls(**{name: spec.from_code(code) for (name, spec), code in specs})


def _plain(value: Any) -> Any:
    """The number, switch or text in an array without dimensions, such as np.int64(3)."""
    return value.item() if getattr(value, "shape", None) == () else value


def _place(name: str, spec: Spec) -> str:
    return f"chosen_{name}" if spec.kind == "seat" else name
