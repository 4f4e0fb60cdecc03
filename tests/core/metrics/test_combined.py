"""The learned combination: one known value, monotone in every input, and what its explanation says."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.calibration.wording.combination import combination_note
from hcat.core.claims.claim import Claim
from hcat.core.claims.verdict import ClaimVerdicts, Verdict
from hcat.core.errors import ModelError
from hcat.core.metrics.combination import COEFFICIENTS, Combination, Term, packaged_combination, read_combination
from hcat.core.metrics.combined import OTHER_MODEL, EntailmentRevision, groundedness_combined
from hcat.core.metrics.entailment import SENTENCES
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.metrics.support_inputs import INPUTS, sentence_support, support_inputs
from hcat.core.models.nli.packaged import WEIGHTS
from hcat.core.records.hashing import sha256_of_files
from hcat.core.scoring.evaluate import score_samples
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample
from tests.core.metrics.test_entailment_metrics import Letters, Overlap
from tests.core.scoring.model_sets import model_set

NAMES = [each.name for each in INPUTS]
CONTEXT = "The fee of the bank is 25 euros. The contract was signed by Mrs Keller. Nobody paid a deposit."
values = st.lists(st.floats(-20, 20), min_size=len(INPUTS), max_size=len(INPUTS))


def view(answer: str, scores: list[float], *, context: str = CONTEXT) -> SampleView:
    sample = Sample("s", "", answer, (Passage("a", context),))
    parts = {part: placed_sentences(sample, part, sentences) for part in PARTS}
    verdicts = tuple(
        Verdict(
            Claim(placed.sentence.text, placed.sentence.start, placed.sentence.end),
            score > 0.5,
            score=score,
            D=score - 0.5,
            premise=context,
        )
        for placed, score in zip(parts["answer"], scores, strict=True)
    )
    return SampleView(sample, parts).with_results(ClaimVerdicts({SENTENCES: verdicts}))


def inputs(sample: SampleView) -> dict[str, float]:
    verdicts = sample.result(ClaimVerdicts)
    assert verdicts is not None
    return dict(zip(NAMES, support_inputs(sentence_support(sample, verdicts.of[SENTENCES])), strict=True))


def test_a_known_score() -> None:
    terms = (Term("a", 0.0, 1.0, 2.0), Term("b", -2.0, 0.0, 1.0))
    combination = Combination(-1.0, terms, "sha")
    # -1 + 2 * 0.75 + 1 * (−1 − −2) / 2 = 1
    assert combination.score([0.75, -1.0]) == pytest.approx(1 / (1 + exp(-1)))
    assert combination.contributions([9.0, -9.0]) == [2.0, 0.0]  # cut at both ends


def test_the_inputs_of_two_sentences() -> None:
    found = inputs(view("The fee is 30 euros. Mrs Keller met Mr Weber.", [0.2, 0.8]))
    assert found["entailment, mean sentence"] == pytest.approx(0.5)
    assert found["entailment, least sentence"] == pytest.approx(0.2)
    # fee, 30, euros: two of three; mrs, keller, met, mr, weber: two of five
    assert found["words found, mean sentence"] == pytest.approx((2 / 3 + 2 / 5) / 2)
    assert found["words found, least sentence"] == pytest.approx(2 / 5)
    assert found["numbers not found, most in a sentence"] == -1
    assert found["names not found, most in a sentence"] == -2  # Mr, Weber


def test_negation_on_one_side_and_opposites_count_against() -> None:
    plain = inputs(view("Profit rose in May.", [0.9], context="Profit fell in May."))
    assert plain["opposites, most in a sentence"] == -1
    assert plain["negation differs, in any sentence"] == 0
    negated = inputs(view("Profit did not fall.", [0.9], context="Profit did fall."))
    assert negated["negation differs, in any sentence"] == -1


@given(values, st.integers(0, len(INPUTS) - 1), st.floats(0, 20))
def test_the_packaged_score_never_falls_where_an_input_rises(row: list[float], place: int, step: float) -> None:
    combination = packaged_combination()
    raised = [value + step if at == place else value for at, value in enumerate(row)]
    assert 0.0 <= combination.score(row) <= combination.score(raised) <= 1.0


def test_a_negative_coefficient_is_refused() -> None:
    with pytest.raises(ModelError, match="not monotone"):
        Term("a", 0.0, 1.0, -0.1)


def test_coefficients_of_other_inputs_or_no_file_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ModelError, match="of other inputs"):
        read_combination(COEFFICIENTS, names=["another"])
    with pytest.raises(ModelError, match="can't be read"):
        read_combination(tmp_path / "none.json", names=NAMES)


def test_the_packaged_coefficients_were_fitted_for_the_packaged_weights() -> None:
    """Where this fails, run `python -m training.combined --data ../shared/data` with the new weights."""
    assert packaged_combination().entailment == sha256_of_files([WEIGHTS])
    assert json.loads(COEFFICIENTS.read_text())["terms"][0]["coefficient"] > 0


def test_the_explanation_adds_up_and_tells_of_another_model() -> None:
    sample = view("The fee is 30 euros. Mrs Keller signed the contract.", [0.2, 0.8])
    outcome = groundedness_combined(sample)
    explanation = outcome.explain()
    combination = packaged_combination()
    best = combination.intercept + sum(term.coefficient for term in combination.terms)
    z = best - sum(row["costs_log_odds"] for row in explanation["inputs"])  # type: ignore[union-attr, call-overload, index]
    assert outcome.score.value == pytest.approx(1 / (1 + exp(-z)))
    assert [row["numbers_missing"] for row in explanation["sentences"]] == [1, 0]  # type: ignore[union-attr, call-overload, index]
    assert "note" not in explanation
    other = groundedness_combined(sample.with_results(EntailmentRevision("another")))
    assert other.explain()["note"] == OTHER_MODEL
    assert other.score == outcome.score


def test_scoring_takes_no_further_pass_and_records_the_coefficients() -> None:
    run = [Sample("s", "", "The fee is 25 euros. The bank is big.", (Passage("a", CONTEXT),))]
    alone, together = Overlap(), Overlap()
    score_samples(run, metrics="groundedness_nli", models=model_set(Letters(), alone))
    table = score_samples(run, metrics="groundedness_nli,groundedness_combined", models=model_set(Letters(), together))
    assert alone.seen == together.seen
    record = table.provenance.parameters["groundedness_combined"]
    assert isinstance(record, dict)
    assert record["combination"] == {
        "revision": packaged_combination().revision,
        "fitted_for": packaged_combination().entailment,
        "same_model": False,
    }
    assert "fitted for the entailment weights" in combination_note(table.provenance)
    assert combination_note(replace(table.provenance, parameters={})) == ""
    assert np.isfinite(table.values("groundedness_combined")).all()


def test_an_answer_that_only_declines_is_unscored() -> None:
    run = [Sample("s", "", "I don't know.", (Passage("a", CONTEXT),))]
    table = score_samples(run, metrics="groundedness_combined", models=model_set(Letters(), Overlap()))
    assert table.reasons("groundedness_combined") == {"refusal": 1}
