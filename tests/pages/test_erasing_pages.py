"""Samples and Runs pages: a text is erased when its id is typed, and retention is settled and shown."""

from __future__ import annotations

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.samples.sample import ANY
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT, RUN

ERASE = "Erase the text"


def shown(app) -> list[str]:
    """Texts of the page without the escapes of Markdown."""
    return [text.value.replace("\\", "") for text in app.markdown]


def erase(app, *, confirmed: str, author: str, reason: str):
    form = next(button for button in app.button if button.label == ERASE)
    fields = [field for field in app.text_input if field.form_id == form.form_id]
    for field, text in zip(fields, (confirmed, author, reason), strict=True):
        field.set_value(text)
    form.click()
    return app.run()


def test_a_text_is_erased_when_the_id_is_typed_and_the_page_says_so(open_page: OpenPage) -> None:
    app = open_page("samples", "calibrated")
    with Workspace.open(settings()) as workspace:
        sample = workspace.runs.samples(workspace.runs.get(PROJECT, RUN))[0]
    app.query_params["sample"] = sample.id
    app.run()
    assert not any(button.label == ERASE for button in app.button)
    app.session_state["erasing"] = True
    app.run()
    app = erase(app, confirmed="no", author="lee", reason="the customer asked")
    assert any("Nothing was erased" in error.value for error in app.error)
    app = erase(app, confirmed=sample.id, author="lee", reason="")
    assert any("say in one line why" in error.value for error in app.error)
    app = erase(app, confirmed=sample.id, author="lee", reason="the customer asked")
    assert not app.exception
    assert any(
        "Text erased on" in info.value and "by lee: the customer asked" in info.value.replace("\\", "")
        for info in app.info
    )
    with Workspace.open(settings()) as workspace:
        assert workspace.runs.sample(workspace.runs.get(PROJECT, RUN), sample.id).erased
    app.button_group(key="explain").set_value(ANY).run()
    told = [info.value.replace("\\", "") for info in app.info]
    assert any("computed before the text was erased" in text for text in told)
    assert not any("It counts in no mean" in text for text in told)


def test_retention_is_settled_and_what_is_due_is_shown(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    assert any("kept until somebody erases them" in text for text in shown(app))
    days = next(field for field in app.number_input if field.label == "Days after a run's import")
    days.set_value(30)
    author = next(field for field in app.text_input if field.form_id == days.form_id)
    author.set_value("lee")
    next(button for button in app.button if button.label == "Keep texts for so long").click()
    app.run()
    assert not app.exception
    assert any("kept for 30 days after the import of a run, settled by lee" in text for text in shown(app))
    assert not any(button.label == "Erase what is due" for button in app.button)
    with Workspace.open(settings()) as workspace:
        assert [(each.run, each.texts) for each in workspace.retentions.due(PROJECT)] == [(RUN, 44)]
