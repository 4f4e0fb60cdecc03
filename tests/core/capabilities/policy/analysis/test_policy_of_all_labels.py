"""A policy of a calibration that all labels made has a map of its own, in which the labels that test it had no part."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.calibration import calibrate as calibrating
from hcat.core.capabilities.policy.analysis.inputs import policy_inputs
from hcat.core.capabilities.policy.analysis.policy import PolicySpec, fit_policy, trade_offs
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import Provenance, score_table
from hcat.core.statistics.partition import assign_split
from hcat.core.types import Criterion, Label, Sample, Score

ON = Criterion("correctness")
N, LABELLED = 600, 400


def test_labels_that_test_a_policy_had_no_part_in_its_map() -> None:
    rng = np.random.default_rng(3)
    quality = rng.normal(size=N)
    passed = rng.random(N) < 1 / (1 + np.exp(-2 * quality - 2))
    samples = tuple(Sample(f"s{k}", "question", "yes") for k in range(N))
    values = {"answer_f1": [Score(float(q)) for q in quality]}
    scores = score_table([s.id for s in samples], values, Provenance("0", content_hash(samples), tuple(values)))

    def run_with(flipped: str | None):  # type: ignore[no-untyped-def]
        labels = [
            Label(f"s{k}", ON.name, int(passed[k] != (assign_split(f"s{k}") == flipped)), "ann")
            for k in range(LABELLED)
        ]
        return run_from_files(RunColumns("r", FileColumns(lambda: samples, lambda: scores)), labels)

    run = run_with(None)
    whole = calibrating.calibrate(run, ON, metrics=["answer_f1"])
    assert whole.sets_by_score is not None and whole.split_sizes["fit"] == LABELLED
    own = calibrating.with_labels_held_out(run, whole, ON)
    assert own.sets_by_score is None and own.map != whole.map and own.fit_for_use == whole.fit_for_use
    assert calibrating.with_labels_held_out(run, own, ON) is own
    held_out = [k for k in range(LABELLED) if assign_split(f"s{k}") != "fit"]
    used = policy_inputs(run, ((own, ON),), by=None).labels[ON.name].failed
    assert np.flatnonzero(np.isfinite(used)).tolist() == held_out
    policy = fit_policy(run, whole, ON, PolicySpec())
    assert policy.fitted.map == own.map and policy.rules[0].certificate.n == len(held_out)
    for other in ("conformal", "check"):
        changed = run_with(other)
        again = calibrating.with_labels_held_out(changed, calibrating.calibrate(changed, ON, metrics=["answer_f1"]), ON)
        assert again.map == own.map
    assert trade_offs(run, whole, ON, PolicySpec()) == trade_offs(run, own, ON, PolicySpec())
