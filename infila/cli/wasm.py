"""`infila wasm`: a game's rules as WebAssembly."""

import argparse
import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from infila.core.errors import InfilaError
from infila.core.games import contract_of

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    wasm = commands.add_parser("wasm", help="compile the rules of a game to WebAssembly")
    wasm.add_argument("game", metavar="GAME")
    wasm.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="where rules.wasm and rules.json go; in the folder of the game's package infila finds them by itself",
    )
    wasm.set_defaults(run=run_wasm)


def run_wasm(wanted: argparse.Namespace) -> None:
    from infila.wasm.build import build
    from infila.wasm.modules import CODE, write

    contract = contract_of(wanted.game)
    folder: Path = wanted.out
    if folder.exists() and not folder.is_dir():
        raise InfilaError(f"--out cannot be {folder}: it is not a folder.")
    module = build(wanted.game)
    try:
        write(module, folder)
    except OSError as problem:
        raise InfilaError(f"{folder} cannot be written to: {problem.strerror}.") from None
    size, packed = len(module.code), len(gzip.compress(module.code, 9))
    print(f"{folder / CODE}: {contract.title}, {size:,} bytes, {packed:,} gzipped")
