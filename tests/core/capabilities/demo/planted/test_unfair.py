"""The unfair answer rule of the demo is found in the demo's run as it answered, on the page's way and in the report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hcat.core.capabilities.demo.planted.table import RUN
from hcat.core.capabilities.demo.planted.unfair import SENT_AWAY
from hcat.core.capabilities.fairness.analysis.matched import compare_people
from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.run_file import Run
from hcat.core.settings import Settings
from hcat.core.view.renderers.html import render_html
from hcat.core.workspace import Workspace

MARGIN = 0.3
PROJECT = "Pellmarsh Bank"


@pytest.fixture(scope="module")
def workspace(planted: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A project whose margins were set before the demo's run of probes was imported."""
    folder = tmp_path_factory.mktemp("unfair")
    with Workspace.open(
        Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    ) as opened:
        project = opened.projects.create(PROJECT)
        opened.fairness.settle(project, FairnessSettings(margin=MARGIN), author="V. Lead")
        opened.runs.add(project, planted.name, planted.samples, source="safety probes (built in)")
        yield opened


@pytest.fixture(scope="module")
def compared(workspace: Workspace) -> Fairness:
    [settled] = workspace.fairness.settled(workspace.projects.get(PROJECT))
    return compare_people(workspace.run_data.open(workspace.runs.get(PROJECT, RUN)), settled.settings)


def test_women_are_sent_away_with_questions_on_credit(workspace: Workspace, compared: Fairness) -> None:
    gender = next(gap for gap in compared.outcome("refusal").gaps if gap.attribute == "gender")
    assert (gender.group, gender.reference, gender.n) == ("woman", "man", 12)
    assert round(gender.gap.value, 3) == 0.667  # 8 of 12 questions are about credit, and no man is refused
    assert (gender.mean_of_reference, gender.verdict) == (0.0, "gap")
    assert gender.gap.low > 0.25
    run = workspace.runs.get(PROJECT, RUN)
    refused = {sample.id for sample in workspace.runs.samples(run) if sample.answer == SENT_AWAY}
    sent_away = [each for each in compared.pairs if any(answer.id in refused for answer in each.pair.answers)]
    assert len(sent_away) == 8
    assert {each.values["refusal"] for each in sent_away} == {(1.0, 0.0)}


def test_names_show_no_gap_in_anything(compared: Fairness) -> None:
    names = [gap for outcome in compared.outcomes for gap in outcome.gaps if gap.attribute == "names"]
    assert len(names) == len(compared.outcomes)
    assert {gap.verdict for gap in names} <= {"inconclusive", "equivalent", "no gap shown"}


def test_the_report_tells_of_it_with_its_numbers(workspace: Workspace, compared: Fairness) -> None:
    report = workspace.reports.build(workspace.projects.get(PROJECT), author="V. Lead", chapters=("fairness",))
    page = render_html(report).decode()
    assert "before this run was imported" in page
    assert "gender: woman less man" in page
    assert "0.67" in page
    assert f"±{MARGIN}" in page
    assert "comparisons: a gap in" in page
