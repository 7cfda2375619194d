"""`States`: games as they stand, taken out of a batch: to be kept, copied, saved, and put into a batch again.

A file is a line that says what it is, a line of JSON, and the arrays, one after the other. The JSON has the game, the
version of its rules, its options, the arrays with their types and shapes, and a SHA-256 of all of them.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from infila.core.carried import layout_of
from infila.core.contract import Contract
from infila.core.errors import InfilaError, replacing
from infila.core.games import contract_of
from infila.core.options import Options
from infila.core.record import States as Records

FIRST_LINE = b"infila states 1\n"
LONGEST_HEADER = 100_000
RECORDS = "records"
WORD = np.dtype(np.int64)
MORE = {"numbers": np.dtype("<u8"), "seeds": np.dtype("<u8")}  # what the file of a batch has besides its records


class States:
    """States of one game with the same options; `batch[i]` and `batch[[4, 4, 7]]` give them, and they never change.

    >>> from infila.batch import Batch, States
    >>> states = Batch("take_that", 10, players=3)[[4, 4, 7]]
    >>> len(states), states.game, states[1:].options["players"]
    (3, 'take_that', 3)
    """

    def __init__(self, contract: Contract, options: Options, words: Any, on: Any = None) -> None:
        """`words` are the records as words of eight bytes, a row each; `on` is the device where they lie, or None for
        NumPy's arrays. Programs get states from a batch, a file or `from_arrays`."""
        self._contract = contract
        self._options = options
        self._words = words
        self._on = on

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._contract.name

    @property
    def options(self) -> dict[str, Any]:
        """All options by name, `players` among them."""
        return self._options.to_dict()

    def __len__(self) -> int:
        return int(self._words.shape[0])

    def __getitem__(self, which: Any) -> "States":
        """Some of them: by a number, a slice, numbers or booleans. They are copied to the CPU if they lie on a GPU."""
        rows = self._host()
        chosen = np.asarray(range(len(rows))[which]) if isinstance(which, slice) else np.asarray(which)
        if chosen.dtype == bool and chosen.shape == (len(rows),):
            chosen = np.flatnonzero(chosen)
        if chosen.size == 0:
            chosen = chosen.astype(np.int64)
        chosen = np.atleast_1d(chosen)
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1:
            raise InfilaError("states are chosen by a number, a slice, a list of numbers, or a boolean for each.")
        if chosen.size and not (-len(rows) <= int(chosen.min()) and int(chosen.max()) < len(rows)):
            raise InfilaError(f"there are {len(rows):,} states, numbered from 0.")
        return States(self._contract, self._options, rows[chosen])

    def _host(self) -> Any:
        return self._words if self._on is None else self._on.host(self._words)

    def records(self) -> Records:
        """A copy of the records, as an array of the game's own type."""
        rows = np.ascontiguousarray(self._host())
        return np.frombuffer(bytearray(rows.tobytes()), self._contract.rules.State.dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, States):
            return NotImplemented
        alike = (self.game, self._options) == (other.game, other._options)
        return alike and bool(np.array_equal(self._host(), other._host()))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} states of {self._contract.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return States.from_arrays, (self.arrays(),)

    def arrays(self) -> dict[str, Any]:
        """Everything as plain values and one array of bytes, a row for each state, with a SHA-256 of them."""
        rows = np.ascontiguousarray(self._host())
        return self._header() | {RECORDS: rows.view(np.uint8).copy(), "sha256": hashlib.sha256(rows.data).hexdigest()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> "States":
        """States from what `arrays` has given."""
        if not isinstance(arrays, Mapping) or not {RECORDS, "sha256"} <= set(arrays):
            raise InfilaError("these are not states: States.arrays() gives a dictionary with 'records' and 'sha256'.")
        contract, options = _read_header(arrays, "these states")
        rows = np.ascontiguousarray(arrays[RECORDS])
        size = contract.rules.State.dtype.itemsize
        if rows.dtype != np.uint8 or rows.ndim != 2 or rows.shape[1] != size:
            raise InfilaError(f"records must be bytes of shape (n, {size}), not {rows.dtype} of shape {rows.shape}.")
        if hashlib.sha256(rows.data).hexdigest() != arrays["sha256"]:
            raise InfilaError("these states are damaged: their SHA-256 is not the one that came with them.")
        return cls(contract, options, rows.copy().view(WORD))

    def _header(self) -> dict[str, Any]:
        record = self._contract.rules.State.dtype
        return {
            "game": self.game,
            "rules": self._contract.rules_version,
            "options": self._options.to_json(),
            "layout": layout_of(record),
        }

    def save(self, path: str | Path, **more: Any) -> None:
        """Write them to a file. Nothing is there until all of it is."""
        arrays = {RECORDS: np.ascontiguousarray(self._host()).view(np.uint8), **more}
        digest = hashlib.sha256()
        for array in arrays.values():
            digest.update(array.data)
        described = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
        header = self._header() | {"arrays": described, "sha256": digest.hexdigest()}
        with replacing(Path(path)) as place, place.open("wb") as file:
            file.write(FIRST_LINE + json.dumps(header).encode() + b"\n")
            for array in arrays.values():
                file.write(array.data)

    @classmethod
    def load(cls, path: str | Path) -> "States":
        """States from a file. A file that is damaged, foreign, or of other rules is refused.

        A SHA-256 finds damage, not malice: whoever writes a file can make up its records. Call `check` before you play
        with states from strangers.
        """
        return cls.load_with_more(path)[0]

    @classmethod
    def load_with_more(cls, path: str | Path) -> tuple["States", dict[str, Any]]:
        """The states of a file, and the other arrays in it."""
        place = Path(path)
        header, body = _read(place)
        contract, options = _read_header(header, str(place))
        shapes = _shapes(header, contract, place)
        if sum(kind.itemsize * math.prod(shape) for kind, shape in shapes.values()) != len(body):
            raise InfilaError(f"{place} is damaged: it does not have the length that its header promises.")
        if hashlib.sha256(body).hexdigest() != header.get("sha256"):
            raise InfilaError(f"{place} is damaged: its SHA-256 is not the one in its header.")
        found, at = {}, 0
        for name, (kind, shape) in shapes.items():
            size = kind.itemsize * math.prod(shape)
            found[name] = np.frombuffer(bytearray(body[at : at + size]), kind).reshape(shape)
            at += size
        return cls(contract, options, found.pop(RECORDS).view(WORD)), found

    def check(self) -> "States":
        """Look at every state, as if it were the position of a stranger (docs/reference/positions.md); raises
        BadPosition at the first that cannot be. Some thousands a second."""
        from infila.core.errors import BadPosition
        from infila.core.notation import position_of, set_up

        records = self.records()
        for i in range(len(records)):
            try:
                again = set_up(self._contract, position_of(self._contract, records[i : i + 1]))
            except BadPosition as problem:
                raise BadPosition(f"state {i:,} cannot be: {problem}") from None
            except (ValueError, IndexError, KeyError, TypeError, OverflowError):
                raise BadPosition(f"state {i:,} cannot be: it cannot even be written down.") from None
            if (
                again.tobytes() != records[i : i + 1].tobytes()
                or self._contract.options.read(again[0]) != self._options
            ):
                raise BadPosition(f"state {i:,} cannot be: it is not the one that its own description gives.")
        return self


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    try:
        with path.open("rb") as file:
            if file.read(len(FIRST_LINE)) != FIRST_LINE:
                raise InfilaError(f"{path} is not a file of states: States.save writes them.")
            line = file.readline(LONGEST_HEADER)
            body = file.read()
    except OSError as problem:
        raise InfilaError(f"{path} cannot be read: {problem.strerror}.") from None
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise InfilaError(f"{path} is damaged: its header cannot be read.")
    return header, body


def _read_header(header: Mapping[str, Any], what: str) -> tuple[Contract, Options]:
    """The game and its options; refused if its rules are not those that are played here."""
    contract = contract_of(str(header.get("game"))[:60])
    if header.get("rules") != contract.rules_version or header.get("layout") != layout_of(contract.rules.State.dtype):
        raise InfilaError(
            f"{what}: these are states of {contract.title} by rules version {str(header.get('rules'))[:20]}; "
            f"this is version {contract.rules_version}, or its records are laid out in another way."
        )
    options = header.get("options")
    if not isinstance(options, Mapping):
        raise InfilaError(f"{what}: the options of the game are missing.")
    return contract, contract.options.from_json(options)


def _shapes(header: Mapping[str, Any], contract: Contract, path: Path) -> dict[str, tuple["np.dtype[Any]", Any]]:
    """The arrays that a header promises. Their types are not the header's to choose."""
    found: dict[str, tuple[np.dtype[Any], Any]] = {}
    described = header.get("arrays")
    for entry in described if isinstance(described, Sequence) else ():
        name, kind, shape = entry if isinstance(entry, list) and len(entry) == 3 else ("", "", [])
        wanted = np.dtype(np.uint8) if name == RECORDS else MORE.get(name)
        whole = isinstance(shape, list) and all(type(n) is int and 0 <= n <= 10**12 for n in shape)
        if wanted is None or wanted.str != kind or not whole:
            raise InfilaError(f"{path} is damaged: its header cannot be understood.")
        found[name] = wanted, tuple(shape)
    if RECORDS not in found or found[RECORDS][1][1:] != (contract.rules.State.dtype.itemsize,):
        raise InfilaError(f"{path} is damaged: it holds no records of {contract.title}.")
    return found
