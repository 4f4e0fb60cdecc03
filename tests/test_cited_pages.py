"""Code cites only pages that whoever reads it has: those of this repository."""

from __future__ import annotations

import re
from pathlib import Path

from core.settings import ROOT

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
