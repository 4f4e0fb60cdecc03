"""The benchmark's table: goals, ratios of pairs, and the stub that growth is measured with."""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks.__main__ import ROWS, _document, _table, main
from benchmarks.growth import NAMES, StubEncoder, samples
from benchmarks.rows import Measured
from benchmarks.timing import Ratio, interleaved
from core.scoring.evaluate import score_samples
from tests.core.scoring.model_sets import model_set


def _ratio(value: float) -> Ratio:
    return Ratio(value, value - 0.1, value + 0.1, value, 1.0, 5)


@pytest.mark.parametrize(
    ("value", "goal", "reached"),
    [
        (1.0, {"at_most": 1.0}, True),
        (1.01, {"at_most": 1.0}, False),
        (8.0, {"at_least": 8.0}, True),
        (7.9, {"at_least": 8.0}, False),
        (7.9, {}, None),
        (None, {"at_least": 8.0}, None),
    ],
)
def test_a_row_says_whether_its_goal_is_reached(
    value: float | None, goal: dict[str, float], reached: bool | None
) -> None:
    row = Measured("row", "demo", "a / b", None if value is None else _ratio(value), **goal, note="why")
    assert row.reached is reached
    table, document = _table([row], ["demo: 3 samples"]), json.loads(_document([row], []))
    assert {True: "yes", False: "no", None: "–"}[reached] == table.splitlines()[1].split()[-1]
    assert "    why" in table
    assert document["ratios"][0]["reached"] is reached


def test_pairs_take_turns_at_going_first() -> None:
    order: list[str] = []
    ratio = interleaved(lambda: order.append("upper"), lambda: order.append("lower"), pairs=3)
    assert order == ["upper", "lower", "lower", "upper", "upper", "lower"]
    assert ratio.lowest <= ratio.value <= ratio.highest


def test_an_unknown_row_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "nonsense"])
    with pytest.raises(SystemExit, match="2"):
        main()
    said = capsys.readouterr().err
    assert all(name in said for name in [*ROWS, "growth"])


def test_made_up_samples_can_all_be_scored() -> None:
    table = score_samples(samples(6), metrics=NAMES, models=model_set(StubEncoder()))
    assert table.summary()["answer_f1"].mean.n == 6
    assert not any(summary.unscored for summary in table.summary().values())
