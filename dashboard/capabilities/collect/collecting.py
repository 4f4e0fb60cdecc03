"""The dry run, the button that collects, and the collections of the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

import pandas as pd
import streamlit as st

from hcat.core.capabilities.collect.description import Target
from hcat.core.capabilities.collect.opening import open_system
from hcat.core.capabilities.collect.reply import NoReply
from hcat.core.capabilities.collect.service import CollectionRequest
from hcat.core.capabilities.collect.wording import failure_sentences, plan_sentences
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.job import JobInfo
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import JsonValue
from hcat.dashboard.capabilities.collect.test_cases import ChosenTests
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.runs import samples
from hcat.dashboard.loaders.workspace import workspace


def collecting_panel(project: ProjectInfo, tests: ChosenTests, target: Target, *, busy: bool) -> None:
    """Name, trials, what will be asked and its cost; one question to try, and the button that asks all."""
    st.subheader("Ask")
    left, right = st.columns([3, 1])
    names = {run.name for run in workspace().runs.all(project)}
    name = left.text_input(  # another key once there is one more run, so that the next one has a name of its own
        "Name of the run", _free_name(names), key=f"collect-name-{project.id}-{len(names)}", max_chars=200
    )
    trials = right.number_input("Trials of each test case", 1, 50, 1, key="collect-trials")
    again = bool(st.session_state.get("collect-again"))
    _try_first(tests, target)
    try:
        request = workspace().collections.prepare(
            project,
            name,
            tests.cases,
            target,
            source=tests.source,
            hash=tests.hash,
            trials=int(trials),
            again=again,
            from_page=True,
        )
        if busy:
            st.caption("A collection is under way: the next can begin when it has ended.")
            return
        plan = workspace().collections.plan(project, request)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.markdown("  \n".join(plain(said) for said in plan_sentences(plan, by_command=False)))
    if plan.failed:
        st.checkbox("Ask again for the answers that failed", key="collect-again")
    with st.container(horizontal=True):
        left_to_ask = plan.answers - plan.answered - (0 if again else plan.failed)
        label = f"Collect {counted(left_to_ask, 'answer')}" if left_to_ask else "Store the run"
        if st.button(label, type="primary", icon=":material/play_arrow:", key="collect"):
            workspace().jobs.start(project, request)
            st.rerun()
        if plan.answered and left_to_ask:
            _store_button(project, request, plan.answered)


def collections_table(project: ProjectInfo) -> None:
    """The project's collections, newest first, and what failed in the run of the newest."""
    jobs = [job for job in workspace().jobs.all(project) if job.kind == "collect"]
    if not jobs:
        return
    st.subheader("Collections")
    newest = jobs[0]
    run = _run_of(project, newest) if newest.status == "done" else None
    if run is not None:
        with st.container(border=True):
            _collected(run)
    rows = [_row(job) for job in jobs]
    data_table(
        pd.DataFrame(rows),
        hide_index=True,
        key="collections-table",
        column_config={"Started": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="The project's collections of answers",
    )


def _try_first(tests: ChosenTests, target: Target) -> None:
    """Ask the first test case here and now, so that the paths into the reply can be put right before all are asked."""
    if not st.button("Try the first test case", icon=":material/labs:", key="collect-try"):
        return
    case = tests.cases[0]
    try:
        with st.spinner("Asking …"):
            system = open_system(target, allow_private=workspace().settings.allow_private_targets)
            reply = system.ask(case.query, key="trial")
    except (HcatError, NoReply) as error:
        st.error(sentence(error))
        return
    with st.container(border=True):
        st.markdown(f"**Query:** {plain(case.query)}")
        st.markdown(f"**Answer:** {plain(reply.answer if reply.answer is not None else '(none)')}")
        st.caption(f"{counted(len(reply.contexts), 'context')}, {counted(len(reply.candidates), 'candidate')}.")
        for passage in reply.contexts:
            st.markdown(f"- **{plain(passage.id)}** {plain(passage.text[:300])}")


def _store_button(project: ProjectInfo, request: CollectionRequest, answered: int) -> None:
    label = f"Store the {counted(answered, 'answer')} that are there"
    if not st.button(label, key="collect-store", help="The rest is then not asked for any more."):
        return
    try:
        run = workspace().collections.store_answers(project, request)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["next-run"] = run.name
    st.rerun()


def _collected(run: RunInfo) -> None:
    failures = Counter(
        str(sample.metadata["failure"]) for sample in samples(run).values() if "failure" in sample.metadata
    )
    answered = run.n - failures.total()
    st.markdown(f"**Run “{plain(run.name)}” is stored:** {answered} of {counted(run.n, 'answer')}.")
    for said in failure_sentences(failures):
        st.warning(plain(said))
    with st.container(horizontal=True):
        if st.session_state.get("run") != run.name and st.button("Choose this run", key="collect-choose"):
            st.session_state["next-run"] = run.name
            st.rerun()
        link_to("runs", "Score the run", icon=":material/play_arrow:")


def _run_of(project: ProjectInfo, job: JobInfo) -> RunInfo | None:
    return next((run for run in workspace().runs.all(project) if run.name == job.arguments.get("name")), None)


def _row(job: JobInfo) -> dict[str, object]:
    target = job.arguments.get("target")
    return {
        "Run": job.arguments.get("name"),
        "Test cases": job.arguments.get("source"),
        "Hash": str(job.arguments.get("hash"))[:12],
        "System": _system(target) if isinstance(target, dict) else "",
        "Trials": job.arguments.get("trials"),
        "Answers": f"{job.done:,} of {job.total:,}",
        "Status": job.status,
        "Started": job.created_at,
    }


def _system(target: Mapping[str, JsonValue]) -> str:
    return str(target.get("url") or target.get("callable") or f"bundled, {target.get('configuration', 'candidate')}")


def _free_name(names: Set[str]) -> str:
    """The first of "collected-1", "collected-2" … that no run has."""
    return next(name for number in range(1, len(names) + 2) if (name := f"collected-{number}") not in names)
