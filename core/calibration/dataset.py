"""The consensus of labels joined with the scores: one pass or fail a sample, and its split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints, Names
from hcat.core.calibration.answer_scores import answer_scores, declined
from hcat.core.labelling.consensus import ConsensusLabels, Labels, resolve_labels
from hcat.core.records.samples.by_sample import LevelBySample
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.partition import SPLITS, Split, assign_splits
from hcat.core.types import Criterion

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """The data of a calibration, one row per labelled and scored sample.

    `sample_ids` (n,) with their `positions` (n,) in the scores and their test `cases` (n,); `X` is (n, metrics);
    `levels` (n,) the level that people give and `passed` (n,) whether it passes; `weights` (n,) the inverse sampling
    probability; `splits` (n,) the split, as an index in `SPLITS`. `left_out` counts labelled samples by the reason
    why."""

    sample_ids: Names
    positions: Ints
    cases: Names
    X: Floats
    levels: Ints
    passed: Bools
    weights: Floats
    splits: Ints
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.sample_ids)

    def part(self, split: Split) -> LabelledScores:
        """The rows of this split."""
        return self.rows(self.splits == SPLITS.index(split))

    def rows(self, kept: Bools) -> LabelledScores:
        """The rows where `kept` (n,) is true."""
        return self.at(np.flatnonzero(kept))  # which take faster than a mask

    def at(self, places: Ints) -> LabelledScores:
        """The rows at these positions, in their order."""
        return LabelledScores(
            sample_ids=(sample_ids := self.sample_ids[places]),
            positions=self.positions[places],
            cases=sample_ids if self.cases is self.sample_ids else self.cases[places],
            X=self.X[places],
            levels=self.levels[places],
            passed=self.passed[places],
            weights=self.weights[places],
            splits=self.splits[places],
            left_out=self.left_out,
        )

    def without_unscored(self, scored: Bools) -> LabelledScores:
        """The rows for which `scored` (n,) is true; the others are counted as unscored."""
        lost = int(np.sum(~scored))
        counted = {**self.left_out, "unscored": self.left_out["unscored"] + lost}
        return replace(self.rows(scored), left_out=counted) if lost else self

    def in_order_of_content(self, besides: Mapping[str, Floats]) -> LabelledScores:
        """The same rows sorted by content, so that no sum depends on the order of names.

        By score, level, weight, and further scores of the run (N,), `besides`."""
        keys = (*(column[self.positions] for column in besides.values()), self.weights, self.levels, *self.X.T)
        return self.at(np.lexsort(keys))

    @property
    def clusters(self) -> Codes | None:
        """The number of each sample's case (n,), from 0; None if no case has two samples."""
        return None if self.cases is self.sample_ids else case_codes(self.cases)

    @property
    def split_sizes(self) -> dict[str, int]:
        return dict(zip(SPLITS, np.bincount(self.splits, minlength=len(SPLITS)).tolist(), strict=True))

    @property
    def unequal_weights(self) -> Floats | None:
        """The weights if they differ; None if all are equal and so have no effect."""
        equal = len(self.weights) == 0 or float(self.weights.min()) == float(self.weights.max())
        return None if equal else self.weights


def join_scores(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    partial: bool = False,
    test_cases: Mapping[str, str] | None = None,
) -> LabelledScores:
    """The consensus on this criterion joined with the scores, without samples that lack a score on some metric.

    Answers that decline are left out, too, if a metric judges answers (see `declined`). With `partial`, one score
    suffices, and the others are NaN. Levels pass from `criterion.passing` on. `test_cases` map sample ids to test
    cases: trials of one are in the same split (a sample without one is its own)."""
    judged = resolve_labels(labels, criterion)
    positions = positions_in(scores, judged)
    known = positions >= 0
    X = answer_scores(scores, metrics)[positions]
    X[~known] = np.nan
    refused = declined(scores, metrics)[positions] & known
    given = np.isfinite(X)
    scored = known & (given.any(axis=1) if partial else given.all(axis=1))
    kept, levels = np.array(judged.sample_ids, dtype=np.object_)[scored], judged.levels[scored]
    cases = cases_of(kept, test_cases)
    return LabelledScores(
        sample_ids=kept,
        positions=positions[scored],
        cases=cases,
        X=X[scored],
        levels=levels,
        passed=levels >= criterion.passing,
        weights=judged.weights[scored],
        splits=assign_splits(cases),
        left_out={
            "tie": judged.ties,
            "not in the scores": int(np.sum(~known)),
            "unscored": int(np.sum(known & ~scored & ~refused)),
            **({} if scores.answer_states is None else {"refusal": int(np.sum(refused))}),
            **({"labelled by a language model only": judged.llm_only} if judged.llm_only else {}),
        },
    )


def weights_of_run(data: LabelledScores, inclusion: Mapping[str, float] | None) -> dict[str, float]:
    """The weight of each sample of the run by id, the inverse of its sampling probability.

    Empty if it is not known for all samples, does not agree with the labels' own weights, or is the same for all
    labels."""
    if not inclusion or data.unequal_weights is None or min(inclusion.values()) <= 0:
        return {}
    weights = {sample_id: 1 / probability for sample_id, probability in inclusion.items()}
    stated = np.array([weights.get(sample_id, np.nan) for sample_id in data.sample_ids.tolist()])
    return weights if np.allclose(stated, data.weights, rtol=1e-6) else {}


def cases_of(sample_ids: Names, test_cases: Mapping[str, str] | None) -> Names:
    """The test case of each sample (n,); a sample without one is its own."""
    if not test_cases:
        return sample_ids
    ids = sample_ids.tolist()
    if isinstance(test_cases, LevelBySample):
        stated = test_cases.at(ids).texts()
        cases = [name if case is None else case for name, case in zip(ids, stated, strict=True)]
    else:
        cases = list(map(test_cases.get, ids, ids))
    return sample_ids if cases == ids else np.array(cases, dtype=np.object_)


@lru_cache(maxsize=2)  # calibration and estimate ask for the same
def positions_in(scores: ScoreTable, judged: ConsensusLabels) -> Ints:
    """The row of each judged sample in the scores, (n,); −1 if it is not there.

    Callers must not modify the array."""
    found = scores.order.rows(judged.sample_ids).copy()
    found.flags.writeable = False
    return found
