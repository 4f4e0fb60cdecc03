"""What people see of policies: the promise, decisions, drift, and the policies of a project."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.policy.check import ERROR, LOAD, PolicyCheck
from hcat.core.capabilities.policy.decide import Decisions
from hcat.core.capabilities.policy.drift import Outcomes, drift
from hcat.core.capabilities.policy.policy import Policy, SwitchedOn
from hcat.core.capabilities.policy.view import decisions_view, drift_view, policies_view, policy_view
from hcat.core.records.policy import PolicyRecord
from tests.dashboard.capabilities.policy.commands.test_policy_command import fit, folder
from tests.views import snapshots

__all__ = ["folder"]

STATES = {"prediction set {pass}": 70, "prediction set undecided": 18, "prediction set {fail}": 9, "no_answer": 3}
AT = datetime(2027, 1, 31, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def same_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last bits of a fitted map differ between machines."""
    monkeypatch.setattr(Policy, "hash", "0123456789abcdef")


def policy_of(folder: Path, *more: object) -> Policy:
    assert fit(folder, *more, output="viewed.json").exit_code == 0
    return Policy.from_json((folder / "viewed.json").read_text("utf-8"))


def test_promise_expectation_and_slices(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    costs = ("--per-day", 1000, "--cost-person", 5, "--cost-regeneration", 1, "--cost-error", 100)
    policy = policy_of(folder, *costs, "--samples", folder / "run.jsonl")
    snapshots.check("policy", lambda: policy_view(policy), capsys)


def test_a_promise_that_is_not_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = policy_of(folder, "--accept-from", 0.05, "--on-fail", "reject")
    policy = replace(chosen, switched_on=SwitchedOn("V. Lead", "a pilot", AT))
    snapshots.check("policy-not-shown", lambda: policy_view(policy), capsys)


def test_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    decisions = Decisions({"accept": 70, "regenerate": 12, "person": 18, "reject": 0}, STATES)
    assert decisions.n == 100
    snapshots.check("policy-decisions", lambda: decisions_view(decisions, title="v1"), capsys)


@pytest.mark.parametrize("failing", [4, 24])
def test_drift(failing: int, capsys: pytest.CaptureFixture[str]) -> None:
    weeks = [("week 1", Outcomes(np.arange(40) < failing)), ("week 2", Outcomes(np.arange(40) < failing))]
    empty = Outcomes(np.zeros(0, dtype=bool))
    load = drift(LOAD, [("week 1", empty), ("week 2", empty)], least=0.1, most=0.3, alpha=0.025)
    check = PolicyCheck((drift(ERROR, weeks, least=0, most=0.1, alpha=0.025),), load, 80)
    snapshots.check(f"policy-drift-{failing}", lambda: drift_view(check), capsys)


def test_policies(capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        PolicyRecord(2, 1, "correctness", 2, "ab" * 32, {"further": {"tone": {}}}, "V. Lead", "", AT),
        PolicyRecord(1, 1, "correctness", 1, "cd" * 32, {}, "V. Lead", "a pilot", AT),
    ]
    snapshots.check("policies", lambda: policies_view(records), capsys)
