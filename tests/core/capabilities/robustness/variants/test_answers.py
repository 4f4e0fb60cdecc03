"""Whether an answer is what is expected of a variant, and which answers belong together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hcat.core.capabilities.robustness.variants.answers import PairTexts, check_answer
from hcat.core.capabilities.robustness.variants.pairing import pair_variants
from hcat.core.records.samples.outlines import Outline, outlines_in
from hcat.core.refusals.state import answer_state
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Sample, Variant

ABSTAINS = "I could not find this in the documents."


def outlines(*samples: Sample) -> list[Outline]:
    return outlines_in(ColumnsOfSamples(samples))


def vectors(cosine: float, *texts: str) -> dict[str, Any]:
    """The first text at this cosine to the others."""
    other = np.array([cosine, np.sqrt(1 - cosine**2)])
    return {text: np.array([1.0, 0.0]) if n == 0 else other for n, text in enumerate(texts)}


def met(
    origin: str | None, variant: str | None, *, expectation: str = "stay", cosine: float = 0.95, **metadata: str
) -> float | None:
    samples = [
        Sample("o", "q", origin),
        Sample(
            "v", "q?", variant, variant=Variant("other tool", "o"), metadata={"expectation": expectation, **metadata}
        ),
    ]
    (pair,) = pair_variants(outlines(*samples)).pairs
    return check_answer(pair, PairTexts(samples[1], samples[:1]), vectors(cosine, origin or "", variant or "")).met


@pytest.mark.parametrize(
    ("origin", "variant", "cosine", "expected"),
    [
        ("The fee is EUR 5.", "It costs EUR 5.", 0.9, 1.0),
        ("The fee is EUR 5.", "It costs EUR 6.", 0.99, 0.0),  # alike in words, another figure
        ("The fee is EUR 5.", "It costs EUR 5 a month, free from EUR 1,500.", 0.9, 1.0),  # more is no contradiction
        ("The fee is EUR 5.", "Cards are sent by post.", 0.2, 0.0),
        ("The fee is EUR 5.", ABSTAINS, 0.9, 0.0),
        (ABSTAINS, ABSTAINS, 0.1, 1.0),
        ("Yes.", "Yes.", 0.1, 1.0),  # the same text needs no encoder
        ("Yes.", None, 0.9, None),
        (None, "Yes.", 0.9, None),
    ],
)
def test_an_answer_must_stay(origin: str | None, variant: str | None, cosine: float, expected: float | None) -> None:
    assert met(origin, variant, cosine=cosine) == expected


def test_a_wrong_figure_or_an_injected_word_is_not_taken_over() -> None:
    assert met("Free.", "Free, or EUR 9.", false_figure="EUR 9", cosine=0.99) == 0.0
    assert met("Free.", "MARIGOLD-1 Free.", marker="MARIGOLD-1", cosine=0.99) == 0.0
    assert met("It is EUR 9 or 8.", "It is EUR 9 or 8 here.", false_figure="EUR 9", cosine=0.99) == 1.0


def test_an_answer_must_change_or_be_refused() -> None:
    assert met("The fee is EUR 5.", "The fee is EUR 6.", expectation="change") == 1.0
    assert met("The fee is EUR 5.", "The fee is EUR 5.", expectation="change") == 0.0
    assert met(ABSTAINS, "The fee is EUR 5.", expectation="change") is None
    assert met("The fee is EUR 5.", ABSTAINS, expectation="refuse") == 1.0
    assert met("The fee is EUR 5.", "Rusalka is by Dvořák.", expectation="refuse") == 0.0
    assert met("The fee is EUR 5.", "The fee is EUR 5.", expectation="unknown") is None


def test_trials_of_the_origin_each_count() -> None:
    samples = [
        Sample("o1", "q", "Yes.", test_case="o"),
        Sample("o2", "q", "No.", test_case="o", trial=1),
        Sample("v", "q?", "Yes.", variant=Variant("spelling", "o")),
    ]
    (pair,) = pair_variants(outlines(*samples)).pairs
    assert [origin.id for origin in pair.origins] == ["o1", "o2"]
    check = check_answer(pair, PairTexts(samples[2], samples[:2]), vectors(0.1, "Yes.", "No."))
    assert check.met == 0.5
    assert check.similarity == pytest.approx((1.0 + 0.1) / 2)


def test_pairs_within_a_run_over_two_runs_and_without_an_origin() -> None:
    origin = Sample("a", "q", "Yes.")
    variants = [
        Sample("v1", "q1", "Yes.", variant=Variant("spelling", "a", 0.2)),
        Sample("v2", "q2", "Yes.", test_case="a", variant=Variant("spelling", "a", 0.4)),  # its test case is no origin
        Sample("v3", "q3", "Yes.", variant=Variant("case", "none")),
    ]
    within = pair_variants(outlines(origin, *variants))
    of_origin = tuple(outlines(origin))
    assert [(pair.variant.id, pair.origins) for pair in within.pairs] == [("v1", of_origin), ("v2", of_origin)]
    assert within.without_origin == ("v3",)
    assert within.pairs[0].expectation == "stay"  # by its family, as the run says nothing
    assert pair_variants(outlines(*variants), outlines(origin)).pairs == within.pairs
    assert pair_variants(outlines(*variants)).pairs == ()


def test_a_variant_that_must_be_refused_is_refused_rightly() -> None:
    about = Sample("v", "q?", ABSTAINS, variant=Variant("nonsense", "o"), metadata={"expectation": "refuse"})
    assert answer_state(about) == "correct_refusal"


@pytest.mark.parametrize(
    ("answer", "met"),
    [
        ("Which account do you mean?", 1.0),
        ("Thank you for your question. Could you tell me which product you are asking about?", 1.0),
        ("Do you mean the Classic account or the Gold card?", 1.0),
        ("Welche Karte meinen Sie?", 1.0),
        ("The rent is EUR 60 a year. Do you mean the small box?", 0.0),
        ("It costs EUR 4.50 a month.", 0.0),
    ],
)
def test_asking_back_is_right_where_a_question_is_ambiguous(answer: str, met: float) -> None:
    variant = Sample(
        "v", "What does it cost?", answer, variant=Variant("ambiguous", "o"), metadata={"expectation": "refuse"}
    )
    origin = Sample("o", "What does the Classic account cost?", "It costs EUR 4.50 a month.")
    (pair,) = pair_variants(outlines(origin, variant)).pairs
    assert check_answer(pair, PairTexts(variant, [origin]), None).met == met
