"""Help texts that lead to the glossary."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.glossary.lookup import find_term, terms_in
from hcat.core.glossary.term import Term
from hcat.dashboard.components.markdown import plain


def with_glossary(text: str, *names: str) -> str:
    """The help text, then a link to the glossary's entry of each name. Raises NotFoundError where there is none."""
    return _linked(text, [find_term(name) for name in names])


def with_terms_of(title: str, text: str) -> str:
    """The help text of a figure, then a link to the glossary's entry of each term in the figure's title."""
    return _linked(text, terms_in(title))


def _linked(text: str, terms: Sequence[Term]) -> str:
    if not terms:
        return text
    links = " · ".join(f"[{plain(term.name)}](glossary?term={term.key})" for term in terms)
    return f"{text}\n\nGlossary: {links}".strip()
