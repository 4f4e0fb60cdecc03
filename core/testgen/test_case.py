"""Test cases: what is asked, what a right answer is, and where in the corpus it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, cast

from hcat.core.records.codec import Codec
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import JsonValue, Sample, Variant

QueryType = Literal["simple factual", "multi-hop", "inference", "yes/no", "multiple choice", "open", "unanswerable"]
Difficulty = Literal["easy", "medium", "hard"]
Expectation = Literal["stay", "change", "refuse"]

_CODEC = Codec()


@dataclass(frozen=True, slots=True)
class TestCase:
    """A query with its right answer. `passages` are the ids of those that hold the answer, none for an unanswerable
    query, whose `nearest` passages show that the corpus does not answer it.

    `reference` is None where the right answer is to decline. `probability` is the one with which the sampling design
    drew the case, in (0, 1]. `generator` says which rule or model wrote it, `key_fact` which statement of the passage
    it asks for. `overlap` is the share of the query's content words that its passages hold. `grades` tell how relevant
    each passage is where that differs from 1. `variant` and `expectation` are of cases that were made from another one.
    """

    __test__: ClassVar[bool] = False

    id: str
    query: str
    reference: str | None = None
    passages: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    topic: str | None = None
    type: QueryType = "simple factual"
    difficulty: Difficulty = "medium"
    style: str = "neutral"
    options: tuple[str, ...] = ()
    probability: float | None = None
    generator: str = ""
    key_fact: str = ""
    overlap: float | None = None
    group: str | None = None
    grades: Mapping[str, int] = field(default_factory=dict)
    variant: Variant | None = None
    expectation: Expectation | None = None
    dimensions: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


def test_cases_jsonl(cases: Iterable[TestCase]) -> str:
    """One test case a line, without the fields that hold their default: `hcat collect` and `hcat perturb` read it."""
    return "".join(json.dumps(record(case), ensure_ascii=False) + "\n" for case in cases)


def record(case: TestCase) -> dict[str, JsonValue]:
    """The case as a JSON object."""
    written = _CODEC.write_object(case)
    return {name: value for name, value in written.items() if value not in (None, [], {}, "") or name == "reference"}


def from_record(row: JsonValue, *, at: str = "") -> TestCase:
    """The inverse of `record`; raises an HcatError that names what is missing or of another type, and where."""
    return _CODEC.read(TestCase, row, at=at)


def case_id(query: str, passages: Iterable[str] = ()) -> str:
    """A short id that the same query over the same passages has again."""
    return sha256_of_text("\n".join([query, *passages]))[:12]


def as_sample(case: TestCase) -> Sample:
    """The case as a sample that nobody has answered yet: what `hcat collect` asks, and what its run holds."""
    dimensions = {"query_type": case.type, "difficulty": case.difficulty, "style": case.style, **case.dimensions}
    if case.topic is not None:
        dimensions["topic"] = case.topic
    metadata: dict[str, JsonValue] = {
        "probability": case.probability,
        "generator": case.generator,
        "key_fact": case.key_fact,
        "passages": list(case.passages),
        "expectation": case.expectation,
        **case.metadata,
    }
    return Sample(
        id=case.id,
        query=case.query,
        answer=None,
        reference=case.reference,
        relevant_ids={passage: case.grades.get(passage, 1) for passage in case.passages},
        dimensions=dimensions,
        test_case=case.id,
        group=case.group,
        variant=case.variant,
        metadata={name: value for name, value in metadata.items() if value not in (None, "", [])},
    )


UNKNOWN = "(none)"
"""The type and difficulty of a case whose run does not say them."""


def cases_of(samples: Sequence[Sample]) -> tuple[TestCase, ...]:
    """The test cases that a run asked, each once whatever its trials: what `as_sample` wrote of passages, topic, type
    and difficulty. None where no sample names its passages."""
    first = {sample.test_case or sample.id: sample for sample in reversed(samples)}
    cases = tuple(_case_of(name, sample) for name, sample in reversed(first.items()))
    return cases if any(case.passages for case in cases) else ()


def _case_of(name: str, sample: Sample) -> TestCase:
    levels, passages = dict(sample.dimensions), sample.metadata.get("passages")
    return TestCase(
        id=name,
        query=sample.query,
        reference=sample.reference,
        passages=tuple(map(str, passages)) if isinstance(passages, list) else (),
        topic=levels.pop("topic", None),
        type=cast("QueryType", levels.pop("query_type", UNKNOWN)),
        difficulty=cast("Difficulty", levels.pop("difficulty", UNKNOWN)),
        variant=sample.variant,
        dimensions=levels,
    )
