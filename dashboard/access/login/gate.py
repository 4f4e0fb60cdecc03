"""Admit only people who have signed in: to pages, connections, uploads and downloads alike.

Streamlit's own routes speak with the OpenID provider and sign the cookie. A cookie counts only while its session lasts
(`SignedSessions`), which begins where the provider sends somebody back and ends here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from contextlib import suppress
from http.cookies import SimpleCookie

from google.protobuf.message import DecodeError
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.user_info import generate_login_redirect_url
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from hcat.core.login import CALLBACK, Login
from hcat.dashboard.access.login import going_on
from hcat.dashboard.access.login.screens import FAILED, NO_PROVIDER, NOT_SIGNED_IN, SIGN_IN, SIGNED_OUT, screen
from hcat.dashboard.access.login.signed_sessions import SignedSessions

COOKIE = "_streamlit_user"
LOGIN, LOGOUT = "/auth/login", "/auth/logout"
OPEN = ("/static/", "/_stcore/health", "/_stcore/host-config")
"""Paths that reveal nothing about anybody: the files of the app itself."""
OTHER_SITES = ("cross-site", "same-site")
"""Values of Sec-Fetch-Site for a link on a page that is not ours: such a link signs nobody out."""
SESSION_ENDED = 4401
"""Code of a connection that is closed since its session is over; the page then loads itself again."""
LOOKED_EVERY = 1.0
"""Seconds after which a connection notices that its session is over."""
ROUTES = "streamlit.web.server.starlette.starlette_auth_routes"
"""The logger of Streamlit's routes, which would print whole tracebacks of failed sign-ins."""


class Gate:
    """Answers who has signed in; shows all others the sign-in screen, or refuses with 401."""

    def __init__(self, app: ASGIApp, login: Login, sessions: SignedSessions) -> None:
        self.app, self.login, self.sessions = app, login, sessions
        logging.getLogger(ROUTES).addFilter(_without_traceback)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _Securing(send) if self.login.is_secure else send)
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, key = scope["path"], session_key(HTTPConnection(scope).cookies)
        if path.startswith(OPEN):
            await self.app(scope, receive, send)
        elif path == SIGN_IN:
            begin = RedirectResponse(generate_login_redirect_url("default"), status_code=303)
            begin.headers.append("set-cookie", going_on.cookie(going_on.asked_next(scope)))
            await begin(scope, receive, send)
        elif path == LOGIN:
            await self._begin(scope, receive, send)
        elif path == CALLBACK:
            await self._return(scope, receive, send)
        elif path == LOGOUT and HTTPConnection(scope).headers.get("sec-fetch-site") in OTHER_SITES:
            await RedirectResponse("/", status_code=303)(scope, receive, send)
        elif path == LOGOUT and key is not None:
            self.sessions.end(key)
            await self.app(scope, receive, send)
        elif key is not None and self.sessions.note(key):
            await self.app(scope, receive, send)
        else:
            await _refusal(scope)(scope, receive, send)

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Collected()
        await self.app(scope, receive, answer)
        if answer.status >= 400:
            await screen(NO_PROVIDER, status=502)(scope, receive, send)
        else:
            await answer.pass_on(send)

    async def _return(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a return from the provider: signed in, signed out, or refused."""
        query = Request(scope).query_params
        answer = _Collected()
        await self.app(scope, receive, answer)
        content = signed_content(answer.cookies())
        if content is not None and is_meant_for(self.login, content):
            self.sessions.begin(_digest(content))
            answer.lead_to(going_on.wanted_before(HTTPConnection(scope).cookies))
            await answer.pass_on(send)
        elif not {"state", "code", "error"} & set(query):
            await screen(SIGNED_OUT, status=200)(scope, receive, send)
        else:
            await screen(FAILED, status=403)(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = session_key(HTTPConnection(scope).cookies)
        if key is None or not self.sessions.note(key):
            await send({"type": "websocket.close", "code": SESSION_ENDED})
            return
        connection = _Connection(key, self.sessions, receive, send)
        try:
            await self.app(scope, connection.receive, connection.send)
        finally:
            await connection.stop()


class _Connection:
    """A page's connection, which is closed soon after its session is over."""

    def __init__(self, key: str, sessions: SignedSessions, receive: Receive, send: Send) -> None:
        self._key, self._sessions, self._receive, self._send = key, sessions, receive, send
        self._next: asyncio.Task[Message] | None = None
        self._closed = False

    async def receive(self) -> Message:
        """The next message of the page; a disconnect if its session is over."""
        while True:
            self._next = self._next or asyncio.ensure_future(_message(self._receive))
            done, _ = await asyncio.wait({self._next}, timeout=LOOKED_EVERY)
            if not self._sessions.is_active(self._key):
                return await self._close()
            if done:
                message, self._next = self._next.result(), None
                if is_of_a_person(message):
                    self._sessions.note(self._key)
                return message

    async def send(self, message: Message) -> None:
        """Send the page a message; none where its session is over."""
        if not self._closed:
            await self._send(message)

    async def stop(self) -> None:
        """Wait for no further message."""
        if self._next is not None:
            self._next.cancel()
            with suppress(asyncio.CancelledError):
                await self._next

    async def _close(self) -> Message:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": SESSION_ENDED})
        return {"type": "websocket.disconnect", "code": SESSION_ENDED}


class _Collected:
    """An answer that is inspected before it is sent."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        """The status of the answer."""
        return int(self.messages[0]["status"])

    def cookies(self) -> dict[str, str]:
        """The cookies that the answer sets."""
        found: SimpleCookie = SimpleCookie()
        for name, value in self.messages[0]["headers"]:
            if name.lower() == b"set-cookie":
                found.load(value.decode("latin-1"))
        return {name: each.value for name, each in found.items() if each.value}

    def lead_to(self, page: str) -> None:
        """Send people on to this page of the app, and forget that they wanted it."""
        headers = [(name, value) for name, value in self.messages[0]["headers"] if name.lower() != b"location"]
        headers += [(b"location", page.encode("ascii")), (b"set-cookie", going_on.cookie("/").encode("ascii"))]
        self.messages[0] = {**self.messages[0], "headers": headers}

    async def pass_on(self, send: Send) -> None:
        """Send it as it is."""
        for message in self.messages:
            await send(message)


class _Securing:
    """Lets browsers send the cookies of an answer over TLS only."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, _secured(value) if name == b"set-cookie" else value) for name, value in message["headers"]
            ]
            message = {**message, "headers": headers}
        await self._send(message)


