"""Evidence on language models that judge, and on classifiers of tone, for a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.capabilities.judges.against_people import JudgeAgreement
from hcat.core.capabilities.judges.manipulations import ScoreBias
from hcat.core.capabilities.safety.tone import ToneFlags
from hcat.core.capabilities.safety.toxicity_functions import FunctionalityTable
from hcat.core.records.judging import JudgeFacts


@dataclass(frozen=True, slots=True)
class JudgedCriterion:
    """Number of samples out of `n` that a judge scored on a criterion of its rubric, and reasons for the others.
    `beside` is its agreement with the labels on each criterion of the project."""

    name: str
    n: int
    unscored: Mapping[str, int]
    beside: Mapping[str, JudgeAgreement]

    @property
    def scored(self) -> int:
        return self.n - sum(self.unscored.values())


@dataclass(frozen=True, slots=True)
class JudgeEvidence:
    """One judge on one run: its newest judgement of all samples and newest check for bias; either may be missing."""

    run: str
    judge: str
    judged: JudgeFacts | None
    criteria: tuple[JudgedCriterion, ...] = ()
    checked: JudgeFacts | None = None
    biases: ScoreBias | None = None


@dataclass(frozen=True, slots=True)
class ToneEvidence:
    """Results of a classifier on the tone of one run's answers, and its accuracy on texts with known answers. The
    latter is None where that was not measured, as for a custom classifier."""

    run: str
    flags: tuple[ToneFlags, ...]
    functions: FunctionalityTable | None
