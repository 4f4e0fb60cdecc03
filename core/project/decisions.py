"""Adjudications as labels, so that whatever reads labels follows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.labelling.records import Adjudication
from hcat.core.project.open_store import OpenStore
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Label


def current_decisions(store: OpenStore, run: RunInfo, criterion: Criterion | None = None) -> list[Adjudication]:
    """The decisions that hold on the run, oldest first."""
    name = None if criterion is None else criterion.name
    decisions = store.standards.adjudications(run.project_id, run.id, name)
    replaced = {decision.supersedes for decision in decisions}
    return [decision for decision in decisions if decision.id not in replaced]


def decided_labels(store: OpenStore, labels: Sequence[Label], run_ids: Mapping[str, int], owner: int) -> list[Label]:
    """The adjudications that hold on samples that people labelled, each with the largest probability among those."""
    names = {number: name for name, number in run_ids.items()}
    decisions = [decision for number in names for decision in store.standards.adjudications(owner, number, None)]
    if not decisions:
        return []
    people: dict[tuple[int, str, str], float] = {}
    for label in labels:
        if label.run is not None and label.source in BY_PEOPLE:
            key = (run_ids[label.run], label.criterion, label.sample_id)
            people[key] = max(people.get(key, 0.0), label.probability)
    replaced = {decision.supersedes for decision in decisions}
    return [
        Label(
            sample_id=decision.sample_id,
            criterion=decision.criterion,
            level=decision.level,
            annotator=decision.author,
            run=names[decision.run_id],
            rationale=decision.rationale or None,
            at=decision.at,
            probability=people[decision.run_id, decision.criterion, decision.sample_id],
            guideline_version=decision.guideline_version,
            source="adjudication",
        )
        for decision in decisions
        if decision.id not in replaced and (decision.run_id, decision.criterion, decision.sample_id) in people
    ]
