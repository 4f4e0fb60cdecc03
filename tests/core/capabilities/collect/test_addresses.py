"""Which addresses may be asked."""

from __future__ import annotations

import socket

import pytest

from hcat.core.capabilities.collect.addresses import checked_address, is_public
from hcat.core.capabilities.collect.description import HttpTargetFile
from hcat.core.capabilities.collect.http_target import HttpSystem
from hcat.core.errors import HcatError
from tests.core.capabilities.collect.servers import Response, serving


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.5.4", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False),
        ("2002:808:808::", True),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("64:ff9b:1::a00:1", False),
        ("::7f00:1", False),
        ("fec0::1", False),
        ("192.0.0.8", False),
        ("2001::1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]".strip("[]")])
def test_this_machine_by_any_name_is_refused_unless_allowed(host: str) -> None:
    with pytest.raises(HcatError, match="HCAT_ALLOW_PRIVATE_TARGETS=1"):
        checked_address(host, 80, allow_private=False)
    assert checked_address(host, 80, allow_private=True)


def test_a_private_target_is_never_connected_to() -> None:
    target = HttpTargetFile(kind="http", url="http://localhost:1/{{query}}", method="GET", answer="$.a")
    with serving(lambda _: Response({"a": 1})) as server:
        port = server.url.rpartition(":")[2]
        system = HttpSystem(
            target.model_copy(update={"url": f"http://localhost:{port}/{{{{query}}}}"}), allow_private=False
        )
        with pytest.raises(HcatError, match="private network"):
            system.ask("q", key="k")
        assert not server.seen


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public when checked and private a moment later: it is looked up once."""
    looked_up: list[str] = []
    original = socket.getaddrinfo

    def rebinding(host: object, *rest: object, **more: object) -> object:
        if host != "rebinding.test":
            return original(host, *rest, **more)  # type: ignore[arg-type]
        looked_up.append(str(host))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    with serving(lambda _: Response({"a": "x"})) as server:
        port = server.url.rpartition(":")[2]
        target = HttpTargetFile(
            kind="http", url=f"http://rebinding.test:{port}/{{{{query}}}}", method="GET", answer="$.a"
        )
        assert HttpSystem(target, allow_private=True).ask("q", key="k").answer == "x"
    assert looked_up == ["rebinding.test"]
    assert server.seen[0].headers["host"] == f"rebinding.test:{port}"
