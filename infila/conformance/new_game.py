"""A package to begin a game with: small, whole, and conforming, so that every step from there can be checked.

It is made from the files in `template`, a game called High Card, by giving it another name.
"""

import keyword
import re
from importlib import resources
from pathlib import Path

from infila.core.errors import InfilaError, writing
from infila.core.games import games

TEMPLATE = "high_card"
LONGEST = 40  # letters of a name
# what is not in the package itself, and where it is instead
OUTSIDE = {"pyproject.toml": "", "README.md": "", "Makefile": "", "test_rules.py": "tests"}


def checked_name(name: str) -> str:
    """A name that a game, a package and a folder can have; raises an InfilaError."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or len(name) > LONGEST:
        raise InfilaError(
            f"a game cannot be called {name!r}: a name has at most {LONGEST} small letters, digits and _, and begins "
            "with a letter, such as my_game."
        )
    if keyword.iskeyword(name):
        raise InfilaError(f"a game cannot be called {name!r}: this word belongs to Python. Take another.")
    if name in games():
        raise InfilaError(f"there is a game {name!r} already. Take another name.")
    return name


def new_game(name: str, folder: Path | None = None) -> Path:
    """Make a package with a game of this name, in a new folder: the game's name, unless it is given."""
    checked_name(name)
    place = Path(name) if folder is None else folder
    if place.exists() or place.is_symlink():
        raise InfilaError(f"{place} exists already. Give a folder that does not: --folder F.")
    files = {file.name.removesuffix(".txt"): file for file in _template()}
    with writing(place):
        place.mkdir(parents=True)
        for path, file in files.items():
            inside = OUTSIDE.get(path, f"infila_{name}")
            (place / inside).mkdir(exist_ok=True)
            (place / inside / path).write_text(renamed(file.read_text(encoding="utf-8"), name), encoding="utf-8")
    return place


def _template() -> list[Path]:
    with resources.as_file(resources.files("infila.conformance").joinpath("template")) as folder:
        return sorted(folder.glob("*.txt"))


def renamed(text: str, name: str) -> str:
    """A text of the template with another game's name in all its forms."""
    title = name.replace("_", " ").strip().title()
    forms = (
        (TEMPLATE, name),
        ("high-card", name.replace("_", "-").strip("-")),
        ("High Card", title),
        ("HighCard", title.replace(" ", "")),
    )
    for old, new in forms:
        text = text.replace(old, new)
    return text
