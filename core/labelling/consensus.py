"""Resolves the labels of several annotators to one per sample, with a hash of the labels behind it."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import Criterion, Label, LabelSource

_EARLIEST = datetime.min.replace(tzinfo=UTC)
_HASH_VERSION = "v2:"


@dataclass(frozen=True, slots=True)
class Consensus:
    """One label per sample, in order of first appearance, and the number of samples left out because of ties."""

    labels: tuple[Label, ...]
    ties: int


@dataclass(frozen=True, eq=False)
class ConsensusLabels:
    """The labels on one criterion and their consensus, one level per sample.

    Computed once, for calibration, comparison and estimate alike. `sample_ids` (n,) in order of first appearance, with
    their `levels` (n,) by people and `weights` (n,), the inverse sampling probabilities. `ties` samples were left out,
    and so were `llm_only` ones that only language models labelled. `label_texts` has each deciding label as one text,
    in sorted order."""

    criterion: Criterion
    labels: tuple[Label, ...]
    sample_ids: tuple[str, ...]
    levels: Ints
    weights: Floats
    ties: int
    llm_only: int
    label_texts: tuple[str, ...]

    @cached_property
    def hash(self) -> str:
        """`labels_hash` of the labels."""
        return _hash(self.label_texts)


Labels = Iterable[Label] | ConsensusLabels
"""Labels of any criterion, or their consensus."""


def consensus(labels: Iterable[Label], *, passing: int = 1) -> Consensus:
    """One label per sample, by majority of the current labels of people on pass (level ≥ `passing`) or fail.

    All labels are of one criterion and one run; `deciding_labels` says which are current. An adjudication overrides the
    others. If no person labelled, rules vote. Language models never do: a judge is measured against labels, and gives
    none. Samples with a tie are left out and counted. The returned label is one of the winning side at its median level
    (the lower of two). Its sampling probability is the largest of those that vote, or under an adjudication of all
    labels of the sample."""
    return _agreed(deciding_labels(labels), passing)


def deciding_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels that determine a consensus: the current one of each annotator on each sample and criterion.

    The latest is current; of undated ones, and of equally late ones, the last in order. Of adjudications the latest is,
    by anybody. Labels of language models are left out."""
    counted = tuple([label for label in labels if label.source != "llm"])
    if len({label.sample_id for label in counted}) == len(counted):
        return counted
    current: dict[tuple[str, str, LabelSource, str], Label] = {}
    for label in counted:
        annotator = "" if label.source == "adjudication" else label.annotator
        key = (label.criterion, label.sample_id, label.source, annotator)
        earlier = current.get(key)
        if earlier is None or labelled_at(label) >= labelled_at(earlier):
            current[key] = label
    return tuple(current.values())


def resolve_labels(labels: Labels, criterion: Criterion, *, before: ConsensusLabels | None = None) -> ConsensusLabels:
    """The consensus of labels on this criterion as columns; one that is resolved already is returned unchanged.

    `before` is the consensus of the earlier labels: if all of them are unchanged, only later ones are processed,
    provided they are on samples without labels."""
    if isinstance(labels, ConsensusLabels):
        return labels
    given = tuple(labels)
    if before is not None and before.criterion == criterion and before.ties == before.llm_only == 0:
        known = len(before.labels)
        stand = given[:known] == before.labels
        if not stand:  # labels on other criteria may be among them
            given = _on_criterion(given, criterion)
            stand = given[:known] == before.labels
        if stand:
            added = _on_criterion(given[known:], criterion)
            if {label.sample_id for label in added}.isdisjoint(before.sample_ids):
                return _joined(before, resolve_labels(added, criterion)) if added else before
    on_criterion = _on_criterion(given, criterion)
    deciding = deciding_labels(on_criterion)
    agreed = _agreed(deciding, criterion.passing)
    return ConsensusLabels(
        criterion,
        on_criterion,
        tuple([label.sample_id for label in agreed.labels]),
        np.array([label.level for label in agreed.labels], dtype=np.intp),
        1 / np.array([label.probability for label in agreed.labels], dtype=np.float64),
        agreed.ties,
        len({label.sample_id for label in on_criterion}) - len(agreed.labels) - agreed.ties,
        tuple(sorted(map(_label_text, deciding))),
    )


def labels_hash(labels: Iterable[Label]) -> str:
    """ "v2:" and the SHA-256, as 64 hexadecimal digits, of the labels behind the consensus.

    Labels of one hash have one consensus, in any order. It is over `deciding_labels`. Times are not in it, since they
    only decide which labels these are."""
    return _hash(sorted(map(_label_text, deciding_labels(labels))))


def labelled_at(label: Label) -> datetime:
    """Time of the label; one without a time comes before all others, one without a zone is in UTC."""
    if label.at is None:
        return _EARLIEST
    return label.at if label.at.tzinfo is not None else label.at.replace(tzinfo=UTC)


def _on_criterion(labels: tuple[Label, ...], criterion: Criterion) -> tuple[Label, ...]:
    name = criterion.name
    return tuple([label for label in labels if label.criterion == name])


def _joined(first: ConsensusLabels, second: ConsensusLabels) -> ConsensusLabels:
    """The consensus labels of two sets of samples, as one."""
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
        first.llm_only + second.llm_only,
        tuple(label_texts),
    )


def _agreed(deciding: tuple[Label, ...], passing: int) -> Consensus:
    count = Counter([label.sample_id for label in deciding])
    if len(count) == len(deciding):
        return Consensus(deciding, ties=0)
    votes: dict[str, list[Label]] = {}
    for label in deciding:
        votes.setdefault(label.sample_id, []).append(label)
    agreed = [of_sample[0] if len(of_sample) == 1 else _decision(of_sample, passing) for of_sample in votes.values()]
    decided = tuple([label for label in agreed if label is not None])
    return Consensus(decided, ties=len(agreed) - len(decided))


def _decision(votes: Sequence[Label], passing: int) -> Label | None:
    for label in votes:
        if label.source == "adjudication":
            return label._replace(probability=max(vote.probability for vote in votes))
    people = [label for label in votes if label.source == "person"]
    return _majority(people or votes, passing)


def _majority(votes: Sequence[Label], passing: int) -> Label | None:
    if len(votes) == 1:
        return votes[0]
    sides = Counter(label.level >= passing for label in votes)
    if sides[True] == sides[False]:
        return None
    winners = [label for label in votes if (label.level >= passing) == (sides[True] > sides[False])]
    winner = sorted(winners, key=lambda label: label.level)[(len(winners) - 1) // 2]
    return winner._replace(probability=max(label.probability for label in votes))


def _label_text(label: Label) -> str:
    # Lengths come first, so that no two lists of labels read alike, whatever is in their names.
    run = "-" if label.run is None else len(label.run)
    lengths = f"{len(label.sample_id)} {len(label.criterion)} {len(label.annotator)} {run}"
    judgement = f"{label.level} {label.source} {float(label.probability)!r}"
    return f"{lengths} {judgement} {label.sample_id}{label.criterion}{label.annotator}{label.run or ''}"


def _hash(label_texts: Iterable[str]) -> str:
    return _HASH_VERSION + sha256_of_text("\n".join(label_texts))


def labelled_by_rule(judged: ConsensusLabels, sample_ids: Iterable[str]) -> int:
    """Number of these samples whose label that counts is from a rule alone."""
    people = {label.sample_id for label in judged.labels if label.source in BY_PEOPLE}
    return len((set(judged.sample_ids) & set(sample_ids)) - people)
