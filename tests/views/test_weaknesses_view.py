"""What people see of slices compared with the rest of their run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.weaknesses.views.weaknesses import cells_table, slices_table
from hcat.core.figures.heatmap import weakness_heatmap
from hcat.core.slices.keys import pass_rate_key
from hcat.core.slices.same_samples import with_other_names
from hcat.core.slices.table import WeaknessTable, combine, find_weaknesses, ranked
from hcat.core.types import Estimate
from hcat.core.view.tree import Quantity, Table
from hcat.core.view.view import View
from tests.views import snapshots

N = 120
IDS = pd.Index([f"s{k}" for k in range(N)])
AREA = ["abc"[k % 3] for k in range(N)]


def compared(metric: str, values: np.ndarray, *, states: bool = False) -> WeaknessTable:
    """Slice b is worse; the regions are the areas under another name."""
    frame = pd.DataFrame({"area": AREA, "region": [f"region {name}" for name in AREA]}, index=IDS)
    answers = {name: "wrong_refusal" if k % 12 == 0 else "answer" for k, name in enumerate(IDS)}
    return find_weaknesses(
        frame,
        pd.Series(values, index=IDS),
        metric=metric,
        direction="higher",
        answer_states=answers if states else None,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def score() -> WeaknessTable:
    rng = np.random.default_rng(3)
    return compared("answer_f1", np.clip(rng.normal(0.6, 0.2, N) - 0.3 * (np.array(AREA) == "b"), 0, 1), states=True)


def test_slices_by_one_metric(score: WeaknessTable, capsys: pytest.CaptureFixture[str]) -> None:
    rows = with_other_names(ranked(score))
    snapshots.check("slices", lambda: View((slices_table(score, rows, title="Slices, run 1"),)), capsys)


def test_slices_by_several_metrics_beside_labels(score: WeaknessTable, capsys: pytest.CaptureFixture[str]) -> None:
    passed = (np.random.default_rng(5).random(N) < 0.7 - 0.4 * (np.array(AREA) == "b")).astype(np.float64)
    rates = compared(pass_rate_key("correct"), passed)
    rates = replace(rates, frame=rates.frame.assign(basis="people", labels=rates.frame["n"]))
    labelled = {"label_pass_rate": 0.8, "label_low": 0.6, "label_high": 0.9, "labels": 21, "disagreement": "observed"}
    judged = compared("faithfulness", passed)
    judged = WeaknessTable(judged.frame.assign(**labelled), replace(judged.settings, machine=("faithfulness",)))
    table = combine([score, rates, judged])
    rows = ranked(table)
    snapshots.check("slices-metrics", lambda: View((slices_table(table, rows, title="Slices, run 1"),)), capsys)


def test_every_number_is_that_of_the_table(score: WeaknessTable) -> None:
    rows = ranked(score)
    shown = slices_table(score, rows, title="Slices")
    first, row = column_by_title(shown, 0), rows.iloc[0]
    assert first["Value, 95% interval"] == Estimate(row["mean"], row["low"], row["high"], row["n"])
    assert first["Shrunken, selected interval"] == Estimate(
        row["shrunken"], row["selected_low"], row["selected_high"], row["n"]
    )
    assert [first[name] for name in ("Difference from the rest", "q", "Effect (g)", "Verdict", "Unscored")] == [
        row[name] for name in ("difference", "q", "effect", "verdict", "unscored")
    ]
    assert first["Refusals"] == f"0 / {row['wrong_refusal']} / 0"


def test_what_a_machine_decided_has_no_interval(score: WeaknessTable) -> None:
    table = replace(score, settings=replace(score.settings, machine=("answer_f1",)))
    first = column_by_title(slices_table(table, ranked(table), title="Slices"), 0)
    value = first["Value, 95% interval"]
    assert isinstance(value, Estimate) and np.isnan([value.low, value.high]).all() and value.n > 0
    assert first["Rests on"] == "verdicts of a machine"


@pytest.mark.parametrize("machine", [False, True])
def test_cells_of_a_heatmap(machine: bool, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame({"area": AREA, "kind": ["easy", "hard", "rare"][:2] * (N // 2)}, index=IDS)
    frame.iloc[0, 1] = "rare"
    values = pd.Series(np.random.default_rng(2).random(N) - 0.3 * (frame["kind"] == "hard"), index=IDS)
    table = find_weaknesses(frame, values, metric="m", direction="higher", pairs=True)
    data = weakness_heatmap(table, "m", rows="area", columns="kind", machine=machine)
    notes = {} if machine else {("a", "hard"): "by labels 40% pass"}
    name = "cells-machine" if machine else "cells"
    snapshots.check(name, lambda: View((cells_table(data, title="m", notes=notes),)), capsys)
    shown = cells_table(data, title="m", notes=notes)
    assert {row[:2] for row in shown.rows} == {(cell.level_1, cell.level_2) for cell in data.cells}
    assert shown.rows[-1][2] == "insufficient evidence" and len(shown.rows) == len(data.cells)


def test_no_slices() -> None:
    table = compared("answer_f1", np.ones(N))
    assert slices_table(table, table.frame.head(0), title="Slices").rows == ()


def column_by_title(table: Table, place: int) -> dict[str, str | int | float | Estimate | Quantity | None]:
    return {column.title: value for column, value in zip(table.columns, table.rows[place], strict=True)}
