"""Renderers are tried on the reports of the tests of reports."""

from __future__ import annotations

from tests.core.capabilities.report.conftest import evidence, german_evidence, labels, samples, scores

__all__ = ["evidence", "german_evidence", "labels", "samples", "scores"]
