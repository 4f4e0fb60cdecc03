"""Questions generated from answers by a language model, and the similarity of each to the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.questions import QUESTIONS, ReverseQuestions
from hcat.core.models.cache import EmbeddingStore, embed_texts
from hcat.core.models.encoder.encoder import Encoder, unit_rows
from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.prompts import load_prompt
from hcat.core.types import JsonValue, Sample

PROMPT = "reverse_questions"
NAMES = tuple(f"question_{number}" for number in range(1, QUESTIONS + 1))
SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in NAMES},
    "required": [*NAMES],
    "additionalProperties": False,
}


def reverse_questions(
    samples: Sequence[Sample],
    *,
    model: LanguageModel,
    encoder: Encoder,
    store: EmbeddingStore,
    on_reply: Callable[[int, int], None] | None = None,
) -> tuple[ReverseQuestions, ...]:
    """The questions for each sample's answer, in order, embedded with the query as whole texts.

    Raises ModelError only if no request could succeed."""
    prompt = load_prompt(PROMPT)
    requests = [Request(prompt, {"answer": sample.answer or ""}, SCHEMA) for sample in samples]
    replies = ask_all(model, requests, on_reply=on_reply)
    asked = [_asked(model, reply) for reply in replies]
    texts = [_texts(reply) for reply in replies]
    wanted = [text for sample, some in zip(samples, texts, strict=True) for text in (sample.query, *some) if some]
    rows = embed_texts(wanted, encoder=encoder, store=store)
    return tuple(
        _embedded(sample, some, rows, told) if some else _none(reply, told)
        for sample, some, reply, told in zip(samples, texts, replies, asked, strict=True)
    )


def reverse_parameters(model: LanguageModel) -> dict[str, JsonValue]:
    """The parameters of the generation that the scores' provenance records."""
    return {"model": model.name, **model.settings, "prompts": [load_prompt(PROMPT).title], "questions": QUESTIONS}


def _asked(model: LanguageModel, reply: Reply) -> dict[str, JsonValue]:
    prompts: list[JsonValue] = [load_prompt(PROMPT).title]
    return {"model": model.name, "prompts": prompts, "sent": dict(reply.sent), "usage": reply.usage.record()}


def _texts(reply: Reply) -> tuple[str, ...]:
    """The N questions; () if any is missing or blank, since a mean over fewer would be another metric."""
    if reply.content is None or set(reply.content) != set(NAMES):
        return ()
    texts = tuple(str(reply.content[name]).strip() for name in NAMES)
    return texts if all(texts) else ()


def _embedded(
    sample: Sample, texts: tuple[str, ...], rows: Mapping[str, NDArray[np.float32]], asked: Mapping[str, JsonValue]
) -> ReverseQuestions:
    vectors = unit_rows([rows[text] for text in (sample.query, *texts)])
    return ReverseQuestions(texts, vectors[0], vectors[1:], asked)


def _none(reply: Reply, asked: Mapping[str, JsonValue]) -> ReverseQuestions:
    reason = reply.reason or "language model: a question is missing"
    return ReverseQuestions((), np.zeros(0), np.zeros((0, 0)), asked, reason)
