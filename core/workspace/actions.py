"""Everything that can be done to what a workspace holds: the names that writes carry."""

from __future__ import annotations

from typing import Literal

Action = Literal[
    "project.create",
    "project.make_key",
    "criterion.add",
    "criterion.edit_guideline",
    "criterion.add_example",
    "criterion.remove_example",
    "run.add",
    "mapping.save",
    "label.record",
    "label.skip",
    "label.cannot_judge",
    "label.undo",
    "label.import",
    "gold.add",
    "annotator.unblind",
    "disagreement.adjudicate",
    "disagreement.reveal",
    "queue.plan",
    "queue.next_item",
    "queue.hold",
    "queue.release",
    "scoring.score",
    "scoring.add_from_file",
    "topic.find",
    "calibration.save",
    "finding.confirm",
    "finding.change",
    "job.start",
    "job.launch",
    "job.cancel",
    "job.resume",
    "job.claim",
    "job.beat",
    "job.finish",
]
