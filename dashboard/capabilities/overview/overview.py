"""The overview's four parts: extent of the tests, next steps, quality, weakest slices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from hcat.core.capabilities.calibration.decisions import count_decisions
from hcat.core.capabilities.calibration.wording.calibration import UNDECIDED_IN_RUN
from hcat.core.capabilities.calibration.wording.in_force import FITNESS
from hcat.core.capabilities.estimates.wording.pass_rate import of_these_answers, rate_with_ties
from hcat.core.capabilities.judges.wording.machine_verdicts import mean_text
from hcat.core.display.numbers import format_count, format_percent
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.records.design_weights import design_summary
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.refusals.state import REFUSALS, TITLES
from hcat.core.types import Estimate
from hcat.core.wording.clusters import cluster_count, likely_trials_warning
from hcat.core.wording.design_weights import design_sentence
from hcat.dashboard.capabilities.calibration.loader import (
    corrected_pass_rate,
    decisions,
    read_calibration,
    saved_calibration,
)
from hcat.dashboard.capabilities.metrics.loader import registered_metrics, score_summary
from hcat.dashboard.capabilities.runs.jobs import job_panel
from hcat.dashboard.components.estimates import Figure, figure_cards
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import downloadable
from hcat.dashboard.loaders.labels import label_evidence
from hcat.dashboard.loaders.runs import columns, scores, topics
from hcat.dashboard.loaders.stored import criteria_of, given_labels, reports_of, runs_of
from hcat.dashboard.loaders.workspace import workspace

SHOWN_FROM_FILES = 5
HEADLINE = ("answer_f1", "groundedness", "context_relevancy", "completeness_weighted", "answer_relevancy")


def tested(project: ProjectInfo, run: RunInfo | None) -> None:
    """Show the extent of the tests: runs, samples, topics, labels."""
    runs = runs_of(project)
    labels = [] if run is None else given_labels(run)
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
    """Which samples depend on one another, or that they may, and how they are weighted."""
    opened = columns(run)
    if opened.likely_trials is not None:
        st.warning(plain(likely_trials_warning(opened.likely_trials)))
    if opened.shared_clusters is not None:
        st.caption(cluster_count(opened.shared_clusters))
    if note := design_sentence(design_summary(opened.design_probabilities)):
        st.caption(note)


def _with_these(said: str, here: Estimate | None) -> str:
    """The text on the rate of answers like these, followed by the rate of these answers themselves if known."""
    of_these = of_these_answers(here)
    return f"{said}: of answers like these; {of_these}" if of_these else said


def _samples_card(run: RunInfo | None) -> Figure:
    """The number of samples; of answers that decline, by whether that is right; and of missing answers."""
    title = "Samples in this run"
    if run is None:
        return Figure(title, "–", "", "")
    counts = columns(run).sample_columns.levels("answer_state").counts()
    missing = counts.get("no_answer", 0)
    declining = sum(counts.get(state, 0) for state in REFUSALS)
    caption = f"{declining:,} decline" + (f", {missing:,} missing" if missing else "")
    kinds = [f"{TITLES[state]}: {counts[state]:,}" for state in REFUSALS if counts.get(state)]
    return Figure(title, f"{run.n:,}", caption, "; ".join([f"without answer: {missing:,}", *kinds]))


def how_good(project: ProjectInfo, run: RunInfo) -> None:
    """The pass rate by labels, the calibrated one, and the main metrics: each with interval and n."""
    st.subheader("How good, and how sure")
    calibration_in_force(run)
    rows = estimate_rows(project, run)
    if not rows:
        if job_panel(run, kinds=("score",)) is None:
            st.info("Nothing is scored or labelled yet.")
        return
    frame = pd.DataFrame(rows, columns=["Estimate", "Value [95% interval], n", "What it says"])
    downloadable(frame, "Estimates with intervals and n")
    st.table(frame, hide_index=True, border="horizontal", alt="Estimates with intervals and n")


def estimate_rows(project: ProjectInfo, run: RunInfo) -> list[tuple[str, str, str]]:
    """Each estimate: its value with interval and n, and its meaning."""
    return [*_pass_rates(project, run), *_metric_rows(run)]


def _pass_rates(project: ProjectInfo, run: RunInfo) -> Iterator[tuple[str, str, str]]:
    for part in [part for criterion in criteria_of(project) for part in label_evidence(run, criterion)]:
        source = "Labels by people" if part.kind == "people" else "Labels by a rule, not human"
        rate = rate_with_ties(part.passes, part.tied)
        said = _with_these(f"{source}, weighted by how samples were drawn", part.passes_here)
        said += ". Ties are left out of the rate: decide them on the Agreement page" if part.tied else ""
        yield f"Pass rate on {plain(part.criterion)}", rate, said
    decided, record = decisions(run), saved_calibration(run)
    if decided is None or record is None:
        return
    corrected = corrected_pass_rate(run, record)
    said = rate_with_ties(corrected.rate, corrected.tied)
    yield (
        f"Pass rate on {plain(record.criterion)}, labels and scores together",
        said,
        _with_these("Corrected by labels (PPI++)", corrected.of_these),
    )
    probabilities, counts = decided["probability"].dropna(), count_decisions(decided)
    verdict = FITNESS[read_calibration(record).fit_for_use.value]
    others = [f"{counts.declined:,} decline"] * (counts.declined > 0)
    others += [f"{counts.unscored:,} are unscored"] * (counts.unscored > 0)
    whose = f"Of the {len(probabilities):,} samples that have one ({', '.join(others)})" if others else "Of all samples"
    reliable = f"only as reliable as the calibration ({verdict})"
    text = f"{whose}, an uncorrected mean: {reliable}."
    said = f"machine says {format_percent(float(probabilities.mean()))}, n = {format_count(len(probabilities))}"
    yield f"Mean calibrated probability, {plain(record.criterion)}", said, text
    share = format_percent(counts.undecided / counts.with_set if counts.with_set else None)
    left_out = f"; {counts.unscored:,} unscored samples have no set and need review too" if counts.unscored else ""
    said = f"{counts.undecided:,} of {counts.with_set:,} ({share})"
    yield UNDECIDED_IN_RUN.title, said, f"These need human review{left_out}. A count, not an estimate."


def _metric_rows(run: RunInfo) -> Iterator[tuple[str, str, str]]:
    table = scores(run)
    if table is None:
        return
    summaries = score_summary(run)
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
    """The validator's steps, done and open."""
    st.subheader("What to do next")
    labels = given_labels(run)
    people = len({label.sample_id for label in labels if label.source in BY_PEOPLE})
    steps = (
        _Step(scores(run) is not None, "Score the run", "runs"),
        _Step(topics(run) is not None, "Find topics", "topics"),
        _Step(people >= 30, f"Label 30 answers by hand ({people:,} so far)", "labelling"),
        _Step(saved_calibration(run) is not None, "Save a calibration", "calibration"),
        _Step(
            any(x.withdrawal is None for x in workspace().findings.all(project)),
            "Confirm a finding in a weak slice",
            "weaknesses",
        ),
        _Step(bool(reports_of(project)), "Export the report", "report"),
    )
    first_open = next((step for step in steps if not step.done), None)
    half = len(steps) // 2
    for column, some in zip(st.columns(2), (steps[:half], steps[half:]), strict=True):
        for step in some:
            icon = ":material/check_circle:" if step.done else ":material/radio_button_unchecked:"
            with column:
                link_to(step.page, f"**{step.text}**" if step is first_open else step.text, icon=icon)
