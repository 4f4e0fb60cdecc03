"""The sign-off on the cover of a report. It comes after the report, and is no part of its hash."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.view.tree import Report

SIGN_OFF = "Sign-off"
"""The fact on the cover that names who signed."""


def with_sign_off(report: Report, text: str) -> Report:
    """The report with this text for its sign-off."""
    return replace(report, facts={**report.facts, SIGN_OFF: text})


def without_sign_off(report: Report) -> Report:
    """The report as it was built and signed."""
    if SIGN_OFF not in report.facts:
        return report
    return replace(report, facts={name: text for name, text in report.facts.items() if name != SIGN_OFF})
