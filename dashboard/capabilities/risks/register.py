"""The risk register: scope, risks with their evidence, and risks without a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pandas as pd
import streamlit as st

from hcat.core.capabilities.risks.view import coverage_view, signed_text
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.risks import (
    RISK_SEVERITIES,
    RISK_VERDICTS,
    Risk,
    RiskEvidence,
    RiskRegister,
    RiskScope,
    RiskSeverity,
    RiskVerdict,
    risk_coverage,
)
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import downloadable
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace

COLUMNS = ("Risk", "What goes wrong", "Severity", "Evidence", "Verdict", "Reason")


def register_form(project: ProjectInfo, register: RiskRegister, evidence: Sequence[RiskEvidence]) -> None:
    """Scope and risks to edit, signed as a new version."""
    key = f"{project.id}-{register.version}"
    with st.form(f"risks-{key}", border=False):
        left, middle, right = st.columns(3)
        scope = RiskScope(
            left.text_area("Use", register.scope.use, key=f"risk-use-{key}", help="What the system is for."),
            middle.text_area("Limits", register.scope.limits, key=f"risk-limits-{key}"),
            right.text_area("Excluded from the validation", register.scope.excluded, key=f"risk-excluded-{key}"),
        )
        edited = st.data_editor(
            risk_table(register),
            num_rows="dynamic",
            hide_index=True,
            key=f"risk-table-{key}",
            column_config={  # narrow enough that verdict and reason are in sight
                "Risk": st.column_config.TextColumn(width="medium"),
                "What goes wrong": st.column_config.TextColumn(width="medium"),
                "Severity": st.column_config.SelectboxColumn(
                    options=list(RISK_SEVERITIES), default="medium", width="small"
                ),
                "Evidence": st.column_config.MultiselectColumn(
                    width="medium",
                    options=[each.name for each in evidence],
                    help="Runs, test sets, calibrations, policies and findings of this project that touch the risk; of "
                    "runs also attacks, fairness, safety and judges.",
                ),
                "Verdict": st.column_config.SelectboxColumn(options=list(RISK_VERDICTS), default="open", width="small"),
            },
        )
        downloadable(edited, "Risks")
        author = name_field("Your name", key=f"risk-author-{key}")
        if st.form_submit_button("Save as a new version", type="primary", key="risk-save"):
            try:
                changed = RiskRegister(scope, risks_of(edited))
                workspace().risks.state(project, changed, author=author)
            except HcatError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def coverage_panel(register: RiskRegister, evidence: tuple[RiskEvidence, ...]) -> None:
    """Show risks without a test, links without a target, evidence without a risk, and the present state of each."""
    show_view(coverage_view(register, evidence), key="risk-coverage", draw={})
    if risk_coverage(register, evidence).untouched:
        link_to("test_sets", "Make tests", icon=":material/checklist:")


def signed_note(register: RiskRegister) -> None:
    """Which version this is, and who signed it."""
    if not register.version or register.at is None:
        st.info(
            "Nobody has signed a register yet. Say what the system is for and what may go wrong, and link each risk "
            "to what tests it. The signed register opens the report."
        )
        return
    st.caption(plain(signed_text(register)))


def risk_table(register: RiskRegister) -> pd.DataFrame:
    """The risks as a table to edit."""
    rows = [
        (risk.risk, risk.failure_mode, risk.severity, list(risk.evidence), risk.verdict, risk.reason)
        for risk in register.risks
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(
        {name: "object" if name == "Evidence" else "str" for name in COLUMNS}
    )


def risks_of(table: pd.DataFrame) -> tuple[Risk, ...]:
    """The inverse of `risk_table`; rows without anything are left out."""
    risks = []
    for row in table.to_dict("records"):
        texts = {name: _text(row.get(name)) for name in COLUMNS if name != "Evidence"}
        linked = row.get("Evidence")
        if not any(texts[name] for name in ("Risk", "What goes wrong", "Reason")):
            continue
        risks.append(
            Risk(
                texts["Risk"],
                texts["What goes wrong"],
                cast("RiskSeverity", texts["Severity"] or "medium"),
                tuple(str(name) for name in linked) if isinstance(linked, Sequence) and linked else (),
                cast("RiskVerdict", texts["Verdict"] or "open"),
                texts["Reason"],
            )
        )
    return tuple(risks)


def _text(value: object) -> str:
    return "" if value is None or value != value else str(value).strip()
