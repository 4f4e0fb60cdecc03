"""Variants of some of the demo's test cases, answered by its reference system, with their origins.

`data/demo/variants.jsonl` is what `hcat perturb` makes of every fourteenth answerable test case, as
`data/demo/README.md` says; the answers are computed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from hcat.core.capabilities.demo.bank import ANNOTATOR, FOLDER, correctness, read_handbook, reference_verdict
from hcat.core.capabilities.demo.reference_rag import CANDIDATE, run_reference_rag
from hcat.core.models.cache import EmbeddingStore
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.records.test_case import TestCase, as_sample, from_record
from hcat.core.types import Label, Progress, Sample

SOURCE = "data/demo/variants.jsonl"
METRICS = "answer_f1,token_f1,factual_numbers_recall,refusal,refusal_correct,rr"
"""Metrics that need few vectors or none, so that the demo starts quickly."""


def read_variants(path: Path = FOLDER / "variants.jsonl") -> tuple[TestCase, ...]:
    """The origins, then their variants."""
    return tuple(from_record(json.loads(line), at=path.name) for line in path.read_text("utf-8").splitlines())


def answered_variants(
    encoder: Encoder, store: EmbeddingStore, *, on_progress: Callable[[Progress], None] | None = None
) -> tuple[Sample, ...]:
    """The candidate's answers to variants and origins alike: seconds, the same each time."""
    return run_reference_rag(
        [as_sample(case) for case in read_variants()],
        CANDIDATE,
        passages=read_handbook(),
        encoder=encoder,
        store=store,
        on_progress=on_progress,
    )


def variant_labels(samples: Sequence[Sample], *, run: str) -> tuple[Label, ...]:
    """The reference rule's label on every sample.

    An answer that must not change contains the key facts of its origin, one that must be refused declines."""
    return tuple(_label(sample, run) for sample in samples)


def _label(sample: Sample, run: str) -> Label:
    verdict = reference_verdict(sample)
    return Label(
        sample.id,
        correctness().name,
        int(verdict.passed),
        ANNOTATOR,
        run,
        verdict.rationale,
        probability=1.0,
        guideline_version=correctness().guideline_version,
        source="rule",
    )
