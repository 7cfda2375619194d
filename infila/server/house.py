"""Where others reach the server, and whether they can: how the home network is let in, and shut out again.

A server listens at this machine alone unless it is told otherwise, and then no link to it works anywhere else. Whoever
sits at this machine can let one of its networks in while the server runs: a second socket listens at the machine's own
address there, at the same port, and nothing else changes. Only addresses that belong to no public network are offered.

Links and codes carry an address that the server knows by itself: the one it was told (--address), what a trusted proxy
says, or the machine's own. What a request names as the host may be anything, and counts only if it is one of these.
"""

import asyncio
import errno
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

from infila.server.errors import Refused
from infila.server.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SOMEWHERE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))  # kept for examples
MOST_ADDRESSES = 4  # that are offered
SIOCGIFADDR = 0x8915  # asks Linux for the address of an interface


class Reach(NamedTuple):
    """How a table is reached by others."""

    base: str  # the beginning of its link
    local: bool = False  # nobody elsewhere can open it
    offered: tuple[str, ...] = ()  # addresses at which whoever asks may let a network in
    opened: bool = False  # a network was let in, and whoever asks may shut it out


class Asked(NamedTuple):
    """What a request says of how the server was reached."""

    scheme: str
    host: str
    vouched: bool  # by a trusted proxy
    here: bool  # it comes from this machine, and nobody forwards it
    at: str  # the address where it came in


def is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def own_addresses(*, public: bool = False) -> list[str]:
    """This machine's addresses in its networks, the one towards the world first; nothing is sent to find them out."""
    found: dict[str, None] = {}
    for target, family in SOMEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found[str(probe.getsockname()[0])] = None
    found |= dict.fromkeys(_of_interfaces())
    usable = [each for each in found if _is_usable(each, public)]
    return sorted(usable, key=lambda each: ":" in each)  # what every phone understands first


def _of_interfaces() -> list[str]:
    """The addresses of all interfaces, where the system can be asked."""
    found = []
    with suppress(ImportError, OSError, AttributeError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        import fcntl

        for _number, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _is_usable(text: str, public: bool) -> bool:
    try:
        address = ip_address(text)
    except ValueError:  # with a zone: only for those on the same wire
        return False
    if address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast:
        return False
    return public or not address.is_global


def url_of(address: str, port: int) -> str:
    """The beginning of a link to an address; the usual port of the web goes without saying."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


class House:
    """The networks that are let in."""

    def __init__(self, settings: Settings) -> None:
        self._told = settings.address.rstrip("/")
        self._elsewhere_too = bool(settings.proxies) or settings.several  # what is opened here is not opened there
        self._server: Any = None  # uvicorn's
        self._host, self._port = "", 0  # where it listens from the beginning; empty: nobody has said
        self._doors: dict[str, asyncio.Server] = {}  # by address

    def served(self, server: Any, listening: socket.socket) -> None:
        """By uvicorn, at this socket."""
        self._server = server
        self._host, self._port = listening.getsockname()[:2]

    @property
    def addresses(self) -> list[str]:
        """Where others reach the server without a proxy, the likeliest first."""
        if not self._host or is_loopback(self._host):
            now = own_addresses() if self._doors else []
            return [address for address in self._doors if address in now]  # a machine may change its network
        if ip_address(self._host).is_unspecified:
            family6 = ":" in self._host
            return [each for each in own_addresses(public=True) if family6 or ":" not in each]
        return [self._host]

    @property
    def urls(self) -> list[str]:
        return [url_of(address, self._port) for address in self.addresses]

    def reach(self, asked: Asked) -> Reach:
        """How a table is reached by others, for whoever asks."""
        named = f"{asked.scheme}://{asked.host}"
        if self._told:
            return Reach(self._told)
        if asked.vouched:
            return Reach(named)
        host = _without_port(asked.host)
        if not self._host:  # the application is run in another way: its server knows what it lets through
            return Reach(named, local=is_loopback(host))
        alone = is_loopback(self._host) and asked.at == self._host and not self._elsewhere_too
        may = alone and asked.here and host in LOOPBACK
        if known := self.addresses:
            return Reach(url_of(host if host in known else known[0], self._port), opened=may)
        here = host if host in LOOPBACK else self._host if is_loopback(self._host) else LOOPBACK[0]
        return Reach(url_of(here, self._port), True, tuple(self._offered()) if may else ())

    def _offered(self) -> list[str]:
        """Addresses at which a network can be let in; those of the newer kind only where there are no others."""
        found = own_addresses()
        return ([each for each in found if ":" not in each] or found)[:MOST_ADDRESSES]

    async def open(self, address: str) -> None:
        """Let the network in where this machine has the address."""
        if self._server is None or address not in own_addresses():
            raise Refused("this computer has no such address in a network at home.")
        await self.close()
        try:
            listening = _socket_at(address, self._port)
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE:
                raise Refused("port {port} is taken there, perhaps by another infila.", port=self._port) from None
            raise Refused("nothing can be opened there: {problem}.", problem=problem.strerror or problem) from None
        server, loop = self._server, asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            made: asyncio.Protocol = server.config.http_protocol_class(
                config=server.config, server_state=server.server_state, app_state=server.lifespan.state, _loop=loop
            )
            return made

        self._doors[address] = door = await loop.create_server(protocol, sock=listening, backlog=server.config.backlog)
        server.servers.append(door)

    async def close(self) -> None:
        """Shut out whom `open` has let in, and end their connections."""
        doors, self._doors = self._doors, {}
        for door in doors.values():
            self._server.servers.remove(door)
            door.close()
        for connection in list(self._server.server_state.connections) if doors else ():
            name = connection.transport.get_extra_info("sockname")
            if name and name[0] in doors:
                connection.transport.abort()


def _socket_at(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if isinstance(ip_address(address), IPv6Address) else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
    except OSError:
        listening.close()
        raise
    return listening


def _without_port(host: str) -> str:
    """The host that a request is for: `localhost:4224`, `[::1]:4224`, `10.0.0.5`."""
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def told_addresses(urls: Sequence[str]) -> str:
    """What is printed where the server was started."""
    return f"Others in this network find it at {' or '.join(f'{url}/' for url in urls)}"
