"""Only loaders cache, where one sees what is cached and by which key."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hcat.core.settings import ROOT

FILES = [path for folder in ("dashboard", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]


def is_loader(path: Path) -> bool:
    return path.stem == "loader" or path.parent.name == "loaders"


def caches_of_streamlit(path: Path) -> list[str]:
    """The lines that name one: `st.cache_data`, or the name imported."""
    tree = ast.parse(path.read_text("utf-8"))
    named = [(node.lineno, node.attr) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    named += [
        (node.lineno, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module and node.module.startswith("streamlit")
    ]
    return [f"{path.relative_to(ROOT)}:{line} {name}" for line, name in named if name.startswith("cache_")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_loaders_cache(path: Path) -> None:
    found = caches_of_streamlit(path)
    assert not found or is_loader(path), found


def test_the_loaders_cache() -> None:
    assert sum(len(caches_of_streamlit(path)) for path in FILES if is_loader(path)) > 20
