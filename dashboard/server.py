"""The server that `streamlit run` finds here: the app, whose first page states the server's address.

Streamlit's client looks for its server first under the address of the opened page, `/weaknesses/_stcore/health`, then
next to it. The browser notes each miss as an error. All pages are in one folder, so the page says to the client that
its server is where this page's files are.
"""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import net_util
from streamlit.runtime import memory_uploaded_file_manager, websocket_session_manager

from hcat.core.display.control_characters import visible_output
from hcat.core.errors import HcatError
from hcat.core.login import login
from hcat.dashboard.access.failures import show_failure
from hcat.dashboard.access.guard import Guard
from hcat.dashboard.access.headers import POLICY, SafeHeaders, content_policy, failed
from hcat.dashboard.access.health import Health
from hcat.dashboard.access.login.configured import gate, provider_settings
from hcat.dashboard.access.sessions import WholeRuns
from hcat.dashboard.access.uploads import BoundedUploads, UploadLimits
from hcat.dashboard.garbage import frozen_objects
from hcat.dashboard.maps.routes import MAP_ROUTES

APP = Path(__file__).with_name("app.py")
FIRST_PAGE = (
    "hcat.dashboard.loaders.workspace",
    "hcat.dashboard.components.sidebar",
    "hcat.dashboard.capabilities.overview.overview",
)
"""Modules that take seconds to import; they are imported while the browser loads its own part."""
OUTSIDE_OF_SESSIONS = "streamlit.runtime.scriptrunner_utils.script_run_context"
"""The logger that warns of loaders that are asked outside of a session, as they are here."""
PREPARED = "hcat.dashboard.capabilities.overview.prepare"
"""Module that computes the numbers of the first page."""
WORKSPACE = "hcat.dashboard.loaders.workspace"
FAILURES = "streamlit.error_util"
"""The logger that would print the texts that an error quotes."""
FIRST_SCRIPT = b"<script"
ADDRESS = b'<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'
SESSION_END = b"""<script>window.WebSocket = class extends WebSocket { constructor(...given) { super(...given);
this.addEventListener("close", (event) => { if (event.code === 4401) location.reload(); }); } };</script>"""
"""Shows the sign-in screen where the server closed the page's connection since the session is over."""
_FRESH = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")


class ServerAddress:
    """Puts the address before the first script of each document; everything else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        plain = [(name, value) for name, value in scope["headers"] if name not in _FRESH]
        await self.app({**scope, "headers": plain}, receive, _Document(send))


class _Document:
    """Holds an HTML document back until it is whole, to change it once."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.start: Message | None = None
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_html(message):
            self.start = message
        elif self.start is None:
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self.start)

    async def _finish(self, start: Message) -> None:
        before, script, after = self.body.partition(FIRST_SCRIPT)
        body = before + ADDRESS + SESSION_END + script + after if script else self.body
        headers = MutableHeaders(raw=list(start["headers"]))
        headers[POLICY] = content_policy(body)
        for name in ("etag", "last-modified"):  # they are of the document before it was changed
            del headers[name]
        if body:
            headers["content-length"] = str(len(body))
        await self.send({**start, "headers": headers.raw})
        await self.send({"type": "http.response.body", "body": body})


def _is_html(start: Message) -> bool:
    return Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")


def _prepare_first_page() -> None:
    """Import and compute the first page in advance. Whatever fails here fails again on the page, which says so."""
    logging.getLogger(OUTSIDE_OF_SESSIONS).setLevel(logging.ERROR)
    with suppress(ImportError, HcatError):
        with frozen_objects():
            for name in FIRST_PAGE:
                importlib.import_module(name)
        if people_sign_in is not None:  # each sees what their roles allow
            return
        importlib.import_module(PREPARED).prepare_overview()


@asynccontextmanager
async def _with_first_page(_: st.App) -> AsyncIterator[None]:
    """The imports and computations of the first page, while the browser loads its own part."""
    threading.Thread(target=_prepare_first_page, daemon=True).start()
    with visible_output():
        yield
    with suppress(ImportError, HcatError):  # so that the database's file alone holds all
        importlib.import_module(WORKSPACE).open_workspace().close()


def _ask_nobody() -> None:
    """The address that others see this machine under, which Streamlit would ask a server on the internet for."""


net_util.get_external_ip = _ask_nobody
websocket_session_manager.AppSession = WholeRuns  # type: ignore[attr-defined]
memory_uploaded_file_manager.MemoryUploadedFileManager = BoundedUploads  # type: ignore[misc]  # st.App makes it
logging.getLogger(FAILURES).addFilter(lambda record: False)  # noqa: ARG005  a failed page is logged by `show_failure`
people_sign_in = login()
app = st.App(
    APP,
    secrets=None if people_sign_in is None else provider_settings(people_sign_in),
    lifespan=_with_first_page,
    routes=MAP_ROUTES,
    on_script_error=show_failure,
    middleware=[
        *(Middleware(layer) for layer in (SafeHeaders, Health, Guard)),
        *([] if people_sign_in is None else [gate(people_sign_in)]),
        *(Middleware(layer) for layer in (UploadLimits, ServerAddress)),
    ],
    exception_handlers={Exception: failed},
)
