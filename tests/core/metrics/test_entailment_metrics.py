"""Groundedness by entailment: D and σ(D) of each sentence, the premise that won, and which passage alone was asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from hcat.core.claims.claim import Check
from hcat.core.claims.task import ClaimTask
from hcat.core.claims.verdict import Verdict
from hcat.core.metrics.sample_view import PARTS, PartEmbeddings, SampleView, placed_sentences
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.claim_verifier import EntailmentClaimVerifier
from hcat.core.models.nli.entailment import EntailmentResult
from hcat.core.models.nli.loading import load_entailment
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample
from tests.core.scoring.model_sets import model_set

NAMES = "groundedness_nli,groundedness_nli_min,groundedness_nli_share"
SAMPLE = Sample(
    "s",
    "What of the fee?",
    "The fee is 25 euros. The bank opened in 1950.",
    (Passage("a", "Cards are blue. The fee is 25 euros a year."), Passage("b", "The bank opened in 1955.")),
)


class Overlap:
    """D is the share of the hypothesis's words that the premise holds, in tenths, less nine tenths."""

    name, revision, pieces = "overlap", "0", 64

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def entail(self, pairs: Sequence[tuple[str, str]]) -> EntailmentResult:
        self.seen += pairs
        words = [(premise.replace(".", "").split(), said.replace(".", "").split()) for premise, said in pairs]
        shares = [sum(word in premise for word in said) / len(said) for premise, said in words]
        return EntailmentResult.of(10 * (np.array(shares) - 0.9))


