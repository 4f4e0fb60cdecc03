"""The semantic groups of a run one by one: their kind, counts and samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.attribution import Module, modules
from hcat.core.capabilities.grammar.evaluation import outside_gaps
from hcat.core.types import Sample

GroupKind = Literal["gap", "robust", "non-robust"]
CRITERION = "criterion"
"""The dimension of test cases that names the criterion of their text."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A semantic group. `modules` are those of its wrong answers if it is non-robust; `without_document` counts its
    right answers whose documents were not retrieved."""

    group: str
    kind: GroupKind
    right: int
    n: int
    query: str
    reference: str
    sample_ids: tuple[str, ...]
    modules: tuple[Module, ...] = ()
    without_document: int = 0


def group_rows(samples: Sequence[Sample], answers: GroupedAnswers) -> tuple[GroupRow, ...]:
    """One row a group, in the order of the run."""
    by_id = {sample.id: sample for sample in samples}
    named = modules(answers, outside_gaps(answers))
    rows = []
    for group in dict.fromkeys(answers.group.tolist()):
        places = np.flatnonzero(answers.group == group)
        right = answers.right[places]
        first = by_id[answers.ids[places[0]]]
        kind: GroupKind = "robust" if right.all() else "non-robust" if right.any() else "gap"
        rows.append(
            GroupRow(
                group,
                kind,
                int(right.sum()),
                len(places),
                first.query,
                first.reference or "",
                tuple(answers.ids[place] for place in places),
                tuple(module for place in places if (module := named[place]) is not None),
                int((right & (answers.retrieved[places] == 0)).sum()),
            )
        )
    return tuple(rows)


def by_criterion(name: str, samples: Sequence[Sample]) -> dict[str, tuple[Sample, ...]]:
    """A run's samples split by the criterion of their text; all of them together if there are fewer than two
    criteria."""
    criteria = dict.fromkeys(sample.dimensions.get(CRITERION, "") for sample in samples if sample.group is not None)
    if len(criteria) < 2:
        return {name: tuple(samples)}
    return {
        f"{name}: {criterion or 'no criterion'}": tuple(
            sample for sample in samples if sample.dimensions.get(CRITERION, "") == criterion
        )
        for criterion in criteria
    }
