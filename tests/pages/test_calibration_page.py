"""The calibration page: thresholds by class and dimension, coverage within them, the promise, the rule, the levels."""

from __future__ import annotations

import random
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.calibration.calibrate import threshold_levels
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT, RUN

UTILITY = Criterion("utility", ("poor", "fair", "good"), guideline="How useful is the answer?", passing=1)


def texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.warning, app.success, app.error, app.info)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def tables(app: AppTest) -> list[pd.DataFrame]:
    return [element.value for element in [*app.table, *app.dataframe]]


def table_of(app: AppTest, column: str) -> pd.DataFrame:
    return next(table for table in tables(app) if column in table.columns)


def test_the_page_says_what_is_promised_and_how_the_verdict_is_reached(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    assert not app.exception
    said = texts(app)
    # 44 labels are few: each is checked in its turn.
    for wanted in (
        "Trivial scores are those of",
        "drawn as the labels were",
        r"Cross\-checking uses each label in turn",
        "add up to the Brier score",
        "Undecided in this run",
    ):
        assert wanted in said, wanted
    assert "All 44 samples of the run are labelled" in said
    conditions, diagnostics, brier, coverage, decided = tables(app)[:5]
    assert len(conditions) == 9 and set(conditions["Met or not"]) <= {"met", "not met", "contradicted"}
    measured = dict(zip(diagnostics["Measure"], diagnostics["Estimate"], strict=True))
    assert "n = 44" in measured["ECE, corrected"] and "n = 44" in measured["Coverage of prediction sets"]
    assert coverage["Within"].tolist() == ["fail", "pass"]
    assert brier["Part"].tolist()[:3] == ["reliability", "resolution", "uncertainty"]
    assert decided["Samples"].sum() == 44


@pytest.mark.parametrize(("by", "cells"), [("class", {"fail", "pass"}), ("kind", {"amount", "yes or no"})])
def test_thresholds_by_class_and_by_dimension(open_page: OpenPage, by: str, cells: set[str]) -> None:
    app = open_page("calibration", "calibrated")
    app.selectbox(key="conditional").set_value(by).run()
    assert not app.exception
    table = table_of(app, "Within")
    assert set(table["Within"]) == cells
    assert {"Labels that make the sets", "Labels missing"} <= set(table.columns)
    said = texts(app)
    assert f"within each {'class' if by == 'class' else 'level of kind'}" in said or "Too few labels" in said
    app.text_input(key="calibration-author").input("Bea")
    app.text_area(key="calibration-reason").input("a test")
    app.button(key="keep-calibration").click().run()
    assert not app.exception
    workspace = Workspace.open(settings())
    run = workspace.runs.all(PROJECT)[0]
    kept = workspace.calibrations.read(workspace.calibrations.all(run)[0])
    assert kept.conditional == by and kept.thresholds is not None
    groups = threshold_levels(workspace.run_data.columns(run), kept)
    assert (groups is None) == (by == "class")
    scores = workspace.scoring.table(run)
    assert scores is not None and len(kept.predict(scores, groups=groups)) == 44


def test_a_criterion_of_three_levels_draws_their_probabilities(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    workspace = Workspace.open(settings())
    run, chance = workspace.runs.all(PROJECT)[0], random.Random(3)
    workspace.criteria.add(PROJECT, UTILITY)
    scores = workspace.scoring.table(run)
    assert scores is not None
    values = scores.values("answer_f1")
    workspace.labels.add(
        run,
        UTILITY,
        [
            Label(i, "utility", int(min(2, max(0, round(2 * v + chance.uniform(-0.7, 0.7))))), "ann", run=RUN)
            for i, v in zip(scores.sample_ids, values.tolist(), strict=True)
        ],
    )
    app.run()
    app.selectbox(key="criterion").set_value("utility").run()
    app.segmented_control(key="method-False").set_value("ordinal").run()
    assert not app.exception
    assert "Probability of each level" in texts(app)
    assert table_of(app, "Within")["Within"].tolist() == sorted(UTILITY.levels)


def test_a_method_stays_with_more_metrics_unless_it_takes_one_alone(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.segmented_control(key="method-True").set_value("xgboost").run()
    app.multiselect(key="calibrated-metrics").set_value(["answer_f1", "token_recall"]).run()
    assert app.segmented_control(key="method-True").value == "xgboost"
    app.multiselect(key="calibrated-metrics").set_value(["answer_f1"]).run()
    app.segmented_control(key="method-True").set_value("isotonic").run()
    app.multiselect(key="calibrated-metrics").set_value(["answer_f1", "token_recall"]).run()
    assert not app.exception
    assert app.segmented_control(key="method-True").value == "logistic"
    assert "takes one metric only: logistic is used instead" in texts(app)


def test_the_plain_methods_can_be_chosen_and_say_what_they_are(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    titles = app.segmented_control(key="method-True").options
    assert {"Logistic, maximum likelihood (Platt)", "Isotonic, steps (one metric)"} <= {str(title) for title in titles}
    app.segmented_control(key="method-True").set_value("isotonic_steps").run()
    assert not app.exception
    assert "the lower of their two probabilities" in texts(app)
    # The metric separates these labels: there is no map, the reason is said, and the pass rate rests on labels alone.
    app.segmented_control(key="method-True").set_value("platt").run()
    assert not app.exception
    assert re.search("No metric was used.*maximum likelihood has no finite maximum", texts(app))


def test_with_sets_by_class_the_promise_is_stated_of_both(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.selectbox(key="conditional").set_value("class").run()
    assert r"within each class that has labels enough \(2 of 2\)" in texts(app)
