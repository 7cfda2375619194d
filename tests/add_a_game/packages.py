"""Packages that bring a game, installed where the tests can find them and nothing else does."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infila.core import games

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "connect_four"


def install(folder: Path) -> Path:
    """The example, by pip, from a copy of its folder."""
    source, site = folder / "source", folder / "site"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--target")
    subprocess.run([sys.executable, "-m", "pip", "install", *options, site, source], check=True)
    return site


def registered(site: Path, game: str, package: str) -> None:
    """Make a folder a package that is installed: what pip would write about it."""
    registered_all(site, package, {game: package})


def registered_all(site: Path, package: str, games: dict[str, str]) -> None:
    """The same for one that brings several games."""
    about = site / f"{package}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[infila.games]\n" + "".join(f"{game} = {where}\n" for game, where in games.items())
    )


def copied(site: Path, game: str) -> Path:
    """The example as another game, with a name, a package and a State of its own; its folder."""
    package = site / f"infila_{game}"
    shutil.copytree(EXAMPLE / "infila_connect_four", package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.glob("*.py"):
        text = file.read_text(encoding="utf-8").replace("connect_four", game).replace("discs", f"{game}_discs")
        file.write_text(text, encoding="utf-8")
    registered(site, game, package.name)
    return package


@contextmanager
def on_the_path(site: Path) -> Iterator[None]:
    """While this lasts, the packages of a folder are installed."""
    sys.path.insert(0, str(site))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        _forget()


def _forget() -> None:
    for known in (games.packages, games.usable_games):
        known.cache_clear()
