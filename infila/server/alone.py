"""One server at a time in a folder: each would hold tables in memory that the other changes. A locked file keeps a
second one out."""

import sys
from pathlib import Path
from typing import IO

from infila.server.errors import CannotServe


def alone_in(folder: Path) -> IO[str]:
    """Make the folder, and lock it for as long as the file is open."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "lock"
        file.touch(mode=0o600)
        lock = file.open("w")
    except OSError as problem:
        raise CannotServe(
            f"the folder {folder} cannot be written: {problem.strerror}. Give another with --data."
        ) from None
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise CannotServe(
                f"another infila uses {folder} already. Stop that, or give another folder with --data."
            ) from None
    return lock
