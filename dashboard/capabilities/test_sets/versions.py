"""The versions of a test set: freezing, changes, a further version from a file or from an old one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.capabilities.test_sets.review import cases_to_freeze, decision_counts
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_set import TestSetInfo, Unreviewed
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import stored_cases, version_changes
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

LEAVE_OUT: Unreviewed = "left out"
INCLUDE: Unreviewed = "included"
WHAT_BECOMES = {LEAVE_OUT: "Leave them out", INCLUDE: "Include them"}
SHOWN = 200


def versions_panel(project: ProjectInfo, test_set: TestSetInfo) -> None:
    """All versions, then the actions on the chosen one."""
    versions = workspace().test_sets.versions(project, test_set.name)
    rows = [
        (each.version, each.n_cases, "frozen" if each.frozen else "open for review", each.source, each.actor,
         each.created_at, each.content_hash[:12])
        for each in versions
    ]  # fmt: skip
    columns = ["Version", "Cases", "State", "From", "By", "Made", "SHA-256"]
    data_table(
        pd.DataFrame(rows, columns=columns),
        hide_index=True,
        key="test-set-versions",
        column_config={"Made": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="The versions of the test set",
    )
    if not test_set.frozen:
        _freeze(test_set)
    _further_version(test_set, versions[0])
    if len(versions) > 1:
        _changes(versions)


def _freeze(test_set: TestSetInfo) -> None:
    st.subheader("Freeze")
    cases, log = stored_cases(test_set), workspace().test_sets.decisions(test_set)
    counts = decision_counts(cases, log)
    st.markdown(
        f"Version {test_set.version}: {counts['accepted']} accepted, {counts['edited']} edited, {counts['rejected']} "
        f"rejected, {counts['unreviewed']} unreviewed. A frozen version is a new one that holds the accepted cases and "
        "the edited ones as edited; it is never changed."
    )
    unreviewed = _choice(test_set, counts["unreviewed"])
    if unreviewed is None:
        st.caption("Choose what becomes of the unreviewed cases.")
        return
    actor = name_field("Frozen by", key=f"freeze-actor-{test_set.id}")
    standing = len(cases_to_freeze(cases, log, unreviewed=unreviewed))
    label = f"Freeze {counted(standing, 'case')}"
    if st.button(label, type="primary", icon=":material/ac_unit:", key="freeze", disabled=not standing or not actor):
        try:
            workspace().test_sets.freeze(test_set, unreviewed=unreviewed, actor=actor)
        except HcatError as error:
            st.error(sentence(error))
            return
        _to_newest()


def _choice(test_set: TestSetInfo, n: int) -> Unreviewed | None:
    """The chosen treatment of n unreviewed cases: asked for, never assumed; None until it is chosen."""
    if not n:
        return LEAVE_OUT
    return st.radio(
        f"The {counted(n, 'unreviewed case')}",
        list(WHAT_BECOMES),
        index=None,
        format_func=WHAT_BECOMES.__getitem__,
        key=f"freeze-unreviewed-{test_set.id}",
        help="The choice is recorded with the frozen version.",
    )


def _further_version(test_set: TestSetInfo, newest: TestSetInfo) -> None:
    with st.expander("Make a further version", icon=":material/add:"):
        if st.button(f"Open version {test_set.version} for review again, as version {newest.version + 1}", key="again"):
            _stored(newest, source=f"version {test_set.version}", of=test_set)
        sent = st.file_uploader(
            "Or upload test cases (JSON Lines), such as a downloaded version that was changed",
            key=f"version-upload-{newest.id}",
            type=["jsonl", "json"],
        )
        if sent is not None and st.button(f"Store as version {newest.version + 1}", key="store-cases"):
            try:
                cases = read_cases(sent.getvalue(), filename=sent.name)
                workspace().test_sets.add_version(newest, cases, source=f"file {sent.name}")
            except HcatError as error:
                st.error(f"Nothing was stored: {plain(error)}")
                return
            _to_newest()


def _stored(newest: TestSetInfo, *, source: str, of: TestSetInfo) -> None:
    try:
        workspace().test_sets.add_version(newest, stored_cases(of), source=source)
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")
        return
    _to_newest()


def _to_newest() -> None:
    st.session_state.pop("test-set-version", None)
    st.rerun()


def _changes(versions: list[TestSetInfo]) -> None:
    st.subheader("What changed")
    numbers = {version.version: version for version in versions}
    left, right = st.columns(2)
    before = left.selectbox("From version", list(numbers), index=1, key=f"diff-from-{versions[0].id}")
    after = right.selectbox("To version", list(numbers), index=0, key=f"diff-to-{versions[0].id}")
    changes = version_changes(numbers[before], numbers[after])
    if not changes.any:
        st.caption(f"The versions are the same: {counted(changes.unchanged, 'case')}.")
        return
    st.markdown(
        f"{counted(len(changes.added), 'case')} added, {len(changes.gone)} gone, {len(changes.changed)} changed, "
        f"{changes.unchanged} the same."
    )
    rows = [
        *(("added", "", case.query, "") for case in changes.added),
        *(("gone", case.query, "", "") for case in changes.gone),
        *(("changed", each.before.query, each.after.query, ", ".join(each.fields)) for each in changes.changed),
    ]
    data_table(
        pd.DataFrame(rows[:SHOWN], columns=["Change", "Before", "After", "Fields"]),
        hide_index=True,
        key=f"diff-{before}-{after}",
        alt="The cases that differ",
    )
    if len(rows) > SHOWN:
        st.caption(f"The first {SHOWN} are shown.")
