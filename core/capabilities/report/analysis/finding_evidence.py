"""Content of a report on a finding, from the frozen selection and from the run with its current labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.capabilities.findings.view import FindingEvidence, SlicePassRate
from hcat.core.capabilities.report.evidence.excerpts import judgements
from hcat.core.capabilities.report.evidence.finding import dots, finding_samples, frozen_numbers, slice_pass_rates
from hcat.core.figures.slice_scores import Outcome
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.opened.run import Opened
from hcat.core.records.project import Finding
from hcat.core.slices.family import frozen_verdict
from hcat.core.slices.frozen import FrozenSelection
from hcat.core.types import Criterion, Slice
from hcat.core.view.tree import SampleExcerpt

Scores = Mapping[str, float | None]


def finding_evidence(
    finding: Finding,
    frozen: FrozenSelection | None,
    run: Opened | None,
    criteria: Sequence[Criterion],
    *,
    titles: Mapping[str, str],
    fitness: str = "",
    confirmation: str = "",
    unreadable: str = "",
) -> FindingEvidence:
    """Evidence on a finding: its confirmation, and the labels of its samples; `titles` are those of metrics. Without
    the run or the frozen selection, it has only the statistics."""
    numbers = frozen_numbers(finding.evidence)
    about = finding.frozen or {}
    metric = str(about.get("metric") or finding.evidence.get("metric") or "")
    labels = [] if run is None else [run.labels(criterion) for criterion in criteria]
    labels = [judged for judged in labels if judged.labels]
    scores: Scores = {} if frozen is None else frozen.scores
    return FindingEvidence(
        title=finding.title,
        slice=selection_title(finding),
        severity=finding.severity,
        status=finding.status,
        comment=finding.comment,
        author=finding.author,
        at=finding.created_at,
        owner=finding.owner,
        due=finding.due,
        frozen_hash=finding.frozen_hash,
        mean=numbers.mean,
        q=numbers.q,
        verdict=frozen_verdict(finding.evidence),
        shrunken=numbers.shrunken,
        tested=numbers.tested,
        run=run.name if run is not None else frozen.run if frozen is not None else "",
        metric=metric,
        difference=numbers.difference,
        scores=_dots(scores, labels),
        n_samples=len(scores),
        pass_rates=_pass_rates(run, labels, scores),
        fitness=fitness,
        confirmation=confirmation,
        samples=_samples(run, labels, scores, metric=metric, title=titles.get(metric, metric)),
        history=finding.history,
        unreadable=unreadable,
    )


def selection_title(finding: Finding) -> str:
    """Title of the slice, or of another selection."""
    if not finding.slice:
        return "" if finding.frozen is None else str(finding.frozen["title"])
    levels = {key: None if level is None else str(level) for key, level in finding.slice.items()}
    first = levels["dimension_1"] or "", levels["level_1"] or ""
    return Slice(*first, levels.get("dimension_2"), levels.get("level_2")).title


def _dots(scores: Scores, labels: Sequence[ConsensusLabels]) -> tuple[tuple[float, Outcome], ...]:
    """Coloured by the first criterion that has labels."""
    return dots(scores, judgements(labels[0]) if labels else {})


def _pass_rates(run: Opened | None, labels: Sequence[ConsensusLabels], scores: Scores) -> tuple[SlicePassRate, ...]:
    if run is None:
        return ()
    strata = {judged.criterion.name: run.strata(judged.criterion) for judged in labels}
    return slice_pass_rates(
        labels, scores, clusters=run.columns.clusters, strata=strata, design=run.columns.design_weights
    )


def _samples(
    run: Opened | None, labels: Sequence[ConsensusLabels], scores: Scores, *, metric: str, title: str
) -> tuple[SampleExcerpt, ...]:
    if run is None:
        return ()
    table = run.columns.given_scores
    known = table is not None and metric in table.metrics
    direction = table.direction_of(metric) if table is not None and known else "higher"
    lower_is_worse = direction != "lower"
    return finding_samples(run.columns.samples, scores, labels, title=title, lower_is_worse=lower_is_worse)
