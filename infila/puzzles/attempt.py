"""Somebody at a puzzle: what they have tried, and which puzzles they have found."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from infila.puzzles.puzzle import Puzzle

MOST_TRIES = 40  # that are remembered: the last
MOST_BYTES = 1500  # of progress, which fits into a cookie
A_BYTE = 4  # puzzles


@dataclass(frozen=True)
class Attempt:
    """Tries at a puzzle, in order."""

    puzzle: Puzzle
    tries: tuple[str, ...] = ()  #: moves; only the last can be right
    shown: bool = False  #: whether somebody has asked for the solution

    @property
    def found(self) -> bool:
        return bool(self.tries) and self.tries[-1] in self.puzzle.best

    @property
    def over(self) -> bool:
        return self.found or self.shown

    def with_try(self, move: str) -> "Attempt":
        """With one more try: the same move again is none, and after the end nothing is tried."""
        if self.over or move in self.tries:
            return self
        return replace(self, tries=(*self.tries, move)[-MOST_TRIES:])

    def given_up(self) -> "Attempt":
        return self if self.over else replace(self, shown=True)


@dataclass
class Progress:
    """Which puzzles of a game somebody has found, and which were shown to them, by number from 1.

    >>> progress = Progress()
    >>> progress.note(3, found=True)
    >>> progress.note(9, found=False)
    >>> again = Progress.read(progress.text())
    >>> sorted(again.found), sorted(again.shown)
    ([3], [9])
    """

    found: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)

    def note(self, number: int, *, found: bool) -> None:
        """A puzzle is over; one that was shown before cannot be found any more."""
        if found and number not in self.shown:
            self.found.add(number)
        elif number not in self.found:
            self.shown.add(number)

    def text(self) -> str:
        """Two bits for every puzzle, in letters."""
        packed = bytearray(max((*self.found, *self.shown, 0)) // A_BYTE + 1)
        for bit, numbers in enumerate((self.found, self.shown)):
            for number in numbers:
                packed[number // A_BYTE] |= 1 << (2 * (number % A_BYTE) + bit)
        return base64.urlsafe_b64encode(bytes(packed[:MOST_BYTES])).decode().rstrip("=")

    @classmethod
    def read(cls, text: str) -> "Progress":
        """What `text` has written; nothing if it is anything else, for a browser can send what it likes."""
        try:
            packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if len(text) <= 2 * MOST_BYTES else b""
        except (ValueError, binascii.Error):
            packed = b""
        bits = [{n for n in range(A_BYTE * len(packed)) if _bit(packed, n, bit)} for bit in (0, 1)]
        return cls(*bits)


def _bit(packed: bytes, number: int, bit: int) -> int:
    return packed[number // A_BYTE] >> (2 * (number % A_BYTE) + bit) & 1


def next_of(puzzles: Sequence[Puzzle], number: int, progress: Progress) -> int:
    """The puzzle after one: the next as hard that is still to be found, else the next of all, else the next at all."""
    order = [(number + step - 1) % len(puzzles) + 1 for step in range(1, len(puzzles))]
    done = progress.found | progress.shown
    fresh = [each for each in order if each not in done]
    alike = [each for each in fresh if puzzles[each - 1].grade == puzzles[number - 1].grade]
    return (alike or fresh or order or [number])[0]
