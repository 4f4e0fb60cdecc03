"""A plan is registered where criteria are made, and the page says when it comes after labels."""

from __future__ import annotations

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, shown


def test_a_plan_is_registered_on_the_page(open_page: OpenPage) -> None:
    app = open_page("runs", "calibrated")
    assert_sound(app)
    assert any("This criterion has labels already" in each.value for each in app.info)
    register = next(button for button in app.button if button.label == "Register the plan")
    register.click().run()
    assert [each.value.startswith("A plan needs metrics") for each in app.error] == [True]
    next(area for area in app.text_area if area.label.startswith("Rule")).input("labels of people")
    next(field for field in app.text_input if field.label == "Registered by").input("V. Lead")
    next(button for button in app.button if button.label == "Register the plan").click().run()
    assert_sound(app)
    with Workspace.open(settings(), actor="test") as workspace:
        [plan] = workspace.preregistrations.all(workspace.projects.get(PROJECT))
    assert (plan.author, plan.plan.n, plan.plan.threshold, plan.plan.alpha) == ("V. Lead", 100, 0.9, 0.1)
    assert plan.labels_before > 0
    assert plan.hash in shown(app)
