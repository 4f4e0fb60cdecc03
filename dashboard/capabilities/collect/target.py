"""Choice of the system to ask: the bundled one, or a target in YAML that is edited here."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.collect.description import Target, target_from, target_of
from hcat.core.capabilities.collect.examples import EXAMPLES
from hcat.core.capabilities.collect.screening import PAGE_PREFIX, check_from_page
from hcat.core.errors import HcatError
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.loaders.workspace import workspace

BUNDLED = "The bundled reference system"
PYTHON = "Python function"

TITLES = {"HTTP": "http", "Chat (OpenAI-compatible)": "chat", PYTHON: "python"}
"""Titles of the kinds of target in the picker."""
HELP = (
    "`{{query}}` stands for the question. `answer`, `contexts`, `context_ids` and `candidates` are JSONPaths into the "
    "reply. A secret is never written here: `${HCAT_TARGET_…}` takes it from the environment of the server."
)


def choose_target() -> Target | None:
    """The picker, the text and the limits. None, with the error shown, if it describes no target."""
    st.subheader("System")
    settings = workspace().settings
    kinds = [BUNDLED, *(name for name in TITLES if name != PYTHON or settings.allow_python_targets)]
    kind = st.segmented_control(
        "System to ask", kinds, default=BUNDLED, required=True, key="collect-kind", label_visibility="collapsed"
    )
    try:
        target = _bundled() if kind == BUNDLED else _described(kind)
        check_from_page(target, allow_python=settings.allow_python_targets)
    except HcatError as error:
        st.error(sentence(error))
        return None
    return _with_limits(target)


def _bundled() -> Target:
    st.caption("The small system that answers the demo's runs, in this process: it reads the demo's handbook.")
    configuration = st.segmented_control(
        "Configuration", ["candidate", "baseline"], default="candidate", required=True, key="collect-configuration"
    )
    return target_from({"kind": "demo", "configuration": configuration})


def _described(kind: str) -> Target:
    sent = st.file_uploader("Target file (YAML), or edit the text below", type=["yaml", "yml"], key=f"target-{kind}")
    text = EXAMPLES[TITLES[kind]]
    if sent is not None:
        try:
            text = sent.getvalue().decode("utf-8")
        except UnicodeDecodeError:
            raise HcatError(f"{sent.name} is not UTF-8 text: check the file") from None
    key = f"target-text-{kind}-{'' if sent is None else sent.file_id}"
    edited = st.text_area("Target", text, height=280, key=key, help=HELP)
    if not workspace().settings.allow_private_targets:
        st.caption(
            "Addresses of this machine and of private networks are refused unless the server runs with "
            f"HCAT_ALLOW_PRIVATE_TARGETS=1. Secrets: only variables that begin with {PAGE_PREFIX}."
        )
    return target_of(edited)


def _with_limits(target: Target) -> Target:
    """The same with the limits that are set here; they begin with the target's own."""
    with st.expander("Limits"):
        places = st.columns(5)
        concurrency = places[0].number_input("Requests at once", 1, 64, target.concurrency, key="limit-concurrency")
        rate = places[1].number_input(
            "Requests a minute (0: any)", 0.0, value=target.requests_per_minute or 0.0, key="limit-rate"
        )
        attempts = places[2].number_input(
            "Attempts an answer", 1, 20, target.attempts, key="limit-attempts", help="For 429, 5xx and time-outs."
        )
        budget = places[3].number_input("Requests in all (0: any)", 0, value=target.budget or 0, key="limit-budget")
        timeout = places[4].number_input("Seconds a reply", 1.0, 3600.0, target.timeout, key="limit-timeout")
    limits = {
        "concurrency": int(concurrency),
        "requests_per_minute": float(rate) or None,
        "attempts": int(attempts),
        "budget": int(budget) or None,
        "timeout": float(timeout),
    }
    return target.model_copy(update=limits)
