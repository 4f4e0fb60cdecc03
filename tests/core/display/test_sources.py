"""Sources are cited by short names that are explained in one place, at the section that defines the quantity."""

from __future__ import annotations

import re

import pytest

from hcat.core.display.sources import SOURCES
from hcat.core.importers.recognition import FORMATS
from hcat.core.metrics.registry import METRICS

SHORT_NAME = re.compile(r"^([A-Z]{4,})\b")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_short_name_of_each_metrics_source_is_explained(metric) -> None:
    cited = SHORT_NAME.match(metric.source)
    assert cited is None or cited.group(1) in SOURCES


def test_entailment_metrics_cite_the_section_on_entailment() -> None:
    # The paper's 3.2.1 is "Sentence Similarity", its 3.2.2 "Natural Language Inference (NLI)".
    cited = {metric.name: metric.source.split(",")[0] for metric in METRICS if metric.name.startswith("groundedness")}
    assert cited == {
        "groundedness": "HCAT 3.2.1",
        "groundedness_combined": "logistic curve with coefficients ≥ 0",
        "groundedness_min": "HCAT 3.2.1",
        "groundedness_nli": "HCAT 3.2.2",
        "groundedness_nli_min": "HCAT 3.2.2",
        "groundedness_nli_share": "HCAT 3.2.2",
    }


def test_the_paper_whose_results_are_imported_is_named() -> None:
    assert "grammar" in {known.name for known in FORMATS}
    assert "Grounded and Modular Methodology" in SOURCES["GRAMMAR"]


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES.keys())
def test_each_source_names_title_author_and_year_or_says_that_it_has_none(text: str) -> None:
    assert re.search(r"“[^”]+”", text)
    assert re.match(r"[A-Z]\w+(?:, [A-Z]\w+)*(?: and [A-Z]\w+)? \(\d{4}\)", text) or "neither author nor date" in text
