"""One quantity, one number: whatever is named alike has one value and one interval, on every page, in every service and
in the report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.agreement import analysis as of_annotators
from hcat.core.capabilities.agreement.analysis import annotator_ratings
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import pair_agreements
from hcat.core.capabilities.calibration.calibrate import evaluate_labels
from hcat.core.capabilities.calibration.decisions import count_decisions
from hcat.core.capabilities.estimates import estimate as estimates
from hcat.core.capabilities.estimates.wording.pass_rate import rate_or_insufficient, rate_with_ties
from hcat.core.capabilities.report.analysis.evidence import labels_by_kind
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
from hcat.core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation, history
from hcat.core.opened.run import Opened
from hcat.core.slices.keys import CORRECTED, pass_rate_key
from hcat.core.types import Criterion, Estimate, Label
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store, settings_of
from tests.pages.small_project import CRITERION, PROJECT, RUN, label_level, small_samples
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]
STATE = "two annotators"
SPEC = CalibrationSpec(CRITERION, ("answer_f1",))


def add_second_annotator(workspace: Workspace) -> None:
    """Bea labels 30 samples too and differs on every sixth, so that five are tied; then a calibration is saved."""
    run = workspace.runs.get(PROJECT, RUN)
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    labels = [
        Label(sample.id, criterion.name, label_level(sample) ^ (number % 6 == 0), "bea")
        for number, sample in enumerate(small_samples()[:30])
    ]
    workspace.labels.add(run, criterion, labels)
    fitted = evaluate_labels(workspace.run_data.open(run), SPEC).calibration
    assert fitted is not None
    workspace.calibrations.save(run, fitted, author="ann", reason="a test")


@pytest.fixture(scope="session", autouse=True)
def two_annotators(stores: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> None:
    if STATE not in stores:
        add_store(stores, tmp_path_factory.mktemp("two") / "store", STATE, add_second_annotator, before="calibrated")


@dataclass(frozen=True)
class Project:
    """The project as everything sees it."""

    run: Opened
    criterion: Criterion
    calibration: Calibration
    evaluation: LabelEvaluation
    evidence: Evidence
    overall: dict[str, Estimate]
    overall_without_slices: dict[str, Estimate]
    ratings: Ratings


@pytest.fixture(scope="module")
def project(stores: dict[str, Path]) -> Iterator[Project]:
    workspace = Workspace.open(settings_of(stores[STATE]))
    info = workspace.runs.get(PROJECT, RUN)
    run, criterion = workspace.run_data.open(info), workspace.criteria.get(PROJECT, CRITERION.name)
    keys = (CORRECTED, pass_rate_key(criterion.name))
    tables = {key: compare_slices(run, key, by=["kind"]) for key in keys}
    untested = {key: compare_slices(run, key, by=["kind"], minimum_n=100) for key in keys}
    yield Project(
        run,
        criterion,
        workspace.calibrations.newest(info),
        evaluate_labels(run, CalibrationSpec(criterion, ("answer_f1",))),
        workspace.reports.evidence(workspace.projects.get(PROJECT)),
        {key: table.settings.overall[key] for key, table in tables.items()},
        {key: table.settings.overall[key] for key, table in untested.items()},
        annotator_ratings(run, criterion),
    )
    workspace.close()


def assert_one(*same: Estimate) -> None:
    first, *rest = same
    assert not math.isnan(first.value)
    for other in rest:
        assert (other.value, other.low, other.high, other.n) == pytest.approx(
            (first.value, first.low, first.high, first.n), abs=1e-12
        )


def test_the_corrected_pass_rate(project: Project) -> None:
    method = estimates.predicting_method(project.calibration)
    prepared = estimates.estimate_pass_rate(
        project.run, project.criterion, metrics=project.calibration.metrics, method=method
    )
    consensus, *_ = of_annotators.policies(project.run, project.criterion, metrics=project.calibration.metrics)
    [reported] = project.evidence.pass_rates
    assert_one(
        estimates.estimate_by_calibration(project.run, project.calibration, project.criterion).ppi,  # Overview
        prepared.ppi,  # Estimates, and `hcat estimate`
        project.overall[CORRECTED],  # Weaknesses
        project.overall_without_slices[CORRECTED],
        project.evaluation.estimates.ppi,  # Calibration and Labelling
        consensus.estimates.ppi,  # Agreement
        reported.estimates.ppi,
    )
    by_page = estimates.ties_of_pass_rate(project.run, project.criterion, metrics=project.calibration.metrics)
    assert by_page is not None and reported.tied is not None
    assert_one(by_page.failed, reported.tied.failed)
    assert_one(by_page.passed, reported.tied.passed)


def test_the_pass_rate_by_people(project: Project) -> None:
    [overview] = labels_by_kind(project.run, [project.criterion])
    [reported] = project.evidence.labels
    assert_one(
        overview.passes,
        project.overall[pass_rate_key(project.criterion.name)],
        project.overall_without_slices[pass_rate_key(project.criterion.name)],
        project.evaluation.estimates.labels_only,
        reported.passes,
    )
    assert overview.ties == 5 and overview.tied is not None and reported.tied is not None
    assert_one(overview.tied.failed, reported.tied.failed)
    assert overview.tied.failed.value < overview.passes.value


def test_the_auc_of_a_metric(project: Project) -> None:
    fitted = project.evaluation.calibration
    assert fitted is not None and fitted.diagnostics is not None and fitted.evidence is not None
    labels = project.run.labels(project.criterion).labels
    last = history(labels, project.run.columns.scored, CalibrationSpec(project.criterion, ("answer_f1",)))[-1]
    consensus, *_ = of_annotators.policies(project.run, project.criterion, metrics=["answer_f1"])
    [reported] = project.evidence.calibrations
    assert last.auc is not None and consensus.calibration is not None
    others = [x.diagnostics for x in (consensus.calibration, project.calibration, reported.calibration)]
    assert_one(
        fitted.evidence.discrimination.auc,  # the verdict
        fitted.diagnostics.auc,  # the tile
        last.auc,  # as labels came
        *(measured.auc for measured in others if measured is not None),
    )
    assert len([measured for measured in others if measured is not None]) == 3


def test_what_is_left_to_people(project: Project) -> None:
    [reported] = project.evidence.calibrations
    fitted = project.evaluation.calibration
    assert fitted is not None and fitted.diagnostics is not None and reported.calibration.diagnostics is not None
    assert_one(fitted.diagnostics.undecided, reported.calibration.diagnostics.undecided)
    counts = count_decisions(project.calibration.predict(project.run.columns.scores))
    assert counts.undecided == sum(n for word, n in reported.decisions.items() if word.startswith("undecided"))
    assert counts.decided == sum(reported.decisions.get(word, 0) for word in ("pass", "fail"))


def test_agreement(project: Project) -> None:
    tab = of_annotators.agreement(project.run, project.criterion)
    [reported] = project.evidence.agreements
    [pair] = pair_agreements(project.ratings, criterion=project.criterion, rng=np.random.default_rng(7))
    for name, estimate in pair.agreement.coefficients.items():
        assert_one(tab.coefficients[name], estimate, reported.agreement.coefficients[name])


def test_pages_write_the_same_texts(open_page: OpenPage, project: Project) -> None:
    [by_people] = labels_by_kind(project.run, [project.criterion])
    metrics = project.calibration.metrics
    corrected = estimates.estimate_by_calibration(project.run, project.calibration, project.criterion).ppi
    bounds = estimates.ties_of_pass_rate(project.run, project.criterion, metrics=metrics)
    app = open_page("overview", STATE)
    assert_sound(app)
    overview = shown(app)
    assert rate_with_ties(by_people.passes, by_people.tied) in overview
    assert rate_with_ties(corrected, bounds) in overview
    app = app.switch_page("../pages/agreement.py").run()
    assert rate_with_ties(by_people.passes, by_people.tied) in shown(app)
    for page in ("estimates", "calibration"):
        app = app.switch_page(f"../pages/{page}.py").run()
        assert_sound(app)
        tiles = {(metric.value, metric.delta) for metric in app.metric}
        assert "5 more samples are tied and left out: with them it lies between" in shown(app).replace("\\", ""), page
        for rate in (corrected, by_people.passes):
            value, _, interval = rate_or_insufficient(rate).partition(" [")
            assert (value, f"[{interval}") in tiles or f"{value} [{interval}" in shown(app), page


def test_the_calibration_in_force_is_said_wherever_it_acts(open_page: OpenPage) -> None:
    app = open_page("overview", STATE, metric=CORRECTED)
    for page in ("overview", "calibration", "estimates", "weaknesses"):
        said = shown(app.switch_page(f"../pages/{page}.py").run()).replace("\\", "")
        assert "In force: Answer F1 (logistic, penalised) on correctness, saved by ann" in said, page
        assert "not shown to be fit. Used all the same because: “a test”" in said, page
