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
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from infila.core.games import games, problem_of, usable_games
from infila.server import workers
from infila.server.errors import CannotServe
from infila.server.house import own_addresses, told_addresses, url_of
from infila.server.logs import FORMATS, set_up

if TYPE_CHECKING:
    from infila.server.metrics import Latencies

PORT = 4224
PRIVATE = "127.0.0.1"
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
    serve.add_argument(
        "--no-browser-thinking",
        action="store_true",
        help="computers never think in the browser of who plays them alone",
    )
    serve.add_argument(
        "--site", default="", metavar="FOLDER", help="what `infila site FOLDER` wrote, for games without a network"
    )
    serve.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that serve together, with a PostgreSQL database"
    )
    serve.add_argument(
        "--peer", default="", metavar="URL", help="where other servers of the same database reach this one"
    )
    serve.add_argument("--worker", default="", help=argparse.SUPPRESS)  # its number, and the socket it is given
    serve.add_argument(
        "--metrics", default="", metavar="ADDRESS:PORT", help="tell Prometheus figures there, to whoever can reach it"
    )
    serve.add_argument("--log-format", choices=FORMATS, default="text", help="what is reported, as text or as JSON")
    serve.add_argument("--no-browser", action="store_true", help="do not open the page")


def run(wanted: argparse.Namespace) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is said in one sentence."""
    set_up(wanted.log_format)
    from infila.server.settings import Settings

    workers.check(wanted.workers, Settings(data=wanted.data).url, wanted.peer)
    if wanted.worker:
        serve_as_worker(wanted)
    elif wanted.workers > 1:
        listening = listen(wanted.host, wanted.port)
        workers.oversee(wanted, listening, lambda: _greet(wanted, listening.getsockname()[1], []))
    else:
        figures_at = listen_for_figures(wanted.metrics)
        listening = listen(wanted.host, wanted.port)
        app = make_app(wanted, own_url(wanted.peer, "--peer") or peer_of(listening))
        greet = functools.partial(_greet, wanted, listening.getsockname()[1])
        serve(app, listening, lambda: greet(app.state.infila.house.urls), figures_at)


def serve_as_worker(wanted: argparse.Namespace) -> None:
    """One of several processes at one socket; each has another at which the others reach it, those of other machines
    too."""
    number, handle = map(int, wanted.worker.split(":"))
    workers.end_with_overseer()
    figures_at = listen_for_figures(wanted.metrics, number)
    listening = socket.socket(fileno=handle)
    private = listen(home_of(listening), 0)
    app = make_app(wanted, peer_of(private))
    serve(app, listening, lambda: print(workers.READY, flush=True), figures_at, private)


def peer_of(listening: socket.socket) -> str:
    """Where other servers reach a socket, for all that this machine knows."""
    return url_of(home_of(listening), listening.getsockname()[1])


def home_of(listening: socket.socket) -> str:
    """The address of a socket; of one that listens everywhere this machine's own."""
    host = str(listening.getsockname()[0])
    return next(iter(own_addresses(public=True)), PRIVATE) if ip_address(host).is_unspecified else host


def make_app(wanted: argparse.Namespace, peer: str) -> Any:
    from infila.server.app import create_app
    from infila.server.compiling import is_compiled
    from infila.server.connections import room_for_connections
    from infila.server.settings import Settings

    app = create_app(
        Settings(
            data=wanted.data,
            secret=wanted.secret,
            compile_ahead=True,
            browsers_think=not wanted.no_browser_thinking,
            thinkers=max(1, ((os.cpu_count() or 2) - 1) // wanted.workers),
            streams=room_for_connections() // 2,  # so that there is always room for requests
            proxies=tuple(wanted.trust_proxy),
            address=own_url(wanted.address),
            site=wanted.site,
            peer=peer,
            several=wanted.workers > 1,
        )
    )
    report_broken_games()
    if not all(map(is_compiled, usable_games())):
        print("Compiling rules for this machine; this happens once, the page opens meanwhile …", file=sys.stderr)
    return app


def report_broken_games() -> None:
    """Say what is wrong with games of other packages that cannot be played; the others can."""
    for game in games():
        if problem := problem_of(game):
            print(f"infila: {problem}", file=sys.stderr)


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotServe(f"{option} cannot be {port}: it is a number from 0 to 65535.")
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
                f"port {port} is taken; infila may run there already. Stop that, or give another with {option}."
            ) from None
        raise CannotServe(f"infila cannot listen at {host}, port {port}: {problem.strerror or problem}.") from None
    listening.listen(1024)
    return listening


