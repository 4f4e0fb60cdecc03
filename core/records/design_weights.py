"""Design weights: the number of possible test cases that each sample of a run represents, for unequal probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.records.samples.by_sample import NumberBySample, SampleOrder
from hcat.core.types import Sample

PROBABILITY = "probability"
"""The key of a sample's metadata for the probability with which the design of a test set drew the case."""

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class DesignSummary:
    """The design of n samples.

    `without` is the number without a probability. If probabilities are `unequal`, they give weights, with the effective
    number `effective_n` of equally weighted samples (Kish)."""

    n: int
    without: int
    unequal: bool
    effective_n: float


def design_summary(probabilities: Mapping[str, float | None]) -> DesignSummary | None:
    """The summary of these probabilities; None if no sample states one."""
    if not probabilities:
        return None
    without = int(np.isnan(_column(probabilities)).sum())
    weighted = design_weights(probabilities)
    weights = [] if weighted is None else weighted.numbers.tolist()
    effective = sum(weights) ** 2 / sum(weight**2 for weight in weights) if weights else float(len(probabilities))
    return DesignSummary(len(probabilities), without, bool(weights), effective)


def design_probabilities(samples: Iterable[Sample]) -> dict[str, float]:
    """The probability in (0, 1] with which the design drew each sample's case, by id; only of samples that state it."""
    stated = {sample.id: stated_probability(sample) for sample in samples}
    return {name: value for name, value in stated.items() if value is not None}


def stated_probability(sample: Sample) -> float | None:
    """The same of one sample; None if it states none."""
    value = sample.metadata.get(PROBABILITY)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        return None
    return float(value)


def design_weights(probabilities: Mapping[str, float | None] | None) -> NumberBySample[float] | None:
    """The inverse probabilities of all samples by id; None if any lacks one, or all are equal.

    Only their ratios count. A sample without a probability was not drawn by the design, so that its weight is unknown:
    then none is weighted."""
    if not probabilities:
        return None
    drawn = _column(probabilities)
    if np.isnan(drawn).any() or drawn.max() <= drawn.min() * (1 + _EQUAL):
        return None
    order = probabilities.order if isinstance(probabilities, NumberBySample) else SampleOrder(tuple(probabilities))
    return NumberBySample(order, 1 / drawn)


def _column(probabilities: Mapping[str, float | None]) -> Floats:
    """The probabilities in their order, NaN for a missing one."""
    if isinstance(probabilities, NumberBySample):
        return probabilities.numbers
    return np.array(list(probabilities.values()), dtype=np.float64)
