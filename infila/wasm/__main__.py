"""The modules of infila's own games, built anew where the package keeps them.

python -m infila.wasm
"""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from infila.core.games import NAMES
from infila.wasm.build import build
from infila.wasm.modules import CODE, write

FOLDER = Path(__file__).parents[1] / "games"
SUMS = FOLDER / "SHA256SUMS"


def main() -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for game, module in zip(NAMES, pool.map(build, NAMES), strict=True):
            write(module, FOLDER / game)
            print(f"{game}: {len(module.code):,} bytes")
    SUMS.write_text(sums(), encoding="utf-8")


def sums() -> str:
    """The hashes of all modules, as sha256sum writes them."""
    return "".join(
        f"{hashlib.sha256((FOLDER / game / CODE).read_bytes()).hexdigest()}  {game}/{CODE}\n" for game in NAMES
    )


if __name__ == "__main__":
    main()
