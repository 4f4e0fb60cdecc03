"""What people see of the coverage of a corpus by a test set."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.coverage.coverage import Coverage, coverage
from hcat.core.capabilities.coverage.view import WITHOUT_A_CASE, coverage_view, passages_view
from tests.core.capabilities.coverage.test_coverage import CASES, DECLARED, PASSAGES, TOPICS
from tests.views import snapshots


def found() -> Coverage:
    return coverage(CASES, PASSAGES, topics=TOPICS, untestable={"l1": "no fact"}, declared=DECLARED)


def test_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("coverage", lambda: coverage_view(found()), capsys)


def test_the_first_passages_without_a_case(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("coverage-passages", lambda: passages_view(found(), WITHOUT_A_CASE, most_rows=2), capsys)


def test_no_passage_with_a_case(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("coverage-none", lambda: passages_view(coverage((), PASSAGES), ("tested",)), capsys)
