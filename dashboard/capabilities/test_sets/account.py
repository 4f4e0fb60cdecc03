"""Account of a generated test set: what was asked, made and dropped, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pandas as pd
import streamlit as st

from hcat.core.capabilities.robustness.wording.robustness import MEANINGS
from hcat.core.capabilities.test_sets.wording.test_sets import left_out_sentence, stratum_sentence
from hcat.core.display.numbers import counted
from hcat.core.records.test_case import Expectation
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import JsonValue
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table


def account_panel(test_set: TestSetInfo) -> None:
    """Numbers, then the tables by type, by reason and by stratum; and the version that a frozen one came from."""
    account = test_set.account
    frozen = account.get("frozen_from")
    if isinstance(frozen, dict):
        st.markdown(
            f"Frozen from version {frozen['version']}: {frozen['accepted']} accepted, {frozen['edited']} edited, "
            f"{frozen['rejected']} rejected and left out, {frozen['unreviewed_cases']} unreviewed and "
            f"{plain(frozen['unreviewed'])}."
        )
    if "variants_of" in account:
        _variants(account)
        return
    if "asked" not in account:
        st.info("This test set was not generated here, so that nothing is known of what was asked and dropped.")
        return
    with st.container(horizontal=True):
        st.metric("Asked", _n(account, "asked"))
        st.metric("Made", _n(account, "made"))
        st.metric("Dropped", sum(_numbers(account.get("dropped")).values()))
        st.metric(
            "Spare", _n(account, "spare"), help="Candidates as good as those that were taken, which were not needed."
        )
    lacking = [row for row in _rows(account, "strata") if row.get("why")]
    if lacking:
        asked, made = _n(account, "asked"), _n(account, "made")
        (st.warning if made < asked else st.info)(stratum_sentence(asked=asked, made=made))
        rows = [(_levels(row), row.get("asked"), row.get("made"), row.get("why")) for row in lacking]
        _table(rows, ("Stratum", "Asked", "Made", "Why"), key="lacking")
    if left_out := _n(account, "left_out"):
        st.caption(f"{left_out_sentence(left_out)} Page Coverage lists them.")
    st.markdown("**By query type.** Where a type could not be made, other types took its place.")
    types = [tuple(row.get(name) for name in _TYPE_FIELDS) for row in _rows(account, "types")]
    _table(types, ("Type", "Asked", "Made", "Candidates", "Dropped"), key="by-type")
    dropped = _numbers(account.get("dropped"))
    if dropped:
        st.markdown("**Dropped candidates.** Each for the first check that it failed.")
        _table(list(dropped.items()), ("Because", "Candidates"), key="by-reason")
    with st.expander("By stratum"):
        strata = [
            (_levels(row), row.get("asked"), row.get("made"), row.get("passages")) for row in _rows(account, "strata")
        ]
        _table(strata, ("Stratum", "Asked", "Made", "Passages tried"), key="by-stratum")


def _variants(account: Mapping[str, JsonValue]) -> None:
    origins = account["variants_of"]
    if isinstance(origins, dict):
        st.markdown(
            f"{_n(account, 'test_cases'):,} test cases of {plain(str(origins['name']))}, version {origins['version']}, "
            f"and {counted(_n(account, 'variants'), 'variant')} of them. A case that a family could not change has no "
            "variant of it."
        )
    rows: list[tuple[object, ...]] = []
    reasons: list[tuple[object, ...]] = []
    for family in _rows(account, "families"):
        unchanged = _numbers(family.get("unchanged"))
        meaning = MEANINGS.get(cast("Expectation | None", family.get("expectation")), "")
        rows.append((family.get("family"), meaning, family.get("variants"), sum(unchanged.values())))
        reasons.extend((reason, family.get("family"), n) for reason, n in unchanged.items())
    _table(rows, ("Family", "The right answer", "Variants", "Not made"), key="by-family")
    if reasons:
        st.markdown("**Not made, and why**")
        _table(reasons, ("Because", "Family", "Variants not made"), key="not-made")


_TYPE_FIELDS = ("type", "asked", "made", "candidates", "dropped")


def _table(rows: Sequence[tuple[object, ...]], columns: tuple[str, ...], *, key: str) -> None:
    data_table(
        pd.DataFrame(rows, columns=list(columns)), hide_index=True, key=f"account-{key}", alt=f"{columns[0]}: counts"
    )


def _n(account: Mapping[str, JsonValue], name: str) -> int:
    value = account.get(name)
    return value if isinstance(value, int) else 0


def _rows(account: Mapping[str, JsonValue], name: str) -> list[dict[str, JsonValue]]:
    listed = account.get(name)
    return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []


def _numbers(counts: JsonValue) -> dict[str, int]:
    pairs = counts.items() if isinstance(counts, dict) else ()
    return {name: n for name, n in pairs if isinstance(n, int)}


def _levels(row: Mapping[str, JsonValue]) -> str:
    levels = row.get("levels")
    return " × ".join(str(level) for level in levels) if isinstance(levels, list) else ""
