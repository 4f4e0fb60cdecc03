from __future__ import annotations

import numpy as np
import pandas as pd

from hcat.core.calibration.dataset import join_scores
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import SPLITS, assign_split
from hcat.core.types import Criterion, Label


def label(sample: str, level: int, annotator: str = "ann", **rest: object) -> Label:
    return Label(sample, "correctness", level, annotator, **rest)  # type: ignore[arg-type]


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
    judged = join_scores(
        [
            *labels,
            label("s0", 0, "a model", source="llm"),
            label("s1", 0, "a model", source="llm"),
            label("s5", 1, "a model", source="llm"),
        ],
        scores,
        criterion=Criterion("correctness"),
        metrics=["a", "b"],
    )
    assert judged.left_out == {**joined.left_out, "labelled by a language model only": 1}
    assert judged.passed.tolist() == [True]
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
