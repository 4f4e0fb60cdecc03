"""What people see of a finding: its claim, the labels on its samples, and its history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.findings.view import FindingEvidence, SlicePassRate, history_view, statement_view
from hcat.core.records.project import FindingChange
from hcat.core.types import Estimate
from tests.views import snapshots

AT = datetime(2027, 1, 31, 9, 30, tzinfo=UTC)
FINDING = FindingEvidence(
    title="Fees are low",
    slice="topic = fees",
    severity="high",
    status="open",
    comment="",
    author="V. Lead",
    at=AT,
    mean=Estimate(0.31, 0.24, 0.38, 19),
    q=0.004,
    verdict="weak",
    tested=12,
    run="gpt-4",
    metric="answer_f1",
    difference=Estimate(-0.2, -0.3, -0.1, 200),
    n_samples=19,
    pass_rates=(SlicePassRate("correctness", Estimate(0.9, 0.6, 0.98, 10), Estimate(0.8, 0.7, 0.88, 90)),),
    fitness="Answer F1 is fit for use on correctness.",
)


def test_labels_that_point_the_other_way(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check(
        "finding-against", lambda: statement_view(FINDING, metric="Answer F1", lower_is_better=False), capsys
    )


def test_labels_that_agree_where_lower_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("finding", lambda: statement_view(FINDING, metric="Answer length", lower_is_better=True), capsys)


def test_a_selection_without_labels_that_can_not_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    bare = replace(FINDING, slice="3 samples", mean=None, difference=None, q=None, verdict="", pass_rates=())
    unread = replace(bare, unreadable="the file is not what was frozen", fitness="")
    snapshots.check("finding-bare", lambda: statement_view(unread, metric="", lower_is_better=False), capsys)


def test_history(capsys: pytest.CaptureFixture[str]) -> None:
    changes = (
        FindingChange(datetime(2027, 2, 1, 8, 0, tzinfo=UTC), "lee", "status", "open", "closed"),
        FindingChange(datetime(2027, 2, 2, 8, 0, tzinfo=UTC), "lee", "owner", "", "Retail"),
    )
    snapshots.check("finding-history", lambda: history_view("V. Lead", AT, changes, title="v1"), capsys)
