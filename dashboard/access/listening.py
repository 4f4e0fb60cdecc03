"""The address at which the dashboard listens, and the host names under which it may be opened."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hcat.core.errors import HcatError
from hcat.core.login import Login

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Listening:
    """An address, a port, and the names of hosts that requests may be sent to."""

    address: str
    port: int
    hosts: tuple[str, ...] = THIS_MACHINE

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        name = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{name}:{self.port}"


def listening(
    address: str, port: int, *, hosts: Sequence[str], without_login: bool, login: Login | None = None
) -> Listening:
    """The address and host names to listen on. HcatError if the address is invalid, or if others could connect and
    nobody allowed it."""
    place = Listening(address, port)
    hosts = [*hosts, *([] if login is None else [login.host])]
    found = _resolved(place)
    if found.is_loopback:
        return replace(place, hosts=_distinct(*THIS_MACHINE, address, *hosts))
    if login is None and not without_login:
        raise HcatError(
            f"--address {address} lets others in, and no login is set up: whoever reaches the port reads all texts "
            "and labels, and can write under any name. Set up a login (docs/team.md), or add --without-login if a "
            "proxy or the network keeps them out"
        )
    names = _own_names() if found.is_unspecified else (address,)
    return replace(place, hosts=_distinct(*THIS_MACHINE, *names, *hosts))


def _resolved(place: Listening) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address as a number, once a socket could be opened on it."""
    try:
        family, _, _, _, socket_address = socket.getaddrinfo(place.address, place.port, type=socket.SOCK_STREAM)[0]
        with socket.create_server(socket_address[:2], family=family):
            return ipaddress.ip_address(str(socket_address[0]).partition("%")[0])
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise HcatError(f"can't listen on {place.address}, port {place.port}: {reason}") from error


def _own_names() -> tuple[str, ...]:
    """This machine's name and the addresses that it goes by, as far as it knows them itself."""
    name = socket.gethostname()
    try:
        return name, *(str(entry[4][0]) for entry in socket.getaddrinfo(name, None))
    except OSError:
        return (name,)


def _distinct(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
