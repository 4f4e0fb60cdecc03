"""Token overlap and length."""

from __future__ import annotations

import pytest

from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample


def _encoded(answer: str, reference: str | None = None, contexts: tuple[str, ...] = ()) -> SampleView:
    passages = tuple(Passage(str(rank), text) for rank, text in enumerate(contexts))
    sample = Sample("s", "query", answer, passages, reference)
    return SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})


def _value(name: str, encoded: SampleView) -> float | None:
    return find_metric(name)(encoded).score.value


def test_overlap_counts_each_occurrence_once() -> None:
    # answer: the the cat sat (4), reference: the cat ran (3); shared: the, cat
    encoded = _encoded("The the cat sat.", "the cat ran")
    assert _value("token_precision", encoded) == 2 / 4
    assert _value("token_recall", encoded) == 2 / 3
    assert _value("token_f1", encoded) == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))


def test_nothing_shared_is_0_and_not_unscored() -> None:
    encoded = _encoded("yes", "no")
    assert [_value(name, encoded) for name in ("token_precision", "token_recall", "token_f1")] == [0.0, 0.0, 0.0]


def test_groundedness_looks_into_all_contexts() -> None:
    # revenue, was, 1577.00 are found; up is not
    encoded = _encoded("Revenue was up $1,577.00", contexts=("revenue 1577.00", "It was"))
    assert _value("token_groundedness", encoded) == 3 / 4
    explanation = find_metric("token_groundedness")(encoded).explain()
    assert explanation == {"answer_tokens": 4, "not_in_contexts": ["up"]}


def test_length_is_in_tokens() -> None:
    assert _value("answer_length", _encoded("Revenue was up $1,577.00!")) == 4


def test_an_answer_or_reference_of_signs_has_no_words() -> None:
    assert find_metric("token_precision")(_encoded("?!", "x")).score.reason == "no words in the answer"
    assert find_metric("token_f1")(_encoded("x", "?!")).score.reason == "no words in the reference"
    assert find_metric("token_recall")(_encoded("x", "?!")).score.reason == "no words in the reference"
    assert find_metric("token_groundedness")(_encoded("?!", contexts=("x",))).score.reason == "no words in the answer"


def test_what_is_shared_is_shown() -> None:
    explanation = find_metric("token_f1")(_encoded("a b b", "b b c")).explain()
    assert explanation == {
        "answer_tokens": 3,
        "reference_tokens": 3,
        "shared": ["b", "b"],
        "only_in_reference": ["c"],
    }
