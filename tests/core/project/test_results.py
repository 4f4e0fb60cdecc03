from __future__ import annotations

import hashlib
import math
import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import hcat.core.scoring.evaluate
from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.estimates.estimate import estimate_pass_rate
from hcat.core.capabilities.report.analysis.evidence import main_metric
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED, compare_slices
from hcat.core.errors import (
    ConflictError,
    HcatError,
    NotEnoughLabelsError,
    NotFoundError,
    StorageError,
    UnknownMetricError,
)
from hcat.core.jobs.processes import this_worker
from hcat.core.records.job import JobEngine
from hcat.core.records.project import RunInfo
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import Settings
from hcat.core.storage.stores.results import Results
from hcat.core.storage.write import Write
from hcat.core.types import Criterion, Estimate, Label, Passage, Progress, Sample, Slice
from hcat.core.view.tree import Callout, KeyValues, Paragraph, Quantity, SampleExcerpt, Samples, Table
from hcat.core.view.values import text_of
from hcat.core.workspace import Workspace
from tests.core.scoring.model_sets import model_set

N = 48
SUBJECTS = ("card fee", "loan rate", "fraud claim")


class HashEncoder:
    """Unit vectors that depend on the words of a text: quick, and the same everywhere."""

    name, dimension = "hash", 16

    def __init__(self, revision: str = "a" * 64) -> None:
        self.revision = revision

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._row(text) for text in texts])

    def _row(self, text: str) -> NDArray[np.float32]:
        words = [hashlib.sha256(f"{self.revision}{word}".encode()).digest() for word in text.lower().split()]
        row = np.mean([np.frombuffer(word[:16], dtype=np.uint8) - 127.5 for word in words], axis=0)
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> HashEncoder:
    fake = HashEncoder()
    monkeypatch.setattr("hcat.core.models.encoder.encoder.load_encoder", lambda name, *, device: fake)
    return fake


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    )


def sample(k: int) -> Sample:
    subject = SUBJECTS[k % 3]
    words = ["one", "two", "three", "four", "five", "six"]
    answer = f"The {subject} is {words[k % 6]}."
    return Sample(
        f"q{k}",
        f"What is the {subject} number {k}?",
        answer,
        contexts=()
        if k == 0
        else (Passage(f"d{k}", f"{answer} Another {subject}."), Passage("all", "About the bank.")),
        reference=f"The {subject} is {words[(k * k) % 6]}.",
        dimensions={"area": subject},
    )


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    return workspace.runs.add(workspace.projects.create("p"), "r", [sample(k) for k in range(N)], source="x")


@pytest.fixture
def criterion(workspace: Workspace, run: RunInfo) -> Criterion:
    return workspace.criteria.add("p", Criterion("correctness"))


def equal(one: ScoreTable, two: ScoreTable) -> bool:
    return one.provenance == two.provenance and one.to_bytes() == two.to_bytes()


def test_scores_are_those_of_the_pure_function_and_are_kept(workspace: Workspace, run: RunInfo, encoder: HashEncoder):
    assert workspace.scoring.table(run) is None
    assert workspace.scoring.latest(run) is None
    steps: list[Progress] = []
    table = workspace.scoring.score(run, ["groundedness", "answer_length"], on_progress=steps.append)
    pure = score_samples(
        workspace.runs.samples(run), metrics=["groundedness", "answer_length"], models=model_set(encoder)
    )
    assert equal(table, pure)
    kept = workspace.scoring.table(run)
    assert kept is not None
    assert equal(kept, pure)
    assert kept.reasons("groundedness") == pure.reasons("groundedness") != {}  # q0 has no context
    assert {step.stage for step in steps} == {"load", "encode", "score"}


