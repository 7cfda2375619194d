"""Where games in progress are kept, and how they get there whole."""

import os
import re
import tempfile
from pathlib import Path

from infila.core.errors import InfilaError


def saves() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "infila"


def save_of(game: str) -> Path:
    return saves() / f"{game}.save"


def finished_name(game: str) -> Path:
    """A new name for the log of a finished game."""
    taken = [int(found[1]) for path in saves().glob(f"{game}-*.log") if (found := re.fullmatch(r".*-(\d+)", path.stem))]
    return saves() / f"{game}-{max(taken, default=0) + 1}.log"


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing: an interruption leaves the old file. Only its owner may read it."""
    try:
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
    except OSError as problem:
        raise InfilaError(f"{path} cannot be written: {problem.strerror}.") from None
