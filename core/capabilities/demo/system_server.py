"""The demo's reference system as an HTTP endpoint, so that collecting can be tried: `hcat demo --serve-system`."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.capabilities.demo.reference_rag import CANDIDATE, HandbookPassage, ReferenceRag
from hcat.core.capabilities.demo.system import reply

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse

MOST_CHARACTERS = 10_000


def system_app(system: ReferenceRag) -> Starlette:
    """POST /ask with {"query": …} gives answer, contexts with ids and scores, and the candidates of the first stage."""
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def ask(request: Request) -> JSONResponse:
        try:
            query = (await request.json())["query"]
        except (ValueError, KeyError, TypeError):
            query = None
        if not isinstance(query, str) or not 0 < len(query.strip()) <= MOST_CHARACTERS:
            return JSONResponse({"error": 'expected {"query": "…"}'}, status_code=400)
        return JSONResponse(await run_in_threadpool(reply, system, query))

    return Starlette(routes=[Route("/ask", ask, methods=["POST"])])


def passages_to_serve(corpus: Path | None) -> tuple[HandbookPassage, ...]:
    """The handbook, or in its place the passages of a file such as the poisoned copy that `hcat attack` writes."""
    from hcat.core.capabilities.demo.bank import read_handbook
    from hcat.core.records.passages import read_passages

    if corpus is None:
        return read_handbook()
    return tuple(
        HandbookPassage(each.id, each.document, each.heading[-1] if each.heading else "", each.text)
        for each in read_passages(corpus)
    )


def serve_system(port: int, corpus: Path | None = None) -> None:
    """Serve on this machine until the process that started this one ends: until its standard input is closed."""
    import uvicorn

    from hcat.core.models.cache import MemoryEmbeddings
    from hcat.core.models.encoder.encoder import load_encoder

    system = ReferenceRag(passages_to_serve(corpus), load_encoder(), store=MemoryEmbeddings(), config=CANDIDATE)
    server = uvicorn.Server(uvicorn.Config(system_app(system), host="127.0.0.1", port=port, log_level="warning"))

    def until_closed() -> None:
        sys.stdin.buffer.read()
        server.should_exit = True

    threading.Thread(target=until_closed, daemon=True).start()
    server.run()


if __name__ == "__main__":
    serve_system(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
