"""Labels of one run and criterion that came from several queues: their joint probability of having been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import HcatError
from core.labelling.design import Draw, union_probability
from core.storage.records import LabelRecord
from core.workspace.queues import STRATIFIED_BY, strata

if TYPE_CHECKING:
    from core.workspace import Workspace

BY_HAND = "none"


def joint_probability(workspace: Workspace, records: Sequence[LabelRecord]) -> dict[int, float]:
    """The probability of each label record, by its id: as stored where one queue gave all labels of its run and
    criterion, else that of the union of the queues. Samples picked by hand have no design: all stay as stored then."""
    groups: dict[tuple[int, str], list[LabelRecord]] = {}
    for record in records:
        groups.setdefault((record.run_id, record.criterion), []).append(record)
    found = {record.id: record.probability for record in records}
    for (run_id, _), group in groups.items():
        draws = _draws(workspace, run_id, group)
        if len(draws) > 1:
            union = union_probability(draws, [record.sample_id for record in group])
            found |= {record.id: union[record.sample_id] for record in group}
    return found


def _draws(workspace: Workspace, run_id: int, group: Sequence[LabelRecord]) -> list[Draw]:
    """One draw a queue; none where a queue has no known design."""
    by_queue: dict[str, list[LabelRecord]] = {}
    for record in group:
        by_queue.setdefault(record.queue, []).append(record)
    if len(by_queue) < 2 or BY_HAND in by_queue:
        return []
    run = workspace.repository.run_by_id(run_id)
    draws = []
    for queue, labelled in by_queue.items():
        ids = frozenset(record.sample_id for record in labelled)
        if queue.startswith(STRATIFIED_BY):
            try:
                draws.append(Draw(ids, run.n, strata(workspace, run, queue.removeprefix(STRATIFIED_BY))))
            except HcatError:  # the dimension is gone: its probabilities can't be told any more
                return []
        elif len({record.probability for record in labelled}) == 1:
            draws.append(Draw(ids, run.n))
        else:
            return []
    return draws
