"""What a site needs of other people's work: Pyodide, which is Python for browsers, and zstddec, which is the part of
Zstandard that unpacks. Both are fetched once from the registry of npm, checked, and kept in the user's cache."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from infila.core.errors import InfilaError


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    sha512: str
    files: tuple[str, ...]


PYODIDE = Package(
    "pyodide",
    "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
)
ZSTDDEC = Package(
    "zstddec",
    "0.3.4",
    "3Y/NMP6MNdp9b0fWhjCUGiybog7RC3EbUSIJLWnfjylOvnbuGykeu4zYUuH4IRLy5xI7NytXTHN3CWQKIN3cSg==",
    ("dist/zstddec.mjs",),
)


class NotFetched(InfilaError):
    """What a site needs is not to be had."""


def files_of(package: Package) -> Path:
    """The folder with a package's files."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "infila-site"
    folder = base / f"{package.name}-{package.version}"
    if not all((folder / name).is_file() for name in package.files):
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base) as work:
            made = Path(work) / "made"
            _unpack(_fetched(package, Path(work)), package, made)
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
    return folder


def _fetched(package: Package, folder: Path) -> Path:
    what = f"{package.name}@{package.version}"
    try:
        done = subprocess.run([program("npm"), "pack", what], cwd=folder, capture_output=True, text=True)
    except OSError as problem:
        raise NotFetched(f"npm cannot be started ({problem}).") from None
    pack = folder / f"{package.name}-{package.version}.tgz"
    if done.returncode or not pack.is_file():
        reason = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise NotFetched(f"npm cannot fetch {what}: {reason}")
    if base64.b64encode(hashlib.sha512(pack.read_bytes()).digest()).decode() != package.sha512:
        raise NotFetched(f"what npm has fetched is not {what}: its SHA-512 is another.")
    return pack


def program(name: str) -> str:
    """Node.js or npm: the one of this machine, or the one that a package has put beside this Python."""
    places = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    if found := shutil.which(name, path=places):
        return found
    raise NotFetched(f"to build a site {name} is needed: install Node.js, or pip install 'infila[site]'.")


def _unpack(pack: Path, package: Package, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(pack) as found:
        for name in package.files:
            content = found.extractfile(f"package/{name}")
            assert content is not None, "a file of a checked archive"
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content.read())
