"""Choice of the metrics to score a run on, by family, with the cost of each family."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.metrics.registry import Metric, known_metric
from hcat.core.metrics.retrieval import AT_ANY
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.models.verifier import VERIFIER
from hcat.dashboard.capabilities.metrics.loader import registered_metrics

COSTS = (
    (LANGUAGE.name, "asks the language model, which costs time and money"),
    (VERIFIER.name, "the slowest: every claim is checked against the contexts"),
    (ENTAILMENT.name, "slow: every sentence is checked against the contexts"),
)
"""Costs of a metric that needs the model of this role; the first that fits counts."""
OF_A_MODEL, OF_NONE = "every sentence is read once by the sentence model", "quick: no model is needed"


def choose_metrics(names: Sequence[str], *, key: str) -> list[str]:
    """Those of the metrics that the user wants: all but those on request, until families are removed or added."""
    metrics = registered_metrics()
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_group(metrics[name]), []).append(name)
    with st.popover("Choose metrics", icon=":material/tune:", key=f"metrics-{key}"):
        for name in names:
            if metrics[name].recommended:
                st.caption(f"{metrics[name].title}: {metrics[name].recommended}.")
        chosen = [
            name
            for group, members in groups.items()
            if st.checkbox(
                f"{group} ({counted(len(members), 'metric')})", value=_usual(members), key=f"metrics-{key}-{group}"
            )
            for name in members
        ]
        if any("@" in name for name in names):
            chosen += _at_other_cutoffs(key)
    return list(dict.fromkeys(chosen))


def _at_other_cutoffs(key: str) -> list[str]:
    """Retrieval metrics at the cut-offs that the user names."""
    named = st.multiselect(
        "Retrieval at other cut-offs k",
        ["1", "3", "5", "10", "20", "50"],
        accept_new_options=True,
        key=f"metrics-{key}-cutoffs",
        help="precision@k, recall@k, F1@k, average precision@k and nDCG@k. From 100 on, the candidates are ranked.",
    )
    names = [f"{measure}@{k.strip()}" for k in named for measure in AT_ANY]
    if any(known_metric(name) is None for name in names):
        st.warning("A cut-off is a whole number from 1 to 99,999; others are left out.")
    return [name for name in names if known_metric(name) is not None]


def _usual(names: Sequence[str]) -> bool:
    metrics = registered_metrics()
    return not all(metrics[name].on_request for name in names)


def _group(metric: Metric) -> str:
    cost = next((text for role, text in COSTS if role in metric.models), OF_A_MODEL if metric.models else OF_NONE)
    return f"{metric.family[:1].upper()}{metric.family[1:]} – {cost}"
