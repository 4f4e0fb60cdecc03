"""State of the labelling page: the annotator, the run, the rules of the page and the item shown. It is passed to
everything on the card."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from hcat.core.labelling.queue import QueueItem
from hcat.core.labelling.records import LabelRecord, QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Sample
from hcat.dashboard.loaders.runs import sample
from hcat.dashboard.loaders.workspace import workspace

CARD, LIVE = "label-card", "live-calibration"
SUMMARY, STRIP = "live-summary", "live-strip"
"""Parts of the page that follow from the labels."""
REFRESH = ("live-refresh", "team-refresh")
"""Buttons that refresh the parts next to the card; the browser presses those that a label has not redrawn."""
TOOK = "live-took"
"""In the session: seconds that the calibration below took the last time."""
QUICK, PAUSE = 0.2, 0.8
"""Seconds: a computation longer than the first waits until no key was pressed for the second, since it would delay a
key."""
WITHOUT_REFERENCE = ("groundedness", "relevance", "harmlessness")
"""Criteria that are judged without a right answer: seeing one would only lead the annotator."""


@dataclass(frozen=True, slots=True)
class LabellingSession:
    """One annotator at one queue. `queue` is None for a random one that is planned with the first item.

    `reference` shows the reference answer on the card; `reveal` shows scores and other labels after one's own.
    """

    run: RunInfo
    criterion: Criterion
    annotator: str
    queue: QueueInfo | None
    reference: bool
    reveal: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The content of the card: an item of the queue, or with `record` the annotator's label of an earlier one.

    `withdrawn` is the label of the item that the annotator has just taken back: its other entries are not lost.
    """

    item: QueueItem
    record: LabelRecord | None = None
    withdrawn: LabelRecord | None = None

    @property
    def entered(self) -> LabelRecord | None:
        """The label whose rationale, marks and other entries are on the card to begin with."""
        return self.record or self.withdrawn

    @property
    def token(self) -> str:
        """A name for this view of the item, which reveals nothing of the sample unless the annotator picked it."""
        if self.record is not None:
            return f"label-{self.record.id}"
        return f"claim-{self.item.lease}" if self.item.lease is not None else f"picked-{self.item.sample_id}"

    @property
    def view(self) -> str:
        return f"blind-{self.token}"


def sample_of(session: LabellingSession, shown: Shown) -> Sample:
    """The sample that the card shows."""
    return sample(session.run, shown.item.sample_id)


def look_back(session: LabellingSession, item: QueueItem | None, steps: int) -> Shown | None:
    """The annotator's item so many steps back, or None where there is none.

    An earlier look at the sample before them now is passed over: they would not judge it afresh.
    """
    own = workspace().labels.own(session.run, session.criterion, session.annotator)
    mine = [record for record in reversed(own) if item is None or record.sample_id != item.sample_id]
    if not 1 <= steps <= len(mine):
        return None
    record = mine[steps - 1]
    drawn = QueueItem(
        record.sample_id,
        record.probability,
        queue=record.queue,
        purpose=record.purpose,
        occurrence=record.occurrence,
    )
    return Shown(replace(drawn, lease=None), record)


def labelled_elsewhere(session: LabellingSession, queue: QueueInfo) -> int:
    """The number of the queue's samples that the annotator had labelled in other queues, which counts here too."""
    key = (queue.id, session.annotator)
    counted: dict[tuple[int, str], int] = st.session_state.setdefault("labelled-elsewhere", {})
    if key not in counted:
        drawn = {item.sample_id for item in workspace().queues.items(queue)}
        counted[key] = sum(
            record.queue != queue.name and record.sample_id in drawn
            for record in workspace().labels.own(session.run, session.criterion, session.annotator)
        )
    return counted[key]


def card_options(criterion: Criterion, *, shows_results: bool) -> tuple[bool, bool]:
    """Whether the reference is shown, and whether others' labels and scores are, after one's own.

    Without `shows_results` neither scores nor others' labels are offered: annotators without that right never see them.
    """
    reference = st.toggle(
        "Show the reference answer",
        value=criterion.name not in WITHOUT_REFERENCE,
        key=f"reference-{criterion.name}",
        persist_state="session",
        help="Only where the criterion needs it. Whether it was shown is stored with each label.",
    )
    if not shows_results:
        return reference, False
    reveal = st.toggle(
        "Reveal after each label",
        key="reveal",
        persist_state="session",
        help="Scores, calibrated probability and the labels of others for the sample just labelled, never "
        "before. A label that you change after that is marked as not blind.",
    )
    st.toggle(
        "Show the calibration, live",
        value=True,
        key="live",
        persist_state="session",
        help="It never shows the current sample. It updates after each label, or when you pause if that is slow.",
    )
    return reference, reveal
