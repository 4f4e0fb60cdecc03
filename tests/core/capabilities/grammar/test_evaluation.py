"""Semantic groups: counts, rates and modules by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.grammar.answers import (
    GroupedAnswers,
    document_texts,
    grouped_answers,
    recorded_verdicts,
    verbatim_verdicts,
)
from hcat.core.capabilities.grammar.attribution import modules
from hcat.core.capabilities.grammar.evaluation import evaluate_groups, outside_gaps
from hcat.core.errors import HcatError
from hcat.core.types import Passage, Sample

BLUE, RED = Passage("blue", "The fee of the Blue account is 12 euros."), Passage("red", "The Red account is free.")


def sample(name: str, group: str, answer: str | None, *passages: Passage, reference: str = "12 euros") -> Sample:
    return Sample(
        name,
        "What is the fee of 'Blue'?",
        answer,
        passages,
        reference,
        relevant_ids={"blue": 1},
        group=group,
    )


# Group a: all right. b: one of three right. c: none. R = (2 + 1) / (2 + 3), accuracy = 3 / 7, knowledge 2 of 3 groups.
SAMPLES = (
    sample("a1", "a", "12 euros", BLUE),
    sample("a2", "a", "It is 12 euros.", BLUE),
    sample("b1", "b", "12 euros", BLUE),
    sample("b2", "b", "free", BLUE),  # the same document as the right answer, which it states: the language model
    sample("b3", "b", "free", RED),  # another document, which doesn't state the truth: retrieval
    sample("c1", "c", None),
    sample("c2", "c", "free", RED),
)


def answers(samples: tuple[Sample, ...] = SAMPLES, **options: bool) -> GroupedAnswers:
    return grouped_answers(samples, verbatim_verdicts(samples), **options)


def test_groups_rates_and_modules() -> None:
    found = evaluate_groups(answers())
    assert (found.groups.gap, found.groups.robust, found.groups.non_robust, found.groups.total) == (1, 1, 1, 3)
    assert found.robustness.value == pytest.approx(3 / 5)
    assert found.accuracy.value == pytest.approx(3 / 7)
    # Equation 2: accuracy is R times the share of answers outside gap groups.
    assert found.accuracy.value == pytest.approx(found.robustness.value * 5 / 7)
    assert found.knowledge.value == pytest.approx(2 / 3)
    assert found.retrieval_accuracy.value == pytest.approx(4 / 7)
    assert found.retrieval_robustness.value == pytest.approx(4 / 5)
    assert found.right_without_document.value == 0
    assert (found.attribution.language_model, found.attribution.retrieval, found.attribution.undecided) == (1, 1, 0)
    each = modules(answers(), outside_gaps(answers()))
    assert each == (None, None, None, "language_model", "retrieval", None, None)


def test_a_right_answer_that_its_documents_do_not_state_is_no_witness() -> None:
    # The source would blame the language model for b2: b1 had the same document. But b1 knew the answer without it.
    samples = (sample("b1", "b", "12 euros", RED), sample("b2", "b", "free", RED))
    found = evaluate_groups(answers(samples))
    assert (found.attribution.language_model, found.attribution.retrieval, found.attribution.undecided) == (0, 0, 1)
    assert found.right_without_document.value == 1


def test_a_closed_domain_counts_only_what_was_retrieved() -> None:
    samples = (*SAMPLES[:2], sample("b1", "b", "12 euros", RED), sample("b2", "b", "12 euros", BLUE))
    assert evaluate_groups(answers(samples)).groups.robust == 2
    closed = evaluate_groups(answers(samples, closed_domain=True))
    assert (closed.groups.robust, closed.groups.non_robust) == (1, 1)


def test_texts_are_taken_of_other_runs_where_a_run_has_ids_alone() -> None:
    bare = tuple(
        Sample(s.id, s.query, s.answer, tuple(Passage(p.id, "") for p in s.contexts), s.reference, group=s.group)
        for s in SAMPLES
    )
    verdicts = verbatim_verdicts(bare)
    assert evaluate_groups(grouped_answers(bare, verdicts)).attribution.undecided == 2
    texts = document_texts(bare, SAMPLES)
    assert evaluate_groups(grouped_answers(bare, verdicts, texts=texts)).attribution.language_model == 1


def test_what_is_not_judged_or_not_grouped_is_left_out_and_counted() -> None:
    lone = Sample("x", "q", "12 euros", reference="12 euros")
    verdicts = verbatim_verdicts((*SAMPLES, lone))
    del verdicts["b3"]
    found = evaluate_groups(grouped_answers((*SAMPLES, lone), verdicts))
    assert (found.unjudged, found.ungrouped) == (1, 1)
    assert found.robustness.value == pytest.approx(3 / 4)


def test_without_groups_verdicts_or_needed_documents_the_error_says_what_to_give() -> None:
    lone = (Sample("x", "q", "a", reference="a"),)
    with pytest.raises(HcatError, match="semantic group"):
        grouped_answers(lone, verbatim_verdicts(lone))
    with pytest.raises(HcatError, match="no answer has a verdict"):
        grouped_answers(SAMPLES, recorded_verdicts(SAMPLES))
    bare = (Sample("x", "q", "a", reference="a", group="g"),)
    with pytest.raises(HcatError, match="relevant_ids"):
        grouped_answers(bare, verbatim_verdicts(bare), closed_domain=True)
    assert evaluate_groups(grouped_answers(bare, verbatim_verdicts(bare))).retrieval_accuracy.n == 0


def test_the_order_of_the_rows_changes_nothing() -> None:
    order = np.random.default_rng(0).permutation(len(SAMPLES))
    assert evaluate_groups(answers(tuple(SAMPLES[i] for i in order))) == evaluate_groups(answers())
