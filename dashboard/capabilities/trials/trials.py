"""Scores over repeated trials: the rate of good answers, its distance from people's expectation, the variance of
answers, and its sources."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from hcat.core.capabilities.trials.answer_diversity import answer_diversity
from hcat.core.capabilities.trials.trials import (
    ALIKE,
    Checker,
    calibration_checker,
    cases_of,
    factor_scores,
    judgement_split,
    labels_checker,
    metric_checker,
    most_trials,
    ratings,
)
from hcat.core.capabilities.trials.variance_components import ComponentSplit
from hcat.core.capabilities.trials.view import diversity_view, factors_view, lowest_view, most_varied, variance_view
from hcat.core.capabilities.weaknesses.slice_metrics import default_score
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.records.project import RunInfo
from hcat.core.records.samples.columns import Trial
from hcat.core.slices.slices import input_dimensions
from hcat.core.types import Criterion, Label
from hcat.dashboard.capabilities.calibration.loader import read_calibration, saved_calibration
from hcat.dashboard.capabilities.trials.chart import case_probabilities, variance_shares
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.links import link_to, open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.sample_table import part_of_list
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import answer_kinds, columns, dimensions, scores, some_samples
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection, selected_customdata

MOST_QUESTIONS = 1_000
EXAMPLE = """{"query": "What does the card cost?", "answer": "…", "test_case": "q17", "trial": 0, "expected": 1.0}
{"query": "What does the card cost?", "answer": "…", "test_case": "q17", "trial": 1, "expected": 1.0}"""

ARBITRARY = (
    "No label says from which score an answer is good: the threshold is your choice, and every figure below depends on "
    "it. Label the trials, or save a calibration, to replace it."
)


def no_trials() -> None:
    """Explain the requirements of this page for a run."""
    st.info(
        "Every test case of this run has one trial, so variation between answers cannot be measured. Ask the system "
        "each question several times, and import a run file in which the answers to one question share their "
        "`test_case` and differ in `trial`. `expected` is the share of good answers that people expect, from 0 to 1."
    )
    st.code(EXAMPLE, language="json", wrap_lines=True)
    link_to("runs", "Import a run", icon=":material/upload_file:")


def several_trials(samples: Sequence[Trial]) -> bool:
    """Whether some test case has more than one trial."""
    return most_trials(samples) > 1


def pick_checker(run: RunInfo, criterion: Criterion, labels: Sequence[Label]) -> Checker | None:
    """The chosen checker that decides whether a trial is good: labels, the saved calibration, or a metric at a
    threshold."""
    table, record = scores(run), saved_calibration(run, criterion.name)
    offered = [
        *(["Labels"] if labels else []),
        *(["Saved calibration"] if record is not None and table is not None else []),
        *(["A metric at a threshold"] if table is not None else []),
    ]
    if not offered:
        st.info("These trials have no labels and no scores yet: label some, or score the run.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return None
    left, middle, right = st.columns(3)
    chosen = left.selectbox(
        "Checker",
        offered,
        key="trials-checker",
        help=with_glossary("Decides whether a trial counts as good (E = 1).", "P(E=1|Q)"),
    )
    if chosen == "Labels" or table is None:
        return labels_checker(labels, criterion)
    if chosen == "Saved calibration" and record is not None:
        at = middle.number_input("Probability from which it passes", 0.01, 0.99, 0.5, 0.05, key="trials-probability")
        return calibration_checker(read_calibration(record), table, threshold=at)
    names = list(table.metrics)
    metric = middle.selectbox(
        "Metric", names, index=names.index(default_score(columns(run))), key="trials-metric", format_func=metric_title
    )
    at = right.number_input("Threshold", value=0.5, step=0.05, key="trials-threshold")
    st.warning(ARBITRARY)
    return metric_checker(table, metric, threshold=at)


def trials_panel(run: RunInfo, criterion: Criterion, samples: Sequence[Trial]) -> None:
    """Everything that one checker says of the trials."""
    labels = workspace().labels.current(workspace().projects.of(run), criterion.name, run)
    checker = pick_checker(run, criterion, labels)
    if checker is None:
        return
    by, levels = _levels(run, samples)
    factor = factor_scores(samples, checker, levels)
    if not factor.scores.trials:
        st.info("The checker left every trial unscored.")
        return
    show_view(factors_view([factor], by=by), key="trial-scores", draw={})
    if checker.source == "labels" and len({label.probability for label in labels}) > 1:
        st.warning(
            "Labels were drawn with unequal probabilities. S_u, S_c and S_t here are those of the labelled trials, "
            "not of the run: its pass rate, which weighs labels by how they were drawn, is on the Estimates page.",
            icon=":material/balance:",
        )
    _cases(run, factor.scores, samples)
    show_view(lowest_view(factor), key="trials-lowest", draw={})
    _scatter(run, samples)
    _variance(run, criterion, labels, checker, samples)


def _levels(run: RunInfo, samples: Sequence[Trial]) -> tuple[str, list[str]] | tuple[None, None]:
    """The chosen dimension and the level of each sample; nothing where questions have no dimension."""
    frame = dimensions(run)
    names = input_dimensions(frame)
    if not names:
        return None, None
    dimension = str(st.selectbox("Dimension", names, key="trials-dimension"))
    column = frame[dimension]
    return dimension, [str(column[sample.id]) for sample in samples]


def _cases(run: RunInfo, scores: ProbabilisticScores, samples: Sequence[Trial]) -> None:
    st.markdown("**Each test case: how often its trials are good**")
    figure = case_probabilities(
        scores.cases, _questions(run, [case.test_case for case in scores.cases], samples), dark=is_dark()
    )
    event = st.plotly_chart(
        figure,
        key="trial-cases",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=described(figure, "Share of good trials of each test case, lowest first, and what people expect"),
    )
    picked = selected_customdata(event)
    if picked:
        wanted = picked[0][0]
        ids = tuple(s.id for s, case in zip(samples, cases_of(samples), strict=True) if case == wanted)
        open_samples(SampleSelection(sample_ids=ids), sample_id=ids[0])
    st.caption("Click a bar to read the trials of that test case.")


def _questions(run: RunInfo, cases: Sequence[str], samples: Sequence[Trial]) -> list[str]:
    """The query of each of these test cases; their names if there are too many to read."""
    if len(cases) > MOST_QUESTIONS:
        return list(cases)
    last = dict(zip(cases_of(samples), (sample.id for sample in samples), strict=True))
    by_id = some_samples(run, [last[case] for case in cases])
    return [by_id[last[case]].query for case in cases]


def _scatter(run: RunInfo, samples: Sequence[Trial]) -> None:
    alike = st.slider(
        "Cosine from which two answers mean the same", 0.5, 1.0, ALIKE, 0.01, key="trials-alike", width=420
    )
    found = answer_diversity(answer_kinds(run, alike=alike), cases_of(samples))
    shown = part_of_list(most_varied(found), key="trial-questions")
    asked = dict(zip(shown, _questions(run, shown, samples), strict=True))
    show_view(diversity_view(found, asked), key="trials-diversity", draw={})


def _variance(
    run: RunInfo, criterion: Criterion, labels: Sequence[Label], checker: Checker, samples: Sequence[Trial]
) -> None:
    st.markdown("**Where the variance lies**")
    generator = np.random.default_rng(workspace().settings.seed)
    people = ratings(labels, criterion)
    splits = {}
    if len({name for _, name, _ in people}) > 1:
        splits["annotator"] = judgement_split(samples, people, judge="annotator", generator=generator)
    checkers = _all_checkers(run, criterion, labels, checker)
    said = [(sample_id, judge.name, value) for judge in checkers for sample_id, value in judge.outcomes.items()]
    splits["checker"] = judgement_split(samples, said, judge="checker", generator=generator)
    for judge, split in splits.items():
        _shares(split, f"trial-{judge}s")
    st.caption(f"Checkers: {plain('; '.join(judge.name for judge in checkers))}.")
    show_view(variance_view([*splits.values()]), key="trials-variance", draw={})


def _shares(split: ComponentSplit, key: str) -> None:
    if all(math.isnan(component.share.value) for component in split.components):
        return
    figure = variance_shares(split.components, dark=is_dark())
    still_chart(figure, "Share of variance of each source", key=key)


def _all_checkers(run: RunInfo, criterion: Criterion, labels: Sequence[Label], chosen: Checker) -> list[Checker]:
    """The chosen checker, then the others that judge these trials on this criterion."""
    table, record = scores(run), saved_calibration(run, criterion.name)
    others = [labels_checker(labels, criterion)] if labels else []
    if record is not None and table is not None:
        others.append(calibration_checker(read_calibration(record), table))
    return [chosen, *(other for other in others if other.source != chosen.source)]
