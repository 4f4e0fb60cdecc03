"""The page Samples lists a run's samples by score: the whole run, and a part of it in the same order."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.workspace import Workspace

OpenPage = Callable[..., AppTest]


@pytest.mark.parametrize("order", ["Score, worst first", "Score, best first"])
def test_samples_are_listed_by_score_and_those_alike_in_the_order_of_the_run(open_page: OpenPage, order: str) -> None:
    app = open_page("samples", "calibrated", metric="token_f1", sort=order)
    listed = app.dataframe[0].value
    run = _scored()
    expected = run.sort_values(ascending=order == "Score, worst first", kind="stable")
    assert list(listed["Sample"]) == list(expected.index)
    assert listed.iloc[:, 1].to_numpy() == pytest.approx(expected.to_numpy(), nan_ok=True)
    app.selectbox(key="sort").set_value("As imported").run()
    assert list(app.dataframe[0].value["Sample"]) == list(run.index)


def _scored() -> pd.Series:
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.all(workspace.projects.all()[0])[0]
        table = workspace.scoring.required(run)
        return pd.Series(table.values("token_f1"), index=table.frame.index)
