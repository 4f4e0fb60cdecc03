"""Trying a rubric on a few answers, judging the run, checking for bias: the cost of each is shown before its button."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from hcat.core.capabilities.judges.rubric import Rubric
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.capabilities.judges.wording.verdicts import forecast_sentence
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

TRIAL_SAMPLES = 10
BIAS_SAMPLES = 20


def has_model() -> bool:
    """Whether a language model is set; otherwise explains how to set one."""
    settings = workspace().settings
    if settings.llm_base_url and settings.llm_model:
        return True
    st.info(
        "No language model is set, so nothing can be judged here yet. Set `HCAT_LLM_BASE_URL` and `HCAT_LLM_MODEL` and "
        "start again: any OpenAI-compatible endpoint will do, also one on this machine (`hcat llm serve MODEL.gguf`). "
        "The rubric can be written without one."
    )
    return False


def asking_panel(project: ProjectInfo, run: RunInfo, rubric: Rubric, people: Criterion) -> None:
    """The options of the judge, and the three things that it can be asked."""
    under_way = is_under_way(job_panel(project, kinds=("judge",)))
    if not has_model():
        return
    request = _options(run, rubric, people)
    if request is None:
        st.info("Choose a criterion of the rubric.")
        return
    model = plain(request.model or workspace().settings.llm_model or "")
    st.caption(f"The judge is the language model {model}. Answers are cached: what was asked once costs nothing again.")
    trial = replace(request, work="trial", sample=TRIAL_SAMPLES, labelled_on=people.name)
    trial = replace(trial, keep_labels=False)
    check = replace(trial, work="bias", sample=BIAS_SAMPLES)
    for each, label, about in (
        (trial, "Try on ten samples", f"Ten answers, those with a label on {plain(people.name)} first."),
        (request, "Judge the run", f"All {counted(run.n, 'answer')}; the scores become metrics of the run."),
    ):
        _button(project, run, each, label, about, busy=under_way)
    with st.container(border=True):
        st.markdown("**Check for bias**")
        st.caption(
            f"{BIAS_SAMPLES} answers are judged as they are, with padding, with a claim of authority, with contexts in "
            "reverse order, and as a refusal in three wordings: at most seven times as many requests."
        )
        if st.button("Check for bias", icon=":material/balance:", disabled=under_way):
            workspace().jobs.start(project, check)
            st.rerun()


def _options(run: RunInfo, rubric: Rubric, people: Criterion) -> JudgeRequest | None:
    titles = {criterion.name: criterion.title for criterion in rubric.criteria}
    chosen = st.pills(
        "Criteria", list(titles), default=list(titles)[:2], selection_mode="multi", format_func=titles.__getitem__,
        key=f"judge-criteria-{rubric.name}",
    )  # fmt: skip
    with st.expander("Options"):
        places = st.columns(4)
        name = places[0].text_input(
            "Name of the judge",
            "judge",
            max_chars=40,
            help="Its metrics are NAME:CRITERION. Another judge needs another name.",
        )
        trials = places[1].number_input("Trials of each sample", 1, 20, 1, help="Each with another seed.")
        temperature = places[2].number_input("Temperature", 0.0, 2.0, 0.0, 0.1, help="At 0, trials hardly differ.")
        first = places[3].segmented_control(
            "First comes", ["reason", "verdict"], default="reason", required=True, key="judge-order"
        )
        model = places[0].text_input(
            "Model",
            placeholder=workspace().settings.llm_model or "",
            max_chars=200,
            key="judge-model",
            help="Another model at the same address; empty: the one of HCAT_LLM_MODEL.",
        )
        examples = places[1].number_input(
            "Examples", 0, 20, 0, key="judge-examples",
            help="Answers that people labelled and said why. The judge is shown them; it judges neither them nor other "
            "trials of their test cases. For one criterion of the rubric.",
        )  # fmt: skip
        keep_labels = st.checkbox(
            "Also keep the verdicts on the run as labels of a language model",
            key="judge-keep-labels",
            help="On criteria with the rubric’s names and levels, source llm. They never count as labels of people.",
        )
    if not chosen:
        return None
    return JudgeRequest(
        run=run.id,
        rubric=rubric.name,
        criteria=tuple(chosen),
        name=name,
        trials=int(trials),
        temperature=float(temperature),
        order="verdict first" if first == "verdict" else "reason first",
        labelled_on=people.name if examples else "",
        examples=int(examples),
        model=model.strip(),
        keep_labels=keep_labels,
    )


def _button(project: ProjectInfo, run: RunInfo, request: JudgeRequest, label: str, about: str, *, busy: bool) -> None:
    with st.container(border=True):
        st.markdown(f"**{label}**  \n{about}")
        try:
            ahead = workspace().judges.forecast(project, run, request)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.caption(forecast_sentence(ahead))
        is_first = request.work == "trial"
        if st.button(
            label,
            type="primary" if is_first else "secondary",
            icon=":material/gavel:",
            disabled=busy or not ahead.requests,
        ):
            workspace().jobs.start(project, request)
            st.rerun()
