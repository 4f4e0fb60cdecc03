"""The glossary: every entry is whole, is found, is used, and stands in the documentation."""

from __future__ import annotations

import re

import pytest

from hcat.core.display.sources import SOURCES
from hcat.core.errors import NotFoundError
from hcat.core.glossary.lookup import SECTIONS, TERMS, find_term, matching_terms
from hcat.core.glossary.term import Term
from hcat.core.settings import ROOT

MUST_EXPLAIN = (
    *(
        "q̂",
        "PPI++",
        "λ",
        "Hedges' g",
        "shrunken mean",
        "q-value",
        "Benjamini–Hochberg",
        "Hájek",
        "naive",
        "machine says",
    ),
    *("conformal prediction set", "empty set", "coverage", "fit for use", "weak", "possibly weak", "lower score"),
    *("not shown to be weak", "insufficient evidence", "possibly lower", "not shown to be lower", "effective labels"),
    *("cluster", "κ", "α", "Krippendorff's α", "AC1", "Brier", "ECE", "AUC", "S_u", "S_c", "S_t", "D", "σ(D)"),
    *(
        "transport plan",
        "log-odds",
        "sensitivity",
        "specificity",
        "entropy",
        "log-loss",
        "Spearman's ρ",
        "adjudication",
    ),
    *("never compared with people", "not shown to be fit", "not fit", "interval for selected slices", "tie"),
)


def product_text() -> str:
    files = [path for folder in ("core", "dashboard", "pages") for path in (ROOT / folder).rglob("*.py")]
    return "\n".join(path.read_text("utf-8") for path in files if "glossary" not in path.parts).casefold()


@pytest.mark.parametrize("name", MUST_EXPLAIN)
def test_statistics_and_verdicts_are_explained(name: str) -> None:
    assert find_term(name).meaning


def test_entries_are_short_sentences_with_unique_names() -> None:
    names = [name.casefold() for term in TERMS.values() for name in term.names]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert len(TERMS) == sum(map(len, SECTIONS.values()))
    for term in TERMS.values():
        assert re.fullmatch(r"[a-z0-9-]+", term.key)
        assert term.meaning.endswith(".") and term.meaning[0] in term.meaning[0].upper()
        assert len(re.findall(r"[.:;] ", term.meaning)) <= 4 and len(term.meaning) < 330, term.name


def test_short_names_of_sources_are_those_of_the_papers() -> None:
    short = {word for term in TERMS.values() for word in re.findall(r"\b[A-Z]{4,}\b", term.source)}
    assert short <= set(SOURCES)


def test_every_entry_is_used_by_the_product() -> None:
    text = product_text()
    assert [term.name for term in TERMS.values() if not any(name.casefold() in text for name in term.names)] == []


def test_entries_are_found_by_name_other_name_and_key() -> None:
    assert find_term("Q̂") is find_term("q-hat") is find_term(" conformal threshold ")
    assert [term.name for terms in matching_terms("benjamini").values() for term in terms] == ["Benjamini–Hochberg"]
    assert matching_terms("brier") == {"Calibration": (find_term("Brier score"),)}
    with pytest.raises(NotFoundError, match="Did you mean coverage"):
        find_term("coverag")


def test_the_documentation_has_the_same_entries() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    for section, terms in SECTIONS.items():
        table = page.partition(f"## {section}\n")[2].partition("\n## ")[0]
        assert [line for line in table.splitlines() if line.startswith("| ")][1:] == [row(term) for term in terms]


def row(term: Term) -> str:
    return f"| {term.name} | {term.meaning.replace('|', '&#124;')} | {term.source or '–'} |"
