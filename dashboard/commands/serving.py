"""`hcat serve` and `hcat demo`: the dashboard."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.login import login
from hcat.core.settings import IMPORTED_FROM, ROOT, settings, stated
from hcat.dashboard.access.listening import Listening, listening
from hcat.dashboard.commands.output import existing

STREAMLIT = "streamlit"
Port = Annotated[int, typer.Option(min=1, max=65535, help="Port of the dashboard.")]
Address = Annotated[str, typer.Option(help="Address to listen on. The default serves this machine only.")]


Host = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A name that it is opened under beside the address; repeatable."),
]
WithoutLogin = Annotated[
    bool, typer.Option("--without-login", help="Listen for other machines too. Whoever reaches the port can do all.")
]


def serve(
    port: Port = 8501, address: Address = "127.0.0.1", host: Host = None, without_login: WithoutLogin = False
) -> None:
    """Open the dashboard."""
    place = listening(address, port, hosts=host or (), without_login=without_login, login=login())
    sys.argv = [STREAMLIT, *_server_arguments(place)]
    runpy.run_module(STREAMLIT, run_name="__main__", alter_sys=True)  # what is imported here is not imported again


def _server_arguments(place: Listening) -> list[str]:
    """Print the address of the dashboard and return Streamlit's arguments; the settings are in the environment from now
    on."""
    os.environ.update(stated(settings()))
    typer.echo(f"hcat: serving {place.url} — stop with Ctrl+C")
    arguments = ["run", str(ROOT / "dashboard" / "server.py")]
    arguments += ["--server.port", str(place.port), "--server.address", place.address]
    for name in place.hosts:
        arguments += ["--server.allowedHosts", name]
    sys.stdout.flush()
    return arguments


def demo(
    port: Port = 8501,
    address: Address = "127.0.0.1",
    host: Host = None,
    without_login: WithoutLogin = False,
    serve_system: Annotated[
        bool, typer.Option("--serve-system", help="Also serve the demo's system, on the port after, to collect from.")
    ] = False,
    system_corpus: Annotated[
        Path | None,
        typer.Option(help="With --serve-system: the passages it answers from, such as the copy of `hcat attack`."),
    ] = None,
) -> None:
    """Load the bundled demo project, once, and open the dashboard, which builds its report meanwhile."""
    if system_corpus is not None:
        if not serve_system:
            raise HcatError("--system-corpus is what --serve-system answers from: give both")
        existing(system_corpus)
    place = listening(address, port, hosts=host or (), without_login=without_login, login=login())
    from hcat.core.capabilities.report.services.report_requests import ReportRequest
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.output import progress_bar

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        project = workspace.acting_as("demo").demo.load(on_progress=show)
        if not workspace.reports.versions(project):
            workspace.acting_as("demo").jobs.start(project, ReportRequest(author="hcat demo"))
    if serve_system:
        _serve_system(port + 1, system_corpus)
    command = [sys.executable, "-m", STREAMLIT, *_server_arguments(place)]
    os.execv(sys.executable, command)  # noqa: S606 - our own interpreter, no shell; without what loading took


def _serve_system(port: int, corpus: Path | None) -> None:
    """Start the demo's system; it ends with the dashboard, whose process holds the other end of its input."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "hcat.core.capabilities.demo.system_server", str(port)]
    command += [] if corpus is None else [str(corpus.resolve())]
    subprocess.Popen(command, stdin=reading, cwd=IMPORTED_FROM)  # noqa: S603 - our own interpreter
    os.close(reading)
    os.set_inheritable(writing, True)
    typer.echo(f"hcat: the demo's system answers at http://127.0.0.1:{port}/ask")
