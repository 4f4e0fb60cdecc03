"""Help texts lead to entries that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from core.errors import NotFoundError
from core.glossary.lookup import find_term
from core.settings import ROOT
from dashboard.components.glossary import with_glossary

FILES = sorted(path for folder in ("dashboard", "pages") for path in (ROOT / folder).rglob("*.py"))


def linked_names(path: Path) -> list[str]:
    """The names that calls of `with_glossary` in the file give as they are written."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    linking = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "with_glossary"]
    return [str(name.value) for call in linking for name in call.args[1:] if isinstance(name, ast.Constant)]


def test_a_help_text_ends_with_a_link_to_its_terms() -> None:
    assert with_glossary("A threshold.", "q̂", "coverage") == (
        "A threshold.\n\nGlossary: [q̂](glossary?term=q-hat) · [coverage](glossary?term=coverage)"
    )
    with pytest.raises(NotFoundError):
        with_glossary("A threshold.", "no such term")


def test_every_linked_name_is_an_entry() -> None:
    names = [name for path in FILES for name in linked_names(path)]
    assert len(names) > 25
    for name in names:
        assert find_term(name)