def test_a_further_metric_joins_the_table(workspace: Workspace, run: RunInfo, encoder: HashEncoder):
    workspace.scoring.score(run, "groundedness")
    both = workspace.scoring.score(run, "answer_length")
    assert both.metrics == ("groundedness", "answer_length")
    pure = score_samples(workspace.runs.samples(run), metrics=both.metrics, models=model_set(encoder))
    pd.testing.assert_frame_equal(both.frame[pure.frame.columns], pure.frame)
    assert both.provenance.models == {"hash": encoder.revision}
    latest = workspace.scoring.latest(run)
    assert latest is not None
    assert (latest.version, latest.metrics) == (2, ("groundedness", "answer_length"))


def test_scoring_again_replaces_a_metric_and_its_reasons(workspace: Workspace, run: RunInfo):
    first = workspace.scoring.score(run, "groundedness")
    again = workspace.scoring.score(run, "groundedness")
    assert equal(first, again)
    assert list(again.frame.columns) == ["groundedness", "groundedness__reason"]


def test_scores_of_another_model_are_computed_anew_and_not_mixed(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
):
    old = workspace.scoring.score(run, "groundedness")
    other = HashEncoder("b" * 64)
    monkeypatch.setattr("hcat.core.models.encoder.encoder.load_encoder", lambda name, *, device: other)
    new = workspace.scoring.score(run, "completeness")
    assert new.metrics == ("groundedness", "completeness")
    assert new.provenance.models == {"hash": "b" * 64}
    pure = score_samples(workspace.runs.samples(run), metrics=new.metrics, models=model_set(other))
    assert equal(new, pure)
    assert not np.array_equal(new.values("groundedness"), old.values("groundedness"), equal_nan=True)


def test_an_unknown_metric_is_refused_before_anything_is_done(workspace: Workspace, run: RunInfo):
    with pytest.raises(UnknownMetricError):
        workspace.scoring.score(run, "nonsense")
    with pytest.raises(UnknownMetricError):
        workspace.jobs.start_scoring(run, ["nonsense"])
    assert workspace.jobs.all() == []


