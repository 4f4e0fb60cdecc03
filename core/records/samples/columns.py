"""Columns of a run's samples without their texts: each is read on demand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.records.samples.likely_trials import LikelyTrials
from hcat.core.types import Sample

LevelColumn = Literal[
    "test_case",
    "group",
    "variant_family",
    "variant_of",
    "answer_state",
    "language",
    "query_type",
    "reference_kind",
    "answer_kind",
    "contexts_form",
    "answer_form",
    "reference_form",
    "expectation",
    "attribute",
    "people",
    "people_of_origin",
    "attack_family",
    "attack_arm",
    "attack_seed",
    "attack_detector",
    "attack_outcome",
    "planted_passage",
    "erased",
]
"""`hcat.core.slices.sample_columns` describes their contents."""
NumberColumn = Literal[
    "trial",
    "expected",
    "variant_strength",
    "design_probability",
    "query_length",
    "answer_length",
    "answer_tokens",
    "context_length",
    "contexts",
    "retrieval_score",
]
"""Lengths are in words; `retrieval_score` is of the first context; NaN for a sample without one."""


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """A text of each of n samples: `codes` (n,) are indexes of `names`, which are distinct; −1 for a sample without
    one."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> Levels:
        """These texts, one a sample in order, names in the order in which they first appear."""
        code_of: dict[str, int] = {}
        codes = [-1 if text is None else code_of.setdefault(text, len(code_of)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), tuple(code_of))

    def texts(self) -> list[str | None]:
        """The text of each sample in order."""
        names = (*self.names, None)  # −1 points to the last
        return [names[code] for code in self.codes.tolist()]

    def counts(self) -> dict[str, int]:
        """The number of samples with each text, the most frequent first."""
        counted = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)).tolist()
        return dict(Counter(dict(zip(self.names, counted, strict=True))).most_common())

    @property
    def is_given(self) -> bool:
        """Whether any sample has one."""
        return bool((self.codes >= 0).any())


class Retrieved(NamedTuple):
    """The retrieved passages of a sample.

    The ids of its contexts and of the candidates that they were chosen from, in rank order, and the grades of passages
    by id. Candidates are None if the run does not state them."""

    id: str
    contexts: tuple[str, ...]
    grades: Mapping[str, int]
    candidates: tuple[str, ...] | None


def retrieved_of(sample: Sample) -> Retrieved:
    """The retrieved passages of a sample; its candidates are in its metadata."""
    candidates = sample.metadata.get("candidates")
    return Retrieved(
        sample.id,
        tuple(context.id for context in sample.contexts),
        sample.relevant_ids,
        tuple(map(str, candidates)) if isinstance(candidates, list) else None,
    )


class SampleColumns(Protocol):
    """The columns of a run's samples, each of n values in the order of the run. No text is among them."""

    def ids(self) -> Sequence[str]:
        """The ids of the samples."""

    def levels(self, column: LevelColumn) -> Levels:
        """A column with few distinct texts, or with names of other samples."""

    def numbers(self, column: NumberColumn) -> NDArray[np.float64]:
        """A column of numbers (n,)."""

    def dimension_names(self) -> Sequence[str]:
        """The dimensions of the run, in the order in which they first appear."""

    def dimension(self, name: str) -> Levels:
        """The level of each sample in one of them."""

    def retrieved(self) -> Iterator[Retrieved]:
        """The retrieved passages of each sample, by ids."""

    def likely_trials(self) -> LikelyTrials | None:
        """Samples that look like several of one test case, though the run does not say so."""


class Trial(NamedTuple):
    """The test case of which a sample is a trial, and its expected score by people."""

    id: str
    test_case: str | None
    expected: float | None


def trials_in(columns: SampleColumns) -> list[Trial]:
    """The samples of a run as trials, without a text."""
    known = [None if math.isnan(value) else value for value in columns.numbers("expected").tolist()]
    return list(map(Trial, columns.ids(), columns.levels("test_case").texts(), known))


class Ties(NamedTuple):
    """The fields of a sample that link it to others."""

    id: str
    test_case: str | None
    variant_of: str | None
    group: str | None


def ties_of(samples: Iterable[Sample]) -> Iterator[Ties]:
    """The links of samples in memory."""
    for sample in samples:
        yield Ties(sample.id, sample.test_case, None if sample.variant is None else sample.variant.of, sample.group)


def ties_in(columns: SampleColumns) -> Iterator[Ties]:
    """The same of a run, without a text."""
    cases, origins, groups = (columns.levels(name).texts() for name in ("test_case", "variant_of", "group"))
    yield from map(Ties, columns.ids(), cases, origins, groups)
