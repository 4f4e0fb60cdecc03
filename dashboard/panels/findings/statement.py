"""What a finding claims, with its numbers, what people say of the same samples, and who changed what of it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.analysis.finding_evidence import finding_evidence
from hcat.core.records.project import Finding, ProjectInfo
from hcat.core.report.evidence.finding_records import FindingEvidence
from hcat.core.weakness.frozen import FrozenSelection
from hcat.core.wording.findings import comparison_sentence, contradicts, labels_sentence, statement_sentence
from hcat.core.wording.fitness import fitness_sentence
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_direction, metric_title
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.runs import open_run, scores
from hcat.dashboard.loaders.slices import fitness, slice_metrics
from hcat.dashboard.loaders.workspace import workspace

UNLABELLED = "Nobody has labelled these samples: whether people pass fewer here than elsewhere is not known."
AGAINST = "In the labels so far people pass no fewer of these answers than of the rest: do not read this as a weakness."


def statement_panel(project: ProjectInfo, finding: Finding, frozen: FrozenSelection | None) -> None:
    """Metric, mean, interval and q as they were frozen; people's pass rate and the metric's fitness as they are now."""
    run = None if finding.run_id is None else workspace().runs.by_id(finding.run_id)
    criteria = workspace().criteria.all(project)
    opened = None if run is None else open_run(run)
    evidence = finding_evidence(finding, frozen, opened, criteria, titles={})
    metric = metric_title(evidence.metric) if evidence.metric else "no metric"
    claim = statement_sentence(
        run=evidence.run, where=evidence.slice, metric=metric, n=evidence.n_samples, mean=evidence.mean
    )
    comparison = comparison_sentence(
        difference=evidence.difference, q=evidence.q, tested=evidence.tested, verdict=evidence.verdict
    )
    st.markdown(plain(f"{claim} {comparison}".strip()))
    lower_is_better = run is not None and metric_direction(evidence.metric, scores(run)) == "lower"
    _people(evidence, lower_is_better=lower_is_better)
    if run is None or evidence.metric not in slice_metrics(run):
        return
    if (stands_in := fitness(run, evidence.metric)) is not None:
        st.caption(plain(fitness_sentence(stands_in)))


def _people(evidence: FindingEvidence, *, lower_is_better: bool) -> None:
    difference = 0.0 if evidence.difference is None else evidence.difference.value
    worse = difference > 0 if lower_is_better else difference < 0
    if any(contradicts(rate.inside, rate.rest, score_is_worse=worse) for rate in evidence.pass_rates):
        st.warning(AGAINST)
    for rate in evidence.pass_rates:
        st.markdown(
            plain(
                labels_sentence(rate.criterion, rate.inside, rate.rest, n=evidence.n_samples, by_people=rate.by_people)
            )
        )
    if not evidence.pass_rates:
        st.caption(UNLABELLED)


def history_panel(finding: Finding) -> None:
    """Who changed what, the latest first; the first line is the confirmation."""
    lines = [(change.at, change.author, change.text) for change in reversed(finding.history)]
    lines.append((finding.created_at, finding.author, "confirmed"))
    frame = pd.DataFrame(
        [(f"{at:%Y-%m-%d %H:%M}", author, text) for at, author, text in lines], columns=["When (UTC)", "Who", "What"]
    )
    st.markdown("**History**")
    data_table(frame, hide_index=True, key=f"history-{finding.id}", alt="Who changed what of the finding")
