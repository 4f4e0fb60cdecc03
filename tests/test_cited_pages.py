"""Code cites only pages that whoever reads it has: those of this repository."""

from __future__ import annotations

import re
from pathlib import Path

from hcat.core.settings import ROOT

FOLDERS = ("core", "dashboard", "pages", "benchmarks", "training", "docs")
PAGE = re.compile(r"[\w./-]+\.md\b")
FILES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".md", ".txt", ".js", ".css", ".j2"}
]
THERE = {path.name for folder in (*FOLDERS, "data/demo") for path in (ROOT / folder).rglob("*.md")}
THERE |= {path.name for path in ROOT.glob("*.md")}


def test_a_page_that_is_cited_is_in_the_repository() -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in FILES
        for name in PAGE.findall(path.read_text("utf-8"))
        if Path(name).name not in THERE
    }
    assert not missing


def test_every_finding_of_the_attack_names_tests_that_are_there() -> None:
    text = (ROOT / "docs/decisions/0041-who-may-talk-to-the-server.md").read_text("utf-8")
    missing = {name for name in re.findall(r"`(tests/[\w./-]+)`", text) if not (ROOT / name).exists()}
    assert not missing
    rows = dict(re.findall(r"^\| ([HML]\d+) .*?\| (.*?) \|$", text, re.MULTILINE))
    findings = [f"{kind}{number}" for kind, most in (("H", 3), ("M", 14), ("L", 8)) for number in range(1, most + 1)]
    assert set(rows) == set(findings)
    assert all("`tests/" in tests for tests in rows.values())


def test_every_promise_names_a_test_that_is_there() -> None:
    rows = [line.split("|") for line in (ROOT / "docs/promises.md").read_text("utf-8").splitlines() if "tests/" in line]
    assert len(rows) > 15
    for *_, held, _ in rows:
        path, name = held.strip().strip("`").split("::")
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), held
