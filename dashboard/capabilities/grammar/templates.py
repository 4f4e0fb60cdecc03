"""Steps 2 and 3: SQL templates, each with its proof, and text templates by criterion; all can be edited."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_yaml, read_plan
from hcat.core.capabilities.grammar.text_templates import TEXT_TEMPLATES
from hcat.core.capabilities.grammar.written_template import WrittenTemplate
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_text
from hcat.dashboard.capabilities.grammar.loader import Patterns, model_plan, proofs, rule_plan
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table, downloadable
from hcat.dashboard.loaders.workspace import workspace

BY_MODEL = "grammar-model-plan"
"""Session key of the texts by the language model, by database."""

_SQL_HELP = (
    "SELECT one column; name the row by '[table.column]' in WHERE, several where needed. Each template is proved by "
    "its syntax and by the database before it is run."
)


def choose_templates(place: str) -> GrammarPlan | None:
    """The plan as it is edited here: the ticked templates that pass their proof. None if nothing is left."""
    criteria = _criteria()
    st.subheader("3 · SQL templates")
    sent = st.file_uploader(
        "A plan of your own (YAML), as saved below or by `hcat grammar build`; its criteria then replace those above",
        key="grammar-plan",
    )
    try:
        if sent is not None:
            begun = read_plan(sent.getvalue().decode("utf-8", "replace"), name=sent.name)
        else:
            begun = _begun(place, tuple(criteria.items()))
        plan = _edited(place, begun)
        checked = proofs(place, plan_yaml(plan))
    except HcatError as error:
        st.error(sentence(error))
        return None
    wrong = [proof for proof in checked if proof.problem]
    passed = [proof for proof in checked if not proof.problem]
    st.caption(f"{counted(len(passed), 'SQL template')} proved: one SELECT of one column that people understand.")
    for proof in wrong:
        st.warning(f"{plain(proof.template.id)} is left out: {plain(proof.problem)}")
    with st.expander("Proofs: how many values fill each template"):
        frame = pd.DataFrame(
            [(proof.template.id, proof.combinations, proof.problem or "proved") for proof in checked],
            columns=["SQL template", "Values or combinations", "Proof"],
        )
        data_table(frame, hide_index=True, key="grammar-proofs", alt="SQL templates with their proofs")
    usable = GrammarPlan(tuple(proof.template for proof in passed), plan.criteria)
    st.download_button("Save the plan", plan_yaml(plan), "plan.yaml", "application/yaml", icon=":material/download:")
    return usable if passed and usable.criteria else None


def _criteria() -> dict[str, tuple[str, ...]]:
    """Text templates of the chosen criteria, one a line."""
    st.subheader("2 · Text templates")
    known = st.multiselect(
        "Criteria: ways of wording that are compared",
        list(TEXT_TEMPLATES),
        default=["short", "long"],
        key="grammar-criteria",
        accept_new_options=True,
        help="Type a name for a criterion of your own.",
    )
    chosen: dict[str, tuple[str, ...]] = {}
    with st.expander("Text templates of each criterion"):
        st.caption(
            "One a line, with {question}, {subject} and {value}: \u201cWhat is the {question} of the {subject} "
            "'{value}'?\u201d An SQL template with texts of its own doesn't need them."
        )
        for name in known:
            text = st.text_area(plain(name), "\n".join(TEXT_TEMPLATES.get(name, ())), height=150, key=f"texts-{name}")
            chosen[name] = tuple(line.strip() for line in text.splitlines() if line.strip())
    return chosen


def _begun(place: str, patterns: Patterns) -> GrammarPlan:
    """The plan with which editing begins: made by rule, plus templates by the language model if it was asked."""
    plan = rule_plan(place, patterns)
    settings = workspace().settings
    if settings.llm_base_url and settings.llm_model:
        st.caption("The language model is sent the names of tables and columns, no values, and what you write here.")
        left, right = st.columns(2)
        described = left.text_input(
            "What the database holds", key="grammar-description", max_chars=2_000, help="For the language model."
        )
        wanted = right.text_input(
            "What is wanted of the questions",
            key="grammar-requirements",
            max_chars=2_000,
            help="What they should be about, and what must not be asked.",
        )
        if st.button("Add templates by the language model", icon=":material/smart_toy:", key="grammar-by-model"):
            with st.spinner("Asking the language model …"):
                st.session_state[f"{BY_MODEL}-{place}"] = model_plan(
                    place, patterns, number=3, description=described, requirements=wanted
                )
    written, rejected = st.session_state.get(f"{BY_MODEL}-{place}", (None, ()))
    if rejected:
        with st.expander(f"{len(rejected)} of the language model's texts can't be used"):
            for each in rejected:
                st.markdown(f"- {plain(each.text)}: {plain(each.reason)}")
    own = () if written is None else written.templates
    return GrammarPlan((*plan.templates, *own), plan.criteria)


def _edited(place: str, begun: GrammarPlan) -> GrammarPlan:
    """The plan as edited in a table: tick, change, add. A template's own texts have one column for each criterion."""
    wanted = begun.criteria
    rows = [_row(template, wanted) for template in begun.templates]
    columns = ["Use", "SQL", "Question", "Subject", *(f"Own texts, {name}" for name in wanted)]
    key = sha256_of_text(place + plan_yaml(begun) + " ".join(wanted))[:12]
    edited = st.data_editor(
        pd.DataFrame(rows, columns=columns),
        hide_index=True,
        num_rows="dynamic",
        height=320,
        key=f"grammar-sql-{key}",
        column_config={
            "Use": st.column_config.CheckboxColumn(default=True, width="small"),
            "SQL": st.column_config.TextColumn(width="large", help=_SQL_HELP),
            **{
                f"Own texts, {name}": st.column_config.TextColumn(help="Several with | between them.")
                for name in wanted
            },
        },
    )
    downloadable(edited, "Questions to the database")
    names = {template.sql: template for template in begun.templates}
    templates = [_template(row, names, wanted) for row in edited.to_dict("records") if _is_used(row)]
    distinct = {template.id: template for template in templates}
    return GrammarPlan(tuple(distinct.values()), wanted)


def _row(template: WrittenTemplate, criteria: Mapping[str, tuple[str, ...]]) -> tuple[object, ...]:
    own = (" | ".join(template.texts.get(name, ())) for name in criteria)
    return (True, template.sql, template.question, template.subject, *own)


def _is_used(row: Mapping[object, object]) -> bool:
    return bool(row["Use"]) and bool(_text(row["SQL"]))


def _template(
    row: Mapping[object, object], begun: Mapping[str, WrittenTemplate], criteria: Mapping[str, tuple[str, ...]]
) -> WrittenTemplate:
    before = begun.get(_text(row["SQL"]))
    texts = {
        name: tuple(part.strip() for part in _text(row[f"Own texts, {name}"]).split("|") if part.strip())
        for name in criteria
    }
    return WrittenTemplate(
        _text(row["SQL"]),
        _text(row["Question"]),
        _text(row["Subject"]),
        {name: some for name, some in texts.items() if some},
        origin="own" if before is None else before.origin,
        name="" if before is None else before.name,
    )


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
