"""What is decoded for one question: a run's samples, scores and labels once, and one sample where one is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pyarrow.parquet as pq
import pytest

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.calibrate import calibrate, evaluate_labels
from hcat.core.capabilities.estimates.estimate import estimate_by_calibration
from hcat.core.capabilities.weaknesses.weaknesses import find_calibrated_weaknesses
from hcat.core.estimates.label_evaluation import CalibrationSpec
from hcat.core.labelling.consensus import deciding_labels
from hcat.core.labelling.label_details import EvidenceSpan, LabelDetails
from hcat.core.opened.run import Opened
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.slices import dimension_frame
from hcat.core.storage import sample_texts
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.storage.texts.sealed_form import SealedTexts
from hcat.core.types import Label
from hcat.core.workspace import Workspace
from hcat.dashboard.loaders import labels, runs, stored
from tests.core.opened.counted_calls import calls_of
from tests.pages.conftest import word_models
from tests.pages.small_project import CRITERION, PROJECT, add_project, add_run, label_level, small_samples

SPEC = CalibrationSpec(CRITERION, ("answer_f1",))
SAMPLES = small_samples()
N = len(SAMPLES)
MARKED = LabelDetails(spans=(EvidenceSpan("query", 0, 3),))


@pytest.fixture
def run(workspace: Workspace) -> Iterator[RunInfo]:
    """A run with scores, labels and a saved calibration."""
    with word_models():
        add_project(workspace)
        made = add_run(workspace)
        workspace.scoring.score(made, "answer_f1,answer_length")
        labels = [Label(sample.id, CRITERION.name, label_level(sample), "ann") for sample in SAMPLES[:40]]
        workspace.labels.add(made, CRITERION, labels)
        fitted = calibrate(workspace.run_data.open(made), CRITERION, metrics=SPEC.metrics)
        workspace.calibrations.save(made, fitted, reason="a test")
        yield made


def corrected_rate(opened: Opened, fitted: Calibration) -> object:
    return estimate_by_calibration(opened, fitted, CRITERION)


def corrected_slices(opened: Opened, fitted: Calibration) -> object:
    return find_calibrated_weaknesses(opened, fitted, CRITERION, pairs=True, minimum_n=2)


def reads() -> AbstractContextManager[Counter[str]]:
    """Samples whose texts are decoded, score tables read, tables of dimensions made, and how often it was asked which
    labels decide."""
    return calls_of(
        samples=SealedTexts.texts, scores=ScoreTable.from_bytes, dimensions=dimension_frame, deciding=deciding_labels
    )


def test_a_report_of_one_run_and_criterion_reads_samples_and_scores_once(workspace: Workspace, run: RunInfo):
    with reads() as counted:
        report = workspace.reports.build(workspace.projects.get(PROJECT))
    assert report.title.endswith(PROJECT)
    # Which labels decide is asked of all, of those of people, for quoted samples, and for the hash, here and in what a
    # signature rests on; there is no rule.
    assert counted == {"samples": N, "scores": 1, "dimensions": 1, "deciding": 5}


def test_a_label_with_a_marked_span_reads_one_sample(workspace: Workspace, run: RunInfo):
    with reads() as counted:
        workspace.labels.record(run, CRITERION, SAMPLES[41].id, 1, annotator="ann", details=MARKED)
    assert counted == {"samples": 1}


@pytest.mark.parametrize(
    "ask",
    [
        lambda opened: calibrate(opened, CRITERION, metrics=SPEC.metrics),
        lambda opened: evaluate_labels(opened, SPEC, replicates=0),
    ],
)
def test_a_question_to_an_opened_run_reads_each_part_once(
    workspace: Workspace, run: RunInfo, ask: Callable[..., object]
):
    opened = workspace.run_data.open(run)
    with reads() as counted:
        ask(opened)
    assert counted == {"scores": 1, "dimensions": 1, "deciding": 1}  # and no text
    with reads() as counted:
        ask(opened)
    assert counted == {}


@pytest.mark.parametrize("ask", [corrected_rate, corrected_slices], ids=["rate", "slices"])
def test_corrected_rates_open_no_column_of_texts(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., object]
):
    """Of all samples, labelled or not, they take scores, clusters, dimensions and weights."""
    fitted = workspace.calibrations.read(workspace.calibrations.all(run)[0])
    read, opened = SampleFiles._column, set[str]()

    def column(files: SampleFiles, artifact: str, name: str, footer: object) -> object:
        opened.add(name)
        return read(files, artifact, name, footer)  # type: ignore[arg-type]

    monkeypatch.setattr(SampleFiles, "_column", column)
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", lambda *_, **__: pytest.fail("whole rows were read"))
    ask(workspace.run_data.open(run), fitted)
    assert "id" in opened
    assert not opened & set(sample_texts.COLUMNS)


def test_a_live_curve_after_a_label_decodes_nothing_again(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
):
    for module in (stored, runs, labels):
        monkeypatch.setattr(module, "workspace", lambda: workspace)

    def curve() -> int:
        current = workspace.labels.current(PROJECT, CRITERION.name, run)
        return labels.label_evaluation(run, SPEC, current).n

    with reads() as counted:
        assert curve() == 40
    assert counted == {"scores": 1, "dimensions": 1, "deciding": 1}  # and no text
    workspace.labels.record(run, CRITERION, SAMPLES[41].id, 1, annotator="ann")
    with reads() as counted:
        assert curve() == 41
    assert counted == {"deciding": 1}  # of the one label that is new
