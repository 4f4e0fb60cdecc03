"""What each role may do and read: the one table that pages, commands and jobs are bound by.

Roles do not include one another: a reviewer decides and reads, a validator prepares, and neither stands in for the
other. An administrator of the project may do all.
"""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.project.actions import Action
from hcat.core.records.people import ROLES, Reading, Role

_ALL = frozenset(ROLES)
_ADMINISTRATOR = frozenset[Role]({"administrator"})
_VALIDATOR = frozenset[Role]({"validator", "administrator"})
_REVIEWER = frozenset[Role]({"reviewer", "validator", "administrator"})
_SECOND_EYES = frozenset[Role]({"reviewer", "administrator"})
_ANNOTATOR = frozenset[Role]({"annotator", "validator", "administrator"})

ANYBODY: frozenset[Action] = frozenset({"job.claim", "job.beat", "job.finish", "person.register", "policy.look"})
"""Steps that need no role: a worker's about the job that it was started for, and being noted as who signed in, or as
who looked at what a reader may see."""

MAY_DO: Mapping[Action, frozenset[Role]] = {
    "project.create": _ADMINISTRATOR,
    "project.make_key": _REVIEWER,
    "criterion.add": _VALIDATOR,
    "criterion.edit_guideline": _VALIDATOR,
    "criterion.add_example": _VALIDATOR,
    "criterion.remove_example": _VALIDATOR,
    "plan.register": _VALIDATOR,
    "run.add": _VALIDATOR,
    "mapping.save": _VALIDATOR,
    "corpus.add": _VALIDATOR,
    "corpus.add_version": _VALIDATOR,
    "corpus_topics.find": _VALIDATOR,
    "corpus_topics.rename": _VALIDATOR,
    "test_set.add": _VALIDATOR,
    "test_set.add_version": _VALIDATOR,
    "test_set.decide": _REVIEWER,
    "test_set.freeze": _VALIDATOR,
    "label.record": _ANNOTATOR,
    "label.skip": _ANNOTATOR,
    "label.cannot_judge": _ANNOTATOR,
    "label.undo": _ANNOTATOR,
    "label.import": _VALIDATOR,
    "gold.add": _VALIDATOR,
    "annotator.unblind": _REVIEWER,
    "disagreement.adjudicate": _REVIEWER,
    "disagreement.reveal": _REVIEWER,
    "queue.plan": _VALIDATOR,
    "queue.next_item": _ANNOTATOR,
    "queue.hold": _ANNOTATOR,
    "queue.release": _ANNOTATOR,
    "scoring.score": _VALIDATOR,
    "scoring.add_from_file": _VALIDATOR,
    "scoring.add_judged": _VALIDATOR,
    "scoring.add_rescored": _VALIDATOR,
    "rubric.save": _VALIDATOR,
    "judge.run": _VALIDATOR,
    "judge.distil": _VALIDATOR,
    "judge.pairs": _VALIDATOR,
    "topic.find": _VALIDATOR,
    "calibration.save": _VALIDATOR,
    "finding.confirm": _VALIDATOR,
    "finding.change": _REVIEWER,
    "finding.withdraw": _REVIEWER,
    "policy.look": _ALL,
    "policy.switch_on": _VALIDATOR,
    "risks.state": _VALIDATOR,
    "opinion.state": _REVIEWER,
    "fairness.settle": _VALIDATOR,
    "report.build": _REVIEWER,
    "report.queue": _REVIEWER,
    "report.submit": _VALIDATOR,
    "report.return": _SECOND_EYES,
    "report.approve": _SECOND_EYES,
    "job.start": _VALIDATOR,
    "job.launch": _VALIDATOR,
    "job.cancel": _VALIDATOR,
    "job.resume": _VALIDATOR,
    "job.claim": _ALL,
    "job.beat": _ALL,
    "job.finish": _ALL,
    "housekeeping.rename": _ADMINISTRATOR,
    "housekeeping.archive": _VALIDATOR,
    "housekeeping.restore": _VALIDATOR,
    "housekeeping.delete": _ADMINISTRATOR,
    "sample.erase": _ADMINISTRATOR,
    "retention.settle": _ADMINISTRATOR,
    "export.names": _VALIDATOR,
    "person.register": _ALL,
    "person.set_administrator": _ADMINISTRATOR,
    "member.set_role": _ADMINISTRATOR,
    "member.remove": _ADMINISTRATOR,
}
"""The roles that may do each action in a project. What belongs to no project takes an administrator of the
installation."""

MAY_READ: Mapping[Reading, frozenset[Role]] = {
    "project": _ALL,
    "results": _ALL - {"annotator"},  # annotators label blind
    "label file": _REVIEWER,
}
