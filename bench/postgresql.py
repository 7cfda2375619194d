"""A PostgreSQL of one's own, for tests and benches: in a folder, reached by a socket there and by nobody else.

PostgreSQL comes from the system (Debian: `apt install postgresql`). It refuses to be root, so for root it runs as
`nobody`.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy import create_engine, text

PATIENCE = 60.0  # seconds for it to start or stop
WHERE = "/usr/lib/postgresql"  # Debian's; each version in a folder of its own
ROOTS_STAND_IN = "nobody"


def programs() -> Path | None:
    """The folder with PostgreSQL's programs; None if it is not installed."""
    named = shutil.which("initdb")
    if named is not None:
        return Path(named).resolve().parent
    found = sorted(Path(WHERE).glob("*/bin/initdb"), key=lambda program: int(program.parts[-3]))
    return found[-1].parent if found else None


class PostgreSQL:
    """Begun by `start`, ended by `stop`, as often as one likes; `remove` takes it away."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="infila-pg-"))  # a socket's path must be short
        self._user = ROOTS_STAND_IN if hasattr(os, "geteuid") and os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self._do("initdb", "--username=infila", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://infila@/postgres?host={self.folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        self._do("pg_ctl", "start", "--wait", "--silent", f"--log={self.folder / 'log'}", f"--options={options}")

    def stop(self, *, at_once: bool = False) -> None:
        """End it as an operator does, or as a crash would."""
        self._do("pg_ctl", "stop", "--wait", "--silent", "--mode=" + ("immediate" if at_once else "fast"))

    def kill(self) -> None:
        """All of its processes, without a word; returns when they are gone."""
        first = self.processes()[0]
        os.kill(first, signal.SIGSTOP)  # it starts no more of them
        processes = self.processes()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while any(map(_lives, processes)):
            if time.monotonic() > end:
                raise RuntimeError("PostgreSQL was killed, and is still there.")
            time.sleep(0.01)
        for lock in (self.data / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)  # where nobody asks how a process ended it would be taken for alive

    def remove(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.stop(at_once=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def processes(self) -> list[int]:
        """All of them; where /proc tells it."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        found = [first]
        for each in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                number, rest = each.read_text().split(" ", 1)
                if int(rest.rpartition(")")[2].split()[1]) == first:
                    found.append(int(number))
        return found

    def terminate(self, process: int) -> None:
        """End one connection, as a network that fails does, and wait until its locks are free."""
        engine = create_engine(self.url)
        with engine.begin() as connection:
            wanted = {"process": process, "milliseconds": round(1000 * PATIENCE)}
            connection.execute(text("SELECT pg_terminate_backend(:process, :milliseconds)"), wanted)
        engine.dispose()

    def _do(self, program: str, *arguments: str) -> None:
        where = programs()
        if where is None:
            raise FileNotFoundError("PostgreSQL is not installed here. On Debian: apt install postgresql.")
        done = subprocess.run(
            [where / program, f"--pgdata={self.data}", *arguments],
            cwd=self.folder,
            user=self._user,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr.strip()}")


def _lives(process: int) -> bool:
    """Also where nobody has asked yet how it ended, it is dead."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
