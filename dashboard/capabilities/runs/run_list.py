"""The project's runs, and the scoring of the chosen one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.estimates.views.pass_rate import verdict_errors_view
from hcat.core.capabilities.judges.wording.machine_verdicts import EXPLANATION, mean_text
from hcat.core.display.numbers import counted, format_number
from hcat.core.models.verifier import VerifierChoice
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.wording.bare_references import bare_references_note
from hcat.core.wording.languages import languages_text, validation_note
from hcat.dashboard.capabilities.metrics.loader import registered_metrics, score_summary, verdict_errors
from hcat.dashboard.capabilities.runs.claim_verifier import claim_verifier_picker, left_out
from hcat.dashboard.capabilities.runs.engine_choice import choose_engine, engine_note
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel, last_engine
from hcat.dashboard.capabilities.runs.metric_choice import choose_metrics
from hcat.dashboard.capabilities.runs.scoring_forecast import forecast_allows
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import bare_references, languages, scores
from hcat.dashboard.loaders.workspace import workspace


def run_list(project: ProjectInfo) -> None:
    """One row a run."""
    runs = workspace().runs.all(project)
    labels = workspace().labels.current(project, decisions=False)
    tables = {run.name: scores(run) for run in runs}
    rows = pd.DataFrame(
        {
            "Run": [run.name for run in runs],
            "Samples": [run.n for run in runs],
            "Metrics scored": [len(table.metrics) if (table := tables[run.name]) else 0 for run in runs],
            "Labels": [sum(label.run == run.name and label.source != "llm" for label in labels) for run in runs],
            "File": [run.filename for run in runs],
            "Imported": [run.created_at for run in runs],
            "Content hash": [run.content_hash[:12] for run in runs],
        }
    )
    data_table(
        rows,
        hide_index=True,
        key="runs-table",
        column_config={"Imported": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="The project's runs",
    )


def scoring_panel(run: RunInfo) -> None:
    """Show the scores, the missing ones with reasons, and the job that computes them."""
    st.subheader("Scores of the chosen run")
    job = job_panel(run, kinds=("score",))
    if told := last_engine(run, kinds=("score",)):
        st.caption(told)
    table = scores(run)
    registered = [name for name, metric in registered_metrics().items() if not metric.on_request]
    without = left_out(table)
    missing = [name for name in registered if name not in without and (table is None or name not in table.metrics)]
    claims = claim_verifier_picker(run, table, busy=is_under_way(job))
    if missing and not is_under_way(job):
        st.info(f"{len(missing)} of {len(registered)} metrics not scored yet.")
        _start_scoring(run, missing, claims, begun=job is not None)
    if told := languages_text(languages(run), run.n):
        st.caption(plain(told))
    if note := bare_references_note(bare_references(run)):
        st.info(plain(note))
    if table is None:
        return
    summaries = score_summary(run)
    rows = pd.DataFrame(
        {
            "Metric": [metric_title(name) for name in summaries],
            "Mean [95% interval], n": [mean_text(summary) for summary in summaries.values()],
            "Unscored": [sum(summary.unscored.values()) for summary in summaries.values()],
            "Why": ["; ".join(f"{n} {reason}" for reason, n in s.unscored.items()) for s in summaries.values()],
            "Language": [
                validation_note(name, languages(run), table.provenance.models_of.get(name, ())) for name in summaries
            ],
            "Range": [_range(table, name) for name in summaries],
            "Better": [table.direction_of(name) for name in summaries],
            "Column": list(summaries),
        }
    )
    data_table(rows, hide_index=True, key="score-summary", height=300, alt="Mean of each metric with its interval")
    if any(summary.judged for summary in summaries.values()):
        st.caption(EXPLANATION)
        _against_labels(run, [name for name, summary in summaries.items() if summary.judged])
    for reason in dict.fromkeys(without.values()):
        names = ", ".join(metric_title(name) for name in without if without[name] == reason)
        st.caption(f"Not scored ({plain(reason)}): {names}.")


def _start_scoring(run: RunInfo, missing: Sequence[str], claims: VerifierChoice | None, *, begun: bool) -> None:
    """The choice of metrics, and one button; next to a job that can go on, only for other metrics than all."""
    on_request = [name for name, metric in registered_metrics().items() if metric.on_request]
    with st.container(horizontal=True):
        chosen = choose_metrics([*missing, *on_request], key=f"score-{run.id}")
        engine = choose_engine(run.n, key=f"score-{run.id}")
        if begun and set(chosen) == set(missing):
            return
        if chosen and not forecast_allows(run, chosen):
            return
        label = "Score the run" if set(chosen) == set(missing) else f"Score {counted(len(chosen), 'metric')}"
        ready = bool(chosen) and engine is not None
        if st.button(label, type="primary", icon=":material/play_arrow:", key="score-run", disabled=not ready):
            workspace().jobs.start_scoring(run, chosen, claims=claims, engine=engine)
            st.rerun()
    engine_note(engine, run.n)


def _against_labels(run: RunInfo, judged: list[str]) -> None:
    """Sensitivity, specificity and corrected pass rate of machine verdicts, on each criterion that has labels."""
    criteria = workspace().criteria.all(workspace().projects.of(run))
    errors = [(run.name, item) for criterion in criteria for item in verdict_errors(run, criterion, judged)]
    show_view(verdict_errors_view(errors), key="verdict-errors", draw={})


def _range(table: ScoreTable, name: str) -> str:
    """The ends of the metric's scale; nothing where neither is known."""
    bounds = table.facts(name).range
    return " … ".join(format_number(bound) for bound in bounds) if any(map(math.isfinite, bounds)) else ""
