"""Choice of the model that verifies claims: the NLI model, or the language model of the settings."""

from __future__ import annotations

import streamlit as st

from hcat.core.models.llm.endpoint import shown_address
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.verifier import VERIFIER, VerifierChoice
from hcat.core.project.scoring import verifier_of
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import ScoreTable
from hcat.dashboard.capabilities.metrics.loader import registered_metrics
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.workspace import workspace

HELP = (
    "Faithfulness, context recall, context precision and answer correctness rest on verdicts on claims. "
    "Their columns keep their names; the scores' provenance names who verified."
)


def has_language_model() -> bool:
    """Whether the settings name an endpoint."""
    settings = workspace().settings
    return bool(settings.llm_base_url and settings.llm_model)


def left_out(table: ScoreTable | None) -> dict[str, str]:
    """The metrics that scoring all left out, and why; not those that only lacked a language model set since."""
    reasons = {} if table is None else table.provenance.left_out
    return {name: why for name, why in reasons.items() if why != LANGUAGE.missing or not has_language_model()}


def claim_verifier_picker(run: RunInfo, table: ScoreTable | None, *, busy: bool) -> VerifierChoice | None:
    """The user's choice, with a button to verify again what another model verified. None where there is no choice."""
    if not has_language_model():
        return None
    settings, verified_by = workspace().settings, verifier_of(table)
    titles: dict[VerifierChoice, str] = {"nli": "the NLI model", "llm": plain(settings.llm_model)}
    choice = st.segmented_control(
        "Claims are verified by",
        [*titles],
        default=verified_by,
        format_func=lambda verifier: titles[verifier],
        required=True,
        help=HELP,
        key=f"claim-verifier-{run.id}",
    )
    sent = "The samples' texts are" if choice == "llm" else "For reverse questions, the answers are"
    st.caption(f"{sent} sent to {plain(shown_address(settings.llm_base_url or ''))}.")
    verified = [name for name, metric in registered_metrics().items() if VERIFIER.name in metric.models]
    again = [name for name in verified if table is not None and name in table.metrics]
    if again and choice != verified_by and not busy and st.button("Verify the claims anew", key="verify-anew"):
        workspace().jobs.start_scoring(run, again, claims=choice)
        st.rerun()
    return choice
