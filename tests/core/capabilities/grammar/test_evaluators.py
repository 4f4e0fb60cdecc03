"""Metrics as evaluators of GRAMMAR's own answers (spider), whose truth is known: its table 1, with the base rate."""

from __future__ import annotations

from pathlib import Path

import pytest

from hcat.core.capabilities.grammar.answers import grouped_answers, recorded_verdicts
from hcat.core.capabilities.grammar.evaluators import evaluator_table
from hcat.core.estimates.evaluator_reliability import COMBINED, EvaluatorReliability
from hcat.core.importers import read_run
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import load_models
from hcat.core.scoring.evaluate import score_samples
from hcat.core.settings import Settings

DATA = Path(__file__).parents[5] / "shared/data/grammar/spider/eval_results"
METRICS = ("context_relevancy", "groundedness", "answer_relevancy", "token_groundedness")
"""None of them reads the reference."""


@pytest.mark.realdata
@pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository")
@pytest.mark.parametrize(
    ("every", "n", "base_rate"), [(3, 380, 0.255), pytest.param(1, 1140, 0.303, marks=pytest.mark.slow)]
)
def test_the_combined_evaluator_tells_right_from_wrong_in_a_closed_domain(every: int, n: int, base_rate: float) -> None:
    """Of every third semantic group, or of all."""
    models, store = load_models(Settings(), {ENCODER.name}), MemoryEmbeddings()
    answers, scores = {}, {}
    for criterion in ("short", "long"):
        file = DATA / f"results_{criterion}_balanced.json"
        samples = read_run(file, filename=file.name).samples
        kept = sorted({str(sample.group) for sample in samples})[::every]
        samples = [sample for sample in samples if sample.group in kept]
        answers[criterion] = grouped_answers(samples, recorded_verdicts(samples), closed_domain=True)
        scores[criterion] = score_samples(samples, metrics=METRICS, models=models, store=store, seed=7)
    found = {each.evaluator: each for each in evaluator_table(answers, scores)}
    for each in found.values():
        print(_row(each))
    combined = found[COMBINED]
    assert combined.n == n
    assert combined.auc.value >= 0.80
    assert combined.base_rate.value == pytest.approx(base_rate, abs=0.001)
    assert combined.likelihood_ratio.low > 3


def _row(found: EvaluatorReliability) -> str:
    numbers = (found.auc, found.precision, found.recall, found.likelihood_ratio, found.negative_likelihood_ratio)
    return f"{found.evaluator:20} " + " ".join(
        f"{each.value:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in numbers
    )
