"""The columns of samples that are at hand, and what is measured of the texts and metadata of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.records.design_weights import stated_probability
from hcat.core.records.query_types import query_type_of
from hcat.core.records.samples.columns import LevelColumn, Levels, NumberColumn, Retrieved, retrieved_of
from hcat.core.records.samples.erased import level_before, measured_before
from hcat.core.records.samples.likely_trials import LikelyTrials, likely_trials
from hcat.core.records.stated import people_of_origin, stated_expectation, stated_people
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.bare_texts import bare_kind, reference_kind
from hcat.core.scoring.domain import first_form, kind_of_text
from hcat.core.scoring.languages import language_of_sample
from hcat.core.text import sentences, tokens
from hcat.core.types import JsonValue, Sample

MEASURES_VERSION = 4
"""Version stored with the columns. It must be raised by whoever changes what LEVELS, NUMBERS or `retrieved_of` say of a
text, such as a rule on refusals: stored runs are then measured again."""
ERASED = "erased"
_NOBODY = (None, None)


def _words(text: str) -> int:
    return len(text.split())


def _context_length(sample: Sample) -> float | None:
    return sum(_words(context.text) for context in sample.contexts) if sample.contexts else None


def _retrieval_score(sample: Sample) -> float | None:
    """Retrieval score of the first context: contexts come in rank order, while a score may be a similarity or a
    distance."""
    return sample.contexts[0].score if sample.contexts else None


def _answer_tokens(sample: Sample) -> float | None:
    """Number of tokens as the metric `answer_length` counts: None where there is no answer, an empty one, or its text
    is erased."""
    if sample.answer is None or sample.erased is not None or not sentences(sample.answer):
        return None
    return len(tokens(sample.answer))


def _query_type(sample: Sample) -> str | None:
    """The type of the query by its wording; as it was before where the text is erased."""
    return query_type_of(sample.query) if sample.erased is None else level_before(sample, "query_type")


def _of_attack(sample: Sample, what: str) -> str | None:
    """A stated or measured property of an attack or its control; None for any other sample."""
    if "attack" not in sample.metadata:
        return None
    from hcat.core.attack_detectors import attack_measures

    return attack_measures(sample).get(what)


def _of_text(name: str, measure: Callable[[Sample], float | None]) -> Callable[[Sample], float | None]:
    """A measure of a text, with its earlier value where the text is erased."""

    def measured_of(sample: Sample) -> float | None:
        if sample.erased is None:
            return measure(sample)
        before = measured_before(sample, name)
        return float(before) if isinstance(before, int | float) else None

    return measured_of


def measures_of(sample: Sample) -> dict[str, JsonValue]:
    """All that is measured of a sample's texts."""
    levels: tuple[LevelColumn, ...] = ("answer_state", "language", "query_type", "reference_kind")
    numbers: tuple[NumberColumn, ...] = ("query_length", "answer_length", "context_length")
    said: dict[str, JsonValue] = {name: LEVELS[name](sample) for name in levels}
    return said | {name: NUMBERS[name](sample) for name in numbers}


LEVELS: dict[LevelColumn, Callable[[Sample], str | None]] = {
    "test_case": lambda sample: sample.test_case,
    "group": lambda sample: sample.group,
    "variant_family": lambda sample: None if sample.variant is None else sample.variant.family,
    "variant_of": lambda sample: None if sample.variant is None else sample.variant.of,
    "answer_state": answer_state,
    "language": language_of_sample,
    "query_type": _query_type,
    "reference_kind": reference_kind,
    "answer_kind": lambda sample: bare_kind(sample.answer or ""),
    "contexts_form": lambda sample: first_form(context.text for context in sample.contexts),
    "answer_form": lambda sample: kind_of_text(sample.answer or ""),
    "reference_form": lambda sample: kind_of_text(sample.reference or ""),
    "expectation": stated_expectation,
    "attribute": lambda sample: (stated_people(sample) or _NOBODY)[0],
    "people": lambda sample: (stated_people(sample) or _NOBODY)[1],
    "people_of_origin": people_of_origin,
    "attack_family": lambda sample: _of_attack(sample, "family"),
    "attack_arm": lambda sample: _of_attack(sample, "arm"),
    "attack_seed": lambda sample: _of_attack(sample, "seed"),
    "attack_detector": lambda sample: _of_attack(sample, "detector"),
    "attack_outcome": lambda sample: _of_attack(sample, "outcome"),
    "planted_passage": lambda sample: _of_attack(sample, "planted"),
    "erased": lambda sample: None if sample.erased is None else ERASED,
}
NUMBERS: dict[NumberColumn, Callable[[Sample], float | None]] = {
    "trial": lambda sample: sample.trial,
    "expected": lambda sample: sample.expected,
    "variant_strength": lambda sample: None if sample.variant is None else sample.variant.strength,
    "design_probability": stated_probability,
    "query_length": _of_text("query_length", lambda sample: _words(sample.query)),
    "answer_length": _of_text("answer_length", lambda sample: None if sample.answer is None else _words(sample.answer)),
    "answer_tokens": _answer_tokens,
    "context_length": _of_text("context_length", _context_length),
    "contexts": lambda sample: len(sample.contexts),
    "retrieval_score": _retrieval_score,
}


@dataclass(frozen=True, slots=True)
class ColumnsOfSamples:
    """The columns of these samples."""

    samples: Iterable[Sample]

    def ids(self) -> list[str]:
        return [sample.id for sample in self.samples]

    def levels(self, column: LevelColumn) -> Levels:
        return Levels.of(map(LEVELS[column], self.samples))

    def numbers(self, column: NumberColumn) -> NDArray[np.float64]:
        return measured(self.samples, column)

    def dimension_names(self) -> list[str]:
        return list(dict.fromkeys(name for sample in self.samples for name in sample.dimensions))

    def dimension(self, name: str) -> Levels:
        return Levels.of(sample.dimensions.get(name) for sample in self.samples)

    def retrieved(self) -> Iterator[Retrieved]:
        return map(retrieved_of, self.samples)

    def likely_trials(self) -> LikelyTrials | None:
        return likely_trials(self.samples)


def measured(samples: Iterable[Sample], column: NumberColumn) -> NDArray[np.float64]:
    """A column of numbers (n,) of these samples; NaN where one has none."""
    values = map(NUMBERS[column], samples)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
