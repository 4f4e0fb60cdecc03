"""Withholds texts of samples: the SHA-256 of each replaces it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import JsonValue, Sample
from hcat.core.view.tree import Report, SampleExcerpt, Samples

MARK = "withheld: sha256:"
WRITTEN = ("rationale", "comment")
STRUCTURE = frozenset(
    {
        *("candidates", "passages", "removed_passages", "expectation", "attribute", "group", "form", "generator"),
        *("attack", "arm", "detector", "attack_seed", "attempt", "verdict"),
    }
)
"""Entries of a sample's metadata that are ids or words of hcat's own, on which numbers depend; others may be texts."""


def digest(text: str) -> str:
    """The digest that replaces the text; one that is withheld already is unchanged."""
    return text if text.startswith(MARK) else MARK + sha256_of_text(text)


def withheld_sample(sample: Sample) -> Sample:
    """The sample with a digest for each text. Ids, dimensions, clusters and weights, on which numbers depend, are
    unchanged."""
    return replace(
        sample,
        query=digest(sample.query),
        answer=None if sample.answer is None else digest(sample.answer),
        contexts=tuple(replace(passage, text=digest(passage.text)) for passage in sample.contexts),
        reference=None if sample.reference is None else digest(sample.reference),
        reference_contexts=tuple(map(digest, sample.reference_contexts)),
        metadata={
            name: value if name in STRUCTURE else _without_texts(value) for name, value in sample.metadata.items()
        },
    )


def _without_texts(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _without_texts(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_texts(item) for item in value]
    return digest(value) if isinstance(value, str) else value


def withheld_row(row: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """An entry of the label log with digests for what people wrote, which may quote the sample."""
    return {
        name: withheld_row(value)
        if isinstance(value, dict)
        else digest(value)
        if name in WRITTEN and isinstance(value, str)
        else value
        for name, value in row.items()
    }


def withheld_evidence(evidence: Evidence) -> Evidence:
    """The evidence with digests for the texts that findings and the previous report quote."""
    return replace(
        evidence,
        previous=None if evidence.previous is None else withheld_report(evidence.previous),
        findings=tuple(
            replace(finding, samples=tuple(map(_excerpt, finding.samples))) for finding in evidence.findings
        ),
    )


def withheld_report(report: Report) -> Report:
    """The report with a digest for each quoted text of a sample; for a cut text, the digest of that."""
    return replace(
        report,
        sections=tuple(
            replace(
                section,
                blocks=tuple(
                    replace(block, items=tuple(map(_excerpt, block.items))) if isinstance(block, Samples) else block
                    for block in section.blocks
                ),
            )
            for section in report.sections
        ),
    )


def _excerpt(item: SampleExcerpt) -> SampleExcerpt:
    return replace(
        item,
        query=digest(item.query),
        answer=None if item.answer is None else digest(item.answer),
        contexts=tuple(map(digest, item.contexts)),
        reference=None if item.reference is None else digest(item.reference),
    )
