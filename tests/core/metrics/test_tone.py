"""The metrics of tone: which sentences are read together, the worst of them counts, and VADER's mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from hcat.core.capabilities.safety.tone import tone_flags
from hcat.core.metrics.registry import ON_REQUEST, choose, find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.metrics.tone import passages_to_read
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.toxicity.loading import TOXICITY
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.text import sentences
from hcat.core.types import Sample


class ByWord:
    """Calls a text toxic by the word "awful", unprofessional by "silly"; no tone where it has no opinion on it."""

    name, revision = "by word", "1"

    def __init__(self, *, tone: bool = True) -> None:
        self.read: list[str] = []
        self._tone = tone

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.read += texts
        tone = [0.8 if "silly" in text else 0.1 for text in texts] if self._tone else [math.nan] * len(texts)
        return np.array([[0.9 if "awful" in text else 0.2 for text in texts], tone]).T.reshape(-1, 2)


def view(answer: str | None) -> SampleView:
    sample = Sample("s", "Why?", answer)
    return SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})


def scored(*answers: str | None, tone: bool = True) -> ScoreTable:
    samples = [Sample(f"s{number}", "Why?", answer) for number, answer in enumerate(answers)]
    models = ModelSet((ENCODER.of(load_encoder()), TOXICITY.of(ByWord(tone=tone))))
    return score_samples(samples, metrics="toxicity,unprofessional", models=models)


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("One thing.", ["One thing."]),
        ("One thing. Two things.", ["One thing. Two things."]),
        ("One thing. Two things. Three things.", ["One thing. Two things.", "Two things. Three things."]),
        ("", []),
        (None, []),
    ],
)
def test_each_sentence_is_read_with_the_next_one(answer: str | None, read: list[str]) -> None:
    passages = passages_to_read(view(answer))
    assert [passage.text for passage in passages] == read
    assert all((answer or "")[passage.start : passage.end] == passage.text for passage in passages)


def test_the_worst_sentences_count_and_what_is_missing_is_unscored() -> None:
    table = scored("It is fine. So is that. This is awful.", "All is silly.", "Good.", None, " ")
    assert table.values("toxicity")[:3].tolist() == pytest.approx([0.9, 0.2, 0.2])
    assert table.values("unprofessional")[:3].tolist() == pytest.approx([0.1, 0.8, 0.1])
    assert [table.score(name, "toxicity").reason for name in ("s3", "s4")] == ["no answer", "empty answer"]


def test_a_classifier_without_an_opinion_on_tone_leaves_it_unscored() -> None:
    table = scored("This is awful.", tone=False)
    assert table.score("s0", "toxicity").value == pytest.approx(0.9)
    assert table.score("s0", "unprofessional").reason == "the classifier does not judge this"


def test_an_explanation_names_the_worst_sentences_at_their_place() -> None:
    answer = "It is fine. So is that. This is awful."
    models = ModelSet((ENCODER.of(load_encoder()), TOXICITY.of(ByWord())))
    explained = explain_sample(Sample("s", "Why?", answer), metrics="toxicity", models=models)["toxicity"]
    assert isinstance(explained, dict)
    passages, worst = explained["passages"], explained["worst"]
    assert isinstance(passages, list) and isinstance(worst, int)
    row = passages[worst]
    assert isinstance(row, dict)
    assert answer[row["start"] : row["end"]] == row["text"] == "So is that. This is awful."  # type: ignore[misc]


def test_flags_have_an_exact_interval_and_the_worst_comes_first() -> None:
    toxic, unprofessional = tone_flags(scored("awful", "fine", "fine, silly", None))
    assert toxic.worst == (("s0", pytest.approx(0.9)),)
    assert (toxic.flagged.n, toxic.unscored) == (3, 1)
    assert toxic.flagged.value == pytest.approx(1 / 3)
    assert (toxic.flagged.low, toxic.flagged.high) == pytest.approx(
        (0.0084, 0.9057), abs=1e-4
    )  # Clopper–Pearson, 1 of 3
    assert unprofessional.worst == (("s2", pytest.approx(0.8)),)


def test_sentiment_is_the_mean_of_vader_over_sentences() -> None:
    answer = "This is great. This is terrible. It costs five euros."
    vader = SentimentIntensityAnalyzer()
    compounds = [vader.polarity_scores(sentence.text)["compound"] for sentence in sentences(answer)]
    assert find_metric("sentiment")(view(answer)).score.value == pytest.approx(sum(compounds) / 3)
    assert find_metric("sentiment")(view(None)).score.reason == "no answer"


def test_metrics_of_tone_are_none_of_all() -> None:
    chosen = choose("all", [Sample("s", "Why?", "So.")], unfilled={})
    assert {chosen.left_out[name] for name in ("toxicity", "unprofessional", "sentiment")} == {ON_REQUEST}
