"""Rename, archive, restore or delete the project, its runs, criteria and queues; each action is logged."""

from __future__ import annotations

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.housekeeping import Contents, Item
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.wording.housekeeping import CACHES, counts_text, entry_text, goes_text, item_title, keeps_text
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace

CHOSEN_NEXT = {"project": "next-project", "run": "next-run"}
"""Session keys from which the sidebar reads what is chosen next."""


def run_menu(project: ProjectInfo, run: RunInfo) -> None:
    """Show the actions on the chosen run, behind three dots."""
    item = workspace().housekeeping.get("run", run.name, project=project)
    with st.popover("Manage this run", icon=":material/more_horiz:", help="Rename, archive or delete it."):
        _controls(item, key="menu")


def corpus_menu(project: ProjectInfo, corpus: CorpusInfo) -> None:
    """Show the actions on a corpus, behind three dots."""
    item = workspace().housekeeping.get("corpus", corpus.name, project=project)
    with st.popover("Manage this corpus", icon=":material/more_horiz:", help="Rename, archive or delete it."):
        _controls(item, key="corpus-menu")


def housekeeping_panel(project: ProjectInfo | None) -> None:
    """One item at a time, archived ones too, and the log of what was done in the project. None where all projects are
    archived, and nothing where there is no project at all."""
    projects = workspace().housekeeping.all()
    own = [] if project is None else [item for item in projects if item.id == project.id]
    within = [] if project is None else workspace().housekeeping.all(project)
    items = [*own, *within, *(item for item in projects if item.is_archived)]
    if not items:
        return
    with st.expander("Rename, archive, restore, delete", icon=":material/inventory_2:"):
        titles = {(item.kind, item.id): _title(item) for item in items}
        chosen = st.selectbox(
            "Project, run, criterion, queue, corpus or test set",
            range(len(items)),
            format_func=lambda position: titles[items[position].kind, items[position].id],
            key="housekeeping-item",
        )
        _controls(items[chosen], key="panel")
        name = items[chosen].project
        entries = [entry for entry in workspace().housekeeping.log() if entry.project == name]
        if entries:
            st.markdown("**Log**")
        for entry in entries[-20:]:
            st.caption(f"{entry.at:%Y-%m-%d %H:%M} · {plain(entry_text(entry))}")


def _title(item: Item) -> str:
    title = item_title(item)
    return f"{title[0].upper()}{title[1:]}" + (" (archived)" if item.is_archived else "")


def _controls(item: Item, *, key: str) -> None:
    key = f"{key}-{item.kind}-{item.id}"
    contents = workspace().housekeeping.contents(item)
    st.markdown(f"**{plain(_title(item))}** holds {counts_text(contents.gone)}.")
    kept = keeps_text(item, contents)
    if kept:
        st.info(f"{plain(kept[0].upper() + kept[1:])}.")
    if item.kind != "queue" and not kept:
        _rename(item, key)
    _put_away(item, key)
    if not kept:
        _delete(item, contents, key)


def _rename(item: Item, key: str) -> None:
    with st.form(f"rename-{key}", border=False):
        name = st.text_input("Name", item.name)
        if not st.form_submit_button("Rename"):
            return
    try:
        renamed = workspace().housekeeping.rename(item, name)
    except HcatError as error:
        st.error(plain(error))
        return
    _choose_next(item, renamed.name)
    st.rerun()


def _put_away(item: Item, key: str) -> None:
    if item.is_archived:
        if st.button("Restore", icon=":material/unarchive:", key=f"restore-{key}"):
            workspace().housekeeping.restore(item)
            st.rerun()
    elif st.button(
        "Archive",
        icon=":material/archive:",
        key=f"archive-{key}",
        help="Pickers and reports leave it out. Nothing is lost; it can be restored here.",
    ):
        workspace().housekeeping.archive(item)
        _choose_next(item, None)
        st.rerun()


def _delete(item: Item, contents: Contents, key: str) -> None:
    with st.form(f"delete-{key}", border=True):
        st.markdown(f"**Delete.** {plain(goes_text(item, contents))}")
        st.caption(CACHES)
        confirmed = st.text_input(f"Type the name “{plain(item.name)}” to confirm")
        left, right = st.columns(2)
        with left:
            author = name_field("Your name", key=f"delete-author-{key}")
        reason = right.text_input("Reason")
        if not st.form_submit_button(f"Delete {plain(item_title(item))}", icon=":material/delete:"):
            return
    try:
        workspace().housekeeping.delete(item, contents, confirmed=confirmed, author=author, reason=reason)
    except HcatError as error:
        st.error(plain(error))
        return
    _choose_next(item, None)
    st.toast(plain(f"Deleted: {item_title(item)}."), icon=":material/delete:")
    st.rerun()


def _choose_next(item: Item, name: str | None) -> None:
    """Set the sidebar's next choice after an item was renamed or removed from its list."""
    if item.kind not in CHOSEN_NEXT or st.session_state.get(item.kind) != item.name:
        return
    if name is None:
        of_project = workspace().runs.all(item.project) if item.kind == "run" else workspace().projects.all()
        name = next((other.name for other in of_project), None)
    if name is not None:
        st.session_state[CHOSEN_NEXT[item.kind]] = name
