"""`hcat glossary`: what the words and symbols of screens, tables and reports mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hcat.dashboard.commands.output import AsJson, print_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.glossary.term import Term

Name = Annotated[
    str | None, typer.Argument(metavar="[TERM]", help="A word or symbol, such as q̂ or weak; all without it.")
]


def glossary(term: Name = None, as_json: AsJson = False) -> None:
    """Say what a word or symbol means, and its source."""
    from hcat.core.glossary.lookup import SECTIONS, find_term, matching_terms

    if term is None:
        terms = [entry for entries in SECTIONS.values() for entry in entries]
    else:
        matching = [entry for entries in matching_terms(term).values() for entry in entries]
        named = [entry for entry in matching if term.casefold().strip() in map(str.casefold, entry.names)]
        terms = named or matching or [find_term(term)]
    if as_json:
        print_document({"terms": [{"term": e.name, "meaning": e.meaning, "source": e.source or None} for e in terms]})
    else:
        _print(terms)


def _print(terms: Sequence[Term]) -> None:
    import textwrap

    for entry in terms:
        source = f" [{entry.source}]" if entry.source else ""
        typer.echo(textwrap.fill(f"{entry.name}: {entry.meaning}{source}", 100, subsequent_indent="    "))
