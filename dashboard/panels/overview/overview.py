"""The overview's four answers: what was tested, what next, how good, what is weakest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.evidence import labels_by_kind
from core.calibration.conformal.level_sets import BOTH, EMPTY
from core.display.numbers import format_count, format_estimate, format_percent
from core.estimates.probabilistic import probabilistic_scores
from core.labelling.label_source import BY_PEOPLE
from core.records.project import ProjectInfo, RunInfo
from core.refusals.state import REFUSALS, TITLES, answer_state, count_states
from core.wording.clusters import cluster_count, likely_trials_warning
from core.wording.machine_verdicts import mean_text
from dashboard.components.estimates import Figure, figure_cards
from dashboard.components.links import link_to
from dashboard.components.markdown import plain
from dashboard.components.outdated import outdated_note
from dashboard.components.pickers import metric_title
from dashboard.loaders import (
    columns,
    corrected_pass_rate,
    decisions,
    open_run,
    read_calibration,
    registered_metrics,
    samples,
    saved_calibration,
    scores,
    topics,
    workspace,
)

SHOWN_FROM_FILES = 5
HEADLINE = ("answer_f1", "groundedness", "context_relevancy", "completeness_weighted", "answer_relevancy")


def tested(project: ProjectInfo, run: RunInfo | None) -> None:
    """How much there is: runs, samples, topics, labels."""
    runs = workspace().runs.all(project)
    labels = workspace().labels.current(project, run=run, decisions=False)
    by_people = sum(label.source in BY_PEOPLE for label in labels)
    by_rule = sum(label.source == "rule" for label in labels)
    found = None if run is None else topics(run)
    figure_cards(
        [
            Figure("Runs", f"{len(runs)}", "in this project", "System configurations imported into this project."),
            _samples_card(run),
            Figure("Topics", "–" if found is None else f"{len(found.model.topics)}", "in the queries", ""),
            Figure("Labels by people", f"{by_people:,}", "on this run", "All criteria, by annotators."),
            Figure("Labels by rule", f"{by_rule:,}", "not human", "Derived from references by a rule."),
        ]
    )
    if run is not None:
        _dependence(run)


def _dependence(run: RunInfo) -> None:
    """Which samples depend on one another, or that they may."""
    opened = columns(run)
    if opened.likely_trials is not None:
        st.warning(plain(likely_trials_warning(opened.likely_trials)))
    if opened.shared_clusters is not None:
        st.caption(cluster_count(opened.shared_clusters))


def _samples_card(run: RunInfo | None) -> Figure:
    """How many samples; how many answers decline, by whether that is right, and how many are missing."""
    title = "Samples in this run"
    if run is None:
        return Figure(title, "–", "", "")
    counts = count_states(answer_state(sample) for sample in samples(run).values())
    missing = counts["no_answer"]
    caption = f"{sum(counts[state] for state in REFUSALS):,} decline" + (f", {missing:,} missing" if missing else "")
    kinds = [f"{TITLES[state]}: {counts[state]:,}" for state in REFUSALS if counts[state]]
    return Figure(title, f"{run.n:,}", caption, "; ".join([f"without answer: {missing:,}", *kinds]))


def how_good(project: ProjectInfo, run: RunInfo) -> None:
    """The pass rate by labels, the calibrated one, and the main metrics: each with interval and n."""
    st.subheader("How good, and how sure")
    rows = [*_pass_rates(project, run), *_metric_rows(run)]
    if not rows:
        st.info("Nothing is scored or labelled yet.")
        return
    frame = pd.DataFrame(rows, columns=["Estimate", "Value [95% interval], n", "What it says"])
    st.table(frame, hide_index=True, border="horizontal", alt="Estimates with intervals and n")


def _pass_rates(project: ProjectInfo, run: RunInfo) -> Iterator[tuple[str, str, str]]:
    for part in labels_by_kind(open_run(run), workspace().criteria.all(project)):
        source = "Labels by people" if part.kind == "people" else "Labels by a rule, not human"
        rate = format_estimate(part.passes, percent=True)
        yield f"Pass rate on {plain(part.criterion)}", rate, f"{source}, weighted by how samples were drawn"
    decided, kept = decisions(run), saved_calibration(run)
    if decided is None or kept is None:
        return
    clusters = columns(run).clusters or {}
    by_cluster = [clusters.get(str(sample_id), str(sample_id)) for sample_id in decided.index]
    corrected = format_estimate(corrected_pass_rate(run, kept), percent=True)
    yield f"Pass rate on {plain(kept.criterion)}, labels and scores together", corrected, "Corrected by labels (PPI++)"
    probabilities = decided["probability"].dropna()
    verdict = read_calibration(kept).fit_for_use.value
    scored = decided["probability"].notna()
    refused = int(decided["decision"].isin(REFUSALS).sum())
    without = int((~scored).sum()) - refused
    others = [f"{refused} decline"] * (refused > 0) + [f"{without} are unscored"] * (without > 0)
    whose = f"Of the {len(probabilities)} samples that have one ({', '.join(others)})" if others else "Of all samples"
    reliable = f"only as reliable as the calibration (fit for use: {verdict})"
    text = f"{whose}, an uncorrected mean: {reliable}.{outdated_note(run)}"
    said = f"machine says {format_percent(float(probabilities.mean()))}, n = {format_count(len(probabilities))}"
    yield f"Mean calibrated probability, {plain(kept.criterion)}", said, text
    undecided = decided["decision"].isin([BOTH, EMPTY]).to_numpy(dtype=float)
    share = probabilistic_scores(np.where(scored, undecided, np.nan), by_cluster).unconditional
    left_out = f"; {without} unscored samples have no set and need review too" if without else ""
    yield "Prediction set undecided", format_estimate(share, percent=True), f"These need human review{left_out}"


def _metric_rows(run: RunInfo) -> Iterator[tuple[str, str, str]]:
    table = scores(run)
    if table is None:
        return
    summaries = table.summary(columns(run).clusters, samples=samples(run).values())
    for name in HEADLINE:
        if name in summaries:
            yield metric_title(name), mean_text(summaries[name]), registered_metrics()[name].description
    for name in list(table.provenance.from_files)[:SHOWN_FROM_FILES]:
        yield plain(name), mean_text(summaries[name]), plain(table.facts(name).description)


@dataclass(frozen=True, slots=True)
class _Step:
    done: bool
    text: str
    page: str


def next_steps(project: ProjectInfo, run: RunInfo) -> None:
    """The validator's path, with what is done and what is open."""
    st.subheader("What to do next")
    labels = workspace().labels.current(project, run=run, decisions=False)
    people = len({label.sample_id for label in labels if label.source in BY_PEOPLE})
    steps = (
        _Step(scores(run) is not None, "Score the run", "runs"),
        _Step(topics(run) is not None, "Find topics", "topics"),
        _Step(people >= 30, f"Label 30 answers by hand ({people} so far)", "labelling"),
        _Step(saved_calibration(run) is not None, "Save a calibration", "calibration"),
        _Step(bool(workspace().findings.all(project)), "Confirm a finding in a weak slice", "weaknesses"),
        _Step(False, "Export the report", "report"),
    )
    first_open = next(step for step in steps if not step.done)
    half = len(steps) // 2
    for column, some in zip(st.columns(2), (steps[:half], steps[half:]), strict=True):
        for step in some:
            icon = ":material/check_circle:" if step.done else ":material/radio_button_unchecked:"
            with column:
                link_to(step.page, f"**{step.text}**" if step is first_open else step.text, icon=icon)
