"""A game's options: a frozen dataclass whose fields know their values, their texts and their place in the record.

An option is one line in the game's `options.py`; the library, the command line, the log and the record read it there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Self

from infila.core.errors import BadOptions
from infila.core.words import CORE, joined, saying


@dataclass(frozen=True)
class Spec:
    """What one option may be."""

    kind: str  # "number", "flag", "choice" or "seat"
    values: tuple[Any, ...] = ()  # for a number its least and greatest value, or all of them
    meaning: str = ""
    all_listed: bool = False

    def wanted(self) -> Any:
        """What may be chosen, in words."""
        if self.kind == "flag":
            return saying(CORE, "yes_or_no")
        if self.kind == "seat":
            return saying(CORE, "seat_or_random")
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
            return value == "random" or (isinstance(value, int) and value >= 1)
        if self.all_listed:
            return isinstance(value, int) and value in self.values
        return isinstance(value, int) and self.values[0] <= value <= self.values[1]

    def from_text(self, text: str) -> Any:
        """The value that a person means; what is none is returned as it is and refused later."""
        word = text.strip().lower()
        if self.kind == "flag":
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(word, text)
        if self.kind in ("number", "seat") and word.isascii() and word.isdigit() and len(word) < 12:
            return int(word)
        return word

    def to_text(self, value: Any) -> str:
        if self.kind == "flag":
            return "yes" if value else "no"
        return str(value)

    def to_code(self, value: Any) -> int:
        if self.kind == "choice":
            return self.values.index(value)
        if self.kind == "seat":
            return -1 if value == "random" else int(value) - 1
        return int(value)

    def from_code(self, code: int) -> Any:
        if self.kind == "choice":
            return self.values[code]
        if self.kind == "flag":
            return bool(code)
        if self.kind == "seat":
            return "random" if code < 0 else code + 1
        return code


def number(default: int | None, least: int, greatest: int, meaning: str) -> Any:
    """A whole number. Where the default depends on other options it is None, and `Options.complete` sets it."""
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
    """A seat, from 1, or "random", which is the default."""
    return field(default="random", metadata={"spec": Spec("seat", (), meaning)})


@dataclass(frozen=True)
class Options:
    """Base of every game's options. The first is always `players`.

    In the record an option lies in the field of its name; a seat in `chosen_<name>`, -1 for random.
    """

    def __post_init__(self) -> None:
        for name, spec in self.specs().items():
            value = getattr(self, name)
            if value is None and type(self).__dataclass_fields__[name].default is None:
                continue  # `complete` fills it in
            if not spec.accepts(value):
                raise BadOptions(
                    "{name} cannot be {value!r}: it is {wanted}.", name=name, value=value, wanted=spec.wanted()
                )
        self.complete()
        players = int(self.specs()["players"].to_code(getattr(self, "players")))  # noqa: B009
        for name, spec in self.specs().items():
            value = getattr(self, name)
            if spec.kind == "seat" and value != "random" and value > players:
                raise BadOptions(
                    "{name} cannot be seat {value}: there are {players} players. It is random or 1 to {players}.",
                    name=name,
                    value=value,
                    players=players,
                )

    def complete(self) -> None:
        """Fill in what depends on other options; refuse combinations that do not exist."""

    def side(self, seat: int) -> int:
        """The side that a seat plays for; everybody for himself unless a game says otherwise."""
        return seat

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
        for name in values:
            if name not in cls.specs():
                raise BadOptions(
                    "there is no option {name!r} here; the options are {options}.",
                    name=name,
                    options=", ".join(cls.specs()),
                )
        return cls(**values)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Options as people type them; raises BadOptions."""
        specs = cls.specs()
        return cls.make({name: specs[name].from_text(text) if name in specs else text for name, text in texts.items()})

    def to_dict(self) -> dict[str, Any]:
        """The values by name."""
        return {name: getattr(self, name) for name in self.specs()}

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


def _place(name: str, spec: Spec) -> str:
    return f"chosen_{name}" if spec.kind == "seat" else name
