"""What a server is told when it starts."""

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from infila.core import seeds

DATABASE = "infila.db"
SECRET = "secret"


def usual_folder() -> Path:
    """Where tables are kept unless one says otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "infila"


@dataclass(frozen=True)
class Settings:
    """`data` is a folder, or the URL of a database. The time and the seeds can be replaced, for tests."""

    data: str = ""
    secret: str = ""  # the file with the key that seals what the database must not tell
    limits: bool = True  # on how often and how much people may ask
    pace: float = 0.4  # seconds between a move and the computer's answer, so that people can follow
    thinkers: int = 2  # computer players that think at the same time
    think_seconds: float = 5.0  # after which a computer plays the best it has found
    review_simulations: int = 512  # games that a review plays on from every position, at most
    review_slice: float = 0.25  # seconds that it has before others have their turn
    browsers_think: bool = True  # for the computers against which their person plays alone
    alone: bool = False  # for one person, in their own browser: nobody else comes, and no link leads here
    compile_ahead: bool = False  # have the rules compiled by another process
    peer: str = ""  # where other servers of the same database reach this one: http://10.0.0.5:4224
    several: bool = False  # one of several processes at one socket
    lease_seconds: float = 5.0  # of silence, after which others take over the tables of a server
    tables_in_memory: int = 2000
    streams: int = 4000  # open at the same time, of all people
    proxies: tuple[str, ...] = ()  # addresses and networks of reverse proxies whose word is taken
    address: str = ""  # how others reach the server, if it cannot know that: http://games.example.org
    site: str = ""  # a folder with the table as plain files, for games without a network
    now: Callable[[], float] = field(default=time.time)
    new_seed: Callable[[], str] = field(default=seeds.new_seed)

    @property
    def url(self) -> str:
        if not self.in_folder:
            return re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", self.data)
        return f"sqlite:///{self.folder / DATABASE}"

    @property
    def folder(self) -> Path:
        return Path(self.data) if self.data else usual_folder()

    @property
    def secret_file(self) -> Path:
        """Beside the tables, or in the usual folder if they are in a database elsewhere."""
        if self.secret:
            return Path(self.secret)
        return (self.folder if self.in_folder else usual_folder()) / SECRET

    @property
    def where(self) -> str:
        """Where tables are kept, as it may be shown: without a password."""
        return str(self.folder) if self.in_folder else re.sub(r"//[^/@]*@", "//", self.data)

    @property
    def in_folder(self) -> bool:
        return "://" not in self.data
