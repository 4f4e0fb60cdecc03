"""Titles of what slices are compared by."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.messages import say
from hcat.core.scoring.file_metric import facts_of
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.slices.table import LabelCounts

BY_PEOPLE, BY_RULE = "Pass rate by people: {criterion}", "Pass rate by a reference rule: {criterion}"


def slice_metric_title(key: str, labels: Mapping[str, LabelCounts] | None = None) -> str:
    """The title of a metric or of a rate of passing; with the `labels` of a table, whether people gave them."""
    if key == CORRECTED:
        return say("Corrected pass rate")
    criterion = criterion_of(key)
    if criterion is None:
        return say(facts_of(key, {}).title)
    counts = (labels or {}).get(key)
    if counts is None:
        return say("Pass rate by labels: {criterion}", criterion=criterion)
    message = BY_PEOPLE if counts.people or not counts.rule else BY_RULE
    return say(message, criterion=criterion)
