"""What the gate changes in answers, and which messages of a page count as somebody's."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg

from hcat.core.login import Login
from hcat.dashboard.access.headers import SafeHeaders
from hcat.dashboard.access.login.gate import Gate, is_meant_for, is_of_a_person
from hcat.dashboard.access.login.signed_sessions import SignedSessions


def login(public_url: str) -> Login:
    return Login("https://login.bank.example", "hcat", SecretStr("x"), public_url, "sub", 1800, 43_200)


def health(_: object) -> PlainTextResponse:
    answer = PlainTextResponse("ok")
    answer.set_cookie("one", "1")
    answer.set_cookie("two", "2", secure=True)
    return answer


@pytest.mark.parametrize(
    ("url", "secure"), [("https://hcat.bank.example", [True, True]), ("http://127.0.0.1", [False, True])]
)
def test_cookies_need_tls_where_people_come_over_tls(url: str, secure: list[bool]) -> None:
    gate = Middleware(Gate, login=login(url), sessions=SignedSessions(1800, 43_200))
    client = TestClient(Starlette(routes=[Route("/_stcore/health", health)], middleware=[gate]))
    cookies = client.get("/_stcore/health").headers.get_list("set-cookie")
    assert ["; Secure" in cookie for cookie in cookies] == secure


@pytest.mark.parametrize(("site", "ends"), [("same-origin", True), ("none", True), ("cross-site", False)])
def test_a_link_on_a_foreign_page_signs_nobody_out(monkeypatch: pytest.MonkeyPatch, site: str, *, ends: bool) -> None:
    monkeypatch.setattr("hcat.dashboard.access.login.gate.session_key", lambda cookies: "key")
    sessions = SignedSessions(1800, 43_200)
    sessions.begin("key")
    gate = Middleware(Gate, login=login("http://127.0.0.1"), sessions=sessions)
    client = TestClient(Starlette(routes=[Route("/auth/logout", health)], middleware=[gate]), follow_redirects=False)
    client.get("/auth/logout", headers={"sec-fetch-site": site})
    assert sessions.note("key") is not ends


def test_nobody_keeps_a_copy_of_a_download() -> None:
    routes = [Route(path, health) for path in ("/media/a.csv", "/static/a.js")]
    client = TestClient(Starlette(routes=routes, middleware=[Middleware(SafeHeaders)]))
    assert client.get("/media/a.csv").headers["cache-control"] == "no-store"
    assert "cache-control" not in client.get("/static/a.js").headers


def test_only_what_a_person_does_is_activity() -> None:
    acted, refreshed, beat = BackMsg(), BackMsg(), BackMsg()
    acted.rerun_script.query_string = "a"
    refreshed.rerun_script.is_auto_rerun = True
    beat.app_heartbeat = True
    found = [
        is_of_a_person({"type": "websocket.receive", "bytes": each.SerializeToString()})
        for each in (acted, refreshed, beat)
    ]
    assert found == [True, False, False]
    assert not is_of_a_person({"type": "websocket.receive", "bytes": b"\xff\xff"})
    assert not is_of_a_person({"type": "websocket.receive", "text": "x"})


@pytest.mark.parametrize(
    ("content", "meant"),
    [
        (b'{"iss": "https://login.bank.example/", "aud": "hcat", "sub": "1"}', True),
        (b'{"iss": "https://login.bank.example", "aud": ["hcat"], "sub": "1"}', True),
        (b'{"iss": "https://login.bank.example", "aud": ["hcat", "x"], "sub": "1"}', False),
        (b'{"iss": "https://login.bank.example", "aud": "x", "sub": "1"}', False),
        (b'{"iss": "https://evil.example", "aud": "hcat", "sub": "1"}', False),
        (b'{"iss": "https://login.bank.example", "aud": "hcat"}', False),
        (b'{"iss": "https://login.bank.example", "aud": "hcat", "sub": 7}', False),
        (b'{"iss": "https://login.bank.example", "aud": "hcat", "sub": " a"}', False),
    ],
)
def test_an_identity_is_of_this_provider_and_for_hcat_alone(content: bytes, *, meant: bool) -> None:
    assert is_meant_for(login("https://hcat.bank.example"), content) is meant
