"""The nouns of validation, as plain values. This module imports nothing of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
"""What JSON can hold: explanations, metadata and parameters are made of it."""

Finite = Annotated[float, "finite"]
"""A number that is always there: documents may not hold null for it, as they may for other numbers (NaN)."""

Direction = Literal["higher", "lower", "none"]
"""Which way a metric is better; "none" where neither is."""

LabelSource = Literal["person", "rule", "adjudication", "llm"]
"""Who gave a label: a person of their own, a rule, a person who decided over the labels of others, a language model."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: a retrieved context, or a part of the corpus. `score` is the retriever's own."""

    id: str
    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """How a test case was changed from another one, for paired robustness tests."""

    family: str
    of: str
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One query → retrieved contexts → answer: one trial of one test case.

    `contexts` are in rank order. `answer` is None where the system failed to answer.
    `expected` is the human expectation H in [0, 1]. `dimensions` are what samples are sliced by. `erased` says who had
    the texts erased, when and why: then it stands in place of each of them.
    """

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
    """A metric's value on one sample, or the reason there is none. Unscored is not zero."""

    value: float | None
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a score has either a value or a reason, never both and never neither")


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a person judges, on ordered levels from worst to best. Two levels make it binary.

    `passing` is the index of the lowest level that counts as a pass.
    """

    name: str
    levels: tuple[str, ...] = ("fail", "pass")
    guideline: str = ""
    guideline_version: int = 1
    passing: int = 1

    @property
    def is_binary(self) -> bool:
        return len(self.levels) == 2


class Label(NamedTuple):
    """One annotator's judgement of one sample on one criterion. Thousands are made after each new one: so, a tuple.

    `level` indexes the criterion's levels. `probability` is the one with which the sample was drawn for labelling,
    in (0, 1]: fits and estimates weight by its inverse. `source` is what kind of annotator this is.
    """

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
    """A number that stands for a population, with its interval and n. NaN bounds mean that n is too small for any."""

    value: float
    low: float
    high: float
    n: int
    level: float = 0.95
    method: str = ""


@dataclass(frozen=True, slots=True)
class Slice:
    """A set of samples given by the levels of one or two dimensions."""

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
    """How far long work has come: `done` of `total` units of `stage`, and which `share` of all stages, where known."""

    stage: str
    done: int
    total: int
    share: float | None = None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One claim that a result can make, in one or several words, declared beside the function that decides it.

    `error` is the largest probability with which any result of one `family` makes the claim although it is false.
    `decides` names the function that chooses the word, `carried_by` the attribute in which people meet it; both as
    "module:name".
    """

    name: str
    words: tuple[str, ...]
    claim: str
    error: float
    family: str
    decides: str
    carried_by: str
