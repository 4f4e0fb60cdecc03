"""The whole glossary, and how to find an entry in it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import cast

from hcat.core.capabilities import CAPABILITIES
from hcat.core.errors import NotFoundError
from hcat.core.glossary.term import Term

TITLES = (
    *("What is tested", "Metrics and scores", "Labels and agreement", "Calibration", "Estimates", "Weaknesses"),
    "Fairness, attacks, judges and policies",
)
"""In the order of the work; other sections of capabilities follow."""


def _sections() -> Mapping[str, tuple[Term, ...]]:
    found: dict[str, list[Term]] = {title: [] for title in TITLES}
    for capability in CAPABILITIES:
        for section, place in capability.terms.items():
            found.setdefault(section, []).extend(cast("tuple[Term, ...]", capability.part(place)))
    return {section: tuple(terms) for section, terms in found.items()}


SECTIONS: Mapping[str, tuple[Term, ...]] = _sections()

TERMS: Mapping[str, Term] = {term.key: term for terms in SECTIONS.values() for term in terms}
"""The terms by their key in addresses."""

_BY_NAME: Mapping[str, Term] = {
    name.casefold(): term for term in reversed(list(TERMS.values())) for name in reversed(term.names)
}

_AMBIGUOUS = {"α", "d", "n", "p", "q"}
_LONGEST_FIRST = sorted(set(_BY_NAME) - _AMBIGUOUS, key=len, reverse=True)
_NAMES = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _LONGEST_FIRST))})(?!\w)", re.IGNORECASE)


def find_term(name: str) -> Term:
    """The entry of this name, other name or key, ignoring case."""
    wanted = name.casefold().strip()
    term = TERMS.get(wanted) or _BY_NAME.get(wanted)
    if term is None:
        close = difflib.get_close_matches(wanted, _BY_NAME, n=1)
        near = f" Did you mean {_BY_NAME[close[0]].name}?" if close else ""
        raise NotFoundError(f"The glossary has no entry {name!r}.{near}")
    return term


def terms_in(text: str) -> tuple[Term, ...]:
    """The entries whose names occur as words in the text, in its order; of overlapping names, the longest.

    A letter with different meanings in different places, such as α, is no name here."""
    names = {match.group().casefold(): None for match in _NAMES.finditer(text)}
    return tuple(dict.fromkeys(_BY_NAME[name] for name in names))


def matching_terms(text: str) -> dict[str, tuple[Term, ...]]:
    """The entries that contain the text, by section; those with the text in their name come first."""
    wanted = text.casefold().strip()
    return {
        section: tuple(sorted(matching, key=lambda term: not any(wanted in name.casefold() for name in term.names)))
        for section, terms in SECTIONS.items()
        if (matching := [term for term in terms if term.has(text)])
    }
