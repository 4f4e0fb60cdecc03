"""The addresses that may be queried: none of this machine or its networks, unless the settings allow it.

A name is looked up once for each connection, all its addresses are checked, and the connection uses a checked one: a
name that points elsewhere a moment later gains nothing."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError

if TYPE_CHECKING:
    import httpx2

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_NEVER = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments, RFC 6890
        "::/96",  # IPv4-compatible, deprecated by RFC 4291
        "64:ff9b:1::/48",  # translated within a network, RFC 8215
        "2001::/23",  # protocol assignments, Teredo among them
        "fec0::/10",  # site-local, deprecated by RFC 3879
    )
)
"""Networks without an address of a host on the Internet, in any version of Python."""
_SETTING = "HCAT_ALLOW_PRIVATE_TARGETS=1"


def checked_address(host: str, port: int, *, allow_private: bool) -> str:
    """An address of a host.

    Raises HcatError if one of its addresses is private, link-local or this machine's own, and OSError if the name can't
    be looked up."""
    found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    addresses = sorted(found, key=lambda address: (":" in address, address))
    for address in addresses:
        if not allow_private and not is_public(address):
            raise HcatError(
                f"{host} is at {address}, an address of this machine or of a private network: allow it with {_SETTING}"
            )
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public Internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if any(ip.version == network.version and ip in network for network in _NEVER):
        return False
    held = _held(ip)
    return bool(ip.is_global and not ip.is_multicast and (held is None or is_public(str(held))))


def _held(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address that a network reaches by this one: mapped, of 6to4, or translated (NAT64, RFC 6052)."""
    if isinstance(ip, ipaddress.IPv4Address):
        return None
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


def checked_transport(*, allow_private: bool, concurrency: int) -> httpx2.BaseTransport:
    """A transport that connects only to checked addresses; certificates are still those of the name."""
    import httpx2

    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    inner = httpx2.HTTPTransport(trust_env=False, limits=limits)

    class Checked(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            url = request.url
            port = url.port or (443 if url.scheme == "https" else 80)
            try:
                address = checked_address(url.host, port, allow_private=allow_private)
            except OSError as error:
                raise httpx2.ConnectError(f"{url.host} is not known", request=request) from error
            request.url = url.copy_with(host=address)
            request.extensions = {**request.extensions, "sni_hostname": url.host}
            try:
                return inner.handle_request(request)
            finally:
                request.url = url

        def close(self) -> None:
            inner.close()

    return Checked()
