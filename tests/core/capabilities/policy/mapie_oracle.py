"""Thresholds by MAPIE's controller of risks, beside ours."""

from __future__ import annotations

import numpy as np
from mapie.risk_control import BinaryClassificationController
from mapie.risk_control.fwer_control import FWERFixedSequenceTesting
from scipy.special import bdtr

from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import GRID, Stakes
from hcat.core.capabilities.policy.thresholds import OtherSamples, certify, first_tested


def assert_same_thresholds_as_mapie(labels: HeldOutLabels, others: OtherSamples, promise: Promise) -> bool:
    """Its p-values are ours and it shows the same thresholds, of equal and independent labels; whether any is shown.

    MAPIE rounds n · r̂ up, which turns 2.9999… + rounding into one failure more than there are: where it does, its
    p-value is that of one more, or Hoeffding's. From the exact p-values it takes our thresholds.
    """
    start = first_tested({"correctness": labels}, others, promise)
    order = GRID[start:]
    controller = BinaryClassificationController(
        lambda p: np.column_stack([1 - np.asarray(p), np.asarray(p)]),
        "precision",
        1 - promise.error,
        confidence_level=promise.confidence,
        list_predict_params=order,
        fwer_method="fixed_sequence",
    ).calibrate(labels.probability, (~labels.failed).astype(int))
    above = [labels.above(place) for place in range(start, len(GRID))]
    ours = np.array([rows.p_value(promise.error, Stakes()) for rows in above])
    one_more = np.array([bdtr(int(rows.failed.sum()) + 1, len(rows), promise.error) for rows in above])
    theirs = np.ravel(controller.p_values)
    rounded_up = ~np.isclose(theirs, ours, atol=1e-9)
    assert (ours <= theirs + 1e-9).all() and (theirs <= one_more + 1e-9).all() and not rounded_up.all()
    certificate = certify({"correctness": labels}, others, promise)
    shown = [threshold for threshold in order.tolist() if certificate.covers(threshold)]
    assert order[FWERFixedSequenceTesting().run(ours, promise.risk)].tolist() == shown
    if not rounded_up[: len(shown) + 1].any():
        assert sorted(np.asarray(controller.valid_predict_params).tolist()) == sorted(shown)
    return bool(shown)
