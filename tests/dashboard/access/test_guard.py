"""Only pages of the server itself, under a name that it is served under, are answered."""

from __future__ import annotations

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from hcat.dashboard.access import guard
from hcat.dashboard.access.guard import Guard
from hcat.dashboard.access.headers import POLICY, SAFE_HEADERS, SafeHeaders, content_policy, failed

OWN = "http://localhost:8501"


async def stream(socket: WebSocket) -> None:
    await socket.accept()
    await socket.receive_text()


async def fail(_: object) -> PlainTextResponse:
    raise RuntimeError("a fault of the server")


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/failing", fail),
        Route("/{path:path}", lambda request: PlainTextResponse("answered"), methods=["GET", "PUT"]),
        WebSocketRoute("/_stcore/stream", stream),
    ]
    layers = [Middleware(SafeHeaders), Middleware(Guard)]
    app = Starlette(routes=routes, middleware=layers, exception_handlers={Exception: failed})
    return TestClient(app, base_url=OWN, raise_server_exceptions=False)


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "LOCALHOST.:80", "127.0.0.1:8501", "[::1]:8501"])
def test_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "localhost.evil.example", "", "127.0.0.1.evil.example", "[::1", "a@b"]
)
def test_other_names_are_refused_though_the_origin_is_the_same(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host, "origin": f"http://{host}"}).status_code == 403


def test_names_that_the_server_is_given_are_answered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", lambda _: ["Hcat.Bank.Example"])
    assert client.get("/", headers={"host": "hcat.bank.example:8501"}).status_code == 200
    assert client.get("/").status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:9999", "http://127.0.0.1:8501", "null"])
def test_other_origins_are_refused(client: TestClient, origin: str) -> None:
    assert client.put("/_stcore/upload_file/s/f", headers={"origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers={"origin": origin}):
        pass


def test_a_connection_needs_an_origin_of_its_own(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers={"host": "localhost"}):
        pass
    headers = {"host": "localhost:8501", "origin": OWN}
    with client.websocket_connect("/_stcore/stream", headers=headers) as socket:
        socket.send_text("")


def test_connections_at_once_are_limited_and_given_back(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_CONNECTIONS", 1)
    headers = {"host": "localhost:8501", "origin": OWN}
    for _ in range(2):
        with client.websocket_connect("/_stcore/stream", headers=headers) as socket:
            with (
                pytest.raises(WebSocketDisconnect) as refused,
                client.websocket_connect("/_stcore/stream", headers=headers),
            ):
                pass
            assert refused.value.code == guard.TRY_LATER
            socket.send_text("")


@pytest.mark.parametrize(
    ("mode", "destination", "status"),
    [("no-cors", "image", 403), ("navigate", "iframe", 403), ("navigate", "document", 200)],
)
def test_other_sites_can_link_to_a_page_and_nothing_else(
    client: TestClient, mode: str, destination: str, status: int
) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": destination}
    assert client.get("/runs", headers=headers).status_code == status


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent/openapi.json", "/_stcore/agent/mcp"])
def test_routes_that_nobody_needs_are_off(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(("path", "host"), [("/", "localhost"), ("/", "evil"), ("/_stcore/metrics", "localhost")])
def test_every_answer_carries_the_headers(client: TestClient, path: str, host: str) -> None:
    answer = client.get(path, headers={"host": host})
    assert {name: answer.headers[name] for name in SAFE_HEADERS} == SAFE_HEADERS
    assert "frame-ancestors 'none'" in answer.headers[POLICY]


def test_an_answer_of_a_failure_carries_them_too(client: TestClient) -> None:
    answer = client.get("/failing")
    assert answer.status_code == 500
    assert "fault" not in answer.text
    assert {POLICY, *SAFE_HEADERS} <= set(answer.headers)


def test_the_policy_lets_the_scripts_of_the_document_run_and_no_other() -> None:
    # echo -n 'a()' | openssl dgst -sha256 -binary | base64
    policy = content_policy(b"<script>a()</script><script src=x></script>")
    assert "'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='" in policy
    assert policy.count("sha256-") == 1
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
