"""A file of puzzles. It only grows, so that a puzzle keeps its number.

It is JSON lines, compressed: first what it is, then a puzzle in every line. The first line also says how far whoever
made it has come, seed by seed, so that the work can be taken up again.
"""

import gzip
import json
import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from infila.core.errors import InfilaError, writing
from infila.core.games import contract_of
from infila.puzzles.puzzle import Puzzle, from_json

FILE = "puzzles.jsonl.gz"  # of a game's folder
FORMAT = 1
LARGEST = 64_000_000  # bytes, unpacked


@dataclass
class Collection:
    """The puzzles of a game."""

    game: str
    puzzles: list[Puzzle] = field(default_factory=list)
    played: dict[str, int] = field(default_factory=dict)  #: how many games were looked through, by their seed

    def text(self) -> str:
        contract = contract_of(self.game)
        head = {"puzzles": FORMAT, "game": self.game, "rules": contract.rules_version, "played": self.played}
        lines = [head, *(puzzle.to_json() for puzzle in self.puzzles)]
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)

    def packed(self) -> bytes:
        """The same puzzles give the same bytes."""
        return gzip.compress(self.text().encode(), mtime=0)

    def write(self, file: Path) -> None:
        """All at once: whoever reads it meanwhile, or after a crash, finds the one before."""
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        with writing(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            try:
                beside.write_bytes(self.packed())
                os.replace(beside, file)
            except OSError:
                with suppress(OSError):
                    beside.unlink()
                raise


def unpacked(content: bytes, name: str) -> Collection:
    """What a file says; raises InfilaError."""
    try:
        unpacker = zlib.decompressobj(wbits=31)
        text = unpacker.decompress(content, LARGEST)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ValueError
        head, *lines = [json.loads(line) for line in text.decode().splitlines()]
        game, version = head["game"], head["rules"]
        played = {seed: count for seed, count in head["played"].items() if isinstance(count, int) and count >= 0}
        if head["puzzles"] != FORMAT or not isinstance(game, str) or len(played) < len(head["played"]):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        raise InfilaError(f"{name} is not a file of puzzles. Name another one.") from None
    contract = contract_of(game)
    if version != contract.rules_version:
        raise InfilaError(f"{name} was made by other rules of {contract.title}. Name another file, or delete it.")
    puzzles = []
    for number, line in enumerate(lines, 1):
        try:
            puzzles.append(from_json(line, game))
        except InfilaError:
            raise InfilaError(f"{name}: puzzle {number} cannot be read.") from None
    return Collection(game, puzzles, played)


def read(file: Path, game: str) -> Collection:
    """A file that is there, or the beginning of one; raises InfilaError if it is about another game."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return Collection(game)
    except OSError as problem:
        raise InfilaError(f"{file} cannot be read: {problem.strerror}.") from None
    found = unpacked(content, str(file))
    if found.game != game:
        raise InfilaError(f"{file} has puzzles of {contract_of(found.game).title}. Name another file.")
    return found


@cache
def shipped(game: str) -> Sequence[Puzzle]:
    """The puzzles that a game brings; none if it has no such file."""
    contract = contract_of(game)
    if not contract.brings(FILE):
        return ()
    return tuple(unpacked(contract.file(FILE).read_bytes(), f"{FILE} of {contract.title}").puzzles)
