from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.dataset import consensus, join_scores, labels_hash, resolve_labels
from core.scoring.score_table import Provenance, ScoreTable
from core.statistics.partition import SPLITS, assign_split
from core.types import Criterion, Label


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
    rules = [label("s", 0, "reference-rule"), label("s", 0, "reference-rule:overlap")]
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


def table(**columns: list[float]) -> ScoreTable:
    n = len(next(iter(columns.values())))
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    return ScoreTable(pd.DataFrame(columns, index=index), Provenance("0", "hash", tuple(columns)))


def test_joining_leaves_out_and_counts() -> None:
    scores = table(a=[0.1, 0.2, np.nan, np.inf], b=[1.0, np.nan, 3.0, 4.0])
    labels = [
        label("s0", 1, probability=0.25), label("s1", 1), label("s2", 1), label("s3", 1), label("gone", 0),
        label("s0", 1, "b"), Label("s0", "relevance", 0),
    ]  # fmt: skip
    joined = join_scores(labels, scores, criterion=Criterion("correctness"), metrics=["a", "b"])
    assert joined.sample_ids.tolist() == joined.cases.tolist() == ["s0"] and joined.positions.tolist() == [0]
    assert joined.X.tolist() == [[0.1, 1.0]]
    assert joined.passed.tolist() == [True]
    assert joined.left_out == {"tie": 0, "not in the scores": 1, "unscored": 3}
    assert [SPLITS[place] for place in joined.splits] == [assign_split("s0")]


def test_weights_are_inverse_probabilities() -> None:
    joined = join_scores(
        [label("s0", 1, probability=0.25), label("s1", 0)],
        table(a=[0.1, 0.2]),
        criterion=Criterion("correctness"),
        metrics=["a"],
    )
    assert joined.weights.tolist() == [4.0, 1.0]
    assert joined.unequal_weights is not None
    assert joined.part(assign_split("s0")).sample_ids[0] == "s0"


def test_no_labels_join_to_nothing() -> None:
    joined = join_scores([], table(a=[0.1]), criterion=Criterion("correctness"), metrics=["a"])
    assert joined.X.shape == (0, 1)
    assert joined.unequal_weights is None
    assert joined.split_sizes == {"fit": 0, "conformal": 0, "check": 0}


def test_an_ordinal_criterion_is_cut_at_passing() -> None:
    joined = join_scores(
        [label("s0", 2), label("s1", 3)],
        table(a=[0.1, 0.2]),
        criterion=Criterion("correctness", ("1", "2", "3", "4", "5"), passing=3),
        metrics=["a"],
    )
    assert joined.passed.tolist() == [False, True]


def test_the_hash_ignores_order_and_sees_content() -> None:
    first, second = label("s", 1), label("t", 0)
    assert labels_hash([first, second]) == labels_hash([second, first])
    assert labels_hash([first]) != labels_hash([label("s", 0)])


SAMPLES, PEOPLE = st.sampled_from([f"s{i}" for i in range(8)]), st.sampled_from(["a", "b", "reference-rule"])
GIVEN = st.builds(
    lambda sample, level, who, chance, criterion: Label(sample, criterion, level, who, probability=chance),
    SAMPLES,
    st.integers(0, 1),
    PEOPLE,
    st.sampled_from([0.25, 1.0]),
    st.sampled_from(["correctness", "correctness", "relevance"]),
)


@given(st.lists(GIVEN, max_size=10), st.lists(GIVEN, max_size=4), st.integers(0, 10))
def test_what_was_judged_before_spares_nothing_but_time(first: list[Label], more: list[Label], gone: int) -> None:
    criterion = Criterion("correctness")
    before = resolve_labels(first, criterion)
    now = [x for place, x in enumerate(first) if place != gone] + more
    quick, plain = resolve_labels(now, criterion, before=before), resolve_labels(now, criterion)
    for name in ("criterion", "labels", "sample_ids", "ties", "label_texts", "hash"):
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
