"""`infila site`: the table as a folder of plain files."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infila.core.errors import InfilaError

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    site = commands.add_parser("site", help="write the table as plain files that need no server of their own")
    site.add_argument("folder", type=Path, metavar="FOLDER", help="where they go; any web space can show them")
    site.set_defaults(run=run_site, at_a_table=True)


def run_site(wanted: argparse.Namespace) -> None:
    from infila.site.build import build

    folder: Path = wanted.folder
    if folder.exists() and not folder.is_dir():
        raise InfilaError(f"a site cannot be written to {folder}: it is not a folder.")
    try:
        edition = build(folder, tell=lambda text: print(text, file=sys.stderr, flush=True))
    except OSError as problem:
        raise InfilaError(f"{folder} cannot be written to: {problem.strerror}.") from None
    files = [file for file in folder.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    print(f"{folder}: edition {edition}, {len(files)} files, {size / 1e6:.1f} MB")
    print(f"To try it: python -m http.server --directory {folder}")
