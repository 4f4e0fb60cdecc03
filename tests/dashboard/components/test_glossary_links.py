"""Help texts lead to entries that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hcat.core.errors import NotFoundError
from hcat.core.glossary.lookup import find_term, terms_in
from hcat.core.settings import ROOT
from hcat.dashboard.components.glossary import with_glossary, with_terms_of

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


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Pass rate, PPI++", ["pass rate", "PPI++"]),
        ("ECE, corrected", ["ECE"]),
        ("Type I error", ["type I error, type II error"]),
        ("Gwet's AC1", ["Gwet's AC1"]),
        ("Krippendorff's α", ["Krippendorff's α"]),
        ("α, ordinal", []),
        ("κ, linear weights", ["Cohen's κ"]),
        ("Shrunken", ["shrunken mean"]),
        ("Effect (g)", ["Hedges' g"]),
        ("q̂", ["q̂"]),
        ("S_u: how often good", ["S_u"]),
        ("Effective labels", ["effective labels"]),
        ("Normalised entropy", ["entropy"]),
        ("Anything else", []),
    ],
)
def test_a_figure_is_linked_by_the_terms_of_its_title(title: str, names: list[str]) -> None:
    assert [term.name for term in terms_in(title)] == names
    assert with_terms_of(title, "What it is.").startswith("What it is.")
    assert ("Glossary: " in with_terms_of(title, "What it is.")) == bool(names)


def test_every_linked_name_is_an_entry() -> None:
    names = [name for path in FILES for name in linked_names(path)]
    assert len(names) > 5
    for name in names:
        assert find_term(name)
