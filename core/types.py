"""The basic types of validation, as plain values. This module imports no other part of hcat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
"""Any JSON value: explanations, metadata and parameters consist of these."""

Finite = Annotated[float, "finite"]
"""A number that is never missing: documents may not write null for it, as they may for other numbers (NaN)."""

Direction = Literal["higher", "lower", "none"]
"""In which direction a metric improves; "none" if neither."""

LabelSource = Literal["person", "rule", "adjudication", "llm"]
"""The source of a label: a person, a rule, an adjudicator who decided on the labels of others, a language model."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: a retrieved context, or a part of the corpus. `score` is the retriever's."""

    id: str
    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """The derivation of a test case from another one, for paired robustness tests."""

    family: str
    of: str
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One query → retrieved contexts → answer: one trial of one test case.

    `contexts` are in rank order. `answer` is None if the system failed to answer. `expected` is the human expectation H
    in [0, 1]. Samples are sliced by their `dimensions`. `erased` says who had the texts erased, when and why; it then
    replaces each of them."""

    id: str
    query: str
    answer: str | None
    contexts: tuple[Passage, ...] = ()
    reference: str | None = None
    reference_contexts: tuple[str, ...] = ()
    relevant_ids: Mapping[str, int] = field(default_factory=dict)
    dimensions: Mapping[str, str] = field(default_factory=dict)
    test_case: str | None = None
    trial: int = 0
    group: str | None = None
    variant: Variant | None = None
    expected: float | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    erased: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's value on one sample, or the reason why there is none. Unscored is not zero."""

    value: float | None
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a score has either a value or a reason, never both and never neither")


@dataclass(frozen=True, slots=True)
class Criterion:
    """The property that people judge, on ordered levels from worst to best. Two levels make it binary.

    `passing` is the index of the lowest level that counts as a pass."""

    name: str
    levels: tuple[str, ...] = ("fail", "pass")
    guideline: str = ""
    guideline_version: int = 1
    passing: int = 1

    @property
    def is_binary(self) -> bool:
        return len(self.levels) == 2


class Label(NamedTuple):
    """One annotator's judgement of one sample on one criterion. A tuple, since thousands are built for each new label.

    `level` is an index into the criterion's levels. `probability` in (0, 1] is the sampling probability for labelling:
    fits and estimates weight by its inverse. `source` is the kind of annotator."""

    sample_id: str
    criterion: str
    level: int
    annotator: str = "unknown"
    run: str | None = None
    rationale: str | None = None
    at: datetime | None = None
    probability: float = 1.0
    guideline_version: int = 1
    source: LabelSource = "person"


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate for a population, with its interval and n. NaN bounds mean that n is too small for an interval."""

    value: float
    low: float
    high: float
    n: int
    level: float = 0.95
    method: str = ""


@dataclass(frozen=True, slots=True)
class Slice:
    """A set of samples defined by the levels of one or two dimensions."""

    dimension_1: str
    level_1: str
    dimension_2: str | None = None
    level_2: str | None = None

    @property
    def title(self) -> str:
        first = f"{self.dimension_1} = {self.level_1}"
        return first if self.dimension_2 is None else f"{first}, {self.dimension_2} = {self.level_2}"


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a task: `done` of `total` units of `stage`, and the `share` of all stages, if known."""

    stage: str
    done: int
    total: int
    share: float | None = None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One claim that a result can make, in one or several words, declared next to the function that decides it.

    `error` is the largest probability with which any result of one `family` makes the claim although it is false.
    `decides` names the function that chooses the word, `carried_by` the attribute in which readers see it; both as
    "module:name"."""

    name: str
    words: tuple[str, ...]
    claim: str
    error: float
    family: str
    decides: str
    carried_by: str
