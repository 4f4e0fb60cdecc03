"""Estimates of runs whose test cases were drawn with unequal probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.errors import HcatError
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.records.design_weights import design_probabilities, design_summary, design_weights
from hcat.core.slices.table import find_weaknesses
from hcat.core.types import Sample
from hcat.core.wording.design_weights import design_sentence


def test_rates_are_hajeks_ratios_by_both_probabilities() -> None:
    # Design weights 1, 1, 3, 3; all labelled, the third with label weight 2.
    run = labelled_run([1, 0, 1, 0], [0.9, 0.2, 0.8, 0.6], weights=[1, 1, 2, 1], design=[1, 1, 3, 3])
    rates = estimate_pass_rate(run)
    # (1 + 6) / (1 + 1 + 6 + 3), and verdicts 1, 0, 1, 1: (1 + 3 + 3) / 8.
    assert rates.labels_only.value == pytest.approx(7 / 11)
    assert rates.naive.value == pytest.approx(7 / 8)
    assert rates.labels_only.n == 4


def test_the_correction_weights_predictions_on_all_samples() -> None:
    rng = np.random.default_rng(0)
    design = rng.uniform(1, 5, 300)
    truth = rng.random(300) < 0.7
    prediction = np.clip(0.7 * truth + 0.15 + rng.normal(0, 0.05, 300), 0, 1)
    passed = np.where(np.arange(300) < 60, truth.astype(float), np.nan)
    rates = estimate_pass_rate(labelled_run(passed, prediction, design=design))
    share, labels = design / design.sum(), design[:60] / design[:60].sum()
    by_hand = labels @ passed[:60] + rates.lambda_ * (share @ prediction - labels @ prediction[:60])
    assert rates.lambda_ > 0
    assert rates.ppi.value == pytest.approx(by_hand)
    assert rates.effective_n > rates.labels_only_effective_n


def test_the_standard_error_is_that_of_the_linearised_ratio() -> None:
    design, passed = np.array([1.0, 1, 2, 4]), np.array([1.0, 0, 1, 0])
    rates = estimate_pass_rate(labelled_run(passed, np.full(4, np.nan), design=design))
    share = design / 8
    moved = share * (passed - share @ passed)
    assert rates.labels_only_standard_error == pytest.approx(np.sqrt(4 / 3 * moved @ moved))


def test_equal_design_weights_change_nothing_at_all() -> None:
    rng = np.random.default_rng(1)
    passed = np.where(rng.random(80) < 0.5, (rng.random(80) < 0.6).astype(float), np.nan)
    strata = [f"s{k % 3}" for k in range(80)]
    plain = labelled_run(passed, rng.random(80), weights=rng.uniform(1, 3, 80), strata=strata)
    weighted = replace(plain, design=np.full(80, 7.0))
    assert estimate_pass_rate(weighted).ppi == estimate_pass_rate(plain).ppi
    assert estimate_pass_rate(weighted).labels_only == estimate_pass_rate(plain).labels_only


def test_a_weight_of_two_is_two_samples_for_the_value_and_not_for_the_interval() -> None:
    passed, twice = np.array([1.0, 0, 1, 1, 0, 1]), np.array([1.0, 1, 1, 2, 2, 2])
    weighted = estimate_pass_rate(labelled_run(passed, np.full(6, np.nan), design=twice)).labels_only
    doubled = np.append(passed, passed[3:])
    repeated = estimate_pass_rate(labelled_run(doubled, np.full(9, np.nan))).labels_only
    assert weighted.value == pytest.approx(repeated.value)
    assert weighted.high - weighted.low > repeated.high - repeated.low


def test_slices_and_differences_weight_too() -> None:
    passed, design = np.array([1.0, 0, 1, 0, 1, 1]), np.array([3.0, 1, 1, 3, 1, 1])
    run = labelled_run(passed, np.full(6, np.nan), design=design, clusters=list("abcdef"))
    sides = run.part(np.arange(6) < 3), run.part(np.arange(6) >= 3)
    # (3 + 1) / 5 and (1 + 1) / 5.
    assert estimate_pass_rate(sides[0]).labels_only.value == pytest.approx(0.8)
    assert estimate_difference(*sides).labels_only.value == pytest.approx(0.4 - 0.8)


def test_bad_design_weights_are_refused() -> None:
    with pytest.raises(HcatError, match="design weights must be positive"):
        labelled_run([1, 0], [0.5, 0.5], design=[1, 0])
    with pytest.raises(HcatError, match="one value for each"):
        labelled_run([1, 0], [0.5, 0.5], design=[1])


def test_means_of_weakness_slices_are_weighted() -> None:
    frame = pd.DataFrame({"type": ["a"] * 20 + ["b"] * 20}, index=[f"s{k}" for k in range(40)])
    values = pd.Series(np.tile([0.2, 0.8], 20), index=frame.index)
    design = np.tile([1.0, 3.0], 20)
    table = find_weaknesses(frame, values, metric="m", direction="higher", within=(0, 1), design=design)
    # (0.2 + 3 · 0.8) / 4
    assert table.frame["mean"].tolist() == pytest.approx([0.65, 0.65])
    assert table.settings.overall["m"].value == pytest.approx(0.65)
    assert table.frame["difference"].tolist() == pytest.approx([0, 0])
    assert table.frame["p"].tolist() == pytest.approx([1, 1])


def test_a_slice_that_is_worse_only_by_weight_is_shown_by_weight() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"type": ["a"] * 200 + ["b"] * 200}, index=[f"s{k}" for k in range(400)])
    # In a the heavy half is bad and the light half good; unweighted, a and b are alike.
    bad = np.tile([True, False], 100)
    values = np.where(np.append(bad, np.zeros(200, dtype=bool)), 0.3, 0.7)
    values[200:] = 0.5
    series = pd.Series(values + rng.normal(0, 0.01, 400), index=frame.index)
    design = np.append(np.where(bad, 9.0, 1.0), np.ones(200))
    plain, weighted = (
        find_weaknesses(frame, series, metric="m", direction="higher", design=weights).frame.set_index("level_1")
        for weights in (None, design)
    )
    assert plain.loc["a", "p"] > 0.05
    assert weighted.loc["a", "difference"] == pytest.approx(0.9 * 0.3 + 0.1 * 0.7 - 0.5, abs=0.01)
    assert weighted.loc["a", "p"] <= 2e-4  # the least that the permutations can show


def sample(name: str, probability: object = None) -> Sample:
    return Sample(name, "q", "a", metadata={} if probability is None else {"probability": probability})  # type: ignore[dict-item]


def test_weights_are_of_runs_whose_every_sample_states_a_probability() -> None:
    unequal = [sample("a", 0.5), sample("b", 0.25)]
    assert design_weights(design_probabilities(unequal)) == {"a": 2, "b": 4}
    assert design_weights(design_probabilities([sample("a", 0.5), sample("b", 0.5)])) is None
    assert design_probabilities([sample("a"), sample("b", 2), sample("c", "x"), sample("d", True)]) == {}
    assert design_weights({"a": 0.5, "b": None}) is None


def test_what_weights_mean_is_said() -> None:
    # (2 + 4)² / (4 + 16) = 1.8
    assert "2 samples, by weight 2" in design_sentence(design_summary({"a": 0.5, "b": 0.25}))
    assert "1 of 2 samples state no probability" in design_sentence(design_summary({"a": 0.5, "b": None}))
    assert design_sentence(design_summary({"a": 0.5, "b": 0.5})) == ""
    assert design_sentence(design_summary({})) == ""
