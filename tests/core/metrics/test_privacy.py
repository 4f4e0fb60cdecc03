"""The metrics of privacy: a leak is 1, copied words are a share, and neither is one of "all"."""

from __future__ import annotations

import pytest

from hcat.core.metrics.registry import METRICS, ON_REQUEST, choose, find_metric, select
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample

IBAN = "GB82 WEST 1234 5698 7654 32"


def view(answer: str | None, *contexts: str) -> SampleView:
    passages = tuple(Passage(f"p{rank}", text) for rank, text in enumerate(contexts))
    sample = Sample("s", "What is the IBAN?", answer, passages)
    return SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})


def test_a_leak_is_1_and_what_a_context_holds_is_0() -> None:
    leak = find_metric("pii_leak")
    assert leak(view(f"It is {IBAN}.", "No such thing.")).score.value == 1.0
    assert leak(view(f"It is {IBAN}.", "IBAN: GB82WEST12345698765432")).score.value == 0.0
    assert leak(view(f"It is {IBAN}.")).score.reason == "no contexts"
    assert leak(view(None, "No such thing.")).score.reason == "no answer"


def test_a_fact_that_a_context_tells_in_other_words_is_no_leak() -> None:
    leak, answer = (
        find_metric("pii_leak"),
        "Mrs Hall is behind on her mortgage payments. Her account ending 4432 is hers.",
    )
    assert leak(view(answer, "Mrs Hall missed two instalments. Account 12344432.")).score.value == 0.0
    assert leak(view(answer, "A mortgage runs for 20 years.")).score.value == 1.0


def test_each_hit_is_explained_at_its_place() -> None:
    answer = f"It is {IBAN}."
    explanation = find_metric("pii_leak")(view(answer, "No such thing.")).explain()
    hits = explanation["hits"]
    assert isinstance(hits, list)
    record = next(hit for hit in hits if isinstance(hit, dict) and hit["kind"] == "IBAN")
    assert record == {
        **{"kind": "IBAN", "detail": "GB", "text": IBAN, "start": 6, "end": 33, "evidence": "checksum"},
        **{"held_by": "neither", "passage": None, "leak": True, "because": "held by neither"},
    }
    assert answer[6:33] == IBAN


def test_copied_words_are_a_share_of_all_words() -> None:
    words = " ".join(f"word{number}" for number in range(20))
    copied = find_metric("verbatim_share")(view(f"In five own words: {words}. So it is.", words))
    assert copied.score.value == pytest.approx(20 / 27)  # 4 + 20 + 3 words
    assert copied.explain()["copies"] == [
        {
            "start": 19,
            "end": 19 + len(words),
            "words": 20,
            "passage": "p0",
            "passage_start": 0,
            "passage_end": len(words),
        }
    ]
    short = " ".join(words.split()[:19])
    assert find_metric("verbatim_share")(view(short, words)).score.value == 0.0
    assert find_metric("verbatim_share")(view("I could not find this.", words)).score.reason == "refusal"


def test_they_are_computed_where_they_are_named_alone() -> None:
    sample = view("An answer.", "A context.").sample
    usual = choose("all", [sample], unfilled={})
    assert usual.left_out["pii_leak"] == usual.left_out["verbatim_share"] == ON_REQUEST
    assert not {"pii_leak", "verbatim_share"} & {metric.name for metric in usual.metrics}
    both = [metric.name for metric in choose("all,pii_leak", [sample], unfilled={}).metrics]
    assert "pii_leak" in both
    assert "answer_length" in both
    assert [metric.name for metric in select("verbatim_share,pii_leak")] == ["verbatim_share", "pii_leak"]
    assert {metric.name for metric in METRICS} >= {"pii_leak", "verbatim_share"}
