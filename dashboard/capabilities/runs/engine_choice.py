"""Choice of the engine that scores a run: one process, or workers of Ray on this server or at the address of the
settings."""

from __future__ import annotations

import streamlit as st

from hcat.core.executors.chosen import installed_ray, most_workers
from hcat.core.records.job import Engine, JobEngine
from hcat.core.scoring.shards.shard import SHARD
from hcat.core.wording.jobs.engines import TITLES, engine_caption, little_work_sentence, workers_text
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.workspace import workspace

ENGINES: tuple[Engine, ...] = ("local", "ray")


def choose_engine(n: int, *, key: str) -> JobEngine | None:
    """The engine that is to score n samples, by default that of the settings; None where it is not installed."""
    settings, ray = workspace().settings, installed_ray()
    chosen: Engine = st.session_state.get(f"engine-{key}", settings.engine)
    with st.popover(f"Engine: {TITLES[chosen]}", icon=":material/memory:", key=f"engines-{key}"):
        chosen = st.radio(
            "Who scores",
            ENGINES,
            index=ENGINES.index(settings.engine),
            format_func=lambda engine: TITLES[engine][:1].upper() + TITLES[engine][1:],
            captions=[plain(engine_caption(engine, settings.ray_address, ray=ray)) for engine in ENGINES],
            key=f"engine-{key}",
        )
        workers = _workers(key) if chosen == "ray" and ray is not None else None
        if told := little_work_sentence(chosen, n, shard=SHARD):
            st.caption(told)
    return None if chosen == "ray" and ray is None else JobEngine(chosen, workers)


def engine_note(engine: JobEngine | None, n: int) -> None:
    """Show a note next to the button that starts scoring: why Ray is unavailable, or which engine scores if it is not
    the default one."""
    if engine is None:
        st.warning(f"Ray: {plain(engine_caption('ray', None, ray=None))}, or choose one process under Engine.")
    elif engine.name == "ray":
        st.caption(little_work_sentence("ray", n, shard=SHARD) or f"Scored by {workers_text(engine)}.")


def _workers(key: str) -> int | None:
    """The number of workers, at most as many as a job may use; None for as many as the cluster has processors."""
    most = most_workers(workspace().settings)
    return st.number_input(
        "Workers",
        min_value=1,
        max_value=most,
        value=most,
        placeholder="one per processor",
        help="At most one per processor, or as many as HCAT_RAY_WORKERS says. Each loads the models for itself.",
        key=f"workers-{key}",
    )
