"""Variants and origins side by side, with differences marked."""

from __future__ import annotations

import math
from difflib import SequenceMatcher

import streamlit as st

from hcat.core.attack_detectors import ADDED
from hcat.core.capabilities.robustness.variants.comparison import ComparedPair, Robustness
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.display.numbers import format_number
from hcat.core.records.project import RunInfo
from hcat.core.types import Sample
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.runs import some_samples

SHOWN = 5
"""Pairs on one screen."""


def pairs_panel(robustness: Robustness, outcome: str | None, family: str, *, run: RunInfo, origins: RunInfo) -> None:
    """The pairs of a family, those that lose most first, a few at a time."""
    pairs = [each for each in robustness.pairs if each.pair.family == family]
    ordered = sorted(pairs, key=lambda each: _most_telling(each, outcome, robustness))
    pages = math.ceil(len(ordered) / SHOWN)
    page = 1 if pages < 2 else int(st.number_input(f"Page of {pages}", 1, pages, 1, key=f"pairs-{family}", width=160))
    shown = ordered[SHOWN * (page - 1) : SHOWN * page]
    variants = some_samples(run, [each.pair.variant.id for each in shown])
    of_origins = some_samples(origins, [each.pair.origins[0].id for each in shown])
    for each in shown:
        with st.container(border=True):
            _pair(each, outcome, variants[each.pair.variant.id], of_origins[each.pair.origins[0].id])


def marked(text: str, other: str) -> str:
    """The text as Markdown, with the words that the other text doesn't have in this place marked."""
    words, others = text.split(), other.split()
    parts: list[str] = []
    for kind, start, end, _, _ in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        chunk = plain(" ".join(words[start:end]))
        if chunk:
            parts.append(chunk if kind == "equal" else f":orange-background[{chunk}]")
    return " ".join(parts)


def _pair(each: ComparedPair, outcome: str | None, variant: Sample, origin: Sample) -> None:
    left, right = st.columns(2)
    with left:
        _side("Origin", origin, variant)
    with right:
        strength = "" if each.pair.strength is None else f", strength {each.pair.strength:g}"
        _side(f"Variant{strength}", variant, origin)
        if ADDED in variant.metadata:
            st.caption("Passages were added to the corpus for this variant; they are in its metadata.")
    st.caption(plain(_facts(each, outcome)))


def _side(title: str, sample: Sample, other: Sample) -> None:
    st.markdown(f"**{title}** · {plain(sample.id)}")
    st.markdown(marked(sample.query, other.query))
    if sample.answer is None or not sample.answer.strip():
        st.markdown("*no answer*")
    else:
        st.markdown("→ " + marked(sample.answer, other.answer or ""))


def _facts(each: ComparedPair, outcome: str | None) -> str:
    check = each.check
    facts = []
    if check.met is None:
        facts.append(f"expectation not told: {check.reason}" if check.reason else "expectation not told")
    else:
        facts.append("as expected" if check.met >= 0.5 else "not as expected")
    if check.similarity is not None:
        facts.append(f"cosine {format_number(check.similarity)}")
    if outcome is not None:
        value, origin = each.values[outcome]
        facts.append(f"{outcome_title(outcome)} {format_number(origin)} → {format_number(value)}")
    trials = len(each.pair.origins)
    if trials > 1:
        facts.append(f"the first of {trials} answers to the origin is shown")
    return "; ".join(facts)


def _most_telling(each: ComparedPair, outcome: str | None, robustness: Robustness) -> tuple[float, float, str]:
    """Those that are not as expected first, then by loss."""
    met = 0.5 if each.check.met is None else each.check.met
    lost = 0.0
    if outcome is not None:
        value, origin = each.values[outcome]
        sign = -1.0 if robustness.outcome(outcome).direction == "lower" else 1.0
        lost = sign * (value - origin) if math.isfinite(value - origin) else 0.0
    return met, lost, each.pair.variant.id
