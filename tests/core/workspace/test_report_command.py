"""The command in a report can be pasted into a shell, whatever a project is called."""

from __future__ import annotations

import shlex

import pytest

from core.workspace.evidence.report_evidence import report_command


@pytest.mark.parametrize("name", ["retail", "$(touch `pwn1)", 'a "b"', "it's; rm x", "two words"])
def test_names_are_quoted_for_the_shell(name: str) -> None:
    words = shlex.split(report_command(name, [name, "other"]))
    assert words[:6] == ["hcat", "report", "--project", name, "--runs", f"{name},other"]
    assert report_command("retail", None) == "hcat report --project retail -o report.html --format html"
