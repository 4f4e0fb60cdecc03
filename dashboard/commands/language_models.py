"""`hcat llm serve`: a local language model as an endpoint."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(name="llm", help="Local language models.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    """Keep `serve` a command of its own, although it is the only one."""


@app.command()
def serve(
    model: Annotated[Path, typer.Argument(help="A model in GGUF format.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes any that is free.")] = 8503,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads.")] = 2,
    context: Annotated[int, typer.Option(min=512, help="Tokens that a request and its answer may have.")] = 8192,
) -> None:
    """Serve a GGUF file on this machine as an OpenAI-compatible endpoint; no network is used. Ends with Ctrl+C."""
    from hcat.core.models.llm.local_server import LocalServer

    server = LocalServer(model, port=port, threads=threads, context=context)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    typer.echo(f"hcat: {server.name} answers at {server.address} — stop with Ctrl+C. To use it, set:")
    typer.echo(f"HCAT_LLM_BASE_URL={server.address}\nHCAT_LLM_MODEL={server.name}")
    sys.stdout.flush()
    server.wait(stop)
