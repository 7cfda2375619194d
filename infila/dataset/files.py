"""Datasets in files: NumPy's .npz, or .parquet for everything else. Both have the columns of `Dataset.columns`."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from infila.core.errors import InfilaError, replacing
from infila.core.games import contract_of
from infila.dataset.data import MASK, OBSERVATION, Dataset

HEADER = "infila"
NEEDED = {"game": np.dtype(np.int64), "seat": np.dtype(np.int8), "action": np.dtype(np.int16)}  # the rest follows
PLAIN = ("game", "seat", "action", "reward", "done")
Progress = Callable[[int], None]  # how many games have been written


def check_name(path: Path) -> None:
    """Refuse a name, before anything is played, that says nothing about the form of the file, or that has no room."""
    if path.suffix not in (".npz", ".parquet"):
        raise InfilaError(f"{path} must end in .npz or .parquet, so that the form of the file is known.")
    if not path.parent.is_dir():
        raise InfilaError(f"{path} cannot be written: there is no folder {path.parent}.")
    if path.is_dir():
        raise InfilaError(f"{path} cannot be written: it is a folder.")
    if path.suffix == ".parquet":
        _pyarrow()


def write(data: Dataset, path: str | Path, *, full: bool = False, progress: Progress = lambda games: None) -> None:
    """Write a dataset to a file that ends in .npz or .parquet. With `full`, also masks and observations, which take a
    few hundred times the room; without, `read` makes them anew."""
    target = Path(path)
    check_name(target)
    with replacing(target) as place:
        (_write_npz if target.suffix == ".npz" else _write_parquet)(data, place, full, progress)


def read(path: str | Path) -> Dataset:
    """The dataset of a file. Every move is checked by the rules, so that what is damaged or made up is refused.

    >>> import tempfile, pathlib
    >>> from infila.dataset import make, read
    >>> from infila.dataset.files import write
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "games.npz"
    >>> data = make("take_that", 5, by=["random"])
    >>> write(data, file)
    >>> read(file) == data
    True
    """
    place = Path(path)
    check_name(place)
    header, columns = (_read_npz if place.suffix == ".npz" else _read_parquet)(place)
    return _from_columns(place, header, columns)


def _from_columns(path: Path, header: Any, columns: dict[str, Any]) -> Dataset:
    if not isinstance(header, dict) or header.get("format") != "infila dataset 1":
        raise InfilaError(f"{path} is not a dataset that infila has written.")
    contract = contract_of(str(header.get("game"))[:60])
    if header.get("rules") != contract.rules_version:
        raise InfilaError(
            f"{path} was played by rules version {str(header.get('rules'))[:20]} of {contract.title}; "
            f"this is version {contract.rules_version}."
        )
    by, seed, options = header.get("by"), header.get("seed"), header.get("options")
    told = isinstance(by, list) and all(isinstance(name, str) for name in by) and isinstance(options, dict)
    if not told or type(seed) is not int or not 0 <= seed < 2**64:
        raise InfilaError(f"{path} is damaged: it does not say what was played.")
    game, seat, action = (columns[name] for name in NEEDED)
    if any(columns[name].dtype != kind or columns[name].shape != game.shape for name, kind in NEEDED.items()):
        raise InfilaError(f"{path} is damaged: its columns do not fit together.")
    starts = np.flatnonzero(np.concatenate([[True], game[1:] != game[:-1]])) if len(game) else np.zeros(0, np.int64)
    numbers = game[starts]
    if (numbers < 0).any() or (len(starts), len(game)) != (header.get("games"), header.get("moves")):
        raise InfilaError(f"{path} is damaged: it does not have the games that its header promises.")
    lengths = np.diff(np.concatenate([starts, [len(game)]]))
    none = np.zeros((len(starts), 0), np.int32)
    options = contract.options.from_json(options or {})
    data = Dataset(contract, options, tuple(by or ()), seed, numbers, lengths, action, seat, none)
    try:
        return data.checked()
    except InfilaError as problem:
        raise InfilaError(f"{path}: {problem}") from None


def _pieces(data: Dataset, full: bool, progress: Progress) -> Iterator[dict[str, Any]]:
    games = 0
    for columns in data.chunks(mask=full, observation=full):
        yield columns
        games += len(np.unique(columns["game"]))
        progress(games)


def _write_npz(data: Dataset, path: Path, full: bool, progress: Progress) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:

        def put(name: str, array: Any) -> None:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)

        put(HEADER, np.frombuffer(json.dumps(data.header()).encode(), np.uint8))
        for name, column in data.columns(mask=False, observation=False).items():
            put(name, np.ascontiguousarray(column))
        for name in (MASK, OBSERVATION) if full else ():
            one = {MASK: name == MASK, OBSERVATION: name == OBSERVATION}
            pieces = (columns[name] for columns in data.chunks(mask=one[MASK], observation=one[OBSERVATION]))
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                _stream(file, pieces, data.moves)
    progress(data.games)


def _stream(file: Any, pieces: Iterator[Any], rows: int) -> None:
    """An array of so many rows, piece by piece."""
    for k, piece in enumerate(pieces):
        if k == 0:
            about = {"descr": piece.dtype.str, "fortran_order": False, "shape": (rows, piece.shape[1])}
            np.lib.format.write_array_header_2_0(file, about)
        file.write(np.ascontiguousarray(piece).data)


def _read_npz(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            header = json.loads(archive[HEADER].tobytes())
            return header, {name: archive[name] for name in NEEDED}
    except FileNotFoundError:
        raise InfilaError(f"{path} cannot be read: there is no such file.") from None
    except OSError as problem:
        raise InfilaError(f"{path} cannot be read: {problem.strerror or 'it is damaged'}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError, zipfile.BadZipFile):
        raise InfilaError(f"{path} is not a dataset that infila has written, or it is damaged.") from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InfilaError("files that end in .parquet need pyarrow: pip install 'infila[data]'. Or use .npz.") from None
    return pyarrow


def _write_parquet(data: Dataset, path: Path, full: bool, progress: Progress) -> None:
    arrow = _pyarrow()
    sizes = {MASK: (data.contract.rules.ACTIONS + 7) // 8, OBSERVATION: data.contract.features.SIZE}
    kinds = [arrow.int64(), arrow.int8(), arrow.int16(), arrow.float32(), arrow.bool_()]
    fields = list(zip(PLAIN, kinds, strict=True))
    if full:
        fields += [(MASK, arrow.list_(arrow.uint8(), sizes[MASK]))]
        fields += [(OBSERVATION, arrow.list_(arrow.int8(), sizes[OBSERVATION]))]
    schema = arrow.schema(fields, metadata={HEADER: json.dumps(data.header())})
    with arrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for columns in _pieces(data, full, progress):
            arrays = [arrow.array(columns[name]) for name in PLAIN]
            for name in (MASK, OBSERVATION) if full else ():
                flat = arrow.array(np.ascontiguousarray(columns[name]).reshape(-1))
                arrays.append(arrow.FixedSizeListArray.from_arrays(flat, sizes[name]))
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _read_parquet(path: Path) -> tuple[Any, dict[str, Any]]:
    arrow = _pyarrow()
    try:
        table = arrow.parquet.read_table(path, columns=list(NEEDED))
        header = json.loads((table.schema.metadata or {})[HEADER.encode()])
        return header, {name: np.array(table.column(name).to_numpy()) for name in NEEDED}
    except FileNotFoundError:
        raise InfilaError(f"{path} cannot be read: there is no such file.") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, arrow.ArrowException):
        raise InfilaError(f"{path} is not a dataset that infila has written, or it is damaged.") from None
