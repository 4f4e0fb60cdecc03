"""What people see of two runs in the same slices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.capabilities.weaknesses.views.paired_slices import paired_slices_view
from hcat.core.view.tree import Table
from tests.core.slices.test_paired import compared
from tests.views import snapshots


def test_two_runs_by_a_metric(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("paired-slices", lambda: paired_slices_view(compared()), capsys)


def test_two_runs_by_labels(capsys: pytest.CaptureFixture[str]) -> None:
    by_labels = replace(compared(), metric="pass_rate:correctness", unpaired=1)
    snapshots.check("paired-slices-labels", lambda: paired_slices_view(by_labels), capsys)


@pytest.mark.parametrize(("direction", "first"), [("higher", "lower"), ("lower", "higher")])
def test_the_worst_come_first_and_what_was_not_tested_last(direction: str, first: str) -> None:
    found = compared()
    turned = replace(
        found,
        direction=direction,  # type: ignore[arg-type]
        slices=tuple(
            replace(
                each,
                verdict="higher" if each.verdict == "lower" and direction == "lower" else each.verdict,
                difference=replace(each.difference, value=each.difference.value * (-1 if direction == "lower" else 1)),
            )
            for each in found.slices
        ),
    )
    [table] = [block for block in paired_slices_view(turned).blocks if isinstance(block, Table)]
    assert table.rows[0][-1] == first and table.rows[-1][-1] == "insufficient evidence"
    assert len(table.rows) == min(20, len(found.slices))
