"""What people see of a run's retrieval."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.retrieval.view import retrieval_view
from hcat.core.metrics.funnel import RunFunnel, run_funnel
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Passage, Sample
from tests.views import snapshots


def measured(candidates: int) -> RunFunnel:
    """Ten samples of two relevant passages each; so many have candidates, and one more names nothing relevant."""
    made = [
        Sample(
            f"s{k}",
            f"What is fee {k}?",
            "5",
            (Passage(f"p{k}", "The fee is 5."), Passage("other", "It rains.")),
            relevant_ids={f"p{k}": 2, "dropped" if k % 3 else "missed": 1},
            metadata={"candidates": [f"p{k}", "other", "dropped"]} if k < candidates else {},
        )
        for k in range(10)
    ]
    return run_funnel(ColumnsOfSamples([*made, Sample("s10", "And this?", "6")]))


def test_both_stages(capsys: pytest.CaptureFixture[str]) -> None:
    funnel = measured(8)
    snapshots.check("retrieval", lambda: retrieval_view(funnel), capsys)


def test_stage_2_alone(capsys: pytest.CaptureFixture[str]) -> None:
    funnel = measured(0)
    snapshots.check("retrieval-contexts", lambda: retrieval_view(funnel), capsys)
