"""Help texts that lead to the glossary."""

from __future__ import annotations

from core.glossary.lookup import find_term
from dashboard.components.markdown import plain


def with_glossary(text: str, *names: str) -> str:
    """The help text, then a link to the glossary's entry of each name. Raises NotFoundError where there is none."""
    terms = [find_term(name) for name in names]
    links = " · ".join(f"[{plain(term.name)}](glossary?term={term.key})" for term in terms)
    return f"{text}\n\nGlossary: {links}"
