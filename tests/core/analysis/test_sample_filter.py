"""Samples are found by label, prediction, dimension, flag and text."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis.sample_filter import SampleFacts, SampleFilter, filter_of, filter_samples, label_names
from core.errors import HcatError
from core.labelling.consensus import resolve_labels
from core.types import Criterion, Label, Passage, Sample

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
    {"a": "pass", "b": "undecided", "c": "pass", "d": "fail"},
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
