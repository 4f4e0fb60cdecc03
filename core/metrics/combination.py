"""The learned combination of indicators of support: a logistic curve that never decreases with support."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.errors import ModelError
from hcat.core.records.hashing import sha256_of_files

COEFFICIENTS = Path(__file__).parent / "weights" / "combined.json"


@dataclass(frozen=True, slots=True)
class Term:
    """An input and its coefficient ≥ 0.

    Between `low` and `high` its contribution to the log-odds rises from 0 to the coefficient; outside, it is
    constant."""

    name: str
    low: float
    high: float
    coefficient: float

    def __post_init__(self) -> None:
        if not (self.coefficient >= 0 and self.low < self.high):
            raise ModelError(f"The combination is not monotone in {self.name!r}: fit its coefficients again.")

    def scaled(self, values: ArrayLike) -> NDArray[np.float64]:
        """The input on a scale from 0 (`low` or less) to 1 (`high` or more)."""
        return np.clip((np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Combination:
    """The score σ(intercept + Σ coefficient · scaled input).

    `entailment` is the SHA-256 of the model weights for whose outputs the coefficients were fitted; `revision`
    identifies the coefficients."""

    intercept: float
    terms: tuple[Term, ...]
    entailment: str
    revision: str = field(default="", compare=False)

    def score(self, inputs: Sequence[float]) -> float:
        """The score of one answer, strictly between 0 and 1; it never decreases in an input."""
        z = self.intercept + sum(self.contributions(inputs))
        return float((1.0 + np.tanh(z / 2)) / 2)

    def contributions(self, inputs: Sequence[float]) -> list[float]:
        """The contribution of each input in log-odds: from 0 to its coefficient."""
        return [term.coefficient * float(term.scaled(value)) for term, value in zip(self.terms, inputs, strict=True)]


def read_combination(file: Path, *, names: Sequence[str]) -> Combination:
    """The combination in a file. ModelError if it is missing, or is of other inputs than these names."""
    try:
        document = json.loads(file.read_text("utf-8"))
        terms = tuple(Term(**term) for term in document["terms"])
        combination = Combination(
            float(document["intercept"]), terms, str(document["entailment"]), sha256_of_files([file])
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The coefficients at {file} can't be read: install hcat again.") from error
    if [term.name for term in terms] != list(names):
        raise ModelError(f"The coefficients at {file} are of other inputs: fit them again with training/combined.py.")
    return combination


@cache
def packaged_combination() -> Combination:
    """The coefficients that come with hcat, read once."""
    from hcat.core.metrics.support_inputs import INPUTS

    return read_combination(COEFFICIENTS, names=[each.name for each in INPUTS])
