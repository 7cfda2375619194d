"""A wire between a server and its PostgreSQL, which can be cut: what is sent waits, and nobody is told."""

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"  # as PostgreSQL calls it


class Wire:
    """A socket in a folder of its own that leads to the one in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="infila-wire-"))
        self._there = str(folder / SOCKET)
        self._whole = threading.Event()
        self._whole.set()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / SOCKET))
        self._listening.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://infila@/postgres?host={self.folder}"

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        """What was sent meanwhile arrives now, however late it is."""
        self._whole.set()

    def remove(self) -> None:
        self.mend()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                threading.Thread(target=self._join, args=(here,), daemon=True).start()

    def _join(self, here: socket.socket) -> None:
        self._whole.wait()
        with here, socket.socket(socket.AF_UNIX) as there, suppress(OSError):  # the database may be away
            there.connect(self._there)
            back = threading.Thread(target=self._carry, args=(there, here), daemon=True)
            back.start()
            self._carry(here, there)
            back.join()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(65536):
                self._whole.wait()
                there.sendall(data)
        for each in (here, there):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
