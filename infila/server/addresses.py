"""Where a request comes from: the address that limits are counted by, and what a trusted reverse proxy tells of it.

Behind a reverse proxy every connection comes from the proxy. It names the browser's address, the scheme and the host
in X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host. Anybody can send such headers, so they count only from
addresses that the operator trusts.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from infila.server.errors import CannotServe

Headers = Iterable[tuple[bytes, bytes]]
UNKNOWN = "?"  # for connections without an address


class Origin(NamedTuple):
    """Where a request comes from, and as what the server was addressed; None where nothing was told."""

    address: str
    scheme: str | None = None
    host: str | None = None


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, as proxies write it: with or without brackets, zone and port."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What limits are counted by: an IPv4 address, or the /64 of an IPv6 one, of which everybody has all addresses."""
    found = _parsed(address[:100])
    if found is None:
        return UNKNOWN
    return str(IPv6Network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found)


class Proxies:
    """The reverse proxies whose word is taken."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        try:
            self._networks = [ip_network(each.strip()) for each in trusted]
        except ValueError as problem:
            raise CannotServe(
                f"--trust-proxy takes addresses or networks, such as 127.0.0.1 or 10.0.0.0/8: {problem}."
            ) from None

    def trusts(self, address: str) -> bool:
        found = _parsed(address) if self._networks else None
        return found is not None and any(found in network for network in self._networks)

    def origin(self, peer: str, headers: Headers) -> Origin:
        """Where a request on a connection from `peer` comes from."""
        if not self.trusts(peer):
            return Origin(peer)
        told: dict[bytes, list[str]] = {}
        for name, value in headers:
            if name.startswith(b"x-forwarded-"):
                told.setdefault(name, []).extend(part.strip() for part in value.decode("latin-1").split(","))
        scheme = told.get(b"x-forwarded-proto", [""])[-1].lower()
        host = told.get(b"x-forwarded-host", [""])[-1]
        return Origin(
            self._first_untrusted(peer, told.get(b"x-forwarded-for", [])),
            scheme if scheme in ("http", "https") else None,
            host or None,
        )

    def _first_untrusted(self, peer: str, chain: list[str]) -> str:
        """Every proxy adds at the end whom it was asked by. What stands before the first that is not trusted may be
        invented, and so may what is no address."""
        for each in reversed(chain[-20:]):
            found = _parsed(each)
            if found is None:
                break
            peer = str(found)
            if not self.trusts(peer):
                break
        return peer
