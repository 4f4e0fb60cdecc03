"""What the labels of several annotators come to, and the hash that stands for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.labelling.consensus import consensus, labels_hash, resolve_labels
from hcat.core.types import Criterion, Label, LabelSource

EARLY, LATE = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC)


def label(sample: str, level: int, annotator: str = "ann", **rest: object) -> Label:
    return Label(sample, "correctness", level, annotator, **rest)  # type: ignore[arg-type]


def levels(labels: list[Label], **rest: int) -> dict[str, int]:
    return {x.sample_id: x.level for x in consensus(labels, **rest).labels}


def test_majority_of_people() -> None:
    assert levels([label("s", 1, "a"), label("s", 0, "b"), label("s", 1, "c")]) == {"s": 1}


def test_ties_are_left_out_and_counted() -> None:
    result = consensus([label("s", 1, "a"), label("s", 0, "b"), label("t", 0, "a")])
    assert [x.sample_id for x in result.labels] == ["t"]
    assert result.ties == 1


def test_the_latest_label_of_a_person_counts() -> None:
    early, late = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC)
    assert levels([label("s", 1, at=late), label("s", 0, at=early)]) == {"s": 1}
    assert levels([label("s", 1), label("s", 0)]) == {"s": 0}
    assert levels([label("s", 1, at=early), label("s", 0)]) == {"s": 1}  # undated is taken for older
    assert levels([label("s", 1, at=datetime(2024, 1, 3)), label("s", 0, at=late)]) == {"s": 1}


def test_rules_count_only_where_no_person_labelled() -> None:
    rules = [label("s", 0, "facts", source="rule"), label("s", 0, "overlap", source="rule")]
    assert levels(rules) == {"s": 0}
    assert levels([*rules, label("s", 1, "ann")]) == {"s": 1}
    tied = consensus([*rules, label("s", 1, "a"), label("s", 0, "b")])
    assert (tied.labels, tied.ties) == ((), 1)


def test_ordinal_levels_vote_pass_or_fail() -> None:
    # Passing from level 3: two passes (3, 4) against one fail (0); the lower median of the winners is 3.
    assert levels([label("s", 4, "a"), label("s", 0, "b"), label("s", 3, "c")], passing=3) == {"s": 3}


def test_the_largest_probability_of_being_drawn_is_kept() -> None:
    result = consensus([label("s", 1, "a", probability=0.1), label("s", 1, "b", probability=0.5)])
    assert result.labels[0].probability == 0.5


def test_a_decision_outweighs_people_who_outweigh_rules_and_models_never_count() -> None:
    people = [label("s", 1, "a", probability=0.5), label("s", 1, "b", probability=0.25)]
    below = [label("s", 0, "rule", source="rule"), *(label("s", 0, f"model {k}", source="llm") for k in range(3))]
    assert levels([*below, *people]) == {"s": 1}
    decision = label("s", 0, "lead", source="adjudication", probability=0.25)
    [agreed] = consensus([*people, decision, *below[1:]]).labels
    assert (agreed.level, agreed.annotator, agreed.source, agreed.probability) == (0, "lead", "adjudication", 0.5)
    assert levels(below) == {"s": 0}  # by the rule
    only_models = consensus(below[1:])
    assert (only_models.labels, only_models.ties) == ((), 0)
    judged = resolve_labels([*people, *below[1:], label("t", 1, "model 0", source="llm")], Criterion("correctness"))
    assert (judged.sample_ids, judged.ties, judged.llm_only) == (("s",), 0, 1)


def test_the_latest_decision_counts_whoever_made_it() -> None:
    first = label("s", 0, "lead", source="adjudication", at=LATE)
    assert levels([label("s", 1), first, label("s", 1, "other", source="adjudication", at=EARLY)]) == {"s": 0}
    assert levels([label("s", 0), first, label("s", 1, "other", source="adjudication", at=LATE)]) == {"s": 1}


def test_a_person_and_a_rule_of_one_name_are_two_annotators() -> None:
    assert levels([label("s", 1, "x", at=EARLY), label("s", 0, "x", source="rule", at=LATE)]) == {"s": 1}


def test_the_hash_follows_the_time_where_that_decides() -> None:
    # Two files that said the same until the hash was over what decides: all but the times are equal.
    one = [label("s", 1, at=EARLY), label("s", 0, at=LATE)]
    other = [label("s", 1, at=LATE), label("s", 0, at=EARLY)]
    assert levels(one) != levels(other) and labels_hash(one) != labels_hash(other)
    # A time that decides nothing is not in it, and neither is the zone that it is told in.
    assert labels_hash([label("s", 1)]) == labels_hash([label("s", 1, at=LATE)])
    elsewhere = LATE.astimezone(timezone(timedelta(hours=9)))
    assert labels_hash(one) == labels_hash([label("s", 1, at=EARLY), label("s", 0, at=elsewhere)])
    assert labels_hash([label("s", 1), label("s", 0)]) != labels_hash([label("s", 0), label("s", 1)])


def test_the_hash_sees_the_source() -> None:
    assert labels_hash([label("s", 1)]) != labels_hash([label("s", 1, source="rule")])
    assert labels_hash([label("s", 1)]) == labels_hash([label("s", 1), label("s", 0, "a model", source="llm")])


SAMPLES, PEOPLE = st.sampled_from([f"s{i}" for i in range(8)]), st.sampled_from(["a", "b"])
SOURCES: st.SearchStrategy[LabelSource] = st.sampled_from(["person", "person", "rule", "adjudication", "llm"])
GIVEN = st.builds(
    lambda sample, level, who, chance, criterion, source: Label(
        sample, criterion, level, who, probability=chance, source=source
    ),
    SAMPLES,
    st.integers(0, 1),
    PEOPLE,
    st.sampled_from([0.25, 1.0]),
    st.sampled_from(["correctness", "correctness", "relevance"]),
    SOURCES,
)


def outcome(labels: list[Label]) -> tuple[dict[str, tuple[int, float]], int]:
    found = consensus(labels)
    return {x.sample_id: (x.level, x.probability) for x in found.labels}, found.ties


def test_labels_of_one_hash_have_one_consensus() -> None:
    # All lists of up to three labels of one sample by two annotators of two sources, at two times or none.
    universe = [
        label("s", level, annotator, source=source, at=at, probability=0.5 if annotator == "a" else 1.0)
        for level, annotator, source, at in product((0, 1), "ab", ("person", "adjudication"), (None, EARLY, LATE))
    ]
    assert len(universe) == 24
    outcomes: dict[str, tuple[dict[str, tuple[int, float]], int]] = {}
    for length in (1, 2, 3):
        for labels in product(universe, repeat=length):
            found = outcome(list(labels))
            assert outcomes.setdefault(labels_hash(labels), found) == found, labels
    # A person says 0, 1 or nothing; there is no decision, or one of 0 or 1 by either; and the empty list is not there.
    assert len(outcomes) == 3 * 3 * (1 + 2 * 2) - 1


NAMES = st.text(st.sampled_from("ab 1-\n\0"), max_size=3)
ANY = st.builds(
    Label,
    NAMES,
    NAMES,
    st.integers(0, 2),
    NAMES,
    st.none() | NAMES,
    at=st.sampled_from([None, EARLY, LATE, datetime(2024, 1, 2)]),
    probability=st.sampled_from([0.25, 1, 1.0]),
    source=SOURCES,
)


@given(st.lists(ANY, max_size=6), st.lists(ANY, max_size=1), st.randoms(use_true_random=False))
def test_no_names_and_no_order_give_one_hash_two_outcomes(first: list[Label], more: list[Label], rng: Random) -> None:
    second = [*first, *more]
    rng.shuffle(second)
    if labels_hash(first) == labels_hash(second):
        for name in {x.criterion for x in second}:
            assert outcome([x for x in first if x.criterion == name]) == outcome(
                [x for x in second if x.criterion == name]
            )


def test_the_hash_ignores_order_and_sees_content() -> None:
    first, second = label("s", 1), label("t", 0)
    assert labels_hash([first, second]) == labels_hash([second, first])
    assert labels_hash([first]) != labels_hash([label("s", 0)])


@given(st.lists(GIVEN, max_size=10), st.lists(GIVEN, max_size=4), st.integers(0, 10))
def test_what_was_judged_before_spares_nothing_but_time(first: list[Label], more: list[Label], gone: int) -> None:
    criterion = Criterion("correctness")
    before = resolve_labels(first, criterion)
    now = [x for place, x in enumerate(first) if place != gone] + more
    quick, plain = resolve_labels(now, criterion, before=before), resolve_labels(now, criterion)
    for name in ("criterion", "labels", "sample_ids", "ties", "llm_only", "label_texts", "hash"):
        assert getattr(quick, name) == getattr(plain, name), name
    assert np.array_equal(quick.levels, plain.levels) and np.array_equal(quick.weights, plain.weights)


def test_added_labels_of_new_samples_are_all_that_is_looked_at() -> None:
    criterion, first = Criterion("correctness"), [label("s0", 1), label("s1", 0)]
    before = resolve_labels(first, criterion)
    added = resolve_labels([*first, label("s2", 1)], criterion, before=before)
    assert added.labels[0] is before.labels[0] and added.hash == labels_hash([*first, label("s2", 1)])
    # For another way to pass nothing of it holds.
    strict = Criterion("correctness", ("1", "2", "3"), passing=2)
    assert resolve_labels(first, strict, before=before).criterion == strict
