"""The dashboard is served by the process that `hcat serve` began in."""

from __future__ import annotations

import os
import runpy
import sys

import pytest
from typer.testing import CliRunner

from hcat.core.settings import ROOT
from hcat.dashboard.cli import app


def test_the_server_runs_in_the_process_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, dict[str, object], list[str]]] = []
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(sys, "argv", ["hcat", "serve"])
    monkeypatch.setattr(runpy, "run_module", lambda name, **how: ran.append((name, how, sys.argv)))
    done = CliRunner().invoke(app, ["serve", "--port", "8777", "--host", "hcat.example"])
    assert done.exit_code == 0, done.output
    arguments = ["streamlit", "run", str(ROOT / "dashboard" / "server.py")]
    arguments += ["--server.port", "8777", "--server.address", "127.0.0.1"]
    for name in ("localhost", "127.0.0.1", "::1", "hcat.example"):
        arguments += ["--server.allowedHosts", name]
    assert ran == [("streamlit", {"run_name": "__main__", "alter_sys": True}, arguments)]
    assert done.output == "hcat: serving http://127.0.0.1:8777 — stop with Ctrl+C\n"
