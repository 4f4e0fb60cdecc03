"""What people see of groups compared, asked the same questions or matched."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.fairness.analysis.matched import compare_levels
from hcat.core.capabilities.fairness.analysis.paired import compare_groups
from hcat.core.capabilities.fairness.view import fairness_view
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.fairness import FairnessSettings
from hcat.core.types import Sample
from tests.pages.test_fairness_page import answers
from tests.views import snapshots

SETTINGS = FairnessSettings(margin=0.1, outcomes=("refusal",))


def opened(samples: list[Sample]) -> Opened:
    return run_from_files(RunColumns("v1", FileColumns(lambda: samples)))


def test_the_same_questions(capsys: pytest.CaptureFixture[str]) -> None:
    compared = compare_groups(opened(answers()), FairnessSettings(margin=0.1))
    snapshots.check("fairness", lambda: fairness_view(compared, compared.outcomes), capsys)


def test_own_groups_say_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Business customers ask more about loans, which are always declined, and only they ask about rent."""
    loans = {"private": 5, "business": 15}
    samples = []
    for n in range(160):
        segment = "private" if n % 2 else "business"
        topic = "loans" if n % 20 < loans[segment] else "cards"
        topic = "rent" if segment == "business" and n >= 150 else topic
        answer = "I cannot answer that." if topic == "loans" else f"The fee is EUR {n}."
        samples.append(Sample(f"s{n}", f"Question {n}?", answer, dimensions={"segment": segment, "topic": topic}))
    compared = compare_levels(opened(samples), ("segment",), SETTINGS)
    snapshots.check("fairness-matched", lambda: fairness_view(compared, compared.outcomes), capsys)


def test_groups_that_share_no_topic(capsys: pytest.CaptureFixture[str]) -> None:
    samples = [
        Sample(f"s{n}", f"Question {n}?", f"EUR {n}.", dimensions={"segment": "ab"[n % 2], "topic": "xy"[n % 2]})
        for n in range(40)
    ]
    compared = compare_levels(opened(samples), ("segment",), SETTINGS)
    snapshots.check("fairness-nothing", lambda: fairness_view(compared, compared.outcomes), capsys)
