"""What each role may do, in words: every action stands in one area, and an area's actions take the same roles."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.project.actions import Action
from hcat.core.project.roles.permissions import ANYBODY, MAY_DO, MAY_READ
from hcat.core.records.people import ROLES, Role

_OF_REVIEWERS: frozenset[Action] = frozenset(
    {
        "project.make_key",
        "test_set.decide",
        "annotator.unblind",
        "disagreement.adjudicate",
        "disagreement.reveal",
        "finding.change",
        "finding.withdraw",
        "opinion.state",
        "report.build",
        "report.queue",
    }
)
_OF_ANNOTATORS: frozenset[Action] = frozenset(
    {
        "label.record",
        "label.skip",
        "label.cannot_judge",
        "label.undo",
        "queue.next_item",
        "queue.hold",
        "queue.release",
    }
)
_OF_ADMINISTRATORS: frozenset[Action] = frozenset(
    {
        "project.create",
        "housekeeping.rename",
        "housekeeping.delete",
        "sample.erase",
        "retention.settle",
        "person.set_administrator",
        "member.set_role",
        "member.remove",
    }
)
_SECOND_SIGNATURE: frozenset[Action] = frozenset({"report.approve", "report.return"})
_PREPARING = frozenset(MAY_DO) - ANYBODY - _OF_REVIEWERS - _OF_ANNOTATORS - _OF_ADMINISTRATORS - _SECOND_SIGNATURE

AREAS: Mapping[str, frozenset[Action]] = {
    "Label samples from a queue": _OF_ANNOTATORS,
    "Prepare and compute: runs, corpora, test sets, criteria, plans, queues, scores, judges, topics, calibrations, "
    "policies, risks, findings; submit a report; export labels under names": _PREPARING,
    "Decide: accept test cases, settle disagreements, change findings, state the opinion, build reports": _OF_REVIEWERS,
    "Approve or return a report that somebody else submitted": _SECOND_SIGNATURE,
    "Rename or delete what is there, erase texts of samples, and give roles; an administrator of the installation also "
    "creates projects": _OF_ADMINISTRATORS,
}


def role_table() -> list[tuple[str, dict[Role, bool]]]:
    """What can be read or done, and which roles may."""
    read = {
        "See results: scores, labels, estimates, weaknesses, findings, reports": MAY_READ["results"],
        "Export labels under pseudonyms": MAY_READ["label file"],
    }
    done = {text: MAY_DO[min(actions)] for text, actions in AREAS.items()}
    return [(text, {role: role in roles for role in ROLES}) for text, roles in (read | done).items()]
