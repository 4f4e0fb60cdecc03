"""Answer relevance by reverse questions over a scripted endpoint and an encoder whose cosines are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.metrics.registry import find_metric
from hcat.core.models.llm.cached import CachedLanguageModel
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.prompts import load_prompt
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.types import Sample
from tests.core.models.llm.scripted import Answer, Asked, Endpoint, refusal
from tests.core.scoring.model_sets import model_set

METRIC = "answer_relevance_reverse"
ANGLES = {"What is the fee?": 0, "How much is it?": 60, "What does it cost?": 90, "Is it free?": 180, "Same?": 0}
QUESTIONS = ["How much is it?", "What does it cost?", "Is it free?"]


class Angles:
    """A unit vector in the plane at the text's angle."""

    name, revision, dimension = "angles", "ab" * 32, 2

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        degrees = np.radians([ANGLES.get(text, 45) for text in texts])
        return np.stack([np.cos(degrees), np.sin(degrees)], axis=1).astype(np.float32)


def sample(name: str = "s", answer: str | None = "The fee is 12 euros.") -> Sample:
    return Sample(name, "What is the fee?", answer)


def numbered(texts: Sequence[str]) -> dict[str, Any]:
    return {f"question_{number}": text for number, text in enumerate(texts, start=1)}


def model(endpoint: Endpoint) -> OpenAILanguage:
    return OpenAILanguage(name="asker", base_url=endpoint.url, limits=Limits(attempts=2, backoff=0.0))


def score(samples: Sequence[Sample], language: Any) -> Any:
    return score_samples(samples, metrics=[METRIC], models=model_set(Angles(), language=language))


def test_the_score_is_the_mean_cosine_of_the_query_and_the_questions(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: numbered(QUESTIONS)
    # cos 60° = ½, cos 90° = 0, cos 180° = −1: (½ + 0 − 1) / 3 = −1/6
    assert score([sample()], model(scripted)).values(METRIC)[0] == pytest.approx(-1 / 6, abs=1e-7)
    scripted.answer = lambda asked: numbered(["Same?"] * 3)
    assert score([sample()], model(scripted)).values(METRIC).tolist() == [1.0]


def test_only_the_answer_is_shown_and_the_query_is_not_given_away(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: numbered(QUESTIONS)
    score([sample()], model(scripted))
    assert scripted.asked[0].data == {"answer": "The fee is 12 euros."}
    schema = scripted.asked[0].body["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["question_1", "question_2", "question_3"]


def test_questions_embeddings_and_cosines_are_in_the_explanation(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: numbered(QUESTIONS)
    found: Any = explain_sample(sample(), metrics=[METRIC], models=model_set(Angles(), language=model(scripted)))[
        METRIC
    ]
    assert [row["text"] for row in found["questions"]] == QUESTIONS
    assert [row["cosine"] for row in found["questions"]] == pytest.approx([0.5, 0.0, -1.0], abs=1e-7)
    assert found["query"] == {"text": "What is the fee?", "embedding": [1.0, 0.0]}
    assert found["questions"][0]["embedding"] == pytest.approx([0.5, 0.866025], abs=1e-6)
    assert found["asked"]["prompts"] == [load_prompt("reverse_questions").title]
    assert found["asked"]["usage"]["tokens_in"] == 100


def test_the_provenance_names_model_prompt_and_number_of_questions(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: numbered(QUESTIONS)
    asking = model(scripted)
    provenance = score([sample()], asking).provenance
    assert provenance.models == {"angles": Angles.revision, "asker": asking.revision}
    parameters: Any = provenance.parameters[METRIC]
    assert parameters["questions"] == 3
    assert parameters["prompts"] == [load_prompt("reverse_questions").title]
    assert parameters["temperature"] == 0.0


def test_without_an_endpoint_it_is_unscored() -> None:
    assert score([sample()], None).score("s", METRIC).reason == "no language model"
    assert "language" in find_metric(METRIC).models


def test_an_answer_that_is_missing_is_not_asked_about(scripted: Endpoint) -> None:
    table = score([sample("none", None), sample("blank", " ")], model(scripted))
    assert [table.score(name, METRIC).reason for name in ("none", "blank")] == ["no answer", "empty answer"]
    assert scripted.calls == 0


@pytest.mark.parametrize(
    "content",
    [
        numbered(QUESTIONS[:2]),
        numbered([*QUESTIONS, "Same?"]),
        numbered(["Same?", " ", "Same?"]),
        numbered(["Same?", "", "Same?"]),
        {"question_1": 1, "question_2": 2, "question_3": 3},
        QUESTIONS,
        "no JSON",
        refusal(500),
    ],
)
def test_fewer_than_three_questions_are_no_score(scripted: Endpoint, content: Answer) -> None:
    scripted.answer = lambda asked: content
    table = score([sample()], model(scripted))
    assert table.values(METRIC).tolist() == pytest.approx([np.nan], nan_ok=True)
    assert str(table.score("s", METRIC).reason).startswith("language model: ")
    found: Any = explain_sample(sample(), metrics=[METRIC], models=model_set(Angles(), language=model(scripted)))[
        METRIC
    ]
    assert found["unscored"].startswith("language model: ")
    assert found["asked"]["model"] == "asker"


def test_one_sample_without_questions_leaves_the_others_alone(scripted: Endpoint) -> None:
    def answer(asked: Asked) -> Answer:
        return "no JSON" if asked.data["answer"] == "bad" else numbered(["Same?"] * 3)

    scripted.answer = answer
    table = score([sample("a"), sample("b", "bad"), sample("c")], model(scripted))
    assert table.frame[METRIC].isna().tolist() == [False, True, False]
    assert table.summary()[METRIC].mean.n == 2


def test_scored_again_nothing_is_asked(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = lambda asked: numbered(QUESTIONS)
    samples = [sample(str(number), f"The fee is {number} euros.") for number in range(4)]
    first = score(samples, CachedLanguageModel(model(scripted), root=str(tmp_path)))
    again = score(samples, CachedLanguageModel(model(scripted), root=str(tmp_path)))
    assert scripted.calls == 4
    assert again.frame.equals(first.frame)
