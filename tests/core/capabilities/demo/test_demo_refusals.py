"""The demo's right refusals: answers of their own kind, neither fails nor the weakest slice."""

from __future__ import annotations

from functools import cache

import pandas as pd

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.demo.bank import (
    UNANSWERABLE,
    correctness,
    read_handbook,
    read_test_cases,
    reference_verdict,
)
from hcat.core.capabilities.demo.reference_rag import BASELINE, run_reference_rag
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.slices import dimension_frame
from hcat.core.slices.table import find_weaknesses, ranked
from hcat.core.types import Label, Sample
from tests.core.scoring.model_sets import model_set


@cache
def baseline() -> tuple[tuple[Sample, ...], ScoreTable]:
    """The baseline's answers to all unanswerable questions and to every second of the others."""
    cases = read_test_cases()
    chosen = [case for k, case in enumerate(cases) if k % 2 == 0 or case.dimensions.get("query_type") == UNANSWERABLE]
    store, encoder = MemoryEmbeddings(), load_encoder()
    samples = run_reference_rag(chosen, BASELINE, passages=read_handbook(), encoder=encoder, store=store)
    return samples, score_samples(samples, metrics="answer_f1", models=model_set(encoder), store=store)


def test_the_eight_right_refusals_are_decided_correct_refusal() -> None:
    samples, scores = baseline()
    right = {sample.id for sample in samples if answer_state(sample) == "correct_refusal"}
    assert len(right) == 8
    assert all(reference_verdict(sample).passed for sample in samples if sample.id in right)
    labels = [Label(sample.id, "correctness", int(reference_verdict(sample).passed)) for sample in samples]
    fitted = calibrate(labels, scores, criterion=correctness(), metrics=["answer_f1"], replicates=0)
    decided = fitted.predict(scores).set_index("sample_id")
    assert set(decided.loc[sorted(right), "decision"]) == {"correct_refusal"}
    counts = scores.state_counts()
    assert counts is not None
    assert fitted.left_out["refusal"] == counts["correct_refusal"] + counts["wrong_refusal"]
    assert (decided["decision"] == "wrong_refusal").sum() == counts["wrong_refusal"] > 0
    assert decided["decision"].value_counts().sum() == sum(counts.values()) == len(samples)


def test_declining_what_the_handbook_does_not_hold_is_no_weakness() -> None:
    samples, scores = baseline()
    found = find_weaknesses(
        dimension_frame(samples),
        pd.Series(scores.values("answer_f1"), index=scores.frame.index),
        metric="answer_f1",
        direction="higher",
        by=["query_type"],
        answer_states=scores.state_of,
    )
    listed = ranked(found)
    assert listed.iloc[0]["level_1"] != UNANSWERABLE
    unanswerable = listed[listed["level_1"] == UNANSWERABLE].iloc[0]
    # 14 questions: 8 right refusals, and 6 answers that should have been refusals, too few to test.
    assert unanswerable[["n", "unscored", "answered", "correct_refusal", "wrong_refusal"]].tolist() == [6, 8, 6, 8, 0]
    assert unanswerable["verdict"] == "insufficient evidence"
