"""Two runs of a project held against each other, paired by test case."""

from __future__ import annotations

import math

import streamlit as st

from hcat.core.analysis.estimate import compare_runs
from hcat.core.display.numbers import format_estimate, format_number, format_p_value
from hcat.core.errors import HcatError
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.core.wording.paired import until_different
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.estimates import difference_rows
from hcat.dashboard.components.estimates import Figure, estimate_figure, figures
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import open_run, scores
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.panels.estimates.pass_rate import Evaluator


def difference_panel(project: ProjectInfo, run: RunInfo, criterion: Criterion, evaluator: Evaluator) -> None:
    """Pick another run; see the difference three ways, with interval and p."""
    others = {other.name: other for other in workspace().runs.all(project) if other.id != run.id}
    if not others:
        st.info("This project has one run only. Import a second one to compare them.")
        link_to("runs", "Import a run", icon=":material/upload_file:")
        return
    name = st.selectbox(
        "Compare with", list(others), key="estimate-other", help="The run chosen in the sidebar less this one."
    )
    other = others[name]
    if not _ready(other, criterion, evaluator):
        return
    try:
        delta = compare_runs(
            open_run(other), open_run(run), criterion, metrics=evaluator.metrics, method=evaluator.method
        )
    except HcatError as error:
        st.error(sentence(error))
        return
    figure = difference_rows(delta, first=other.name, second=run.name, dark=is_dark())
    st.plotly_chart(
        figure,
        key="difference-rows",
        config={"displayModeBar": False},
        alt=described(figure, "Difference in pass rate by machine, by labels only and by both"),
    )
    st.markdown(_in_words(delta, run.name, other.name))
    if delta.note:
        st.warning(plain(delta.note), icon=":material/hourglass_empty:")
    _numbers(delta, run.name, other.name)


def _ready(other: RunInfo, criterion: Criterion, evaluator: Evaluator) -> bool:
    table = scores(other)
    if table is None or not set(evaluator.metrics) <= set(table.metrics):
        st.info(f"Run “{plain(other.name)}” is not scored on these metrics yet.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return False
    if not workspace().labels.current(workspace().projects.of(other), criterion.name, other):
        st.info(f"Run “{plain(other.name)}” has no labels on {plain(criterion.name)} yet.")
        link_to("labelling", "Label samples", icon=":material/label:")
        return False
    return True


def _in_words(delta: DifferenceEstimates, run: str, other: str) -> str:
    value = delta.ppi
    if not math.isfinite(value.low):
        return "There are too few labels for any interval."
    points = f"{abs(100 * value.value):.1f} percentage points"
    said = f"**{plain(run)}** passes {points} {'more' if value.value >= 0 else 'fewer'} answers than **{plain(other)}**"
    ends = f"between {100 * value.low:+.1f} and {100 * value.high:+.1f} with 95% confidence"
    if value.low > 0 or value.high < 0:
        return f"{said}, {ends}: more than chance."
    still = f"{said}, {ends}. The interval contains 0: these labels do not show which run is better."
    return f"{still} {until_different(delta)}".rstrip()


def _numbers(delta: DifferenceEstimates, run: str, other: str) -> None:
    figures(
        [
            estimate_figure(plain(run), format_estimate(delta.second.ppi, percent=True), "PPI++ of this run alone."),
            estimate_figure(plain(other), format_estimate(delta.first.ppi, percent=True), "PPI++ of that run alone."),
            Figure(
                "p", format_p_value(delta.p), "against no difference", "Two-sided test of the paired PPI++ difference."
            ),
            Figure(
                "Paired labels",
                f"{delta.pairs}",
                f"correlation {format_number(delta.correlation)}",
                "Clusters, such as test cases, with labels in both runs. Above 0, the correlation has narrowed the "
                "interval.",
            ),
        ]
    )
    trusts = " and ".join(format_number(trust) for trust in delta.lambdas)
    st.caption(
        f"Labels only: {format_estimate(delta.labels_only, percent=True)}. Naive (machine verdicts, uncorrected): "
        f"{format_estimate(delta.naive, percent=True)}. Both runs' answers in one cluster are subtracted before "
        f"errors are squared; weight of the machine's predictions λ = {trusts} (0: labels alone, 1: full weight), "
        "tuned for the difference. n counts both runs' labels; that of the uncorrected mean counts the machine's "
        "verdicts on both runs."
    )
