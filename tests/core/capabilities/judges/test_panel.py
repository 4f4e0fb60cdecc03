"""A panel of judges: what it is worth by how alike they are, and its mean."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.judges.panel import INCOMPLETE, panel_of, panel_scores
from hcat.core.errors import HcatError
from hcat.core.scoring.file_metric import JUDGED, FileMetric
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.types import Score


def table(columns: dict[str, list[float | None]], *, high: float = 5) -> ScoreTable:
    declared = {
        name: FileMetric(name, "m", name * 8, "higher", 1, high if name != "other scale" else 9, JUDGED)
        for name in columns
    }
    scores = {
        name: [Score(None, "none") if v is None else Score(v) for v in values] for name, values in columns.items()
    }
    n = len(next(iter(columns.values())))
    return score_table([f"s{k}" for k in range(n)], scores, Provenance("0", "h", tuple(columns), from_files=declared))


def test_judges_that_say_the_same_are_worth_one() -> None:
    same: list[float | None] = [1, 2, 3, 4, 5, 3, 2]
    panel = panel_of(table({"a": same, "b": same, "c": same}), ["a", "b", "c"])
    assert panel.mean_correlation == pytest.approx(1)
    assert panel.effective == pytest.approx(1)


def test_uncorrelated_judges_are_worth_their_number() -> None:
    panel = panel_of(table({"a": [1, 1, 5, 5], "b": [1, 5, 1, 5]}), ["a", "b"])
    assert panel.effective == pytest.approx(2)
    draws = np.random.default_rng(3)
    common = draws.normal(size=4000)
    columns: dict[str, list[float | None]] = {
        name: [*np.clip(3 + common + draws.normal(size=4000), -9, 9).tolist()] for name in "abc"
    }
    alike = panel_of(table(columns), ["a", "b", "c"])
    rho = 6 / np.pi * np.arcsin(0.5 / 2)  # Spearman's of a bivariate normal with correlation ½
    assert alike.mean_correlation == pytest.approx(rho, abs=0.03)
    assert alike.effective == pytest.approx(3 / (1 + 2 * rho), abs=0.06)


def test_the_mean_is_of_all_judges_or_there_is_none() -> None:
    both = table({"a": [1, 2, None], "b": [3, 5, 4]})
    scored = panel_scores(both, panel_of(both, ["a", "b"]), name="panel")
    assert [scored.score(f"s{k}", "panel").value for k in range(3)] == [2, 3.5, None]
    assert scored.score("s2", "panel").reason == INCOMPLETE
    assert scored.facts("panel").source.startswith("judged by a panel of a, b")


def test_what_is_no_panel_is_refused() -> None:
    columns: dict[str, list[float | None]] = {"a": [1, 2], "other scale": [1, 9]}
    with pytest.raises(HcatError, match="two judges at least"):
        panel_of(table(columns), ["a", "a"])
    with pytest.raises(HcatError, match="one scale"):
        panel_of(table(columns), ["a", "other scale"])
