"""Quality of the answers to the same question, where the system was asked several times."""

from __future__ import annotations

from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.trials.view import runs_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Paragraph, Section


def trials_section(evidence: Evidence) -> Section | None:
    """None where no test case has several trials that are labelled."""
    if not evidence.trials:
        return None
    view = runs_view([((item.run, item.criterion), item.scores) for item in evidence.trials])
    decided = Paragraph((say("Labels decide which trials are good; without one, a trial is unscored."),))
    return Section("trials", say("Repeated trials"), (decided, *view.blocks))


CHAPTER = Chapter("trials", "Repeated trials", trials_section, after="retrieval")
