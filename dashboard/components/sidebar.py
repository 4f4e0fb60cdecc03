"""The project and the run of all pages, chosen once in the sidebar and kept in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.new_project import new_project_form
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.stored import project_named, runs_of
from hcat.dashboard.loaders.workspace import workspace


@dataclass(frozen=True, slots=True)
class Current:
    """The chosen project and run. `run` is None if the project has no run yet."""

    project: ProjectInfo
    run: RunInfo | None


def choose_project_and_run() -> None:
    """The two selectors. Without any project there is nothing to choose."""
    projects = {project.name: project for project in workspace().projects.all()}
    if not projects:
        return
    linked = None if "project" in st.session_state else st.query_params.to_dict()
    for key in ("project", "run"):  # what a page has just made is chosen next
        if created := st.session_state.pop(f"next-{key}", None):
            st.session_state[key] = created
    with st.sidebar:
        name = st.selectbox("Project", list(projects), key="project", bind="query-params")
        # Another key once there is one more, so that it is closed then.
        key = f"new-project-{len(projects)}"
        if workspace().access.may("project.create", None):
            with st.popover("New project", icon=":material/create_new_folder:", width="stretch", key=key):
                new_project_form()
        runs = [run.name for run in runs_of(projects[name])]
        if runs:
            st.selectbox("Run", runs, key="run", bind="query-params", help="One system configuration's answers.")
        _say_what_a_link_does_not_find(linked or {}, list(projects), runs)


def _say_what_a_link_does_not_find(linked: Mapping[str, str], projects: Sequence[str], runs: Sequence[str]) -> None:
    """An address may name a project or run that is not there: another one is then shown, which must not be silent."""
    for key, names in (("project", projects), ("run", runs)):
        if (name := linked.get(key)) and name not in names:
            shown = st.session_state.get(key)
            instead = f" “{plain(shown)}” is shown." if shown else ""
            st.warning(f"There is no {key} “{plain(name)}” here.{instead}")
            return


def current() -> Current:
    """The chosen project and run. Stops the page with a way forward where there is no project."""
    name = st.session_state.get("project")
    if not name:
        st.info("There is no project yet. Create one on the Runs page, or run `hcat demo` for the bundled one.")
        link_to("runs", "Go to Runs", icon=":material/upload_file:")
        stop_page()
    return Current(project_named(name), chosen_run())


def chosen_run() -> RunInfo | None:
    """The chosen run, or None where there is none; for pages that also make sense without."""
    name = st.session_state.get("project")
    runs = {run.name: run for run in runs_of(project_named(name))} if name else {}
    return runs.get(st.session_state.get("run", ""))


def current_run() -> tuple[ProjectInfo, RunInfo]:
    """The chosen project and run. Stops the page with a way forward where there is no run."""
    chosen = current()
    if chosen.run is None:
        st.info(f"Project “{plain(chosen.project.name)}” has no run yet. Import a run file first.")
        link_to("runs", "Import a run", icon=":material/upload_file:")
        stop_page()
    return chosen.project, chosen.run
