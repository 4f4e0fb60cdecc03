"""Refuse requests that no page of this server has sent: unknown host names, other origins, unused routes.

A page anywhere can point a name of its own at this machine and would then count as the dashboard itself. So the host
name of a request must be one of `server.allowedHosts`. A page of another origin that knows the right name is recognised
by what the browser says of it.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine that always mean it alone."""
MOST_CONNECTIONS = 200
"""Browser tabs at once; each keeps some megabytes."""
CLOSED_ROUTES = ("/_stcore/metrics", "/_stcore/agent/", "/_stcore/script-health-check")
"""Routes of Streamlit that reveal or control the process, and that no page of hcat requests."""
POLICY_VIOLATION, TRY_LATER = 1008, 1013


class Guard:
    """Pass on requests of the dashboard's own pages, and answer all others with 403 or 404."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.connections = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"].startswith(CLOSED_ROUTES):
            await PlainTextResponse("not found", status_code=404)(scope, receive, send)
        elif reason := refusal(Headers(scope=scope), connecting=False):
            await PlainTextResponse(reason, status_code=403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        if refusal(Headers(scope=scope), connecting=True):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        if self.connections >= MOST_CONNECTIONS:
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        self.connections += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.connections -= 1


def refusal(headers: Headers, *, connecting: bool) -> str | None:
    """The reason to refuse a request; None if it is answered. A connection that stays open must state its origin."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if not is_own_name(host):
        return "this server does not answer to that name; see `hcat serve --help`, --host"
    if origin is None and connecting:
        return "a connection must name its origin"
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        return "requests of other origins are not answered"
    if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _opens_page(headers):
        return "requests of other sites are not answered"
    return None


def is_own_name(host: str) -> bool:
    """Whether the `Host` of a request is one of the names that this server is served under."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    allowed = {entry.strip().lower().rstrip(".") for entry in st.get_option("server.allowedHosts")}
    return name in (allowed or LOOPBACK)


def _opens_page(headers: Headers) -> bool:
    """Whether the request follows a link that opens a page in its own window and reveals nothing to the other site."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
