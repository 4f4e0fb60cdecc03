"""The Fairness page: margins first, then gaps with them, and the answers to one question side by side."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from hcat.core.capabilities.fairness.analysis.matched import compare_people
from hcat.core.display.numbers import format_estimate
from hcat.core.records.codec import JSON
from hcat.core.settings import settings
from hcat.core.types import Sample, Variant
from hcat.core.view.tree import Table
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app as hcat
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
    assert table["Gap"].iloc[0].startswith("+0.33")
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


def test_own_groups_are_matched_and_read_alike_on_the_page_by_command_and_in_the_report(open_page: OpenPage) -> None:
    """Business customers ask more about loans, which are always declined: matched on topic there is no gap."""
    app = open_page("fairness", "unscored")
    workspace = Workspace.open(settings())
    samples = [
        Sample(
            f"s{n}",
            f"Question {n}?",
            "I cannot answer that." if topic == "loans" else f"The fee is EUR {n}.",
            dimensions={"segment": segment, "topic": topic},
        )
        for n in range(160)
        for segment in ("private" if n % 2 else "business",)
        for topic in ("loans" if n % 20 < (5 if segment == "private" else 15) else "cards" if n < 150 else "rent",)
    ]
    run = workspace.runs.add(PROJECT, "segments", samples, source="segments.jsonl")
    app.session_state["next-run"] = "segments"
    app.run()
    assert_sound(app)
    assert "Choose above by which dimension your groups differ" in shown(app)
    app.multiselect(key=f"fairness-by-{run.id}").set_value(["segment"])
    app.run()
    assert app.multiselect(key=f"fairness-match-{run.id}").value == ["topic"]
    app.multiselect(key="fairness-outcomes").set_value(["refusal"])
    app.text_input(key="fairness-author").set_value("V. Lead")
    next(button for button in app.button if button.label == "Set").click()
    app.run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "groups by segment, matched on topic" in text
    assert "Samples are matched exactly on topic" in text
    row = app.dataframe[0].value.iloc[0]
    project = workspace.projects.get(PROJECT)
    (settled,) = workspace.fairness.settled(project)
    assert (settled.settings.by, settled.settings.match) == (("segment",), ("topic",))
    gap = compare_people(workspace.run_data.open(run), settled.settings).outcome("refusal").gaps[0]
    assert gap.matching is not None
    assert row["Gap"] == format_estimate(gap.gap, signed=True)
    assert row["Without matching"] == format_estimate(gap.matching.unmatched, signed=True)
    assert abs(gap.gap.value) < 1e-9 < 0.3 < abs(gap.matching.unmatched.value)
    by_command = CliRunner().invoke(hcat, ["bias", "segments", "--project", PROJECT, "--json"])
    document = json.loads(by_command.stdout)
    assert document["matched_on"] == ["topic"]
    assert document["outcomes"][0]["gaps"][0] == JSON.write(gap)
    section = next(
        each
        for each in workspace.reports.build(project, author="V. Lead", chapters=("fairness",)).sections
        if each.id == "fairness"
    )
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert table.rows[0][3] == gap.gap
    place = [column.title for column in table.columns].index("Left out")
    assert f"{table.rows[0][place]}" == f"{row['Left out']}" == "0"
    printed = CliRunner().invoke(hcat, ["bias", "segments", "--project", PROJECT]).stdout
    assert "Left out" in printed and "none was left out" in printed
    app.multiselect(key=f"fairness-match-{run.id}").set_value([])
    app.run()
    assert_sound(app)
    assert "are not those that were settled on" in shown(app)
    assert app.dataframe[0].value["Gap"].iloc[0] == format_estimate(gap.matching.unmatched, signed=True)
    workspace.close()


def test_without_groups_the_page_says_what_to_do(open_page: OpenPage) -> None:
    app = open_page("fairness", "unscored")
    assert_sound(app)
    assert "Make counterfactual variants of a test set" in shown(app)
    assert "find a gap of" in shown(app)
