"""The options of `hcat grammar evaluate` on evaluators, and the table of how reliable they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import print_table, read_text

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.estimates.evaluator_reliability import EvaluatorReliability


def named_files(named: Sequence[str], runs: Collection[str]) -> dict[str, Path]:
    """The score files by run; each is named as CRITERION=FILE."""
    files = {}
    for text in named:
        name, separator, path = text.partition("=")
        if not separator or name not in runs:
            raise HcatError(f"--scores {text}: write RUN=FILE, with a run among {', '.join(runs)}")
        files[name] = Path(path)
    return files


def read_thresholds(named: Sequence[str]) -> dict[str, float]:
    """Thresholds by metric; each is named as METRIC=VALUE."""
    thresholds = {}
    for text in named:
        name, _, value = text.partition("=")
        try:
            thresholds[name] = float(value)
        except ValueError:
            raise HcatError(f"--threshold {text}: write METRIC=VALUE, with a number") from None
    return thresholds


def read_calibration(path: Path | None) -> Calibration | None:
    from hcat.core.calibration.calibration import Calibration

    return None if path is None else Calibration.from_json(read_text(path))


def print_evaluators(evaluators: Sequence[EvaluatorReliability]) -> None:
    """Precision, recall, base rate and likelihood ratios (GRAMMAR, table 1)."""
    from hcat.core.capabilities.judges.wording.evaluators import EVALUATOR_COLUMNS, EVALUATOR_NOTES, evaluator_cells
    from hcat.core.display.numbers import format_count

    if not evaluators:
        return
    print_table(
        "Evaluators against what is right",
        EVALUATOR_COLUMNS,
        [(*evaluator_cells(each), format_count(each.n), format_count(each.unscored)) for each in evaluators],
    )
    for note in EVALUATOR_NOTES:
        typer.echo(note)