def test_two_jobs_that_end_together_lose_no_metric(workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch):
    both_computed = threading.Barrier(2)

    def compute(*given: object, **named: object) -> ScoreTable:
        table = score_samples(*given, **named)  # type: ignore[arg-type]
        both_computed.wait(30)
        return table

    monkeypatch.setattr(hcat.core.scoring.evaluate, "score_samples", compute)
    threads = [
        threading.Thread(target=workspace.scoring.score, args=[run, name]) for name in ("groundedness", "answer_length")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table, latest = workspace.scoring.table(run), workspace.scoring.latest(run)
    assert table is not None
    assert latest is not None
    assert (latest.version, set(table.metrics)) == (2, {"groundedness", "answer_length"})


def test_a_version_that_somebody_stored_first_is_taken_in(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
):
    add, refused = Results.add_scoring, []

    def overtaken(results: Results, write: Write, run_id: int, **what: object) -> object:
        if not refused:
            refused.append(what["version"])
            workspace.scoring.score(run, "answer_length")
        return add(results, write, run_id, **what)  # type: ignore[arg-type]

    monkeypatch.setattr(Results, "add_scoring", overtaken)
    assert set(workspace.scoring.score(run, "groundedness").metrics) == {"groundedness", "answer_length"}
    assert refused == [1]


def test_a_damaged_score_file_says_what_to_do(workspace: Workspace, run: RunInfo):
    workspace.scoring.score(run, "answer_length")
    latest = workspace.scoring.latest(run)
    assert latest is not None
    Path(workspace.store.artifacts.folder("scores"), f"{latest.artifact}.parquet").write_bytes(b"PAR1")
    with pytest.raises(StorageError, match=r"is damaged .* score the run again"):
        workspace.scoring.table(run)


def test_explanations_open_a_score(workspace: Workspace, run: RunInfo):
    assert set(workspace.scoring.explain(run, "q1", ["groundedness", "answer_length"])) == {
        "groundedness",
        "answer_length",
    }
    with pytest.raises(NotFoundError, match="no sample 'zzz'"):
        workspace.scoring.explain(run, "zzz", ["groundedness"])


def test_a_second_click_starts_no_second_job(workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    first = workspace.jobs.start_scoring(run, ["groundedness"])
    assert (first.kind, first.project_id, first.status) == ("score", run.project_id, "queued")
    assert workspace.jobs.start_scoring(run, "groundedness") == first
    assert workspace.jobs.start_scoring(run, "answer_length").id != first.id
    workspace.jobs.cancel(first.id)
    assert workspace.jobs.start_scoring(run, "groundedness").id != first.id
    assert [job.status for job in workspace.jobs.all("p")] == ["queued", "queued", "cancelled"]


def test_a_job_has_the_engine_that_was_chosen_and_never_an_address(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    chosen = workspace.jobs.start_scoring(run, "groundedness", engine=JobEngine("ray", 1))
    assert (chosen.asked, chosen.used) == (JobEngine("ray", 1), None)
    assert "engine" not in chosen.arguments
    assert workspace.jobs.start_scoring(run, "groundedness", engine=JobEngine("local")).id == chosen.id
    assert workspace.jobs.start_scoring(run, "answer_length").asked is None
    with pytest.raises(HcatError, match="workers"):
        workspace.jobs.start_scoring(run, "answer_f1", engine=JobEngine("ray", 10_000))
    with pytest.raises(TypeError):
        JobEngine("ray", 1, "10.9.9.9:6379")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        workspace.jobs.start_scoring(run, "answer_f1", address="10.9.9.9:6379")  # type: ignore[call-arg]
    assert len(workspace.jobs.all("p")) == 2


def test_a_job_that_cannot_be_started_says_so(workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hcat.core.jobs.processes.sys.executable", "/nowhere/python")
    with pytest.raises(StorageError, match="can't be started"):
        workspace.jobs.start_scoring(run, "groundedness")


@pytest.mark.parametrize(("on", "count"), [("query", N), ("contexts", N - 1)])
def test_topics_are_found_and_kept(workspace: Workspace, run: RunInfo, on: str, count: int):
    assert workspace.topics.read(run, on=on) is None  # type: ignore[arg-type]
    found = workspace.topics.find(run, on=on)  # type: ignore[arg-type]
    kept = workspace.topics.read(run, on=on)  # type: ignore[arg-type]
    assert kept is not None
    assert kept.sample_ids == found.sample_ids
    assert len(kept.sample_ids) == count == kept.model.n  # q0 has no contexts
    np.testing.assert_array_equal(kept.model.coordinates, found.model.coordinates)
    assert kept.model.topics == found.model.topics
    other = "contexts" if on == "query" else "query"
    assert workspace.topics.read(run, on=other) is None  # type: ignore[arg-type]


def test_a_run_without_contexts_has_no_topics_in_them(workspace: Workspace):
    bare = workspace.runs.add(workspace.projects.create("bare"), "r", [Sample("q", "?", "a")], source="x")
    with pytest.raises(HcatError, match="no sample of run 'r' has a context"):
        workspace.topics.find(bare, on="contexts")


def test_topics_become_a_dimension_and_strata(workspace: Workspace, run: RunInfo, criterion: Criterion):
    assert "topic" not in workspace.run_data.open(run).columns.dimensions
    found = workspace.topics.find(run)
    frame = workspace.run_data.open(run).columns.dimensions
    assert list(frame.index) == [f"q{k}" for k in range(N)]
    assert list(frame["topic"]) == list(found.model.levels())
    queue = workspace.queues.plan(run, criterion, kind="stratified", dimension="topic", planned=12)
    assert {item.stratum for item in workspace.queues.items(queue)} == {topic.title for topic in found.model.topics}


def label_all(workspace: Workspace, run: RunInfo, criterion: Criterion) -> None:
    labels = [Label(f"q{k}", criterion.name, int(sample(k).answer == sample(k).reference), "ann") for k in range(N)]
    workspace.labels.add(run, criterion, labels)


def test_a_calibration_is_fitted_kept_and_used(workspace: Workspace, run: RunInfo, criterion: Criterion):
    with pytest.raises(NotFoundError, match="has no scores yet"):
        calibrate(workspace.run_data.open(run), criterion, metrics=["token_f1"])
    table = workspace.scoring.score(run, ["token_f1", "token_recall", "token_groundedness", "answer_length"])
    with pytest.raises(NotEnoughLabelsError):
        calibrate(workspace.run_data.open(run), criterion, metrics=["token_f1"])
    label_all(workspace, run, criterion)
    fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_f1"], alpha=0.2)
    assert sum(fitted.split_sizes.values()) == N
    assert workspace.calibrations.all(run) == []  # nothing is kept unasked
    with pytest.raises(NotFoundError, match="no saved calibration"):
        compare_slices(workspace.run_data.open(run), CALIBRATED)
    record = workspace.calibrations.save(run, fitted, reason="a test")
    assert [kept.id for kept in workspace.calibrations.all(run)] == [record.id]
    again = workspace.calibrations.read(record)
    np.testing.assert_array_equal(again.probability(table), fitted.probability(table))
    found = compare_slices(workspace.run_data.open(run), CALIBRATED, by=["area"])
    passed = [float(sample(k).answer == sample(k).reference) for k in range(N)]
    values = pd.DataFrame({"labels": passed, "metric": fitted.probability(table)})
    by_hand = values.groupby([sample(k).dimensions["area"] for k in range(N)]).mean()
    assert "labels" in set(found.frame["basis"])  # all samples are labelled, so such slices have people's pass rates
    for _, row in found.frame.iterrows():
        assert row["mean"] == pytest.approx(by_hand.at[row["level_1"], row["basis"]])


def test_weaknesses_of_a_metric(workspace: Workspace, run: RunInfo):
    table = workspace.scoring.score(run, "groundedness")
    found = compare_slices(workspace.run_data.open(run), "groundedness", by=["area"], minimum_n=5)
    values = table.values("groundedness")
    for _, row in found.frame.iterrows():
        inside = [k for k in range(N) if sample(k).dimensions["area"] == row["level_1"]]
        assert row["mean"] == pytest.approx(np.nanmean(values[inside]))
    with pytest.raises(HcatError, match="no dimension 'colour'"):
        compare_slices(workspace.run_data.open(run), "groundedness", by=["colour"])
    with pytest.raises(UnknownMetricError):
        compare_slices(workspace.run_data.open(run), "answer_length")


def test_a_finding_is_kept_and_changed(workspace: Workspace, run: RunInfo):
    frozen = workspace.findings.freeze(
        run,
        "area: card fee",
        metric="groundedness",
        scores={sample(0).id: 0.25, sample(1).id: math.nan},
        filter={"slice": "area"},
        statistics={"mean": 0.25, "interval": [math.nan, math.inf], "n": 16},
        chart={"data": [{"z": [math.nan, 1.0]}]},
    )
    finding = workspace.findings.confirm(
        run, "Fees are wrong", selection=frozen, slice=Slice("area", "card fee"), severity="high", author="ann"
    )
    assert finding.evidence == {"mean": 0.25, "interval": [None, None], "n": 16}  # JSON has no NaN
    assert (finding.status, finding.slice["level_1"], finding.slice["dimension_2"]) == ("open", "card fee", None)
    changed = workspace.findings.change(finding, status="closed", comment="fixed in v2")
    assert workspace.findings.all("p") == [changed]
    assert workspace.findings.change(changed, status="open").comment == "fixed in v2"
    with pytest.raises(NotFoundError, match="no finding with id 99"):
        workspace.findings.change(replace(finding, id=99), status="open")


def test_a_finding_has_an_owner_and_a_due_date(workspace: Workspace, run: RunInfo):
    frozen = workspace.findings.freeze(run, "two", metric="m", scores={sample(0).id: 0.1}, filter={})
    due = date(2026, 12, 31)
    finding = workspace.findings.confirm(
        run, "Late", selection=frozen, severity="low", author="ann", owner=" Team A ", due=due
    )
    assert (finding.owner, finding.due, finding.slice) == ("Team A", due, {})
    moved = workspace.findings.change(finding, owner="Team B", status="in progress")
    assert (moved.owner, moved.due, moved.status) == ("Team B", due, "in progress")
    assert workspace.findings.change(moved, due=None).due is None
    with pytest.raises(HcatError, match="no status 'done': choose one of open, in progress"):
        workspace.findings.change(finding, status="done")
    with pytest.raises(HcatError, match="no severity 'huge'"):
        workspace.findings.confirm(run, "Late", selection=frozen, severity="huge", author="ann")


def test_what_a_finding_rests_on_is_verified(workspace: Workspace, run: RunInfo):
    frozen = workspace.findings.freeze(
        run, "two", metric="m", scores={sample(0).id: 0.1, sample(3).id: None}, filter={"ids": "[]"}, chart={"data": []}
    )
    finding = workspace.findings.confirm(run, "Late", selection=frozen, severity="low", author="ann")
    assert workspace.findings.selection(finding) == frozen
    assert frozen.content_hash == run.content_hash
    assert workspace.findings.selection(replace(finding, frozen=None)) is None
    other = workspace.findings.freeze(run, "two", metric="m", scores={sample(0).id: 0.9}, filter={})
    swapped = workspace.findings.confirm(run, "Other", selection=other, severity="low", author="ann")
    with pytest.raises(StorageError, match="is not what was confirmed"):
        workspace.findings.selection(replace(finding, frozen=swapped.frozen))
    with pytest.raises(NotFoundError, match="no sample 'zzz'"):
        workspace.findings.freeze(run, "t", metric="m", scores={"zzz": 1.0}, filter={})
    with pytest.raises(HcatError, match="choose some first"):
        workspace.findings.freeze(run, "t", metric="m", scores={}, filter={})


def test_the_report_is_built_from_what_is_stored(workspace: Workspace, run: RunInfo):
    workspace.scoring.score(run, "groundedness")
    assert len(workspace.reports.build(workspace.projects.get("p"), author="ann").sections) > 3


def test_the_report_gives_a_finding_its_numbers(workspace: Workspace, run: RunInfo) -> None:
    row = {"mean": 0.4, "low": 0.2, "high": 0.6, "n": 12, "q": 0.03, "verdict": "weak"}
    picked = {**row, "shrunken": 0.45, "selected_low": 0.1, "selected_high": 0.7, "family": {"slices_tested": 21}}
    for title, statistics in (("A slice", picked), ("Of before", row), ("A lasso", None)):
        frozen = workspace.findings.freeze(
            run, title, metric="m", scores={sample(0).id: 0.4}, filter={}, statistics=statistics
        )
        workspace.findings.confirm(run, title, selection=frozen, severity="low", author="ann")
    section = next(s for s in workspace.reports.build(workspace.projects.get("p")).sections if s.id == "findings")
    said = [str(block.text[0]) for block in section.blocks if isinstance(block, Paragraph)]
    claims = [text for text in said if text.startswith("The 1 sample")]
    facts = [dict(block.items) for block in section.blocks if isinstance(block, KeyValues)]
    assert claims[0] == "The 1 sample of run r (A slice): m 0.40 [0.20, 0.60], n = 12."
    assert claims[2] == "The 1 sample of run r (A lasso) were selected by a person on m; no slice was tested."
    shrunken = [of.get("Shrunken mean, interval for selected slices") for of in facts]
    assert shrunken == [Quantity(Estimate(0.45, 0.1, 0.7, 12), "estimate"), None, None]
    assert all(len(str(of["Evidence, SHA-256"].value)) == 64 for of in facts)


def test_a_finding_in_the_report_carries_labels_and_says_where_they_contradict_it(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    def finding_page() -> tuple[list[str], list[SampleExcerpt]]:
        section = next(s for s in workspace.reports.build(workspace.projects.get("p")).sections if s.id == "findings")
        titles = [block.title for block in section.blocks if isinstance(block, Callout)]
        return titles, [item for block in section.blocks if isinstance(block, Samples) for item in block.items]

    worse = {"mean": 0.2, "low": 0.1, "high": 0.3, "n": 4, "difference": -0.5, "q": 0.001, "metric": "m"}
    chosen = {sample(k).id: 0.1 * k for k in range(4)}
    frozen = workspace.findings.freeze(run, "four", metric="m", scores=chosen, filter={}, statistics=worse)
    workspace.findings.confirm(run, "Four", selection=frozen, severity="low", author="ann")
    assert finding_page()[0] == ["Nobody has labelled these samples"]
    inside = [Label(sample(k).id, "correctness", int(k > 0), "ann") for k in range(4)]
    rest = [Label(sample(k).id, "correctness", int(k < 6), "ann") for k in range(4, 20)]
    workspace.labels.add(run, criterion, [*inside, *rest])
    warnings, quoted = finding_page()
    # Three of four pass here, two of sixteen elsewhere: the metric is worse where people pass more.
    assert warnings == ["People's labels point the other way"]
    assert quoted[0].labels == ("correctness: fail, by 1 person",)
    assert len(quoted) == 4


def test_the_report_says_how_people_agree_and_what_their_labels_correct(
    workspace: Workspace, run: RunInfo, criterion: Criterion
) -> None:
    workspace.scoring.score(run, "token_f1")
    given = [
        Label(f"q{k}", "correctness", int(k % 6 == (k * k) % 6), annotator=name, probability=0.75)
        for k in range(N)
        if k % 4 < 3
        for name in ("ann", "bob")
    ]
    workspace.labels.add(run, criterion, given)
    workspace.calibrations.save(
        run, calibrate(workspace.run_data.open(run), criterion, metrics=["token_f1"]), reason="a test"
    )
    chapters = {section.id: section for section in workspace.reports.build(workspace.projects.get("p")).sections}
    blocks = (*chapters["people"].blocks, *chapters["results"].blocks)
    everywhere = [block for chapter in chapters.values() for block in chapter.blocks]
    tables = {block.title: block for block in everywhere if isinstance(block, Table)}
    assert dict(tables["Agreement on correctness, run r"].rows)["raw agreement"].value == 1.0
    rates = tables["Pass rate on correctness, run r"]
    found = estimate_pass_rate(workspace.run_data.open(run), criterion, metrics=["token_f1"])
    assert [row[1] for row in rates.rows] == [found.naive, found.labels_only, found.ppi]
    assert [row[3] for row in rates.rows] == [None, found.labels_only_effective_n, found.effective_n]
    assert text_of(rates.note).startswith(f"{3 * N // 4} of {N} samples labelled")
    assert not [block for block in blocks if isinstance(block, Callout)]
    workspace.labels.add(
        run, criterion, [Label("q3", "correctness", 1, annotator="reference-rule", probability=0.75, source="rule")]
    )
    results = next(s for s in workspace.reports.build(workspace.projects.get("p")).sections if s.id == "results")
    [warning] = [block for block in results.blocks if isinstance(block, Callout)]
    assert isinstance(warning.text[0], Quantity) and warning.text[0].value == 1
    assert {row[0] for row in tables["Pass rate by area, on correctness, run r"].rows} <= set(SUBJECTS)


@pytest.fixture
def small_demo(workspace: Workspace, encoded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every eighth test case, and a handbook that is encoded."""
    from hcat.core.capabilities.demo.bank import read_test_cases
    from hcat.core.capabilities.demo.variants import read_variants

    shutil.copytree(encoded, workspace.settings.artifacts, dirs_exist_ok=True)
    cases, variants = read_test_cases()[::8], read_variants()[::9]
    monkeypatch.setattr("hcat.core.capabilities.demo.bank.read_test_cases", lambda: cases)
    monkeypatch.setattr("hcat.core.capabilities.demo.variants.read_variants", lambda: variants)
    monkeypatch.setattr("hcat.core.capabilities.demo.service.METRICS", "token_f1,groundedness")


def contents(workspace: Workspace) -> dict[str, object]:
    [project] = workspace.projects.all()
    return {
        "runs": workspace.runs.all(project),
        "criteria": workspace.criteria.all(project),
        "labels": workspace.labels.history(project),
        "scorings": [workspace.scoring.latest(run) for run in workspace.runs.all(project)],
        "topics": [workspace.topics.latest(run) for run in workspace.runs.all(project)[:2]],
    }


def test_the_demo_is_made_once(workspace: Workspace, small_demo: None):
    steps: list[Progress] = []
    project = workspace.demo.load(on_progress=steps.append)
    made = contents(workspace)
    names = [run.name for run in workspace.runs.all(project)]
    assert names == ["baseline", "candidate", "candidate, variants", "safety probes"]
    of_variants = workspace.runs.get(project, "candidate, variants")
    assert len(workspace.labels.current(project, "correctness", of_variants)) == of_variants.n
    for run in workspace.runs.all(project)[:2]:
        assert len(workspace.labels.current(project, "correctness", run)) == (run.n + 1) // 2
        queue = workspace.queues.plan(run, workspace.criteria.all(project)[0])
        assert not workspace.queues.team_progress(queue).labels  # a rule's labels are nobody's work
    assert None not in made["scorings"]  # type: ignore[operator]
    assert None not in made["topics"][:2]  # type: ignore[index]
    assert {"encode", "score"} < {step.stage for step in steps}
    assert workspace.demo.load() == project
    assert contents(workspace) == made


def test_a_demo_that_broke_off_goes_on_where_it_was(
    workspace: Workspace, small_demo: None, monkeypatch: pytest.MonkeyPatch
):
    def fail(*given: object, **named: object) -> None:
        raise StorageError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Results, "add_topics", fail)
        with pytest.raises(StorageError, match="the disk is full"):
            workspace.demo.load()
    before = contents(workspace)
    workspace.demo.load()
    after = contents(workspace)
    assert after["runs"][:2] == before["runs"]  # type: ignore[index]
    assert before["labels"] == after["labels"][: len(before["labels"])]  # type: ignore[index,arg-type]
    assert None not in after["topics"][:2]  # type: ignore[index]


def test_a_job_makes_the_demo(workspace: Workspace, small_demo: None, monkeypatch: pytest.MonkeyPatch):
    from hcat.core.worker import run_job

    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    job = workspace.jobs.start_demo()
    assert run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).error is None
    assert len(workspace.runs.all(workspace.projects.all()[0])) == 4


def test_jobs_score_and_find_topics(workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch):
    from hcat.core.worker import run_job

    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    for job in (workspace.jobs.start_scoring(run, "answer_length"), workspace.jobs.start_topics(run, on="contexts")):
        assert run_job(workspace, job.id)
        assert (workspace.jobs.get(job.id).status, workspace.jobs.get(job.id).error) == ("done", None)
    assert workspace.scoring.table(run) is not None
    assert workspace.topics.read(run, on="contexts") is not None
    with pytest.raises(ConflictError, match="is done: there is nothing to resume"):
        workspace.jobs.resume(job.id)


def test_the_main_metric_is_chosen_without_computing_an_interval(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.scoring.score(run, ["groundedness", "answer_f1"])
    monkeypatch.setattr(ScoreTable, "summary", lambda *given: pytest.fail("intervals of all metrics were computed"))
    assert main_metric(workspace.scoring.table(run), calibrated=False) == "answer_f1"
