"""From a slice to its labels and back: a queue of what is in view, and one sample that was picked."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.types import Label
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store
from tests.pages.small_project import CRITERION, PROJECT, RUN, label_level, small_samples
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="module")
def stores(stores, tmp_path_factory):
    """A run of which people labelled six samples, all of other slices than the one that is labelled here."""
    folder = tmp_path_factory.mktemp("some-labels") / "store"
    others = [sample for sample in small_samples() if sample.dimensions["customer"] == "private"][:6]

    def step(workspace: Workspace) -> None:
        run = workspace.runs.all(PROJECT)[0]
        workspace.scoring.score(run, ["answer_f1", "token_f1"])
        labels = [Label(sample.id, CRITERION.name, label_level(sample), annotator="ann") for sample in others]
        workspace.labels.add(run, workspace.criteria.get(PROJECT, CRITERION.name), labels)

    add_store(stores, folder, "some labels", step, before="unscored")
    return stores


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def in_slice(kind: str = "amount", customer: str = "business") -> set[str]:
    return {s.id for s in small_samples() if (s.dimensions["kind"], s.dimensions["customer"]) == (kind, customer)}


def label_open_items(app: AppTest, n: int) -> AppTest:
    for _ in range(n):
        app = next(button for button in app.button if button.key.startswith("level-0-")).click().run()
    return app


def test_a_slice_is_labelled_in_two_clicks_from_its_samples(open_page: OpenPage) -> None:
    app = open_page("samples", "some labels", slice=json.dumps(["kind", "amount", "customer", "business"]))
    app.session_state["label-these"] = True  # its panel is opened
    app.run()
    assert_sound(app)
    # All 11 of the slice, and 4 of the 27 others that nobody has labelled.
    assert "15 labels" in shown(app) and "11 of the 11 samples" in shown(app) and "4 of the 27" in shown(app)
    press(app, "Plan and label")
    assert_sound(app)
    workspace = Workspace.open(settings())
    run = workspace.runs.get(PROJECT, RUN)
    (queue,) = workspace.queues.all(run)
    assert queue.name == "slice: kind = amount, customer = business"
    assert {i.sample_id for i in workspace.queues.items(queue) if i.stratum == "slice"} == in_slice()
    assert next(box for box in app.selectbox if box.label == "Queue").value == queue.name


def test_the_label_of_a_picked_sample_enters_no_estimate(open_page: OpenPage) -> None:
    app = open_page("samples", "some labels", sample="s00")
    app.session_state["annotator"] = "eva"
    press(app, "Label this one")
    assert_sound(app)
    assert "enters no estimate" in shown(app)
    label_open_items(app, 1)
    assert_sound(app)
    workspace = Workspace.open(settings())
    run = workspace.runs.get(PROJECT, RUN)
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    (record,) = [r for r in workspace.labels.judgements(run, criterion) if r.annotator == "eva"]
    assert (record.sample_id, record.purpose, record.details.blind) == ("s00", "picked", False)
    assert "s00" not in {label.sample_id for label in workspace.labels.current(PROJECT, CRITERION.name, run)}
    # It is seen all the same, with what it is.
    page = app.switch_page("../pages/samples.py").run()
    table = next(frame.value for frame in page.dataframe if "Label" in frame.value)
    assert table.set_index("Sample")["Label"]["s00"] == "fail (picked)"


def test_picking_a_sample_that_one_has_labelled_changes_that_label(open_page: OpenPage) -> None:
    labelled = next(s.id for s in small_samples() if s.dimensions["customer"] == "private")
    app = open_page("samples", "some labels", sample=labelled)
    app.session_state["annotator"] = "ann"
    press(app, "Label this one")
    assert "You labelled this sample before" in shown(app)
    label_open_items(app, 1)
    workspace = Workspace.open(settings())
    run = workspace.runs.get(PROJECT, RUN)
    current = {x.sample_id: x for x in workspace.labels.current(PROJECT, CRITERION.name, run)}
    assert len(current) == 6 and current[labelled].level == 0


def test_samples_are_filtered_sorted_and_stepped_through_in_that_order(open_page: OpenPage) -> None:
    app = open_page("samples", "some labels")
    app.multiselect(key="label").set_value(["fail", "pass"]).run()
    assert_sound(app)
    assert "6 samples" in shown(app)
    app.selectbox(key="sort").set_value("Sample").run()
    ids = list(next(frame.value for frame in app.dataframe if "Label" in frame.value)["Sample"])
    assert ids == sorted(ids) and len(ids) == 6
    press(app, "Next")
    assert f"2 of 6 · {ids[1]}" in shown(app)
    app.text_input(key="text").set_value("cancel the").run()
    assert all("cancel" in q for q in next(f.value for f in app.dataframe if "Label" in f.value)["Query"])
    press(app, "Show all samples")
    assert "44 samples" in shown(app)


def test_what_a_filter_keeps_becomes_a_finding_whole(open_page: OpenPage) -> None:
    app = open_page("samples", "some labels")
    app.multiselect(key="where").set_value(["kind = amount"]).run()
    next(field for field in app.text_input if field.label == "Confirmed by").input("ann")
    press(app, "Confirm")
    assert_sound(app)
    workspace = Workspace.open(settings())
    (finding,) = workspace.findings.all(PROJECT)
    frozen = workspace.findings.selection(finding)
    assert frozen is not None and frozen.title == "kind = amount" and len(frozen.scores) == 22


def test_labels_of_a_slice_move_it_on_the_weaknesses_page(open_page: OpenPage) -> None:
    """Samples of the slice, labelled through the desk, and back: its pass rate by people is there, and is right."""
    app = open_page("weaknesses", "some labels", view="Ranked list")
    before = _listed(app.selectbox(key="metric").set_value("pass_rate:correctness").run())
    app.session_state["annotator"] = "eva"
    app.query_params["slice"] = json.dumps(["kind", "amount", "customer", "business"])
    app.switch_page("../pages/samples.py").run()
    app.session_state["label-these"] = True
    app.run()
    press(app, "Plan and label")
    workspace = Workspace.open(settings())
    run = workspace.runs.get(PROJECT, RUN)
    (queue,) = workspace.queues.all(run)
    label_open_items(app, 1)
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    while (item := workspace.queues.next_item(queue, "eva")) is not None:  # all others fail too
        workspace.labels.record(run, criterion, item.sample_id, 0, annotator="eva", item=item)
    assert workspace.queues.team_progress(queue).complete == queue.planned

    app.query_params["view"] = "Ranked list"
    app = app.switch_page("../pages/weaknesses.py").run()
    after = _listed(app.selectbox(key="metric").set_value("pass_rate:correctness").run())
    assert_sound(app)
    title = "kind = amount, customer = business (the same samples: customer = business, query_type = factual)"
    value = "Value, 95% interval"
    assert title not in before or not before[title][value].startswith("0% ")
    assert after[title][value].startswith("0% [0%, ") and after[title][value].endswith(", n = 11")


def _listed(app: AppTest) -> dict[str, dict[str, str]]:
    frames = [frame.value for frame in app.dataframe if "Verdict" in frame.value]
    return frames[0].set_index("Slice").to_dict("index") if frames else {}
