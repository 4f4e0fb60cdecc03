"""Scores over repeated trials: how often, how near to what people expect, how the answers scatter, and why."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.analysis.slice_metrics import default_score
from hcat.core.display.numbers import format_estimate
from hcat.core.estimates.answer_diversity import AnswerDiversity, answer_diversity
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.estimates.trials import (
    ALIKE,
    Checker,
    calibration_checker,
    cases_of,
    judgement_split,
    labels_checker,
    level_scores,
    metric_checker,
    most_trials,
    ratings,
    trial_scores,
)
from hcat.core.estimates.variance_components import ComponentSplit
from hcat.core.records.project import RunInfo
from hcat.core.records.samples.columns import Trial
from hcat.core.types import Criterion, Label
from hcat.core.weakness.slices import input_dimensions
from hcat.core.wording.trials import component_note, trials_note
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.trials import case_probabilities, variance_shares
from hcat.dashboard.components.estimates import estimate_figure, figures
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.links import link_to, open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.sample_table import part_of_list
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.calibrations import read_calibration, saved_calibration
from hcat.dashboard.loaders.runs import answer_kinds, columns, dimensions, scores, some_samples
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection, selected_customdata

LEAST_CASES = 5
MOST_QUESTIONS = 1_000
EXAMPLE = """{"query": "What does the card cost?", "answer": "…", "test_case": "q17", "trial": 0, "expected": 1.0}
{"query": "What does the card cost?", "answer": "…", "test_case": "q17", "trial": 1, "expected": 1.0}"""

ARBITRARY = (
    "No label says from which score an answer is good: the threshold is your choice, and every figure below depends on "
    "it. Label the trials, or save a calibration, to replace it."
)


def no_trials() -> None:
    """What a run must hold before this page can say anything."""
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
    """Who says whether a trial is good: labels, the kept calibration, or a metric at a threshold."""
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
    scores = trial_scores(samples, checker)
    if not scores.trials:
        st.info("The checker left every trial unscored.")
        return
    _overall(scores)
    if checker.source == "labels" and len({label.probability for label in labels}) > 1:
        st.warning(
            "Labels were drawn with unequal probabilities. S_u, S_c and S_t here are those of the labelled trials, "
            "not of the run: its pass rate, which weighs labels by how they were drawn, is on the Estimates page.",
            icon=":material/balance:",
        )
    _cases(run, scores, samples)
    _levels(run, checker, samples)
    _scatter(run, samples)
    _variance(run, criterion, labels, checker, samples)


def _overall(scores: ProbabilisticScores) -> None:
    figures(
        [
            estimate_figure(title, format_estimate(value), meaning)
            for title, value, meaning in (
                ("S_u: how often good", scores.unconditional, "Share of good trials, over all test cases and trials."),
                ("S_c: as people expect", scores.conditional, "Mean of 1 − |P(E=1|Q) − H| over test cases with an H."),
                ("S_t: both together", scores.total, "The mean of S_u and S_c."),
            )
        ],
        columns=3,
    )
    expected = sum(not math.isnan(case.expected) for case in scores.cases)
    st.caption(
        f"{scores.trials} scored trials of {len(scores.cases)} test cases, {scores.unscored} unscored and not counted. "
        f"n counts test cases; intervals are clustered by them. {expected} test cases state what people expect (H): "
        f"S_c and S_t use only those. {trials_note(scores)} PROB 3.4."
    )


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
    """What each of these test cases asks; their names where there are so many that nobody reads them."""
    if len(cases) > MOST_QUESTIONS:
        return list(cases)
    last = dict(zip(cases_of(samples), (sample.id for sample in samples), strict=True))
    by_id = some_samples(run, [last[case] for case in cases])
    return [by_id[last[case]].query for case in cases]


def _levels(run: RunInfo, checker: Checker, samples: Sequence[Trial]) -> None:
    frame = dimensions(run)
    names = input_dimensions(frame)
    if not names:
        return
    st.markdown("**By dimension**")
    dimension = st.selectbox("Dimension", names, key="trials-dimension")
    column = frame[dimension]
    levels = [str(column[sample.id]) for sample in samples]
    rows = []
    for part in sorted(level_scores(samples, checker, levels), key=lambda part: part.scores.unconditional.value):
        scores = part.scores
        texts = [
            format_estimate(value) if value.n >= LEAST_CASES else INSUFFICIENT
            for value in (scores.unconditional, scores.conditional, scores.total)
        ]
        rows.append((part.level, len(scores.cases), scores.trials, *texts))
    columns = ["Level", "Test cases", "Trials", "S_u", "S_c", "S_t"]
    data_table(pd.DataFrame(rows, columns=columns), hide_index=True, alt="S_u, S_c and S_t by level")


def _scatter(run: RunInfo, samples: Sequence[Trial]) -> None:
    st.markdown("**How the answers to one question vary**")
    alike = st.slider(
        "Cosine from which two answers mean the same", 0.5, 1.0, ALIKE, 0.01, key="trials-alike", width=420
    )
    diversity: AnswerDiversity = answer_diversity(answer_kinds(run, alike=alike), cases_of(samples))
    figures(
        [
            estimate_figure(
                "Share of the most common answer",
                format_estimate(diversity.largest, percent=True),
                "1 means all answers mean the same.",
            ),
            estimate_figure(
                "Entropy in bits",
                format_estimate(diversity.entropy),
                "0 means all answers mean the same; few trials understate it.",
            ),
            estimate_figure(
                "Normalised entropy",
                format_estimate(diversity.evenness),
                "Entropy divided by the largest possible with that many trials.",
            ),
        ],
        columns=3,
    )
    repeated = sorted((case for case in diversity.cases if case.trials > 1), key=lambda case: -case.entropy)
    by_name = {case.test_case: case for case in repeated}
    repeated = [by_name[name] for name in part_of_list(list(by_name), key="trial-questions")]
    table = pd.DataFrame(
        {
            "Question": _questions(run, [case.test_case for case in repeated], samples),
            "Trials": [case.trials for case in repeated],
            "Distinct answers": [case.kinds for case in repeated],
            "Most common": [case.largest for case in repeated],
            "Entropy": [case.entropy for case in repeated],
        }
    )
    config = {
        "Most common": st.column_config.NumberColumn(format="percent"),
        "Entropy": st.column_config.NumberColumn(format="%.2f"),
    }
    data_table(table, hide_index=True, column_config=config, height=260, alt="Distinct answers by question")


def _variance(
    run: RunInfo, criterion: Criterion, labels: Sequence[Label], checker: Checker, samples: Sequence[Trial]
) -> None:
    st.markdown("**Where the variance lies**")
    generator = np.random.default_rng(workspace().settings.seed)
    people = ratings(labels, criterion)
    if len({name for _, name, _ in people}) > 1:
        _components(judgement_split(samples, people, judge="annotator", generator=generator), "trial-annotators")
    checkers = _all_checkers(run, criterion, labels, checker)
    said = [(sample_id, judge.name, value) for judge in checkers for sample_id, value in judge.outcomes.items()]
    _components(judgement_split(samples, said, judge="checker", generator=generator), "trial-checkers")
    st.caption(
        f"Checkers: {plain('; '.join(judge.name for judge in checkers))}. Random effects on E = 0 or 1 by the method "
        "of moments. Intervals where trials alone repeat: by the beta-binomial likelihood. With several judges: by "
        "drawing test cases anew, given these judges; approximate, nearer to 90 than to 95%, and for a system that "
        "passes or fails nearly always nearer to 75%. The rest is what no source explains: a judge who judges the "
        "same trial otherwise."
    )


def _components(split: ComponentSplit, key: str) -> None:
    if any(not math.isnan(component.share.value) for component in split.components):
        figure = variance_shares(split.components, dark=is_dark())
        st.plotly_chart(
            figure,
            key=key,
            config={"displayModeBar": False},
            alt=described(figure, "Share of variance of each source"),
        )
    for component in split.components:
        if note := component_note(component):
            st.caption(f"{plain(component.name.capitalize())}: {plain(note)}")


def _all_checkers(run: RunInfo, criterion: Criterion, labels: Sequence[Label], chosen: Checker) -> list[Checker]:
    """The chosen checker, then the others that judge these trials on this criterion."""
    table, record = scores(run), saved_calibration(run, criterion.name)
    others = [labels_checker(labels, criterion)] if labels else []
    if record is not None and table is not None:
        others.append(calibration_checker(read_calibration(record), table))
    return [chosen, *(other for other in others if other.source != chosen.source)]
