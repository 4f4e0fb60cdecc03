"""Samples of a run by what is known of them: their label, prediction set, dimensions, flags and texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.analysis.run_data import RunColumns, RunData
from core.errors import HcatError
from core.labelling.consensus import ConsensusLabels
from core.labelling.records import LabelRecord
from core.types import Criterion, Sample
from core.weakness.slices import require_dimensions

if TYPE_CHECKING:
    import pandas as pd

UNLABELLED, TIE = "unlabelled", "tie"
"""What stands for a label where nobody labelled a sample, and where people gave as many passes as fails."""


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """Which samples to keep: all that fit every part that is given.

    `labels` are levels of a criterion, "unlabelled" or "tie"; `decisions` those of `hcat predict`. `levels` are pairs
    of a dimension and its level: any of one dimension, and all dimensions. `text` is looked for in query, answer,
    reference and contexts, whatever its case.
    """

    labels: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    levels: tuple[tuple[str, str], ...] = ()
    flagged: bool = False
    text: str = ""

    @property
    def title(self) -> str:
        """What it keeps, in a few words; empty where that is everything."""
        levels = [f"{name} = {level}" for name, level in self.levels]
        labels = [f"label {' or '.join(self.labels)}"] if self.labels else []
        decisions = [f"prediction {' or '.join(self.decisions)}"] if self.decisions else []
        flagged = ["flagged"] if self.flagged else []
        text = [f"“{self.text}”"] if self.text else []
        return ", ".join([*levels, *labels, *decisions, *flagged, *text])


@dataclass(frozen=True, eq=False)
class SampleFacts:
    """What samples are filtered by. `labels` are those of one criterion, by sample id; a sample that is not in it has
    none. `decisions` are empty without a calibration."""

    samples: Mapping[str, Sample]
    dimensions: pd.DataFrame
    labels: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)
    flagged: frozenset[str] = frozenset()

    def each_of(self, sample_ids: Sequence[str]) -> Iterator[Sample]:
        """These samples in this order, decoded as they come."""
        if isinstance(self.samples, SamplesById):
            return self.samples.columns.each_of(sample_ids)
        return (self.samples[sample_id] for sample_id in sample_ids)

    def label(self, sample_id: str) -> str:
        """The label of a sample, or "unlabelled"."""
        return self.labels.get(sample_id, UNLABELLED)


@dataclass(frozen=True, eq=False)
class SamplesById(Mapping[str, Sample]):
    """The samples of a run by id. Ids cost no text, a sample is decoded alone; `SampleFacts.each_of` is for many."""

    columns: RunColumns

    def __getitem__(self, sample_id: str) -> Sample:
        return self.columns.sample(sample_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns.sample_ids)

    def __len__(self) -> int:
        return len(self.columns.sample_ids)


def filter_samples(sample_ids: Sequence[str], facts: SampleFacts, wanted: SampleFilter) -> list[str]:
    """Those of the samples that the filter keeps, in their order. HcatError for an unknown dimension."""
    if wanted == SampleFilter():
        return list(sample_ids)
    require_dimensions(facts.dimensions, [name for name, _ in wanted.levels])
    at_levels = {name: {level for other, level in wanted.levels if other == name} for name, _ in wanted.levels}
    columns = {
        name: dict(zip(facts.dimensions.index, facts.dimensions[name].astype("str"), strict=True)) for name in at_levels
    }
    text = wanted.text.casefold().strip()
    kept = [
        sample_id
        for sample_id in sample_ids
        if (not wanted.labels or facts.label(sample_id) in wanted.labels)
        and (not wanted.decisions or facts.decisions.get(sample_id) in wanted.decisions)
        and (not wanted.flagged or sample_id in facts.flagged)
        and all(columns[name][sample_id] in levels for name, levels in at_levels.items())
    ]
    return [sample.id for sample in facts.each_of(kept) if holds_text(sample, text)] if text else kept


def holds_text(sample: Sample, text: str) -> bool:
    """Whether any text of the sample holds this one, which is in folded case."""
    texts = (sample.query, sample.answer, sample.reference, *(context.text for context in sample.contexts))
    return any(text in candidate.casefold() for candidate in texts if candidate)


def label_names(resolved: ConsensusLabels, *, picked: Iterable[LabelRecord] = ()) -> dict[str, str]:
    """What people say of each labelled sample: the level by name, or "tie" where they are not agreed; "fail (picked)"
    where nothing but a label of a picked sample says so, which enters no estimate."""
    names = resolved.criterion.levels
    by_hand = {
        record.sample_id: f"{names[record.level]} (picked)"
        for record in picked
        if record.purpose == "picked" and record.level is not None
    }
    agreed = {
        sample_id: names[level] for sample_id, level in zip(resolved.sample_ids, resolved.levels.tolist(), strict=True)
    }
    ties = {label.sample_id: TIE for label in resolved.labels if label.source != "llm"}
    return {**by_hand, **ties, **agreed}


def sample_facts(
    run: RunData, criterion: Criterion | None, judged: Sequence[LabelRecord], predictions: pd.DataFrame | None
) -> SampleFacts:
    """What the samples of an opened run are filtered by: `judged` are what people said on the criterion, `predictions`
    the table of `predict`, with or without sample ids for its index."""
    predicted: dict[str, str] = {}
    if predictions is not None:
        frame = predictions if "sample_id" not in predictions else predictions.set_index("sample_id")
        predicted = {str(sample_id): str(word) for sample_id, word in frame["decision"].items()}
    return SampleFacts(
        SamplesById(run.columns),
        run.columns.dimensions,
        {} if criterion is None else label_names(run.labels(criterion), picked=judged),
        predicted,
        frozenset(record.sample_id for record in judged if record.details.flagged),
    )


def filter_of(
    criterion_levels: Sequence[str],
    *,
    labels: Sequence[str] = (),
    decisions: Sequence[str] = (),
    levels: Sequence[tuple[str, str]] = (),
    flagged: bool = False,
    text: str = "",
) -> SampleFilter:
    """A filter whose labels the criterion has; HcatError for others."""
    known = (*criterion_levels, UNLABELLED, TIE)
    unknown = next((label for label in labels if label not in known), None)
    if unknown is not None:
        raise HcatError(f"there is no label {unknown!r}: choose one of {', '.join(known)}")
    return SampleFilter(tuple(labels), tuple(decisions), tuple(levels), flagged, text)
