"""The permissions of each role: the one table that pages, commands and jobs follow.

Roles do not include one another: a reviewer decides and reads, a validator prepares, and neither substitutes for the
other. An administrator of the project may do all.
"""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capability import Area
from hcat.core.project.actions import ACTIONS, Action
from hcat.core.records.people import ROLES, Reading, Role

_ALL = frozenset(ROLES)

MAY_DO_IN: Mapping[Area, frozenset[Role]] = {
    "anybody": _ALL,
    "label": frozenset({"annotator", "validator", "administrator"}),
    "prepare": frozenset({"validator", "administrator"}),
    "decide": frozenset({"reviewer", "validator", "administrator"}),
    "approve": frozenset({"reviewer", "administrator"}),
    "administer": frozenset({"administrator"}),
}
"""The roles that may do the actions of an area."""

ANYBODY: frozenset[Action] = frozenset(action for action, area in ACTIONS.items() if area == "anybody")
"""Actions that need no role: a worker's on the job that it was started for, and records of who signed in or who looked
at what a reader may see."""

MAY_DO: Mapping[Action, frozenset[Role]] = {action: MAY_DO_IN[area] for action, area in ACTIONS.items()}
"""The roles that may do each action in a project. What belongs to no project takes an administrator of the
installation."""

MAY_READ: Mapping[Reading, frozenset[Role]] = {
    "project": _ALL,
    "results": _ALL - {"annotator"},  # annotators label blind
    "label file": MAY_DO_IN["decide"],
}

AREAS: Mapping[Area, str] = {
    "label": "Label samples from a queue",
    "prepare": "Prepare and compute: runs, corpora, test sets, criteria, plans, queues, scores, judges, topics, "
    "calibrations, policies, risks, findings; submit a report; export labels under names",
    "decide": "Decide: accept test cases, settle disagreements, change findings, state the opinion, build reports",
    "approve": "Approve or return a report that somebody else submitted",
    "administer": "Rename or delete what is there, erase texts of samples, and give roles; an administrator of the "
    "installation also creates projects",
}
"""Areas in words, apart from what anybody may do."""


def role_table() -> list[tuple[str, dict[Role, bool]]]:
    """Each action or kind of reading, in words, with whether each role may do it."""
    read = {
        "See results: scores, labels, estimates, weaknesses, findings, reports": MAY_READ["results"],
        "Export labels under pseudonyms": MAY_READ["label file"],
    }
    done = {text: MAY_DO_IN[area] for area, text in AREAS.items()}
    return [(text, {role: role in roles for role in ROLES}) for text, roles in (read | done).items()]
