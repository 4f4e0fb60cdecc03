"""What people see of flagged answers, and of what the classifier misses."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.safety.tone import ToneFlags
from hcat.core.capabilities.safety.toxicity_functions import packaged_functionality
from hcat.core.capabilities.safety.views.tone import functions_view, tone_view
from hcat.core.statistics.intervals import proportion_interval
from tests.views import snapshots

WORST = tuple((f"s{k}", 0.99 - k / 100) for k in range(22))
FLAGS = (
    ToneFlags("toxicity", proportion_interval(2, 50, method="clopper-pearson"), 1, (("a", 0.9), ("b", 0.6))),
    ToneFlags("unprofessional", proportion_interval(22, 50, method="clopper-pearson"), 1, WORST),
)


def test_flagged_answers(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("tone", lambda: tone_view(FLAGS, measured=True), capsys)


def test_another_classifier_that_flags_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    flags = (ToneFlags("toxicity", proportion_interval(0, 50, method="clopper-pearson"), 0, ()),)
    snapshots.check("tone-not-measured", lambda: tone_view(flags, measured=False), capsys)


def test_what_the_classifier_misses(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("tone-functions", lambda: functions_view(packaged_functionality()), capsys)
