"""A load balancer for tests: every connection goes to the next server."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from urllib.parse import urlsplit


@contextmanager
def spread(*addresses: str) -> Iterator[str]:
    """One address for several servers."""
    places = cycle((str(urlsplit(each).hostname), urlsplit(each).port or 80) for each in addresses)
    listening = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                here, _ = listening.accept()
                there = socket.create_connection(next(places))
                ends.extend((here, there))
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=_pump, args=pair, daemon=True).start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join()
        for each in ends:
            each.close()


def _pump(here: socket.socket, there: socket.socket) -> None:
    with suppress(OSError):
        while data := here.recv(65536):
            there.sendall(data)
        there.shutdown(socket.SHUT_WR)
