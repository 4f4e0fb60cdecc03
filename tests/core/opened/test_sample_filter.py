"""Samples are found by label, prediction, dimension, flag and text."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.opened.sample_filter import (
    UNLABELLED,
    SampleFacts,
    SampleFilter,
    filter_of,
    filter_samples,
    label_names,
)
from hcat.core.types import Criterion, Label, Passage, Sample

SAMPLES = {
    "a": Sample("a", "What does the card cost?", "Four EUROS.", contexts=(Passage("p", "Straße 4"),)),
    "b": Sample("b", "And the depot?", None, reference="nothing"),
    "c": Sample("c", "May I cancel?", "Yes."),
    "d": Sample("d", "Why?", "Because."),
}
FACTS = SampleFacts(
    SAMPLES,
    pd.DataFrame({"topic": ["fees", "fees", "cards", "loans"], "kind": ["x", "y", "x", "y"]}, index=[*SAMPLES]),
    {"a": "pass", "b": "tie", "c": "fail"},
    pd.Series({"a": "pass", "b": "undecided", "c": "pass", "d": "fail"}),
    frozenset("bd"),
)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (SampleFilter(), "abcd"),
        (SampleFilter(labels=("unlabelled",)), "d"),
        (SampleFilter(labels=("fail", "tie")), "bc"),
        (SampleFilter(decisions=("pass",)), "ac"),
        (SampleFilter(levels=(("topic", "fees"), ("topic", "cards"))), "abc"),
        (SampleFilter(levels=(("topic", "fees"), ("topic", "cards"), ("kind", "x"))), "ac"),
        (SampleFilter(flagged=True), "bd"),
        (SampleFilter(text="euros"), "a"),
        (SampleFilter(text="STRASSE"), "a"),
        (SampleFilter(text="nothing"), "b"),
        (SampleFilter(labels=("pass",), text="cancel"), ""),
    ],
)
def test_each_part_keeps_what_fits_it(wanted: SampleFilter, ids: str) -> None:
    assert filter_samples([*SAMPLES], FACTS, wanted) == [*ids]


NAMES = st.sampled_from(["x", "y", "z"])
MAYBE = st.none() | NAMES


@given(
    rows=st.lists(st.tuples(MAYBE, MAYBE, MAYBE, MAYBE, st.booleans()), min_size=1, max_size=8),
    labels=st.lists(NAMES | st.just(UNLABELLED), max_size=2),
    decisions=st.lists(NAMES, max_size=2),
    levels=st.lists(st.tuples(st.sampled_from(["one", "two"]), NAMES), max_size=3),
    flagged=st.booleans(),
    coded=st.booleans(),
    data=st.data(),
)
def test_columns_keep_what_one_sample_after_another_keeps(
    rows: list[tuple[str | None, str | None, str | None, str | None, bool]],
    labels: list[str],
    decisions: list[str],
    levels: list[tuple[str, str]],
    flagged: bool,
    coded: bool,
    data: st.DataObject,
) -> None:
    ids = [f"s{number}" for number in range(len(rows))]
    one, two, label, decision, flags = (dict(zip(ids, column, strict=True)) for column in zip(*rows, strict=True))
    frame = pd.DataFrame({"one": one, "two": two}, index=ids, dtype="str")
    facts = SampleFacts(
        {},
        frame.astype("category") if coded else frame,
        {name: text for name, text in label.items() if text is not None},
        pd.Series(decision, dtype="str").dropna(),
        frozenset(name for name in ids if flags[name]),
    )

    def fits(name: str) -> bool:
        of_dimension = {"one": one[name], "two": two[name]}
        return (
            (not labels or (label[name] or UNLABELLED) in labels)
            and (not decisions or decision[name] in decisions)
            and (not flagged or bool(flags[name]))
            and all(
                of_dimension[by] in {level for other, level in levels if other == by} for by in {by for by, _ in levels}
            )
        )

    asked = data.draw(st.permutations(ids))[: data.draw(st.integers(0, len(ids)))]
    wanted = SampleFilter(tuple(labels), tuple(decisions), tuple(levels), flagged)
    assert filter_samples(asked, facts, wanted) == [name for name in asked if fits(name)]


def test_unknown_labels_and_dimensions_are_named() -> None:
    with pytest.raises(HcatError, match="no label 'good': choose one of fail, pass, unlabelled, tie"):
        filter_of(("fail", "pass"), labels=["good"])
    with pytest.raises(HcatError, match="no dimension 'colour'"):
        filter_samples([*SAMPLES], FACTS, SampleFilter(levels=(("colour", "red"),)))


def test_a_filter_says_in_words_what_it_keeps() -> None:
    wanted = SampleFilter(("fail", "tie"), (), (("topic", "fees"),), True, "fee")
    assert wanted.title == "topic = fees, label fail or tie, flagged, “fee”"


def test_labels_are_those_that_people_agree_on() -> None:
    said = [("a", 1, "ann"), ("b", 1, "ann"), ("b", 0, "bob"), ("c", 0, "ann")]
    labels = [Label(sample_id, "correctness", level, annotator) for sample_id, level, annotator in said]
    resolved = resolve_labels(labels, Criterion("correctness"))
    assert label_names(resolved) == {"a": "pass", "b": "tie", "c": "fail"}
