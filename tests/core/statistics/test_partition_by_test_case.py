"""Trials of one test case serve one purpose: no label serves twice in spirit."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import CLUSTER, SAMPLE, Calibration
from hcat.core.calibration.checks.comparison import compare_methods
from hcat.core.calibration.dataset import LabelledScores, join_scores
from hcat.core.calibration.refits import refitted_probabilities
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import SPLITS, assign_split
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json

CORRECTNESS = Criterion("correctness")


def trials(cases: int, of_each: int) -> tuple[list[Label], ScoreTable, dict[str, str]]:
    """`of_each` trials of each test case, whose labels follow a score that its trials share."""
    rng = np.random.default_rng(3)
    names = [f"case-{c}/{t}" for c in range(cases) for t in range(of_each)]
    good = np.repeat(rng.random(cases), of_each)
    passed = rng.random(len(names)) < 1 / (1 + np.exp(-6 * (good - 0.5)))
    index = pd.Index(names, name="sample_id", dtype="str")
    table = ScoreTable(pd.DataFrame({"good": good}, index=index), Provenance("0", "r", ("good",)))
    labels = [Label(name, "correctness", int(level), "ann") for name, level in zip(names, passed, strict=True)]
    return labels, table, {name: name.split("/")[0] for name in names}


def named(joined: LabelledScores) -> list[str]:
    return [SPLITS[place] for place in joined.splits]


def test_trials_of_a_test_case_serve_one_split() -> None:
    labels, table, cases = trials(100, 4)
    joined = join_scores(labels, table, criterion=CORRECTNESS, metrics=["good"], test_cases=cases)
    serves: dict[str, set[str]] = {}
    for sample_id, split in zip(joined.sample_ids, named(joined), strict=True):
        serves.setdefault(cases[sample_id], set()).add(split)
    assert all(splits == {assign_split(case)} for case, splits in serves.items())
    # By sample they do fall apart: all four of a case together has probability 0.4⁴ + 2 · 0.3⁴ = 0.04.
    apart = join_scores(labels, table, criterion=CORRECTNESS, metrics=["good"])
    assert named(apart) == [assign_split(sample_id) for sample_id in apart.sample_ids]


def test_a_sample_without_a_test_case_is_its_own() -> None:
    labels, table, cases = trials(30, 2)
    few = {name: case for name, case in cases.items() if case < "case-2"}
    joined = join_scores(labels, table, criterion=CORRECTNESS, metrics=["good"], test_cases=few)
    assert named(joined) == [assign_split(few.get(name, name)) for name in joined.sample_ids]


@settings(deadline=None, max_examples=25)
@given(st.integers(min_value=0, max_value=119), st.randoms(use_true_random=False))
def test_one_more_label_moves_no_other(left_out: int, chance: object) -> None:
    labels, table, cases = trials(40, 3)
    fewer = [label for place, label in enumerate(labels) if place != left_out]
    chance.shuffle(fewer)  # type: ignore[attr-defined]
    both = [
        join_scores(held, table, criterion=CORRECTNESS, metrics=["good"], test_cases=cases) for held in (labels, fewer)
    ]
    every, some = (dict(zip(one.sample_ids, one.splits.tolist(), strict=True)) for one in both)
    assert some == {name: split for name, split in every.items() if name != labels[left_out].sample_id}


def test_a_calibration_knows_what_its_labels_were_divided_by() -> None:
    labels, table, cases = trials(80, 3)
    by_case = calibrate(labels, table, criterion=CORRECTNESS, metrics=["good"], test_cases=cases)
    by_sample = calibrate(labels, table, criterion=CORRECTNESS, metrics=["good"])
    assert (by_case.settings["split_by"], by_sample.settings["split_by"]) == (CLUSTER, SAMPLE)
    again = Calibration.from_json(calibration_json(by_case))
    assert (again.split_by, by_sample.split_by) == (CLUSTER, SAMPLE)
    assert by_case.split_sizes["fit"] == sum(assign_split(cases[label.sample_id]) == "fit" for label in labels)
    compared = compare_methods(
        labels, table, criterion=CORRECTNESS, metrics=["good"], methods=["logistic"], repeats=1, test_cases=cases
    )
    assert compared.n == by_case.split_sizes["fit"]


def test_refits_reweight_the_labels_that_were_fitted() -> None:
    labels, table, cases = trials(80, 3)
    fitted = calibrate(labels, table, criterion=CORRECTNESS, metrics=["good"], test_cases=cases)
    # Labels of test cases that did not fit turn round: no refit may move.
    turned = [
        label
        if assign_split(cases[label.sample_id]) == "fit"
        else Label(label.sample_id, "correctness", 1 - label.level)
        for label in labels
    ]
    first, second = (
        refitted_probabilities(fitted, held, table, criterion=CORRECTNESS, split_keys=cases, clusters=cases, refits=5)
        for held in (labels, turned)
    )
    assert np.array_equal(first.values(), second.values())


def test_what_is_judged_once_serves_all() -> None:
    labels, table, cases = trials(60, 2)
    judged = resolve_labels(labels, CORRECTNESS)
    assert resolve_labels(judged, CORRECTNESS) is judged
    asked = {"criterion": CORRECTNESS, "metrics": ["good"], "test_cases": cases}
    first, second = (calibrate(given, table, **asked) for given in (judged, labels))  # type: ignore[arg-type]
    assert calibration_json(first) == calibration_json(second)
