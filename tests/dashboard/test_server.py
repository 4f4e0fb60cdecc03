"""Documents tell the client where its server is; all else is passed on as it came."""

from __future__ import annotations

import gzip
import importlib.util

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from hcat.dashboard.server import ADDRESS, FIRST_PAGE, SESSION_END, ServerAddress

PAGE = b'<html><head><script type="module" src="./x.js"></script></head></html>'


async def document(request: Request) -> Response:
    if "if-none-match" in request.headers:
        return Response(status_code=304)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(gzip.compress(PAGE), media_type="text/html", headers={"content-encoding": "gzip"})
    return HTMLResponse(PAGE, headers={"etag": "old"})


async def data(request: Request) -> Response:
    return JSONResponse({"tag": "<script"})


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/data", data), Route("/empty", lambda request: HTMLResponse("")), Route("/{page}", document)]
    return TestClient(ServerAddress(Starlette(routes=routes)))


@pytest.mark.parametrize("fresh", [{}, {"if-none-match": "old"}, {"accept-encoding": "gzip"}])
def test_a_document_is_told_the_address_before_its_first_script(client: TestClient, fresh: dict[str, str]) -> None:
    answer = client.get("/weaknesses", headers={"accept": "text/html,*/*", **fresh})
    assert answer.content == PAGE.replace(b"<script", ADDRESS + SESSION_END + b"<script", 1)
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "etag" not in answer.headers


def test_what_is_no_document_is_left_as_it_is(client: TestClient) -> None:
    assert client.get("/data", headers={"accept": "text/html"}).json() == {"tag": "<script"}
    assert client.get("/weaknesses", headers={"accept": "*/*"}).content == PAGE
    assert client.get("/empty", headers={"accept": "text/html"}).content == b""


def test_what_is_imported_ahead_of_the_first_page_exists() -> None:
    assert all(importlib.util.find_spec(name) for name in FIRST_PAGE)