class Letters:
    """A sentence's row counts its letters."""

    name, revision, dimension = "letters", "1", 26

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        counts = [[text.lower().count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts]
        return np.array(counts, dtype=np.float32)


def test_mean_minimum_and_share_of_the_sentences() -> None:
    table = score_samples([SAMPLE], metrics=NAMES, models=model_set(Letters(), Overlap()))
    # 5 of 5 words, D = 1; 4 of 5 words, D = -1
    low, high = 1 / (1 + np.exp(1)), 1 / (1 + np.exp(-1))
    assert table.frame.loc["s"].tolist() == pytest.approx([(low + high) / 2, low, 0.5], abs=1e-6)


def test_the_explanation_holds_the_winning_premise_its_sentences_and_what_is_flagged() -> None:
    explained = explain_sample(SAMPLE, metrics=NAMES, models=model_set(Letters(), Overlap()))
    explanation = explained["groundedness_nli"]
    assert isinstance(explanation, dict)
    assert (explanation["weakest"], explanation["flagged"]) == (1, [1])
    first, second = explanation["sentences"]  # type: ignore[misc]
    assert (first["D"], first["supported"], second["supported"]) == (pytest.approx(1), True, False)
    assert first["premise"]["text"] == "Cards are blue. The fee is 25 euros a year."
    assert [one["passage"] for one in first["premise"]["sentences"]] == ["a", "a"]
    assert first["match"]["text"] == "The fee is 25 euros a year."
    assert second["match"]["text"] == "The bank opened in 1955."
    assert SAMPLE.answer is not None
    assert SAMPLE.answer[second["start"] : second["end"]] == second["text"]
    json.dumps(explained, allow_nan=False)


def _encoded(sample: Sample) -> SampleView:
    parts = {part: placed_sentences(sample, part, sentences) for part in PARTS}
    rows = {
        part: Letters().encode([one.sentence.text for one in some]).astype(float)
        for part, some in parts.items()
        if some
    }
    unit = {name: row / np.linalg.norm(row, axis=1, keepdims=True) for name, row in rows.items()}
    return SampleView(sample, parts).with_results(PartEmbeddings(unit))


def test_one_context_alone_is_asked() -> None:
    encoded = _encoded(SAMPLE)
    first, second = EntailmentClaimVerifier(Overlap()).verify(
        [ClaimTask(encoded, Check("answer", "contexts", passage=rank)) for rank in (0, 1)]
    )
    assert [verdict.supported for verdict in first] == [True, False]
    assert [verdict.supported for verdict in second] == [False, False]
    assert {verdict.premise for verdict in second} == {"The bank opened in 1955."}
    assert [(verdict.passage, verdict.sentences) for verdict in first] == [("a", (0, 1)), ("a", (0, 1))]
    assert second[0].sentences == (2,)


def test_a_blank_context_supports_nothing() -> None:
    sample = Sample("s", "q", "One.", (Passage("a", " "), Passage("b", "One.")))
    (verdicts,) = EntailmentClaimVerifier(Overlap()).verify(
        [ClaimTask(_encoded(sample), Check("answer", "contexts", passage=0))]
    )
    assert [(one.supported, one.reason) for one in verdicts] == [(False, "the context is blank")]


def test_clauses_are_verified_apart_and_list_markers_not_at_all() -> None:
    sample = Sample("s", "q", "1. The fee is 2%; the rate is 5%.", (Passage("a", "The fee is 2% now."),))
    model = Overlap()
    (verdicts,) = EntailmentClaimVerifier(model).verify([ClaimTask(_encoded(sample), Check("answer", "contexts"))])
    assert [verdict.claim.text for verdict in verdicts] == ["The fee is 2%", "the rate is 5%."]
    assert model.seen == [("The fee is 2% now.", "The fee is 2%"), ("The fee is 2% now.", "the rate is 5%.")]


def test_a_claim_that_the_context_holds_word_for_word_is_not_compared() -> None:
    sample = Sample("s", "q", "The  fee is “2%”.", (Passage("a", 'Cards are blue. The fee is "2%".'),))
    model = Overlap()
    (verdicts,) = EntailmentClaimVerifier(model).verify([ClaimTask(_encoded(sample), Check("answer", "contexts"))])
    assert model.seen == []
    assert [(verdict.supported, verdict.D, verdict.sentences) for verdict in verdicts] == [(True, 6.0, (1,))]
    assert str(verdicts[0].reason).startswith("word for word in the contexts")


def _verdict(answer: str, *contexts: str, query: str = "q") -> Verdict:
    sample = Sample("s", query, answer, tuple(Passage(str(n), text) for n, text in enumerate(contexts)))
    task = ClaimTask(_encoded(sample), Check("answer", "contexts"))
    ((verdict,),) = EntailmentClaimVerifier(Overlap()).verify([task])
    return verdict


def test_a_claim_is_supported_by_facts_that_stand_in_different_contexts() -> None:
    rain = "It rained and snowed in all of the northern hills. " * 12
    claim = "The fee is 2% for loans and 3% for mortgages."
    verdict = _verdict(claim, f"The fee is 2% for loans now. {rain}", f"{rain} The fee is 3% for mortgages now.")
    assert verdict.supported


def test_a_claim_with_one_supported_fact_is_partly_supported_and_counts_as_not() -> None:
    verdict = _verdict("The fee is 2% for loans and 3% for mortgages.", "The fee is 2% for loans now.")
    assert [(fact.claim.text, fact.supported) for fact in verdict.facts] == [
        ("The fee is 2% for loans.", True),
        ("The fee is 3% for mortgages.", False),
    ]
    assert (verdict.supported, verdict.partly) == (False, True)


def test_a_short_answer_is_compared_as_the_statement_that_it_makes_with_its_query() -> None:
    verdict = _verdict("2%.", "The fee is 2% now.", query="What is the fee?")
    assert verdict.supported
    assert verdict.claim.text == "2%."
    assert verdict.hypothesis is not None
    assert verdict.hypothesis.text == "The fee is 2%."


def test_a_scope_that_only_the_query_names_is_not_claimed() -> None:
    query = "What must landlords do under the Housing Act 2006?"
    verdict = _verdict("Under the Housing Act 2006, landlords must repair.", "All landlords must repair.", query=query)
    assert verdict.hypothesis is not None
    assert (verdict.supported, verdict.hypothesis.text) == (True, "landlords must repair.")


def test_a_long_context_is_read_around_the_most_similar_sentences() -> None:
    filler = " ".join(f"Clause {n} of the contract speaks of something else entirely." for n in range(60))
    sample = Sample("s", "q", "The fee is 25 euros.", (Passage("a", f"{filler} The fee is 25 euros. {filler}"),))
    models = model_set(load_encoder(), load_entailment())
    explanation = explain_sample(sample, metrics="groundedness_nli", models=models)["groundedness_nli"]
    (row,) = explanation["sentences"]  # type: ignore[index, call-overload, misc]
    assert row["supported"]
    assert "The fee is 25 euros." in row["premise"]["text"]
    assert len(row["premise"]["sentences"]) < 20


def test_the_packaged_model_tells_a_small_wrong_detail() -> None:
    report = "The board approved the merger on 12 March 2021. Net income rose 8% to $3.2 billion."
    right, wrong = (
        Sample(name, "q", f"Net income rose {share} to $3.2 billion.", (Passage("a", report),))
        for name, share in (("right", "8%"), ("wrong", "9%"))
    )
    table = score_samples([right, wrong], metrics=NAMES, models=model_set(load_encoder(), load_entailment()))
    assert table.values("groundedness_nli_share").tolist() == [1.0, 0.0]
    assert table.values("groundedness_nli")[0] > 0.5 > table.values("groundedness_nli")[1]
