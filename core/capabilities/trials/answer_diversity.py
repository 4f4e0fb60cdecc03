"""Diversity of the answers to one test case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.records.codec import Codec
from hcat.core.records.layout import JsonObject, Key
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class CaseDiversity:
    """The answers to one test case by meaning: number of kinds, share of the largest, entropy in bits.

    `evenness` is the entropy as a share of the most that this many trials can have: 0 all alike, 1 all different. NaN
    for a single trial."""

    test_case: str
    trials: int
    kinds: int
    largest: float
    entropy: float
    evenness: float


@dataclass(frozen=True, slots=True)
class AnswerDiversity:
    """The diversity of every test case, and means over test cases with two trials or more. n counts those test
    cases."""

    cases: tuple[CaseDiversity, ...]
    largest: Estimate
    entropy: Estimate
    evenness: Estimate

    def document(self) -> JsonObject:
        """The part `scatter` of `hcat trials --json`."""
        return _DOCUMENT.write_object(self)


_DOCUMENT = Codec(
    {
        AnswerDiversity: ("largest", "entropy", "evenness", Key("test_cases", "cases")),
        CaseDiversity: ("test_case", "kinds", "largest", "entropy"),
    }
)


def answer_diversity(kinds: Sequence[str], test_cases: Sequence[str], *, level: float = 0.95) -> AnswerDiversity:
    """Diversity of answers, from the semantic cluster and the test case of each trial (T,).

    Names of clusters need to be distinct within a test case only. Entropy is that of the observed shares, which is
    biased down for few trials. Means are over test cases. PROB 1 (ten answers of 10 % each: 3.32 bits, evenness 1 of
    ten)."""
    names, clusters = np.asarray(test_cases, dtype=np.str_), np.asarray(kinds, dtype=np.str_)
    if names.shape != clusters.shape:
        raise HcatError("every trial needs the cluster of its answer and the name of its test case")
    cases = []
    for case in np.unique(names):
        counts = np.unique(clusters[names == case], return_counts=True)[1]
        trials = int(counts.sum())
        shares = counts / trials
        entropy = max(0.0, -float(shares @ np.log2(shares)))
        evenness = entropy / math.log2(trials) if trials > 1 else math.nan
        cases.append(CaseDiversity(str(case), trials, len(counts), float(shares.max()), entropy, evenness))
    repeated = [case for case in cases if case.trials > 1]
    most = math.log2(max((case.trials for case in repeated), default=2))
    return AnswerDiversity(
        cases=tuple(cases),
        largest=mean_interval([case.largest for case in repeated], level=level, within=(0.0, 1.0)),
        entropy=mean_interval([case.entropy for case in repeated], level=level, within=(0.0, most)),
        evenness=mean_interval([case.evenness for case in repeated], level=level, within=(0.0, 1.0)),
    )
