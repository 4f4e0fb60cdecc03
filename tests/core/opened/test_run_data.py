from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from hcat.core.capabilities.calibration import calibrate as calibrating
from hcat.core.capabilities.estimates import estimate
from hcat.core.capabilities.report.analysis.evidence import gather_evidence
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED, find_calibrated_weaknesses, find_weaknesses
from hcat.core.errors import HcatError, NotFoundError
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Labeller, Opened, RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.scoring.score_table import Provenance, ScoreTable, score_table
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Criterion, Label, Sample, Score

N = 90
CRITERION = Criterion("c")
SAMPLES = tuple(
    Sample(f"s{k}", f"question {k}", "yes " * (k % 7 + 1), dimensions={"area": "ab"[k % 2]}, test_case=f"t{k // 2}")
    for k in range(N)
)
LABELS = [Label(f"s{k}", "c", int((k % 10 > 4) != (k % 9 == 4)), "ann") for k in range(60)]
RULES = [Label(f"s{k}", "c", 1, "rule", source="rule") for k in range(50, 70)]


def scores() -> ScoreTable:
    values = [Score(k % 10 / 10) for k in range(N)]
    provenance = Provenance("0", content_hash(SAMPLES), ("answer_f1",))
    return score_table([sample.id for sample in SAMPLES], {"answer_f1": values}, provenance)


@dataclass
class CountedSource:
    """A run that counts how often each part of it is read."""

    reads: Counter[str] = field(default_factory=Counter)

    def samples(self) -> Sequence[Sample]:
        self.reads["samples"] += 1
        return SAMPLES

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        self.reads["samples at places"] += 1
        return (SAMPLES[row] for row in rows)

    def columns(self) -> SampleColumns:
        self.reads["columns"] += 1
        return ColumnsOfSamples(SAMPLES)

    def sample(self, sample_id: str) -> Sample:
        self.reads["one sample"] += 1
        return next(sample for sample in SAMPLES if sample.id == sample_id)

    def scores(self) -> ScoreTable:
        self.reads["scores"] += 1
        return scores()

    def topics(self) -> None:
        self.reads["topics"] += 1

    def labels(self, criterion: str, *, by: Labeller | None = None) -> Sequence[Label]:
        self.reads[f"labels on {criterion} by {by or 'all'}"] += 1
        return {None: [*LABELS, *RULES], "people": LABELS, "rule": RULES}[by]

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:
        self.reads[f"strata of {criterion.name}"] += 1
        return None

    def inclusion(self, criterion: Criterion) -> Mapping[str, float] | None:
        self.reads[f"inclusion for {criterion.name}"] += 1
        return None

    def as_first_sampled(self, labels: Sequence[Label]) -> Sequence[Label]:
        return labels

    def registered_plans(self, criterion: str) -> tuple[()]:
        self.reads[f"plans on {criterion}"] += 1
        return ()


@pytest.fixture
def source() -> CountedSource:
    return CountedSource()


@pytest.fixture
def run(source: CountedSource) -> Opened:
    return Opened(RunColumns("r", source), source)


def test_nothing_is_read_before_it_is_asked_for(run: Opened, source: CountedSource):
    assert run.name == "r"
    assert run.columns.sample("s3") == SAMPLES[3]
    assert source.reads == {"one sample": 1}


def test_a_whole_report_reads_each_part_once(run: Opened, source: CountedSource):
    fitted = calibrating.calibrate(run, CRITERION, metrics=["answer_f1"])
    reported = ReportedRun(run.on(CRITERION).by(fitted), (CRITERION,), (fitted,), newest=fitted)
    evidence = gather_evidence([reported], project="p", hashes={}, criteria=[CRITERION])
    parts = (evidence.runs, evidence.labels, evidence.calibrations, evidence.pass_rates, evidence.weaknesses)
    assert all(parts) and evidence.worst
    assert set(source.reads.values()) == {1}, source.reads
    assert source.reads.keys() == {
        "samples",
        "columns",
        "scores",
        "topics",
        "strata of c",
        "plans on c",
        *(f"labels on c by {kind}" for kind in ("all", "people", "rule")),
    }


def test_labels_are_resolved_once_a_criterion(run: Opened):
    assert run.labels(CRITERION) is run.labels(CRITERION)
    assert len(run.labels(CRITERION).sample_ids) == 70  # 60 of a person, 10 more of the rule
    strict = Criterion("c", ("bad", "fair", "good"), passing=2)
    assert run.labels(strict) is not run.labels(CRITERION)


def test_a_run_of_scores_alone_says_what_takes_samples():
    run = run_from_files(RunColumns("r", FileColumns(None, scores)), LABELS)
    assert run.columns.clusters is None
    assert run.columns.groups is None
    assert estimate.estimate_pass_rate(run, CRITERION, metrics=["answer_f1"]).n_labels == 60
    with pytest.raises(HcatError, match="run file"):
        find_weaknesses(run, "answer_f1")


def test_a_run_without_scores_says_so():
    run = run_from_files(RunColumns("r", FileColumns(lambda: SAMPLES, None)), LABELS)
    with pytest.raises(NotFoundError, match="'r' has no scores"):
        calibrating.calibrate(run, CRITERION, metrics=["answer_f1"])
    with pytest.raises(NotFoundError, match="no sample 'x'"):
        run.columns.sample("x")


def test_trials_are_told_from_samples_that_stand_alone(run: Opened):
    assert run.columns.shared_clusters == {sample.id: sample.test_case for sample in SAMPLES}
    alone = [Sample(f"s{k}", "q", "a") for k in range(3)]
    assert RunColumns("r", FileColumns(lambda: alone, None)).shared_clusters is None


def test_levels_are_in_the_order_of_the_scores_and_strata_may_be_a_dimension(run: Opened):
    assert run.columns.levels("area") == ["ab"[k % 2] for k in range(N)]
    with pytest.raises(HcatError, match="no dimension 'colour'"):
        run.columns.levels("colour")
    drawn = run_from_files(run.columns, LABELS, stratum="area").strata(CRITERION)
    assert drawn == {f"s{k}": "ab"[k % 2] for k in range(N)}
    short = RunColumns("r", FileColumns(lambda: SAMPLES[:-1], scores))
    with pytest.raises(HcatError, match="no sample 's89'"):
        short.levels("area")


def test_weaknesses_carry_the_calibration_s_error_only_with_its_labels(run: Opened):
    fitted = calibrating.calibrate(run, CRITERION, metrics=["answer_f1"])
    sure, unsure = (find_calibrated_weaknesses(run, fitted, on, by=["area"]) for on in (None, CRITERION))
    assert (sure.settings.refits, unsure.settings.refits) == (0, 100)
    assert set(sure.frame["basis"]) == {"metric"} and set(unsure.frame["basis"]) == {"labels"}
    assert sure.frame["labels"].tolist() == [0, 0] and (unsure.frame["labels"] > 0).all()
    assert "weak" not in set(sure.frame["verdict"])
    by_label = estimate.estimate_levels(
        run.columns, estimate.prepare(run, CRITERION, metrics=["answer_f1"], method=fitted.method), "area"
    )
    assert unsure.frame["mean"].tolist() == [level.estimates.ppi.value for level in by_label]
    assert set(sure.frame["metric"]) == {CALIBRATED}
    no_labels = run_from_files(run.columns)
    assert find_calibrated_weaknesses(no_labels, fitted, CRITERION, by=["area"]).settings.refits == 0
