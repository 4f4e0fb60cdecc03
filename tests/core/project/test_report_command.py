"""The commands in a report can be pasted into a shell, whatever a project is called, and make its numbers again."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from hcat.core.capabilities.report.services.report_evidence import report_commands
from tests.core.capabilities.report.test_report_build import BARE


@pytest.mark.parametrize("name", ["retail", "$(touch `pwn1)", 'a "b"', "it's; rm x", "two words"])
def test_names_are_quoted_for_the_shell(name: str) -> None:
    words = shlex.split(report_commands(replace(BARE, project=name), [name, "other"])[0])
    assert words[:6] == ["hcat", "report", "--project", name, "--runs", f"{name},other"]
    first = "hcat report --project retail -o report.html --pack evidence.zip"
    assert report_commands(replace(BARE, project="retail"), None) == (first, "unzip evidence.zip")
