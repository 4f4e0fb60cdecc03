"""What people see of variants compared with their origins."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.robustness.analysis.robustness import compare_variants
from hcat.core.capabilities.robustness.variants.comparison import Robustness
from hcat.core.capabilities.robustness.view import robustness_view
from hcat.core.inputs.inputs import open_columns
from hcat.core.opened.columns import run_from_files
from tests.dashboard.commands.test_robustness_command import rows, scored, write
from tests.views import snapshots


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Robustness:
    run = write(tmp_path_factory.mktemp("run") / "run.jsonl", [*rows(variants=False), *rows(variants=True)])
    return compare_variants(run_from_files(open_columns(run, scored(run))), metrics=["token_f1"])


def test_one_outcome(compared: Robustness, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("robustness", lambda: robustness_view(compared, compared.outcomes), capsys)


def test_answers_alone(compared: Robustness, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("robustness-answers", lambda: robustness_view(compared, ()), capsys)
