"""Scores that others gave, on screen: uploaded beside a stored run or read with it, then picked like any metric."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT, RUN, small_samples
from tests.pages.test_import_mapping import import_it
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]
IDS = [sample.id for sample in small_samples()]
THEIRS = "sample_id,their_judge,groundedness\n" + "".join(
    f"{name},{9 if place == 0 else place % 6},{place % 2}\n" for place, name in enumerate(IDS)
)
RAGAS = [{"user_input": f"Q{k}?", "response": "A", "faithfulness": k / 9, "tone": k} for k in range(9)]


def upload_scores(app: AppTest, content: bytes, name: str = "theirs.csv") -> AppTest:
    uploader = next(one for one in app.file_uploader if one.label.startswith("Scores of run"))
    return uploader.set_value((name, content, "text/csv")).run()


def better(app: AppTest) -> list[str | None]:
    return [box.value for box in app.selectbox if box.label == "Better"]


def state(app: AppTest, start: str, *, of: str) -> None:
    place = [field.value for field in app.text_input if field.label == "Name of the metric"].index(of)
    [box for box in app.selectbox if box.label == "Better"][place].select(start).run()


def added(app: AppTest) -> AppTest:
    app = upload_scores(app, THEIRS.encode())
    state(app, "higher", of="their_judge")
    state(app, "higher", of="file:groundedness")
    next(field for field in app.number_input if field.label == "Lowest").set_value(0.0).run()
    next(field for field in app.number_input if field.label == "Highest").set_value(5.0).run()
    return app.button(key="add-scores").click().run()


def test_scores_are_added_beside_a_run_once_their_direction_is_said(open_page: OpenPage) -> None:
    app = upload_scores(open_page("runs", "unscored"), THEIRS.encode())
    assert_sound(app)
    assert better(app) == [None, None]
    assert "Say which way is better for their_judge, " in shown(app).replace("\\", "")
    assert app.button(key="add-scores").disabled
    added(app)
    assert_sound(app)
    assert "2 metrics added to the run" in shown(app)
    with Workspace.open(settings(), actor="test") as workspace:
        table = workspace.scoring.required(workspace.runs.get(PROJECT, RUN))
    assert table.metrics == ("their_judge", "file:groundedness")
    assert table.facts("their_judge").range == (0.0, 5.0)
    assert table.reasons("their_judge") == {"outside the range 0..5": 1}


@pytest.mark.parametrize("page", ["overview", "weaknesses", "metrics", "samples", "calibration", "estimates", "report"])
def test_every_page_takes_them(open_page: OpenPage, page: str) -> None:
    app = added(open_page("runs", "unscored"))
    app.switch_page(f"../pages/{page}.py").run()
    assert_sound(app)
    if page not in ("report", "calibration", "estimates"):
        assert "their_judge" in shown(app).replace("\\", "")


def test_a_file_of_another_run_is_refused(open_page: OpenPage) -> None:
    app = upload_scores(open_page("runs", "unscored"), b"sample_id,judge\nx,1\n")
    state(app, "higher", of="judge")
    app.button(key="add-scores").click().run()
    assert "no row is of this run" in app.error[0].value
    assert [error.value for error in app.exception] == []


def test_a_file_without_scores_is_refused(open_page: OpenPage) -> None:
    app = upload_scores(open_page("runs", "unscored"), b"sample_id,judge\nx,fine\n")
    assert "no column holds scores" in app.error[0].value


def test_an_export_is_imported_with_its_scores(open_page: OpenPage) -> None:
    app = open_page("runs", "no run")
    app.file_uploader[0].set_value(("ragas.json", json.dumps(RAGAS).encode(), "application/json")).run()
    assert_sound(app)
    assert "The file has numbers of its own" in shown(app)
    assert better(app) == ["higher"]
    taken = next(box for box in app.multiselect if box.label == "Columns to use as metrics")
    taken.set_value(["faithfulness", "tone"]).run()
    assert next(button for button in app.button if button.label.startswith("Import ")).disabled
    state(app, "lower", of="tone")
    import_it(app, "theirs")
    assert_sound(app)
    with Workspace.open(settings(), actor="test") as workspace:
        table = workspace.scoring.required(workspace.runs.get(PROJECT, "theirs"))
    assert table.directions(table.metrics) == {"ragas:faithfulness": "higher", "tone": "lower"}
    assert table.facts("ragas:faithfulness").range == (0.0, 1.0)


def test_a_column_can_be_left_out(open_page: OpenPage) -> None:
    app = open_page("runs", "no run")
    app.file_uploader[0].set_value(("ragas.json", json.dumps(RAGAS).encode(), "application/json")).run()
    next(box for box in app.multiselect if box.label == "Columns to use as metrics").set_value([]).run()
    import_it(app, "alone")
    assert_sound(app)
    with Workspace.open(settings(), actor="test") as workspace:
        assert workspace.scoring.table(workspace.runs.get(PROJECT, "alone")) is None
