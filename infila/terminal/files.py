"""Where games in progress are kept, and how they get there whole."""

import os
import re
import tempfile
from pathlib import Path

from infila.core.errors import writing
from infila.core.games import games


def saves() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "infila"


def save_of(game: str) -> Path:
    return saves() / f"{game}.save"


def saved_last() -> str | None:
    """The game in progress that was played last."""
    waiting = [name for name in games() if save_of(name).exists()]
    return max(waiting, key=lambda name: save_of(name).stat().st_mtime, default=None)


def new_name(game: str, kind: str) -> Path:
    """A name that no other game has, for a `log` that is finished or a `save` that was put aside."""
    taken = [int(found[1]) for path in saves().glob(f"{game}-*") if (found := re.fullmatch(r".*-(\d+)", path.stem))]
    return saves() / f"{game}-{max(taken, default=0) + 1}.{kind}"


def put_aside(game: str) -> Path:
    """Make room for a new game; return where the one in progress is kept from now on."""
    aside = new_name(game, "save")
    with writing(aside):
        save_of(game).rename(aside)
    return aside


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing: an interruption leaves the old file. Only its owner may read it."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
