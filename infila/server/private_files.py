"""The files of the database: for the user who serves, and nobody else."""

import logging
import os
from pathlib import Path

from infila.server.errors import CannotServe
from infila.server.settings import DATABASE, SECRET

OTHERS = 0o077
OWN = {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal", SECRET, "lock"}
logger = logging.getLogger("infila")


def make_private(folder: Path) -> None:
    """Close to others what is there, and make what is not, so that it is closed from its first moment.

    SQLite gives the files beside the database the database's own mode. The folder is closed too if nothing but infila's
    files is in it; one that has other things in it is left as its owner wants it.
    """
    try:
        os.close(os.open(folder / DATABASE, os.O_CREAT | os.O_RDWR, 0o600))
        for file in folder.iterdir():
            if file.name in OWN and file.stat().st_mode & OTHERS:
                file.chmod(0o600)
        if folder.stat().st_mode & OTHERS:
            _close(folder)
    except OSError as problem:
        raise CannotServe(
            f"the database in {folder} cannot be written ({problem.strerror}). "
            "Give yourself the right to write there, or give another with --data."
        ) from None


def _close(folder: Path) -> None:
    if {entry.name for entry in folder.iterdir()} <= OWN:
        folder.chmod(0o700)
    elif folder.stat().st_mode & 0o022:
        logger.warning("the folder %s can be written by others, who could put another database there", folder)
