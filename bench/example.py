"""The example game of examples/connect_four, found as if it were installed; nothing is."""

import os
import sys
import tempfile
import tomllib
from pathlib import Path

from infila.core import games

FOLDER = Path(__file__).parents[1] / "examples" / "connect_four"
NAME = "connect_four"


def bring() -> None:
    """Let this process, and those it starts, find the example: its folder, and its entry point as pip writes it."""
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = Path(tempfile.mkdtemp(prefix="infila-example-"))
    about = site / "infila_connect_four.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8")
    entries = [f"{game} = {package}" for game, package in project["entry-points"][games.GROUP].items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{games.GROUP}]", *entries, ""]), encoding="utf-8")
    sys.path[:0] = [str(site), str(FOLDER)]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(site), str(FOLDER), os.environ.get("PYTHONPATH")]))
    games.packages.cache_clear()
    games.usable_games.cache_clear()
