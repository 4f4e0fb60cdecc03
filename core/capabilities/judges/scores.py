"""A judge's verdicts as metrics: columns of a score table like any other, which can be calibrated and checked."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core import __version__
from hcat.core.capabilities.judges.judge import Judge
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.capabilities.judges.verdict import JudgeVerdict, mean_scores
from hcat.core.errors import HcatError
from hcat.core.records.clusters import cluster_sources, clusters_of
from hcat.core.records.design_weights import design_probabilities
from hcat.core.records.run_file import content_hash
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.file_metric import JUDGED, FileMetric
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_file import metric_name
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.types import Criterion, Label, Sample, Score

NOT_JUDGED = "not judged"
SHOWN = "shown to the judge as an example, or of the same test case as one"


def judge_metric(name: str, criterion: str) -> str:
    """The metric's name for a judge of this name: "judge:hallucination". HcatError if that can't be a column name."""
    metric = f"{name}:{criterion}"
    if not name.strip() or metric_name(metric, "") != metric:
        raise HcatError(f"{name!r} can't name a judge: use letters, digits, spaces, points and hyphens")
    return metric


def judge_score_table(
    verdicts: Sequence[JudgeVerdict], samples: Sequence[Sample], judge: Judge, *, name: str = "judge", seed: int = 7
) -> ScoreTable:
    """The scores of each criterion over the samples of a run; examples and other samples are unscored."""
    ids = [sample.id for sample in samples]
    cluster_of = clusters_of(samples)
    shown = {cluster_of.get(example.sample.id, "") for example in judge.examples}
    absent = [Score(None, SHOWN if cluster_of[name] in shown else NOT_JUDGED) for name in ids]
    scores: dict[str, list[Score]] = {}
    declared: dict[str, FileMetric] = {}
    for criterion in judge.rubric.criteria:
        metric = judge_metric(name, criterion.name)
        means = mean_scores(verdicts, criterion.name)
        scores[metric] = [means.get(name, missing) for name, missing in zip(ids, absent, strict=True)]
        declared[metric] = _declared(criterion, judge)
    provenance = Provenance(
        version=__version__,
        run_hash=content_hash(samples),
        metrics=tuple(scores),
        seed=seed,
        cluster_sources=cluster_sources(samples),
        from_files=declared,
    )
    return score_table(
        ids,
        scores,
        provenance,
        answer_states=[answer_state(sample) for sample in samples],
        clusters=[cluster_of[sample_id] for sample_id in ids],
        probabilities=design_probabilities(samples),
    )


def judge_labels(verdicts: Sequence[JudgeVerdict], criterion: RubricCriterion, *, annotator: str) -> tuple[Label, ...]:
    """The verdicts of the first trial as labels with the source of a language model, which no consensus counts."""
    return tuple(
        Label(each.sample_id, each.criterion, each.score - 1, annotator, rationale=each.reason or None, source="llm")
        for each in verdicts
        if each.criterion == criterion.name and each.trial == 0 and each.score is not None
    )


def _declared(criterion: RubricCriterion, judge: Judge) -> FileMetric:
    low, high = criterion.range
    return FileMetric(
        column=criterion.name,
        file=judge.name,
        sha256=judge.version,
        direction="higher",
        low=low,
        high=high,
        framework=JUDGED,
        description=f"{criterion.title}: {criterion.question} A language model's verdict by a rubric, {low:g} to "
        f"{high:g}; the mean where it judged more than once.",
    )


def judge_criterion(criterion: RubricCriterion) -> Criterion:
    """The rubric's criterion as one that people could label: its levels are the scores."""
    return Criterion(
        criterion.name, tuple(map(str, criterion.scores)), guideline=criterion.question, passing=criterion.passing - 1
    )
