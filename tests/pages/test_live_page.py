"""The live page: everything as of any label, evaluators compared and put to use; why a sample has its probability."""

from __future__ import annotations

import re

import pandas as pd
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage


def texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.warning, app.success, app.error, app.info)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def labels_in_use(app: AppTest) -> int:
    found = re.search(r"(\d+) of these samples are used: all of them fit the curve", texts(app).replace("\\", ""))
    assert found is not None
    return int(found.group(1))


def figures(app: AppTest) -> dict[str, str]:
    return {metric.label: f"{metric.value} {metric.delta}" for metric in app.metric}


def diagnostics(app: AppTest) -> dict[str, str]:
    table = next(frame.value for frame in app.dataframe if "Measure" in frame.value)
    return dict(zip(table["Measure"], table["Estimate"], strict=True))


def test_the_slider_takes_the_whole_panel_back(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    assert labels_in_use(app) == 44
    now = {**figures(app), **diagnostics(app)}
    app.slider(key="replay-44").set_value(30).run()
    assert not app.exception
    assert labels_in_use(app) == 30
    assert "The first 30 of 44 labels" in texts(app)
    before = {**figures(app), **diagnostics(app)}
    for name in ("Coverage of prediction sets", "AUC", "Labels only", "PPI++"):
        assert before[name] != now[name], name
    assert "n = 30" in before["Labels only"] and "n = 44" in now["Labels only"]


def test_a_replay_goes_on_by_steps_and_stops_at_the_end(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.slider(key="replay-44").set_value(39).run()
    app.button(key="replay-play").click().run()
    assert not app.exception
    places = [app.slider(key="replay-44").value]
    while app.session_state["replay-playing"]:
        app.run()
        assert not app.exception
        places.append(app.slider(key="replay-44").value)
    # From 10 to 44 in 20 steps: ⌈34 / 20⌉ = 2 labels a step.
    assert places == [41, 43, 44]
    assert app.button(key="replay-play")
    assert labels_in_use(app) == 44


def test_keeping_takes_all_labels_wherever_the_slider_stands(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.slider(key="replay-44").set_value(30).run()
    app.text_input(key="calibration-author").input("Bea")
    app.text_area(key="calibration-reason").input("a test")
    app.button(key="keep-calibration").click().run()
    workspace = Workspace.open(settings())
    run = workspace.runs.all("Harbour Bank assistant")[0]
    kept = workspace.calibrations.read(workspace.calibrations.all(run)[0])
    assert sum(kept.split_sizes.values()) == 44
    assert kept.diagnostics is not None and kept.diagnostics.brier_parts is not None


def test_a_comparison_is_made_when_asked_for_and_its_evaluator_used(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.multiselect(key="compared-metrics").set_value(["answer_f1", "groundedness"]).run()
    assert not [frame for frame in app.dataframe if "Evaluator" in frame.value]
    app.button(key="compare").click().run(timeout=120)
    assert not app.exception
    table, others = (frame.value for frame in app.dataframe if "Evaluator" in frame.value)
    assert isinstance(table, pd.DataFrame)
    assert {"Log-loss", "Gain over a constant", "Above the best", "Labels scored"} <= set(table)
    assert {"Brier score", "Above the best", "AUC", "Against the best"} <= set(others)
    assert table["Above the best"].iloc[0] == "–" and "[" in table["Log-loss"].iloc[0]
    combined = next(name for name in table["Evaluator"] if name == "combined on 2 metrics")
    app.selectbox(key="compared-choice").set_value(combined).run()
    app.button(key="use-compared").click().run()
    assert not app.exception
    assert app.multiselect(key="calibrated-metrics").value == ["answer_f1", "groundedness"]
    assert "A metric may count only in the direction in which it is better" in texts(app)
    weights = next(frame.value for frame in app.dataframe if "Odds of a pass, times" in frame.value)
    assert sorted(weights["Metric"]) == ["Answer F1", "Groundedness"]


def test_a_sample_says_why_it_has_its_probability(open_page: OpenPage) -> None:
    app = open_page("samples", "calibrated")
    app.segmented_control(key="explain").set_value("Why this probability").run()
    assert not app.exception
    said = texts(app).replace("\\", "")
    assert re.search(
        r"pass this answer on correctness with probability 0\.\d+ \(with other labels between 0\.\d+ and 0\.\d+\)", said
    )
    assert "The calibration is not shown to be fit." in said
    assert "The bars add up" in texts(app)


def test_the_labelling_page_shows_the_calibration_in_short(open_page: OpenPage) -> None:
    app = open_page("labelling", "calibrated")
    app.text_input(key="annotator-name").input("bea")
    app.button(key="begin").click().run()
    assert not app.exception
    assert {"Pass rate, PPI++", "q̂", "Coverage", "AUC"} <= set(figures(app))
    assert labels_in_use(app) == 44
    assert not [slider for slider in app.slider if str(slider.key).startswith("replay")]
