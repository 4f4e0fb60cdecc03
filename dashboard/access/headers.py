"""Security headers of each answer: run only our own scripts, load from nowhere else, be drawn in no foreign page."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "content-security-policy"
SOURCES = {
    "default-src": "'self'",
    "script-src": "'self' blob:",  # Streamlit runs the scripts of components as blobs
    "style-src": "'self' 'unsafe-inline'",  # charts and tables style their elements one by one
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SAFE_HEADERS = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
DOWNLOADS = "/media/"
"""Files that pages offer, of which no browser and no proxy is to keep a copy."""
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class SafeHeaders:
    """Puts the headers on each answer; a policy that an answer brings with it stays."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def send_safely(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(raw=message["headers"])
                for name, value in {POLICY: content_policy(b""), **SAFE_HEADERS}.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(DOWNLOADS):
                    headers["cache-control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_safely)


def content_policy(document: bytes) -> str:
    """The content security policy of a document: sources on this server, and hashes of the scripts that it contains
    now."""
    hashes = [f"'sha256-{_digest(script)}'" for script in _INLINE_SCRIPT.findall(document)]
    sources = {**SOURCES, "script-src": " ".join([SOURCES["script-src"], *hashes])}
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def failed(_request: Request, _error: Exception) -> Response:
    """The answer to a request that failed in the server, which is made outside of all else."""
    headers = {POLICY: content_policy(b""), **SAFE_HEADERS}
    return PlainTextResponse("the server failed; its log says why", status_code=500, headers=headers)


def _digest(script: bytes) -> str:
    return base64.b64encode(hashlib.sha256(script).digest()).decode("ascii")
