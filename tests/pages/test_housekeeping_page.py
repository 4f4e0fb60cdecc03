"""Runs page: what a run, criterion or project holds is said, and it goes only when its name is typed."""

from __future__ import annotations

from pathlib import Path

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.components.markdown import plain
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT, RUN

DELETE = f"Delete {plain(f'run {RUN}')}"


def test_a_run_is_renamed_archived_and_restored(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    assert any("holds 44 samples" in text.value for text in app.markdown)
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.get(PROJECT, RUN)
    field = next(field for field in app.text_input if field.label == "Name" and field.value == RUN)
    field.set_value("baseline")
    next(button for button in app.button if button.label == "Rename" and "menu-run" in str(button.form_id)).click()
    app.run()
    assert not app.exception
    assert app.sidebar.selectbox(key="run").value == "baseline"
    app.button(key=f"archive-menu-run-{run.id}").click().run()
    assert not app.exception
    with Workspace.open(settings()) as workspace:
        assert workspace.runs.all(PROJECT) == []
    chosen = app.selectbox(key="housekeeping-item")
    archived = next(option for option in chosen.options if option == "Run baseline (archived)")
    chosen.set_value(chosen.options.index(archived)).run()
    app.button(key=f"restore-panel-run-{run.id}").click().run()
    assert not app.exception
    with Workspace.open(settings()) as workspace:
        assert [stored.name for stored in workspace.runs.all(PROJECT)] == ["baseline"]


def delete(app, *, confirmed: str, author: str):
    """Fill the form of the run's menu and press its button."""
    form = next(button for button in app.button if button.label == DELETE)
    fields = [field for field in app.text_input if field.form_id == form.form_id]
    for field, text in zip(fields, (confirmed, author, "a trial"), strict=True):
        field.set_value(text)
    form.click()
    return app.run()


def test_a_run_is_deleted_when_its_name_is_typed(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    app = delete(app, confirmed="", author="lee")
    assert any("Nothing was deleted" in error.value for error in app.error)
    app = delete(app, confirmed=RUN, author=" ")
    assert any("author needs a name" in error.value for error in app.error)
    app = delete(app, confirmed=RUN, author="lee")
    assert not app.exception
    assert any("lee deleted run" in caption.value for caption in app.caption)
    with Workspace.open(settings()) as workspace:
        assert workspace.runs.all(PROJECT) == []
        assert not list(Path(workspace.store.artifacts.root, "samples").glob("*"))


def test_what_a_calibration_rests_on_is_kept(open_page: OpenPage) -> None:
    app = open_page("runs", "calibrated")
    assert any("rest" in info.value and "archive it" in info.value for info in app.info)
    assert not any(button.label == DELETE for button in app.button)


def test_the_last_project_that_is_archived_can_be_restored(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    with Workspace.open(settings()) as workspace:
        project = workspace.projects.get(PROJECT)
    app.button(key=f"archive-panel-project-{project.id}").click().run()
    assert not app.exception
    app.button(key=f"restore-panel-project-{project.id}").click().run()
    assert not app.exception
    with Workspace.open(settings()) as workspace:
        assert [stored.name for stored in workspace.projects.all()] == [PROJECT]


def test_a_project_begins_beside_the_picker_on_every_page(open_page: OpenPage) -> None:
    app = open_page("overview", "unscored")
    app.sidebar.text_input[0].set_value("Tariff assistant")
    next(button for button in app.sidebar.button if button.label == "Create project").click()
    app.run()
    assert not app.exception
    assert app.sidebar.selectbox(key="project").value == "Tariff assistant"
