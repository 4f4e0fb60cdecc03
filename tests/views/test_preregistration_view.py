"""What people see of a registered plan."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.sign_off.view import plan_view
from hcat.core.records.preregistration import Plan, RegisteredPlan
from tests.views import snapshots


def test_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan("correctness", 100, 0.9, 0.05, ("topic", "query_type"), (), "labels of people decide")
    at = datetime(2027, 1, 31, 9, 30, tzinfo=UTC)
    registered = RegisteredPlan("correctness", 2, plan, 1, "V. Lead", 12, "ab" * 32, at, "cd" * 32)
    snapshots.check("plan", lambda: plan_view(registered), capsys)
