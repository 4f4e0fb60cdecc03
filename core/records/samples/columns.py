"""What is known of a run's samples besides their texts, column by column: each is read when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.records.samples.likely_trials import LikelyTrials
from core.types import Sample

LevelColumn = Literal[
    "test_case", "group", "variant_family", "variant_of", "answer_state", "language", "reference_kind"
]
NumberColumn = Literal[
    "trial",
    "expected",
    "variant_strength",
    "design_probability",
    "query_length",
    "answer_length",
    "context_length",
    "contexts",
    "retrieval_score",
]
"""Lengths are in words; `retrieval_score` is of the first context; NaN where a sample has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """A text of each of n samples: `codes` (n,) point into `names`, which differ; −1 where a sample has none."""

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
        """How many samples have each text, the most frequent first."""
        counted = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)).tolist()
        return dict(Counter(dict(zip(self.names, counted, strict=True))).most_common())

    @property
    def is_given(self) -> bool:
        """Whether any sample has one."""
        return bool((self.codes >= 0).any())


class SampleColumns(Protocol):
    """The columns of a run's samples, each of n values in the order of the run. No text is among them."""

    def ids(self) -> Sequence[str]:
        """The ids of the samples."""

    def levels(self, column: LevelColumn) -> Levels:
        """A column that holds few distinct texts, or names of other samples."""

    def numbers(self, column: NumberColumn) -> NDArray[np.float64]:
        """A column of numbers (n,)."""

    def dimension_names(self) -> Sequence[str]:
        """The dimensions that the run states, in the order in which they first appear."""

    def dimension(self, name: str) -> Levels:
        """The level of each sample in one of them."""

    def likely_trials(self) -> LikelyTrials | None:
        """Samples that look like several of one test case, though the run does not say that they are."""


class Ties(NamedTuple):
    """What says which other samples a sample depends on."""

    id: str
    test_case: str | None
    variant_of: str | None
    group: str | None


def ties_of(samples: Iterable[Sample]) -> Iterator[Ties]:
    """The ties of samples that are at hand."""
    for sample in samples:
        yield Ties(sample.id, sample.test_case, None if sample.variant is None else sample.variant.of, sample.group)


def ties_in(columns: SampleColumns) -> Iterator[Ties]:
    """The same of a run, without a text."""
    cases, origins, groups = (columns.levels(name).texts() for name in ("test_case", "variant_of", "group"))
    yield from map(Ties, columns.ids(), cases, origins, groups)
