"""`hcat serve` and `hcat demo`: the dashboard."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from core.settings import ROOT

Port = Annotated[int, typer.Option(min=1, max=65535, help="Port of the dashboard.")]
Address = Annotated[str, typer.Option(help="Address to listen on. The default serves this machine only.")]


def serve(port: Port = 8501, address: Address = "127.0.0.1") -> None:
    """Open the dashboard."""
    typer.echo(f"hcat: serving http://{address}:{port} — stop with Ctrl+C")
    arguments = ["-m", "streamlit", "run", str(ROOT / "dashboard" / "server.py")]
    arguments += ["--server.port", str(port), "--server.address", address]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - our own interpreter, no shell


def demo(port: Port = 8501, address: Address = "127.0.0.1") -> None:
    """Load the bundled demo project, once, and open the dashboard."""
    from core.workspace import Workspace
    from dashboard.commands.output import progress_bar

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        workspace.acting_as("demo").demo.load(on_progress=show)
    serve(port=port, address=address)
