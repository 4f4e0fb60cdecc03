"""Annotators against themselves and what is right; and what they have seen of the labels of others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.agreement.consistency import (
    GoldAccuracy,
    LevelPair,
    SelfConsistency,
    gold_accuracy,
    self_consistency,
)
from hcat.core.capabilities.agreement.services.gold import Gold
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.runs import Runs
from hcat.core.records.clusters import clusters_in, shared_clusters
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Label

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class LabelPair:
    """An annotator's first judgement of a sample and the hidden repeat. A level is None where they can't judge."""

    annotator: str
    sample_id: str
    first: int | None
    again: int | None


@dataclass(frozen=True)
class Annotators:
    """The people who label a run."""

    store: OpenStore
    projects: Projects
    runs: Runs
    labels: Labels
    gold: Gold

    def independent_labels(self, run: RunInfo, criterion: Criterion) -> list[Label]:
        """The labels that people gave for themselves and that hold, oldest first: no rules, no adjudications."""
        labels = self.labels.current(self.projects.of(run), criterion.name, run, by="people", decisions=False)
        return [label for label in labels if label.source == "person"]

    def repeat_pairs(self, run: RunInfo, criterion: Criterion) -> list[LabelPair]:
        """Each hidden repeat paired with the same annotator's first judgement, for their self-consistency."""
        judged = self.labels.judgements(run, criterion)
        first = {(x.sample_id, x.annotator): x.level for x in judged if x.purpose == "estimate"}
        return [
            LabelPair(x.annotator, x.sample_id, first[x.sample_id, x.annotator], x.level)
            for x in judged
            if x.purpose == "repeat" and (x.sample_id, x.annotator) in first
        ]

    def consistency(
        self, run: RunInfo, criterion: Criterion, *, rng: np.random.Generator
    ) -> tuple[SelfConsistency, ...]:
        """Each annotator against themselves, by hidden repeats."""
        clusters = shared_clusters(clusters_in(self.runs.columns(run))) or {}
        pairs = self.repeat_pairs(run, criterion)
        looks = [LevelPair(x.annotator, x.first, x.again, clusters.get(x.sample_id)) for x in pairs]
        return self_consistency(looks, criterion=criterion, rng=rng)

    def accuracy(self, run: RunInfo, criterion: Criterion) -> tuple[GoldAccuracy, ...]:
        """Each annotator against the samples whose right level is known."""
        clusters = shared_clusters(clusters_in(self.runs.columns(run))) or {}
        answers = self.gold.answers(run, criterion)
        looks = [LevelPair(x.annotator, x.right, x.given, clusters.get(x.sample_id)) for x in answers]
        return gold_accuracy(looks, criterion=criterion)

    def unblind(self, run: RunInfo, criterion: Criterion, sample_ids: Iterable[str], *, annotator: str) -> None:
        """Note that the annotator sees others' labels on these samples: what they say of them later is not blind."""
        name = checked_name(annotator, "annotator")
        with self.store.write(name, "annotator.unblind", run.project_id) as write:
            self.store.unblinding.add(write, run.project_id, run.id, criterion.name, name, sample_ids)

    def unblinded(self, run: RunInfo, criterion: Criterion, annotator: str) -> frozenset[str]:
        """The samples on which the annotator has seen the labels of others."""
        self.store.access.check_own(annotator, run.project_id)
        return self.store.unblinding.seen(run.project_id, run.id, criterion.name, checked_name(annotator, "annotator"))
