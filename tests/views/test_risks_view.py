"""What people see of a risk register, its scope and what touches its risks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.risks.view import coverage_view, register_view, scope_view
from hcat.core.records.risks import Risk, RiskEvidence, RiskRegister
from hcat.core.view.view import View
from tests.pages.test_risks_page import REGISTER
from tests.views import snapshots

EVIDENCE = (RiskEvidence("Run first-run", "44 answers"), RiskEvidence("Test set fees", "12 test cases"))


def view_of(register: RiskRegister, evidence: tuple[RiskEvidence, ...]) -> View:
    views = (scope_view(register), register_view(register, evidence), coverage_view(register, evidence))
    return View(tuple(block for view in views for block in view.blocks))


def test_a_signed_register(capsys: pytest.CaptureFixture[str]) -> None:
    fee, rude = REGISTER.risks
    gone = Risk("Leak", "Names a customer", "medium", ("Run gone",), "acceptable", "masked by the gateway")
    at = datetime(2027, 1, 31, 9, 30, tzinfo=UTC)
    register = replace(REGISTER, risks=(fee, rude, gone), version=2, author="V. Lead", at=at)
    snapshots.check("risks", lambda: view_of(register, EVIDENCE), capsys)


def test_nothing_stated(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("risks-none", lambda: view_of(RiskRegister(), ()), capsys)
