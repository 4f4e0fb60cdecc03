"""Draws of a slice and of the rest: sizes by hand, probabilities that keep estimates of the run unbiased."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hcat.core.errors import HcatError
from hcat.core.labelling.design import Draw, union_probability
from hcat.core.labelling.queue import IN_REST, IN_SLICE, draw_random
from hcat.core.labelling.selection import draw_selection, selection_sizes

IDS = [f"q{k}" for k in range(200)]
SLICE = IDS[:30]


def test_sizes_by_hand() -> None:
    # Three of the slice for each one of the rest: 30 and 10.
    sizes = selection_sizes("slice", in_slice=50, in_rest=150)
    assert (sizes.of_slice, sizes.of_rest) == (30, 10)
    # A small slice is labelled whole, and the rest gets a third as many, not what is left of 40.
    assert selection_sizes("slice", in_slice=9, in_rest=150).of_rest == 3
    assert selection_sizes("slice", in_slice=1, in_rest=150).of_rest == 2
    # As many as somebody asks for: 8 are all of the slice, the other 12 are of the rest.
    asked = selection_sizes("slice", in_slice=8, in_rest=150, planned=20)
    assert (asked.of_slice, asked.of_rest, asked.total) == (8, 12, 20)
    confirming = selection_sizes("confirming", in_slice=50, in_rest=150)
    assert (confirming.of_slice, confirming.of_rest) == (30, 30)


def test_only_samples_without_a_label_are_drawn_and_every_sample_has_its_probability() -> None:
    labelled = {*IDS[:10], *IDS[100:120]}  # 20 of 30 are open in the slice, 150 of 170 in the rest
    draw = draw_selection(IDS, SLICE, labelled=labelled, kind="slice", planned=None, rng=np.random.default_rng(1))
    assert labelled.isdisjoint(item.sample_id for item in draw.items)
    assert Counter(item.stratum for item in draw.items) == {IN_SLICE: 20, IN_REST: 7}
    assert draw.inclusion["q0"] == draw.inclusion["q29"] == 1.0
    assert draw.inclusion["q30"] == draw.inclusion["q110"] == pytest.approx(7 / 150)
    assert len(draw.inclusion) == len(draw.strata) == 200


def test_all_of_the_run_none_of_it_and_a_slice_that_is_labelled_are_refused() -> None:
    rng = np.random.default_rng(0)
    for chosen in (IDS, ["x"]):
        with pytest.raises(HcatError, match="plan a random queue"):
            draw_selection(IDS, chosen, labelled=(), kind="slice", planned=None, rng=rng)
    with pytest.raises(HcatError, match="nothing left to draw"):
        draw_selection(IDS, SLICE, labelled=SLICE, kind="slice", planned=None, rng=rng)


@pytest.mark.parametrize("reached", [13, 27])
def test_labels_of_a_random_queue_and_of_a_slice_weigh_to_the_pass_rate_of_the_run(reached: int) -> None:
    """A random 40 of 200, then a queue of a slice that nearly always fails, done in part or whole: 3,000 draws.

    The rate is 0.1 in the slice of 30 and 0.8 in the 170 others: (3 + 136) / 200 = 0.695. Standard error of the mean of
    the draws, about 0.0015.
    """
    passed = {sample_id: float(k % 10 == 0 if k < 30 else k % 5 != 0) for k, sample_id in enumerate(IDS)}
    truth = sum(passed.values()) / len(IDS)
    rng = np.random.default_rng(5)
    estimates, plain = [], []
    for _ in range(3000):
        first = frozenset(item.sample_id for item in draw_random(IDS, planned=40, rng=rng))
        draw = draw_selection(IDS, SLICE, labelled=first, kind="slice", planned=None, rng=rng)
        items = draw.items[: min(reached, len(draw.items))]
        second = frozenset(item.sample_id for item in items)
        drawn = frozenset(item.sample_id for item in draw.items)
        labelled = sorted(first | second)
        draws = [Draw(first, len(IDS)), Draw(second, len(IDS), draw.strata, draw.inclusion, drawn)]
        weights = 1 / union_probability(draws, labelled)
        values = np.array([passed[sample_id] for sample_id in labelled])
        estimates.append(float(weights @ values / weights.sum()))
        plain.append(float(values.mean()))
    assert np.mean(estimates) == pytest.approx(truth, abs=0.008)
    assert np.mean(plain) < truth - 0.05  # unweighted, the labels of the slice pull the rate down