def session_key(cookies: dict[str, str]) -> str | None:
    """The digest of the sign-in cookie's content; None without a cookie that this server has signed."""
    content = signed_content(cookies)
    return None if content is None else _digest(content)


def signed_content(cookies: dict[str, str]) -> bytes | None:
    """The content of the sign-in cookie if this server has signed it, else None."""
    return _get_signed_cookie_with_chunks(cookies, COOKIE) or None


def is_meant_for(login: Login, content: bytes) -> bool:
    """Whether the identity comes from the provider of the settings, for hcat alone, and names somebody.

    Authlib takes an audience of others where the token names hcat as its authorized party.
    """
    claims = json.loads(content)
    audience = claims.get("aud")
    own = (login.client_id, [login.client_id])
    of_provider = str(claims.get("iss")).rstrip("/") == login.issuer and bool(claims.get("sub"))
    return of_provider and audience in own and login.signing_name(claims) is not None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_of_a_person(message: Message) -> bool:
    """Whether a message follows an action of a person, not a page's own polling."""
    content = message.get("bytes")
    if not content:
        return False
    try:
        asked = BackMsg.FromString(content)
    except DecodeError:
        return False
    return asked.WhichOneof("type") == "rerun_script" and not asked.rerun_script.is_auto_rerun


def _refusal(scope: Scope) -> Response:
    if "text/html" in HTTPConnection(scope).headers.get("accept", ""):
        page = going_on.wanted_now(scope) if scope["method"] == "GET" else "/"
        return screen(NOT_SIGNED_IN, status=401, next_page=page)
    return PlainTextResponse("sign in first", status_code=401)


def _secured(cookie: bytes) -> bytes:
    return cookie if b"; secure" in cookie.lower() else cookie + b"; Secure"


async def _message(receive: Receive) -> Message:
    return await receive()


def _without_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True
