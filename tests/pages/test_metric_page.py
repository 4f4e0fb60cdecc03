"""The Metrics page: the ten worst open as exactly these, pairs are chosen, and what is unscored says why."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]


def test_the_ten_worst_open_as_exactly_these_ten(open_page: OpenPage) -> None:
    app = open_page("metrics", "calibrated", explained="Answer F1")
    assert_sound(app)
    app.button(key="worst-answer_f1").click().run()
    assert_sound(app)
    assert "10 samples" in shown(app)
    workspace = Workspace.open(settings())
    values = workspace.scoring.table(workspace.runs.all(PROJECT)[0])
    assert values is not None
    lowest = np.sort(values.values("answer_f1"))[:10]
    opened = app.dataframe[0].value
    assert len(opened) == 10
    assert opened.select_dtypes("number").iloc[:, 0].to_numpy() == pytest.approx(lowest)


def test_what_is_unscored_says_why(open_page: OpenPage) -> None:
    app = open_page("metrics", "calibrated", explained="Factual numbers")
    assert_sound(app)
    reasons = next(frame.value for frame in app.dataframe if "Reason" in frame.value.columns)
    assert reasons["Reason"].str.contains("no numbers in the answer").any()
    assert "none of them counts as zero" in shown(app)


def test_a_pair_of_metrics_is_shown_sample_by_sample(open_page: OpenPage) -> None:
    app = open_page("metrics", "calibrated")
    app.selectbox(key="pair-first").select("answer_f1")
    app.selectbox(key="pair-second").select("token_f1").run()
    assert_sound(app)
    assert "Spearman's ρ: **0." in shown(app)
    assert "n = 44" in shown(app).split("Spearman's ρ: **")[1]
    app.selectbox(key="pair-second").select("answer_f1").run()
    assert "Choose two different metrics" in shown(app)


def test_one_family_alone_is_correlated(open_page: OpenPage) -> None:
    app = open_page("metrics", "calibrated")
    app.button_group(key="families").set_value(["baseline"]).run()
    assert_sound(app)
    assert app.selectbox(key="pair-first").options[0] == "Token precision"
    assert "Groundedness" not in app.selectbox(key="pair-first").options


def test_a_card_says_what_errors_pass_the_metric(open_page: OpenPage) -> None:
    app = open_page("metrics", "calibrated", explained="Factual numbers")
    assert_sound(app)
    assert any("Cannot tell of what a value is said" in warning.value for warning in app.warning)
