"""Samples with all that is known of them as rows of a spreadsheet."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from core.analysis.sample_filter import SampleFacts
from core.scoring.score_table import ScoreTable
from core.types import Sample

Cell = str | float | None

FIXED = ("sample_id", "query", "answer", "reference", "contexts")


def sample_rows(
    sample_ids: Sequence[str], facts: SampleFacts, table: ScoreTable | None, *, criterion: str | None
) -> list[list[Cell]]:
    """A head, then one row a sample: texts, the label on the criterion, the prediction by the calibration in force,
    levels of all dimensions, and all scores. Contexts are one JSON list, in rank order. An unscored metric is empty."""
    dimensions = [str(name) for name in facts.dimensions]
    metrics = () if table is None else table.metrics
    label = [] if criterion is None else [f"label:{criterion}"]
    predictions = ["prediction"] if facts.decisions else []
    rows: list[list[Cell]] = [[*FIXED, *label, *predictions, *(f"dimension:{name}" for name in dimensions), *metrics]]
    levels = {
        name: dict(zip(facts.dimensions.index, facts.dimensions[name].astype("str"), strict=True))
        for name in dimensions
    }
    scored = (
        [dict(zip(table.sample_ids, table.values(name).tolist(), strict=True)) for name in metrics] if table else []
    )
    rows.extend(
        [
            *_texts(facts.samples[sample_id]),
            *([facts.label(sample_id)] if criterion is not None else []),
            *([facts.decisions.get(sample_id, "")] if predictions else []),
            *(levels[name][sample_id] for name in dimensions),
            *(_finite(scores.get(sample_id)) for scores in scored),
        ]
        for sample_id in sample_ids
    )
    return rows


def _texts(sample: Sample) -> tuple[Cell, ...]:
    contexts = json.dumps([context.text for context in sample.contexts], ensure_ascii=False) if sample.contexts else ""
    return sample.id, sample.query, sample.answer, sample.reference, contexts


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
