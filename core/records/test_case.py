"""Test cases: the query, the right answer, and its passages in the corpus."""

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
    """A query with its right answer. `passages` are the ids of those with the answer. An unanswerable query has none;
    its `nearest` passages show that the corpus does not answer it.

    `reference` is None if the right answer is to decline. `probability` is the inclusion probability in the sampling
    design, in (0, 1]. `generator` names the rule or model that wrote the case, `key_fact` the statement of the passage
    that it asks for. `overlap` is the share of the query's content words that its passages contain. `grades` are
    relevance grades of passages other than 1. `variant` and `expectation` are for cases made from another one."""

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
    """One test case per line, without fields that have their default; input of `hcat collect` and `hcat perturb`."""
    return "".join(json.dumps(record(case), ensure_ascii=False) + "\n" for case in cases)


def record(case: TestCase) -> dict[str, JsonValue]:
    """The case as a JSON object."""
    written = _CODEC.write_object(case)
    return {name: value for name, value in written.items() if value not in (None, [], {}, "") or name == "reference"}


def from_record(row: JsonValue, *, at: str = "") -> TestCase:
    """The inverse of `record`. Raises HcatError with the missing or wrong field and its place."""
    return _CODEC.read(TestCase, row, at=at)


def case_id(query: str, passages: Iterable[str] = ()) -> str:
    """A short id, equal for the same query over the same passages."""
    return sha256_of_text("\n".join([query, *passages]))[:12]


def as_sample(case: TestCase) -> Sample:
    """The case as a sample without an answer: the input of `hcat collect` and of its run."""
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
"""The type and difficulty of a case whose run does not record them."""


def cases_of(samples: Sequence[Sample]) -> tuple[TestCase, ...]:
    """The test cases of a run, each once regardless of trials, as far as `as_sample` recorded them; empty if no sample
    names its passages."""
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
