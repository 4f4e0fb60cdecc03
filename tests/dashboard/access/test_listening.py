"""Where the dashboard may listen, and under which names."""

from __future__ import annotations

import socket
import tomllib

import pytest

from hcat.core.errors import HcatError
from hcat.core.settings import ROOT
from hcat.dashboard.access.guard import LOOPBACK
from hcat.dashboard.access.listening import THIS_MACHINE, listening


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_default_serves_this_machine_under_its_own_names(port: int) -> None:
    place = listening("127.0.0.1", port, hosts=(), without_login=False)
    assert place.hosts == THIS_MACHINE == LOOPBACK
    assert place.url == f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
def test_an_address_that_lets_others_in_needs_so_many_words(port: int, address: str) -> None:
    if ":" in address and not socket.has_ipv6:
        pytest.skip("no IPv6 on this machine")
    with pytest.raises(HcatError, match="--without-login"):
        listening(address, port, hosts=(), without_login=False)
    place = listening(address, port, hosts=["hcat.bank.example"], without_login=True)
    assert {*THIS_MACHINE, socket.gethostname(), "hcat.bank.example"} <= set(place.hosts)
    assert "*" not in place.hosts


@pytest.mark.parametrize("address", ["256.1.1.1", "a" * 300, "203.0.113.7", ""])
def test_an_address_that_is_none_of_ours_is_refused_in_one_line(port: int, address: str) -> None:
    with pytest.raises(HcatError) as refused:
        listening(address, port, hosts=(), without_login=False)
    assert "\n" not in str(refused.value)


def test_a_port_that_is_taken_is_named(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)), pytest.raises(HcatError, match=f"port {port}"):
        listening("127.0.0.1", port, hosts=(), without_login=False)


def test_streamlit_alone_serves_this_machine_only_too() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["allowedHosts"] == list(THIS_MACHINE)
    assert config["client"]["allowedOrigins"] == []
