"""Samples of a run by what is known of them: their label, prediction set, dimensions, flags and texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from hcat.core.arrays import Bools
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.labelling.records import LabelRecord
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.samples.searched import holds_text, searched_texts
from hcat.core.slices.slices import require_dimensions
from hcat.core.types import Criterion, Sample

UNLABELLED, TIE = "unlabelled", "tie"
"""Values in place of a label: nobody labelled the sample, or people gave as many passes as fails."""


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """A filter of samples: it selects those that fit every given part.

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
        """The conditions of the filter in a few words; empty where it selects all samples."""
        levels = [f"{name} = {level}" for name, level in self.levels]
        labels = [f"label {' or '.join(self.labels)}"] if self.labels else []
        decisions = [f"prediction {' or '.join(self.decisions)}"] if self.decisions else []
        flagged = ["flagged"] if self.flagged else []
        text = [f"“{self.text}”"] if self.text else []
        return ", ".join([*levels, *labels, *decisions, *flagged, *text])


@dataclass(frozen=True, eq=False)
class SampleFacts:
    """The variables by which samples are filtered. `dimensions` have a row for each sample of the run, by its id.
    `labels` are those of one criterion, by sample id; a sample that is not in it has none. `decisions` have the index
    of `dimensions`; None without a calibration."""

    samples: Mapping[str, Sample]
    dimensions: pd.DataFrame
    labels: Mapping[str, str] = field(default_factory=dict)
    decisions: pd.Series[str] | None = None
    flagged: frozenset[str] = frozenset()

    @property
    def known_decisions(self) -> list[str]:
        """The decisions that samples of the run have, in order."""
        return [] if self.decisions is None else sorted(map(str, self.decisions.unique()))

    def decided(self, sample_ids: Sequence[str]) -> list[str]:
        """The decision on each of these samples; empty without a calibration."""
        if self.decisions is None:
            return [""] * len(sample_ids)
        return list(map(str, self.decisions.reindex(list(sample_ids)).tolist()))

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
    """The samples that the filter selects, in their order. HcatError for an unknown dimension."""
    if wanted == SampleFilter():
        return list(sample_ids)
    kept = _fits(facts, wanted)[facts.dimensions.index.get_indexer(pd.Index(list(sample_ids)))]
    found = [sample_ids[place] for place in np.flatnonzero(kept).tolist()]
    text = wanted.text.casefold().strip()
    return [sample.id for sample in facts.each_of(found) if holds_text(searched_texts(sample), text)] if text else found


def _fits(facts: SampleFacts, wanted: SampleFilter) -> Bools:
    """Whether each sample of the run fits all parts of the filter but the text, (n,)."""
    frame = facts.dimensions
    require_dimensions(frame, [name for name, _ in wanted.levels])
    fits = np.ones(len(frame), dtype=np.bool_)
    if wanted.labels:
        others = UNLABELLED in wanted.labels
        named = [name for name, label in facts.labels.items() if (label in wanted.labels) != others]
        fits &= frame.index.isin(named) != others
    if wanted.decisions:
        fits &= facts.decisions is not None and _among(facts.decisions.reindex(frame.index), wanted.decisions)
    if wanted.flagged:
        fits &= frame.index.isin(list(facts.flagged))
    for name in dict.fromkeys(name for name, _ in wanted.levels):
        fits &= _among(frame[name], [level for other, level in wanted.levels if other == name])
    return fits


def _among(column: pd.Series[str], names: Sequence[str]) -> Bools:
    """Whether each value is one of these; each category is compared once."""
    coded = column.astype("category").cat
    known = coded.categories.astype("str").isin(names)
    return np.append(known, False)[coded.codes]  # the code is -1 where there is no value


def label_names(resolved: ConsensusLabels, *, picked: Iterable[LabelRecord] = ()) -> dict[str, str]:
    """The consensus level of each labelled sample by name, or "tie" where people disagree; "fail (picked)" where only a
    label of a picked sample says so, which enters no estimate."""
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
    run: Opened, criterion: Criterion | None, judged: Sequence[LabelRecord], predictions: pd.DataFrame | None
) -> SampleFacts:
    """The variables by which the samples of an opened run are filtered. `judged` are people's judgements on the
    criterion, `predictions` the table of `predict`, with or without sample ids for its index."""
    predicted = None
    if predictions is not None:
        frame = predictions if "sample_id" not in predictions else predictions.set_index("sample_id")
        predicted = frame["decision"]
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