def listen_for_figures(place: str, number: int = 0) -> socket.socket | None:
    """Of several workers each tells its own figures, at a port after the other."""
    from infila.server.metrics import place_of

    if not place:
        return None
    host, port = place_of(place)
    return listen(host, port + number, option="--metrics")


def serve(
    app: Any,
    listening: socket.socket,
    started: Callable[[], None],
    figures_at: socket.socket | None = None,
    private: socket.socket | None = None,
) -> None:
    """Run the application; `started` is called once it answers. At the `private` socket other servers reach it."""
    import uvicorn

    from infila.server.metrics import Latencies, Teller
    from infila.server.request import App

    pieces: App = app.state.infila
    latencies = None if figures_at is None else Latencies()
    teller = None if figures_at is None or latencies is None else Teller(figures_at, pieces, latencies)

    class Greeting(uvicorn.Server):
        """Says when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                if teller is not None:
                    await teller.start()
                spare_the_collector()
                sys.setswitchinterval(SWITCH_SECONDS)  # who answers waits ten times less for threads that compute
                started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            pieces.readiness.stopping = True
            if teller is not None:
                teller.stop()
            pieces.service.audience.send_home()
            if pieces.together is not None:
                pieces.together.send_home()
            pieces.compiling.give_up()
            pieces.computers.give_up()
            await super().shutdown(sockets)

    server = Greeting(configuration(app, latencies))
    pieces.house.served(server, listening)
    pieces.store.on_loss(lambda: _give_way(server))
    server.run(sockets=[listening] if private is None else [listening, private])


def configuration(app: Any, latencies: "Latencies | None" = None) -> Any:
    """How the application is served: behind the gate, on connections with limits."""
    import uvicorn

    from infila.server.addresses import Proxies
    from infila.server.connections import KEEP_SECONDS, Connection, Connections, room_for_connections
    from infila.server.event_stream import streaming_apart
    from infila.server.gate import entrance
    from infila.server.request import App

    pieces: App = app.state.infila
    proxies = Proxies(pieces.settings.proxies)
    together = pieces.together
    connections = Connections(
        room_for_connections(),
        proxies,
        by_address=pieces.settings.limits,
        is_peer=lambda address: together is not None and address in together.peers.hosts,
    )
    protocol: Any = functools.partial(Connection, connections=connections)
    answering = entrance(pieces, streaming_apart(app))
    return uvicorn.Config(
        answering if latencies is None else latencies.timed(answering),
        http=protocol,
        ws="none",
        log_config=None,  # as everything is reported, without what is somebody's own (`logs`)
        log_level="error",  # what others send wrongly would fill the log
        access_log=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=KEEP_SECONDS,
        server_header=False,
        proxy_headers=False,
    )


def _give_way(server: Any) -> None:
    """This server could not reach the database for too long, or slept."""
    logging.getLogger("infila").error("this server was silent for too long, and others have its tables now; it stops.")
    server.should_exit = True


def spare_the_collector() -> None:
    """Looking for garbage holds everybody up, about a second for a million things. So what is there when the server
    starts is not looked through, the new is in small portions, and all of it only when millions have come."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 5, 1_000)


def own_url(text: str, option: str = "--address") -> str:
    """An address that the operator gives, for links or for other servers."""
    if text and not re.fullmatch(r"https?://[\w.~:\[\]-]{1,260}/?", text, re.ASCII):
        raise CannotServe(f"{option} takes the beginning of a link, such as https://games.example.org, not {text!r}.")
    return text


def _greet(wanted: argparse.Namespace, port: int, others: list[str]) -> None:
    named = "127.0.0.1" if wanted.host in ("0.0.0.0", "::", "") else wanted.host
    here = f"{url_of(named, port)}/"
    print(f"infila is at {here} – Ctrl-C stops it.", flush=True)
    if others:
        print(told_addresses(others), flush=True)
    if not wanted.no_browser:
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
