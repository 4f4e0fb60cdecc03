"""Sentence weights stated in the run file: the importance of a sentence of the query or answer, or of a context.

(HCAT 3.1 to 3.4) `metadata["query_weights"]` has a number for each sentence of the query, `metadata["answer_weights"]`
one for each of the answer, `metadata["context_weights"]` one for each context, which applies to all of its sentences.
They are at least 0 and not all 0; their scale does not matter."""

from __future__ import annotations

import json
import math
from typing import Literal

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.metrics.sample_view import SampleView
from hcat.core.text import tokens
from hcat.core.types import JsonValue

Weighted = Literal["query", "answer", "contexts"]

FIELDS: dict[Weighted, str] = {"query": "query_weights", "answer": "answer_weights", "contexts": "context_weights"}


class StatedWeightsError(ValueError):
    """Weights that do not fit the sample; the message is the reason why the sample is unscored."""


def stated_weights(sample: SampleView, part: Weighted) -> Floats | None:
    """The weight of each sentence of the part (n,); None if the run file states none.

    Raises StatedWeightsError if they are not valid weights, or if the number of sentences or contexts differs."""
    field = FIELDS[part]
    value = sample.sample.metadata.get(field)
    if value is None or value == "":
        return None
    weights = _numbers(value, field)
    places = [placed.rank for placed in sample.parts[part]] if part == "contexts" else range(len(sample.parts[part]))
    expected = len(sample.sample.contexts) if part == "contexts" else len(places)
    if len(weights) != expected:
        what = "contexts" if part == "contexts" else f"sentences of the {part}"
        raise StatedWeightsError(f"{field} has {len(weights)} weights; {what}: {expected}")
    by_sentence = np.array([weights[place or 0] for place in places], dtype=np.float64)
    if not by_sentence.any():
        raise StatedWeightsError(f"{field} are all 0")
    return by_sentence


def stated_or_by_length(sample: SampleView, part: Literal["query", "answer"]) -> tuple[Floats, str]:
    """The weight of each sentence of the part (n,) and its origin: stated, else its length in tokens.

    Raises StatedWeightsError as `stated_weights` does, and if no sentence has a word."""
    stated = stated_weights(sample, part)
    if stated is not None:
        return stated, "stated in the run file"
    counts = np.array([len(tokens(placed.sentence.text)) for placed in sample.parts[part]], dtype=np.float64)
    if not counts.any():
        raise StatedWeightsError("no words in the query" if part == "query" else "no words in the answer")
    return counts, "length in tokens"


def _numbers(value: JsonValue, field: str) -> list[float]:
    """The weights from a list, or from the text of one, as in CSV files."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, list) or not all(_is_number(weight) for weight in value):
        raise StatedWeightsError(f"{field} is not a list of numbers")
    weights = [float(weight) for weight in value if isinstance(weight, int | float)]
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise StatedWeightsError(f"{field} has a weight below 0, or one that is no finite number")
    return weights


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
