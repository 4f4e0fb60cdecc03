"""From labels of several people and rules to one pass or fail a sample, joined with its scores and its split."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Bools, Floats, Ints, Names
from core.records.hashing import sha256_of_text
from core.statistics.partition import SPLITS, Split, assign_splits
from core.types import Criterion, Label

if TYPE_CHECKING:
    from core.scoring.score_table import ScoreTable

REFERENCE_RULE = "reference-rule"
"""Annotators whose name starts with it are rules. Their labels count only where no person labelled."""
ADJUDICATION = "adjudication by "
"""Annotators whose name starts with it decided over the labels of others. The latest decision alone counts."""

_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Consensus:
    """One label a sample, in order of first appearance, and how many samples were left out because people tied."""

    labels: tuple[Label, ...]
    ties: int


@dataclass(frozen=True, eq=False)
class ConsensusLabels:
    """The labels on one criterion and what they come to, one level a sample: made once, read by calibration, comparison
    and estimate alike.

    `sample_ids` (n,) in order of first appearance, with the `levels` (n,) that people give them and `weights` (n,), the
    inverse of the probabilities with which they were drawn; `ties` samples were left out. `label_texts` is what each
    label says, as one text, in sorted order.
    """

    criterion: Criterion
    labels: tuple[Label, ...]
    sample_ids: tuple[str, ...]
    levels: Ints
    weights: Floats
    ties: int
    label_texts: tuple[str, ...]

    @cached_property
    def hash(self) -> str:
        """`labels_hash` of the labels."""
        return _hash(self.label_texts)


Labels = Iterable[Label] | ConsensusLabels
"""Labels as they come, of any criterion, or what has been made of them already."""


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """What a calibration works on, one row a labelled and scored sample.

    `sample_ids` (n,) with the `positions` (n,) that they have in the scores and their test `cases` (n,); `X` is
    (n, metrics); `levels` (n,) the level that people give it and `passed` (n,) whether they pass it; `weights` (n,) the
    inverse of the probability with which it was drawn; `splits` (n,) which third it serves, by its place in `SPLITS`.
    `left_out` counts labelled samples by the reason why.
    """

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
        """The rows that serve this split."""
        return self.rows(self.splits == SPLITS.index(split))

    def rows(self, kept: Bools) -> LabelledScores:
        """The rows where `kept` (n,) is true."""
        return LabelledScores(
            sample_ids=self.sample_ids[kept],
            positions=self.positions[kept],
            cases=self.cases[kept],
            X=self.X[kept],
            levels=self.levels[kept],
            passed=self.passed[kept],
            weights=self.weights[kept],
            splits=self.splits[kept],
            left_out=self.left_out,
        )

    def without_unscored(self, scored: Bools) -> LabelledScores:
        """The rows where `scored` (n,) is true; the others are counted as unscored."""
        lost = int(np.sum(~scored))
        counted = {**self.left_out, "unscored": self.left_out["unscored"] + lost}
        return replace(self.rows(scored), left_out=counted) if lost else self

    @property
    def split_sizes(self) -> dict[str, int]:
        return dict(zip(SPLITS, np.bincount(self.splits, minlength=len(SPLITS)).tolist(), strict=True))

    @property
    def unequal_weights(self) -> Floats | None:
        """The weights where they differ; None where all are equal and so say nothing."""
        equal = len(self.weights) == 0 or float(self.weights.min()) == float(self.weights.max())
        return None if equal else self.weights


def consensus(labels: Iterable[Label], *, passing: int = 1) -> Consensus:
    """One label a sample, by majority of the current labels of people on pass (level ≥ `passing`) or fail.

    All labels are of one criterion and one run. An annotator's current label is the latest; of undated ones, the last
    in order. Where somebody adjudicated, the latest decision is the label. Where no person labelled, reference rules
    vote. Samples with a tie are left out and counted. The label returned is one of the winning side at its median level
    (the lower of two), with the largest probability of having been drawn that the sample's labels state.
    """
    held = tuple(labels)
    count = Counter([label.sample_id for label in held])
    if len(count) == len(held):
        return Consensus(held, ties=0)
    votes: dict[str, list[Label]] = {}
    for label in _current(label for label in held if count[label.sample_id] > 1):
        votes.setdefault(label.sample_id, []).append(label)
    decided = {label.sample_id: label for label in held if count[label.sample_id] == 1} | {
        sample_id: of_sample[0] if len(of_sample) == 1 else _majority(_entitled(of_sample), passing)
        for sample_id, of_sample in votes.items()
    }
    kept = tuple(found for sample_id in count if (found := decided[sample_id]) is not None)
    return Consensus(kept, ties=len(decided) - len(kept))


def resolve_labels(labels: Labels, criterion: Criterion, *, before: ConsensusLabels | None = None) -> ConsensusLabels:
    """The consensus of labels on this criterion as columns; what is judged already is given back as it is.

    `before` is what was made of the labels as they stood earlier: where all of them are there still, only those that
    came after are looked at, if they are on samples that nobody had labelled.
    """
    if isinstance(labels, ConsensusLabels):
        return labels
    on_criterion = tuple([label for label in labels if label.criterion == criterion.name])
    if before is not None and before.criterion == criterion and before.ties == 0:
        added = on_criterion[len(before.labels) :]
        fresh = {label.sample_id for label in added}.isdisjoint(before.sample_ids)
        if fresh and on_criterion[: len(before.labels)] == before.labels:
            return _joined(before, resolve_labels(added, criterion))
    agreed = consensus(on_criterion, passing=criterion.passing)
    return ConsensusLabels(
        criterion,
        on_criterion,
        tuple([label.sample_id for label in agreed.labels]),
        np.array([label.level for label in agreed.labels], dtype=np.intp),
        1 / np.array([label.probability for label in agreed.labels], dtype=np.float64),
        agreed.ties,
        tuple(sorted(map(_label_text, on_criterion))),
    )


def _joined(first: ConsensusLabels, second: ConsensusLabels) -> ConsensusLabels:
    """Two judgements on different samples as one."""
    label_texts = list(first.label_texts)
    for text in second.label_texts:
        insort(label_texts, text)
    return ConsensusLabels(
        first.criterion,
        first.labels + second.labels,
        first.sample_ids + second.sample_ids,
        np.append(first.levels, second.levels),
        np.append(first.weights, second.weights),
        first.ties + second.ties,
        tuple(label_texts),
    )


def join_scores(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    partial: bool = False,
    test_cases: Mapping[str, str] | None = None,
) -> LabelledScores:
    """The consensus on this criterion beside the scores; samples without a score on every metric are left out.

    With `partial`, one score suffices, and the others are NaN. Levels pass from `criterion.passing` on. `test_cases`
    map sample ids to test cases: trials of one serve the same split (a sample without one is its own).
    """
    judged = resolve_labels(labels, criterion)
    positions = positions_in(scores, judged)
    # A label without a sample has position −1: it picks the NaN that stands behind the last score.
    X = np.column_stack([np.append(scores.values(metric), np.nan)[positions] for metric in metrics])
    known, given = positions >= 0, np.isfinite(X)
    scored = known & (given.any(axis=1) if partial else given.all(axis=1))
    kept, levels = np.array(judged.sample_ids, dtype=np.object_)[scored], judged.levels[scored]
    cases = cases_of(kept, test_cases)
    return LabelledScores(
        sample_ids=kept,
        positions=positions[scored],
        cases=cases,
        X=np.where(given, X, np.nan)[scored],
        levels=levels,
        passed=levels >= criterion.passing,
        weights=judged.weights[scored],
        splits=assign_splits(cases),
        left_out={
            "tie": judged.ties,
            "not in the scores": int(np.sum(~known)),
            "unscored": int(np.sum(known & ~scored)),
        },
    )


def cases_of(sample_ids: Names, test_cases: Mapping[str, str] | None) -> Names:
    """The test case of each sample (n,); a sample without one is its own."""
    if not test_cases:
        return sample_ids
    ids = sample_ids.tolist()
    return np.array(list(map(test_cases.get, ids, ids)), dtype=np.object_)


@lru_cache(maxsize=2)  # calibration and estimate ask for the same
def positions_in(scores: ScoreTable, judged: ConsensusLabels) -> Ints:
    """The row of each judged sample in the scores, (n,); −1 where they do not have it. Not to be changed."""
    found = np.array(list(map(scores.row_of.get, judged.sample_ids, repeat(-1))), dtype=np.intp)
    found.flags.writeable = False
    return found


def labels_hash(labels: Iterable[Label]) -> str:
    """SHA-256 over what the labels say, whatever their order: 64 hexadecimal digits."""
    return _hash(sorted(map(_label_text, labels)))


def _label_text(label: Label) -> str:
    given = f"{label.sample_id}\0{label.criterion}\0{label.level}\0{label.annotator}"
    return f"{given}\0{label.run}\0{label.probability!r}"


def _hash(label_texts: Iterable[str]) -> str:
    return sha256_of_text("\n".join(label_texts))


def is_independent_annotator(annotator: str) -> bool:
    """Whether this is a person who judges for themselves: no rule, and no decision over the labels of others."""
    return not annotator.startswith((REFERENCE_RULE, ADJUDICATION))


def _current(labels: Iterable[Label]) -> Iterable[Label]:
    latest: dict[tuple[str, str], Label] = {}
    for label in labels:
        key = (label.sample_id, label.annotator)
        if key not in latest or labelled_at(label) >= labelled_at(latest[key]):
            latest[key] = label
    return latest.values()


def labelled_at(label: Label) -> datetime:
    """When the label was given; one without a time comes before all others, one without a zone is in UTC."""
    if label.at is None:
        return _EARLIEST
    return label.at if label.at.tzinfo is not None else label.at.replace(tzinfo=UTC)


def _entitled(votes: Sequence[Label]) -> Sequence[Label]:
    decided = [label for label in votes if label.annotator.startswith(ADJUDICATION)]
    if decided:
        latest = max(decided, key=labelled_at)
        return [latest._replace(probability=max(label.probability for label in votes))]
    people = [label for label in votes if not label.annotator.startswith(REFERENCE_RULE)]
    return people or votes


def _majority(votes: Sequence[Label], passing: int) -> Label | None:
    if len(votes) == 1:
        return votes[0]
    sides = Counter(label.level >= passing for label in votes)
    if sides[True] == sides[False]:
        return None
    winners = [label for label in votes if (label.level >= passing) == (sides[True] > sides[False])]
    winner = sorted(winners, key=lambda label: label.level)[(len(winners) - 1) // 2]
    return winner._replace(probability=max(label.probability for label in votes))
