"""`infila serve`: the table in the browser, from this machine."""

import argparse
import errno
import functools
import gc
import logging
import os
import re
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any

from infila.core.games import games, problem_of, usable_games
from infila.server.errors import CannotServe
from infila.server.house import told_addresses, url_of

PORT = 4224
STOP_SECONDS = 3
SWITCH_SECONDS = 0.0005


def add_parser(commands: Any) -> None:
    serve = commands.add_parser("serve", help="play in the browser, with friends and with the computer")
    add_options(serve)
    serve.set_defaults(run=run, at_a_table=True)


def add_options(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets the home network in (default 127.0.0.1)")
    serve.add_argument("--port", type=int, default=PORT, metavar="N", help=f"default {PORT}")
    serve.add_argument(
        "--data", default="", metavar="FOLDER|URL", help="where tables are kept: a folder, or a database"
    )
    serve.add_argument(
        "--trust-proxy",
        nargs="+",
        default=[],
        metavar="ADDRESS",
        help="addresses of reverse proxies that tell who asks, from where and how (X-Forwarded-For, -Proto, -Host)",
    )
    serve.add_argument(
        "--address", default="", metavar="URL", help="how others reach it, for links, if it cannot know that by itself"
    )
    serve.add_argument("--secret", default="", metavar="FILE", help="the key to what is sealed in the tables")
    serve.add_argument("--no-browser", action="store_true", help="do not open the page")


def run(wanted: argparse.Namespace) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is said in one sentence."""
    listening = listen(wanted.host, wanted.port)
    from infila.server.app import create_app
    from infila.server.compiling import is_compiled
    from infila.server.connections import room_for_connections
    from infila.server.settings import Settings

    app = create_app(
        Settings(
            data=wanted.data,
            secret=wanted.secret,
            compile_ahead=True,
            thinkers=max(1, (os.cpu_count() or 2) - 1),
            streams=room_for_connections() // 2,  # so that there is always room for requests
            proxies=tuple(wanted.trust_proxy),
            address=own_url(wanted.address),
        )
    )
    report_broken_games()
    if not all(map(is_compiled, usable_games())):
        print("Compiling rules for this machine; this happens once, the page opens meanwhile …", file=sys.stderr)
    serve(app, listening, lambda: _greet(wanted, listening.getsockname()[1], app.state.infila.house.urls))


def report_broken_games() -> None:
    """Say what is wrong with games of other packages that cannot be played; the others can."""
    for game in games():
        if problem := problem_of(game):
            print(f"infila: {problem}", file=sys.stderr)


def listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotServe(f"--port cannot be {port}: it is a number from 0 to 65535.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"port {port} is taken; infila may run there already. Stop that, or give another: --port {port + 1}."
            ) from None
        raise CannotServe(f"infila cannot listen at {host}, port {port}: {problem.strerror or problem}.") from None
    listening.listen(1024)
    return listening


def serve(app: Any, listening: socket.socket, started: Callable[[], None]) -> None:
    """Run the application; `started` is called once it answers."""
    import uvicorn

    from infila.server.request import App

    pieces: App = app.state.infila

    class Greeting(uvicorn.Server):
        """Says when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                spare_the_collector()
                sys.setswitchinterval(SWITCH_SECONDS)  # who answers waits ten times less for threads that compute
                started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            pieces.service.audience.send_home()
            pieces.compiling.give_up()
            pieces.computers.give_up()
            await super().shutdown(sockets)

    logging.basicConfig(level=logging.WARNING, format="infila: %(message)s")

    server = Greeting(configuration(app))
    pieces.house.served(server, listening)
    pieces.store.on_loss(lambda: _give_way(server))
    server.run(sockets=[listening])


def configuration(app: Any) -> Any:
    """How the application is served: behind the gate, on connections with limits."""
    import uvicorn

    from infila.server.addresses import Proxies
    from infila.server.connections import KEEP_SECONDS, Connection, Connections, room_for_connections
    from infila.server.event_stream import streaming_apart
    from infila.server.gate import guarded
    from infila.server.request import App

    pieces: App = app.state.infila
    proxies = Proxies(pieces.settings.proxies)
    connections = Connections(room_for_connections(), proxies, by_address=pieces.settings.limits)
    protocol: Any = functools.partial(Connection, connections=connections)
    return uvicorn.Config(
        guarded(streaming_apart(app), pieces.limiter, proxies),
        http=protocol,
        ws="none",
        log_level="error",  # what others send wrongly would fill the log
        access_log=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=KEEP_SECONDS,
        server_header=False,
        proxy_headers=False,
    )


def _give_way(server: Any) -> None:
    """Another server has taken over the database, while this one had lost it."""
    logging.getLogger("infila").error("another infila uses the database now; this one stops.")
    server.should_exit = True


def spare_the_collector() -> None:
    """Looking for garbage holds everybody up, about a second for a million things. So what is there when the server
    starts is not looked through, the new is in small portions, and all of it only when millions have come."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 5, 1_000)


def own_url(text: str) -> str:
    """The address that the operator gives for links."""
    if text and not re.fullmatch(r"https?://[\w.~:\[\]-]{1,260}/?", text, re.ASCII):
        raise CannotServe(f"--address takes the beginning of a link, such as https://games.example.org, not {text!r}.")
    return text


def _greet(wanted: argparse.Namespace, port: int, others: list[str]) -> None:
    named = "127.0.0.1" if wanted.host in ("0.0.0.0", "::", "") else wanted.host
    here = f"{url_of(named, port)}/"
    print(f"infila is at {here} – Ctrl-C stops it.", flush=True)
    if others:
        print(told_addresses(others), flush=True)
    if not wanted.no_browser:
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
