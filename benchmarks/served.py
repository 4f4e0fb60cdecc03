"""The app as a separate process on a free loopback port, and a browser beside it."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PORTS = range(20_000, 32_000)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


@dataclass(frozen=True)
class RunningApp:
    """A served dashboard, and where its store lives."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes]

    @property
    def log(self) -> Path:
        return self.folder / "serve.log"

    @property
    def database(self) -> Path:
        return self.folder / "hcat.db"

    @property
    def artifacts(self) -> Path:
        return self.folder / "artifacts"

    def wait_until_healthy(self, *, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"the dashboard stopped at once: {self.log.read_text()[-2000:]}")
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"the dashboard did not answer within {seconds} s: {self.log.read_text()[-2000:]}")


def free_port() -> int:
    """Of those that the system gives to nobody by itself: nobody takes it before the server does."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


@contextmanager
def running(
    command: str, folder: Path, *, database_url: str | None = None, python: Path | None = None, port: int | None = None
) -> Iterator[RunningApp]:
    """`hcat serve` or `hcat demo` on a free loopback port with its store in the folder; ended on leaving.

    Its database is a file in the folder too, where no other is given. Another `python` runs the hcat that it has
    installed, away from this tree. The port is free, where none is given. Bytecode is written, as where hcat is
    installed: else each start would compile it.
    """
    port = port or free_port()
    environment = {
        **os.environ,
        "HCAT_DATABASE_URL": database_url or f"sqlite:///{folder / 'hcat.db'}",
        "HCAT_ARTIFACTS": str(folder / "artifacts"),
    }
    if python is not None:
        environment.pop("PYTHONPATH", None)
    arguments = [str(python or sys.executable), "-m", "hcat.dashboard.cli", command, "--port", str(port)]
    with _started(arguments, folder, port, environment, where=ROOT if python is None else folder) as app:
        yield app


@contextmanager
def running_script(script: str, folder: Path) -> Iterator[RunningApp]:
    """A Streamlit app of this one script on a free loopback port, ended on leaving. It tells nobody that it is used."""
    path, port = folder / "app.py", free_port()
    path.write_text(script, "utf-8")
    options = {"server.port": port, "server.address": "127.0.0.1", "server.headless": "true"}
    options |= {"browser.gatherUsageStats": "false", "server.fileWatcherType": "none"}
    told = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    arguments = [sys.executable, "-m", "streamlit", "run", str(path), *told]
    with _started(arguments, folder, port, dict(os.environ), where=folder) as app:
        yield app


@contextmanager
def _started(
    arguments: Sequence[str], folder: Path, port: int, environment: dict[str, str], *, where: Path
) -> Iterator[RunningApp]:
    environment["OMP_NUM_THREADS"] = "1"
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with (folder / "serve.log").open("wb") as output:
        process = subprocess.Popen(arguments, cwd=where, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield RunningApp(url=f"http://127.0.0.1:{port}", folder=folder, process=process)
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
