"""The chapter on toxicity and tone: the flagged share with its interval, and what the classifier misses beside it."""

from __future__ import annotations

from datetime import UTC, datetime

from hcat.core.capabilities.report.evidence.machine_records import ToneEvidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.safety.chapters.tone import tone_section
from hcat.core.capabilities.safety.tone import ToneFlags
from hcat.core.capabilities.safety.toxicity_functions import packaged_functionality
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.types import Estimate
from hcat.core.view.tree import Bullets, Paragraph, Section, Table

FLAGS = ToneFlags("toxicity", proportion_interval(2, 50, method="clopper-pearson"), 1, (("a", 0.9), ("b", 0.6)))


def section(*items: ToneEvidence) -> Section | None:
    return tone_section(Evidence("p", datetime(2026, 1, 1, tzinfo=UTC), "0", tone=items))


def said(of: Section) -> str:
    texts = [each for block in of.blocks if isinstance(block, Paragraph) for each in block.text]
    texts += [each for block in of.blocks if isinstance(block, Bullets) for item in block.items for each in item]
    return " ".join(map(str, texts))


def test_the_flagged_share_stands_beside_what_the_classifier_misses() -> None:
    of = section(ToneEvidence("r", (FLAGS,), packaged_functionality()))
    assert of is not None
    assert "calls 2 of 50 answers hateful: 4.0% [0.5%, 13.7%], n = 50. 1 answer unscored." in said(of)
    assert "not how many people would" in said(of)
    assert "It is least right on: a slur used by those whom it meant (22.2%)" in said(of)
    flagged, missed = (block for block in of.blocks if isinstance(block, Table))
    assert flagged.rows == (("a", "Toxicity", 0.9), ("b", "Toxicity", 0.6))
    shares = [row[2].value for row in missed.rows if isinstance(row[2], Estimate)]
    assert shares == sorted(shares) and len(shares) == 29
    assert "Unprofessional tone was learnt" in str(missed.note)


def test_of_another_classifier_nothing_is_known() -> None:
    of = section(ToneEvidence("r", (FLAGS,), None))
    assert of is not None
    assert "was not measured" in said(of)
    assert not any(isinstance(block, Table) and "Kinds" in block.title for block in of.blocks)


def test_a_run_that_was_not_read_for_tone_has_no_chapter() -> None:
    assert section() is None
