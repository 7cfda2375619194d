"""One error per mistake. Each message is a sentence for a person: what is wrong, and what to do."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infila.core.words import Saying


class InfilaError(ValueError):
    """The base of all errors: something that infila refuses.

    The message is English. So that other languages can say it too, an error keeps its sentence apart from what fills
    its gaps, which may be another error, or a saying from a game's texts. `rule` is the number of the rule that
    forbids it, or empty.
    """

    def __init__(self, sentence: "str | Saying", /, rule: str = "", **gaps: Any) -> None:
        text = str(sentence).format(**gaps) if gaps else str(sentence)
        super().__init__(f"{rule}: {text}" if rule else text)
        self.sentence = sentence
        self.rule = rule
        self.gaps = gaps


class UnknownGame(InfilaError):
    """There is no game of this name."""


class BrokenGame(InfilaError):
    """A game from another package that cannot be used: something in it is missing or fails."""


class BadOptions(InfilaError):
    """Options that do not exist, or that do not go together."""


class IllegalMove(InfilaError):
    """A move that the rules do not allow now, or a text that is not a move. Nothing has changed."""

    def __init__(self, rule: str, sentence: "str | Saying", /, **gaps: Any) -> None:
        super().__init__(sentence, rule, **gaps)


class BadPosition(InfilaError):
    """A position that cannot exist in the game."""


class BadLog(InfilaError):
    """A log that cannot be read to its end.

    `line` is the first line that is wrong, from 1; `usable` is the log of the lines before it, or None.
    """

    def __init__(self, line: int, sentence: str | InfilaError, usable: object = None, **gaps: Any) -> None:
        problem = sentence if isinstance(sentence, InfilaError) else InfilaError(sentence, **gaps)
        super().__init__("line {line}: {problem}", line=line, problem=problem)
        self.line = line
        self.usable = usable


class NoDevice(InfilaError):
    """There is no GPU, or nothing to drive it with."""


def check_number(name: str, value: Any, least: int, most: int) -> None:
    """Raise an InfilaError unless a value is a whole number within these bounds."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise InfilaError(f"{name} cannot be {value!r}: it must be a whole number from {least} to {most:,}.")


def check_seed(seed: Any) -> None:
    """Check a seed of many games, or of a player; the seed of a single game may be any text (infila.core.seeds)."""
    check_number("seed", seed, 0, 2**64 - 1)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn whatever the system refuses meanwhile into a sentence about this file."""
    try:
        yield
    except OSError as problem:
        raise InfilaError(f"{path} cannot be written: {problem.strerror}.") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside this file to write to: it takes the place of the file once all is written, or else is deleted."""
    import tempfile  # it takes a while, and few write files

    with writing(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
        try:
            yield Path(name)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
