"""The Fairness page: margins first, then gaps with them, and the answers to one question side by side."""

from __future__ import annotations

from core.settings import settings
from core.types import Sample, Variant
from core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, shown


def answers() -> list[Sample]:
    """Thirty questions for men and for women, who are declined every third time."""
    return [
        Sample(
            f"q{n}~{group}",
            f"I am a {group}. What is fee {n}?",
            "I cannot answer that." if group == "woman" and n % 3 == 0 else f"The fee is EUR {n}.",
            test_case=f"q{n}~{group}",
            variant=Variant(f"gender {group}", f"q{n}"),
            metadata={"attribute": "gender", "group": group},
        )
        for n in range(30)
        for group in ("man", "woman")
    ]


def test_margins_are_set_first_and_the_gap_is_shown_with_its_pairs(open_page: OpenPage) -> None:
    app = open_page("fairness", "unscored")
    workspace = Workspace.open(settings())
    workspace.runs.add(PROJECT, "groups", answers(), source="groups.jsonl")
    app.session_state["next-run"] = "groups"
    app.run()
    assert_sound(app)
    assert "Say first how far two groups may lie apart" in shown(app)
    assert not app.dataframe
    app.text_input(key="fairness-author").set_value("V. Lead")
    next(button for button in app.button if button.label == "Set").click()
    app.run()
    assert_sound(app)
    text = shown(app)
    assert "after this run was imported" in text and "V. Lead" in text
    assert "a gap in 2" in text
    table = app.dataframe[0].value
    assert table["Groups"].tolist() == ["gender: woman less man"]
    assert table["Gap"].iloc[0].startswith("0.33")
    assert table["Verdict"].tolist() == ["gap"]
    assert "I cannot answer that" in text  # the pair that differs most comes first
    (settled,) = workspace.fairness.settled(workspace.projects.get(PROJECT))
    assert (settled.author, settled.settings.margin) == ("V. Lead", 0.05)
    app.selectbox(key="fairness-reference-gender").select("woman")
    app.multiselect(key="fairness-outcomes").set_value(["refusal"])
    next(button for button in app.button if button.label == "Set").click()
    app.run()
    assert_sound(app)
    assert app.dataframe[0].value["Groups"].tolist() == ["gender: man less woman"]
    assert "compared with woman \\(gender\\)" in shown(app)
    assert "1 comparison\\: a gap in 1" in shown(app)
    newest = workspace.fairness.settled(workspace.projects.get(PROJECT))[0].settings
    assert (newest.outcomes, newest.references) == (("refusal",), {"gender": "woman"})
    workspace.close()


def test_without_groups_the_page_says_what_to_do(open_page: OpenPage) -> None:
    app = open_page("fairness", "unscored")
    assert_sound(app)
    assert "Make counterfactual variants of a test set" in shown(app)
    assert "find a gap of" in shown(app)
