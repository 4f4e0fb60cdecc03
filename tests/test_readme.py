"""The README's table of metrics is the registry's, and what it says exists exists."""

from __future__ import annotations

import re
from pathlib import Path

from core.metrics.registry import METRICS
from core.systems.description import target_of
from dashboard.navigation import PAGES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def metric_table() -> str:
    """The table as it should stand in the README."""
    rows = ["| metric | needs | better | says |", "|---|---|---|---|"]
    rows += [f"| `{m.name}` | {', '.join(m.needs)} | {m.direction} | {m.description} |" for m in METRICS]
    return "\n".join(rows)


def test_the_table_of_metrics_is_the_registry() -> None:
    found = re.search(r"<!-- metrics:.*?-->\n(.*?)\n<!-- /metrics -->", README, re.S)
    assert found is not None
    assert found.group(1) == metric_table(), f"put this table into README.md:\n{metric_table()}"


def test_every_page_has_its_file_and_every_file_its_row() -> None:
    assert {entry.path for entry in PAGES} == set((ROOT / "pages").glob("*.py"))
    assert all(entry.path.is_file() for entry in PAGES)


def test_every_path_in_the_map_exists() -> None:
    block = re.search(r"## Map\n\n```\n(.*?)```", README, re.S)
    assert block is not None
    folder = ROOT
    for line in block.group(1).splitlines():
        name = line.split()[0].rstrip(",")
        folder = folder if line.startswith(" ") else ROOT / name
        path = folder / name if line.startswith(" ") else folder
        assert path.exists(), f"the README's map names {name}, which is not there"


def test_the_readme_says_what_each_page_answers() -> None:
    table = README.partition("## What each page answers")[2].partition("\n## ")[0]
    titles = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")][1:]
    assert titles == [entry.title for entry in PAGES]


def test_the_target_file_is_one() -> None:
    block = re.search(r"```yaml\n(.*?)```", README, re.S)
    assert block is not None
    assert target_of(block.group(1)).kind == "http"
