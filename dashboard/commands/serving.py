"""`hcat serve` and `hcat demo`: the dashboard."""

from __future__ import annotations

import os
import subprocess
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


def demo(
    port: Port = 8501,
    address: Address = "127.0.0.1",
    serve_system: Annotated[
        bool, typer.Option("--serve-system", help="Also serve the demo's system, on the port after, to collect from.")
    ] = False,
) -> None:
    """Load the bundled demo project, once, and open the dashboard."""
    from core.workspace import Workspace
    from dashboard.commands.output import progress_bar

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        workspace.acting_as("demo").demo.load(on_progress=show)
    if serve_system:
        _serve_system(port + 1)
    serve(port=port, address=address)


def _serve_system(port: int) -> None:
    """Start the demo's system; it ends with the dashboard, whose process holds the other end of its input."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "core.demo.system_server", str(port)]
    subprocess.Popen(command, stdin=reading, cwd=ROOT)  # noqa: S603 - our own interpreter
    os.close(reading)
    os.set_inheritable(writing, True)
    typer.echo(f"hcat: the demo's system answers at http://127.0.0.1:{port}/ask")
