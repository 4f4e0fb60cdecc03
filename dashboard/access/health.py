"""`/healthz` and `/readyz`: a proxy or a container asks these whether to send people here. They reveal no more.

They are answered before names and logins are checked, since the client has neither.
"""

from __future__ import annotations

import asyncio
import time

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from hcat.core.errors import HcatError

ALIVE, READY = "/healthz", "/readyz"
ASKED_EVERY = 2.0
"""Seconds for which an answer of the database is given again: nobody can burden it by asking often."""


class Health:
    """Answers the two addresses, and passes on all else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._turn = asyncio.Lock()
        self._asked: tuple[float, str | None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] not in (ALIVE, READY):
            await self.app(scope, receive, send)
            return
        reason = None if scope["path"] == ALIVE else await self._reason()
        text, status = ("ok", 200) if reason is None else (reason, 503)
        await PlainTextResponse(text, status_code=status, headers={"cache-control": "no-store"})(scope, receive, send)

    async def _reason(self) -> str | None:
        async with self._turn:
            if self._asked is None or time.monotonic() - self._asked[0] > ASKED_EVERY:
                reason = await run_in_threadpool(_why_not_ready)
                self._asked = (time.monotonic(), reason)
            return self._asked[1]


def _why_not_ready() -> str | None:
    """Why the store can't be worked with, without any name of it; None where it can."""
    from hcat.core.project.installation.schema import schema_state

    try:
        ready = schema_state().ready
    except HcatError:
        return "the database does not answer, or is not one of this hcat: see `hcat doctor`"
    return None if ready else "the database has another schema: see `hcat migrate --check`"
