"""The forms that change a finding: its title and status, and its withdrawal."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.findings.services.findings import SEVERITIES, STATUSES
from hcat.core.capabilities.findings.wording import SEVERITY_HELP, STATUS_HELP
from hcat.core.errors import HcatError
from hcat.core.records.project import WITHDRAWN, Finding
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace

NAME_MISSING = "Enter who changes the finding: the history names them."


def change_form(finding: Finding) -> None:
    """Title, status, severity, owner, due date and comment; a status other than "withdrawn" reinstates a finding."""
    statuses = (*STATUSES, WITHDRAWN) if finding.status == WITHDRAWN else STATUSES
    with st.form(f"status-{finding.id}", border=False):
        title = st.text_input("Title", finding.title, max_chars=200)
        first, second, third, fourth = st.columns(4)
        status = first.selectbox("Status", statuses, index=statuses.index(finding.status), help=STATUS_HELP)
        severity = second.selectbox(
            "Severity", SEVERITIES, index=SEVERITIES.index(finding.severity), help=SEVERITY_HELP
        )
        owner = third.text_input("Owner", finding.owner, max_chars=80)
        due = fourth.date_input("Due", value=finding.due)
        comment = st.text_area("Comment", finding.comment, max_chars=2000, height=90)
        author = name_field("Changed by", key=f"changed-by-{finding.id}")
        if not st.form_submit_button("Save", type="primary"):
            return
        if not author:
            st.error(NAME_MISSING)
            return
        try:
            workspace().findings.change(
                finding,
                title=title,
                status=status,
                severity=severity,
                owner=owner,
                due=due,
                comment=comment,
                author=author,
            )
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()


def withdraw_form(finding: Finding) -> None:
    """A button that opens the form; nothing for a finding that is withdrawn."""
    if finding.status == WITHDRAWN:
        return
    with (
        st.popover("Withdraw", icon=":material/undo:", help="It is kept, with your reason, and counts no more."),
        st.form(f"withdraw-{finding.id}", border=False),
    ):
        reason = st.text_area("Reason", max_chars=2000, height=90, help="The report tells it.")
        author = name_field("Withdrawn by", key=f"withdrawn-by-{finding.id}")
        if not st.form_submit_button("Withdraw the finding"):
            return
        if not author:
            st.error(NAME_MISSING)
            return
        try:
            workspace().findings.withdraw(finding, reason=reason, author=author)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()
