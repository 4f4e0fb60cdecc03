"""Everything that can be done to a project: the names that writes carry, each in an area that takes the same roles."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capabilities import CAPABILITIES
from hcat.core.capability import Area

Action = str
"""A key of `ACTIONS`."""

OF_PROJECTS: Mapping[Action, Area] = {
    "project.create": "administer",
    "project.make_key": "decide",
    "criterion.add": "prepare",
    "criterion.edit_guideline": "prepare",
    "criterion.add_example": "prepare",
    "criterion.remove_example": "prepare",
    "run.add": "prepare",
    "mapping.save": "prepare",
    "label.record": "label",
    "label.skip": "label",
    "label.cannot_judge": "label",
    "label.undo": "label",
    "label.import": "prepare",
    "queue.plan": "prepare",
    "queue.next_item": "label",
    "queue.hold": "label",
    "queue.release": "label",
    "scoring.score": "prepare",
    "scoring.add_from_file": "prepare",
    "scoring.add_judged": "prepare",
    "scoring.add_rescored": "prepare",
    "job.start": "prepare",
    "job.launch": "prepare",
    "job.cancel": "prepare",
    "job.resume": "prepare",
    "job.claim": "anybody",
    "job.beat": "anybody",
    "job.finish": "anybody",
    "housekeeping.rename": "administer",
    "housekeeping.archive": "prepare",
    "housekeeping.restore": "prepare",
    "housekeeping.delete": "administer",
    "person.register": "anybody",
    "person.set_administrator": "administer",
    "member.set_role": "administer",
    "member.remove": "administer",
}
"""The changes that belong to no single capability."""

ACTIONS: Mapping[Action, Area] = {
    **OF_PROJECTS,
    **{action: area for capability in CAPABILITIES for action, area in capability.actions.items()},
}
