"""Candidates from a language model behind an endpoint: one request per ask, answered in JSON of a given schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.capabilities.test_sets.endpoint_answers import answered_by, case_of, schema_of
from hcat.core.capabilities.test_sets.queries.drafts import STYLES
from hcat.core.capabilities.test_sets.query_source import Ask, Written
from hcat.core.capabilities.test_sets.selection import CorpusIndex
from hcat.core.models.llm.language import JsonObject, LanguageModel, Reply, Request, ask_all
from hcat.core.prompts import Prompt, load_prompt
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase
from hcat.core.types import JsonValue

PROMPTS: Mapping[QueryType, str] = {
    "multi-hop": "write_multi_hop",
    "multiple choice": "write_multiple_choice",
    "unanswerable": "write_unanswerable",
}
"""The prompt of each type that has one of its own."""
ANY_TYPE, CHECK = "write_query", "find_answer"
PARTNERS = 3
"""The second passage of a multi-hop query is drawn from this many passages nearest in meaning to the first."""
SAME_TEXT = 0.97
"""Cosine similarity from which two passages count as having the same content, so that no query needs both."""
CHECKED_PASSAGES = 5
"""Number of nearest passages in which the model itself looks for an answer to an unanswerable query."""
CHECK_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"quote": {"type": "string"}, "answered": {"type": "boolean"}},
    "required": ["quote", "answered"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """An ask as it is put to the model: the passages, the first of them the drawn one, and the data of the request."""

    ask: Ask
    passages: tuple[CorpusPassage, ...]
    request: Request


class EndpointSource:
    """A language model that writes queries over one corpus. Texts of passages are sent to its endpoint only.

    The model limits the number of attempts. An answer that is not JSON of the schema, or names a fact that its passage
    lacks, is counted with its reason. `on_reply` is called with (done, total) after each reply; an exception from it
    ends the work."""

    types_at_once = 1

    def __init__(
        self,
        model: LanguageModel,
        index: CorpusIndex,
        *,
        seed: int,
        on_reply: Callable[[int, int], None] | None = None,
    ) -> None:
        self.name = model.name
        self._model, self._index, self._on_reply = model, index, on_reply
        self._rng = np.random.default_rng(seed)
        prompts = sorted({ANY_TYPE, CHECK, *PROMPTS.values()})
        self.settings: Mapping[str, JsonValue] = {
            "generator": model.name,
            **model.settings,
            "prompts": [load_prompt(name).title for name in prompts],
        }

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        """The candidate of each ask, or the reason why there is none. Raises ModelError only if no request could
        succeed."""
        asked = [self._asked(ask) for ask in asks]
        replies = ask_all(self._model, [each.request for each in asked], on_reply=self._on_reply)
        written = [self._written(each, reply) for each, reply in zip(asked, replies, strict=True)]
        return tuple(self._checked(written))

    def _asked(self, ask: Ask) -> _Asked:
        passages: tuple[CorpusPassage, ...] = (ask.passage,)
        data: JsonObject = {"style": str(self._rng.choice(STYLES))}
        if ask.type == "multi-hop":
            passages = (ask.passage, *self._partner(ask.passage))
            data |= dict(zip(("first", "second"), (self._text(passage) for passage in passages), strict=False))
        else:
            data["passage"] = self._text(ask.passage)
        if ask.type not in PROMPTS:
            data["kind"] = ask.type
        if ask.type == "yes/no":
            data["right_answer"] = str(self._rng.choice(["yes", "no"]))
        return _Asked(ask, passages, Request(_prompt(ask.type), data, schema_of(ask.type)))

    def _written(self, asked: _Asked, reply: Reply) -> Written:
        if len(asked.passages) < 2 and asked.ask.type == "multi-hop":
            return Written(problems=("there is no second passage",))
        if reply.content is None:
            return Written(problems=(reply.reason or "language model: no answer",))
        generator = f"{self._model.name}, {asked.request.prompt.name} v{asked.request.prompt.version}"
        case = case_of(
            reply.content,
            query_type=asked.ask.type,
            passages=asked.passages,
            style=str(asked.request.data["style"]),
            generator=generator,
        )
        return Written(problems=(case,)) if isinstance(case, str) else Written((case,))

    def _checked(self, written: Sequence[Written]) -> list[Written]:
        """The candidates without unanswerable queries that the model can answer from the nearest passages."""
        cases = [each.candidates[0] for each in written if _is_unanswerable(each)]
        queries = [case.query for case in cases]
        rankings = self._index.search(queries, self._index.embed(queries))
        shown = [[self._index.texts[at] for at in ranking.nearest(CHECKED_PASSAGES)] for ranking in rankings]
        prompt = load_prompt(CHECK)
        requests = [
            Request(prompt, {"question": query, "passages": list[JsonValue](texts)}, CHECK_SCHEMA)
            for query, texts in zip(queries, shown, strict=True)
        ]
        replies = iter(zip(ask_all(self._model, requests, on_reply=self._on_reply), shown, strict=True))
        return [_unless_answered(each, *next(replies)) if _is_unanswerable(each) else each for each in written]

    def _partner(self, passage: CorpusPassage) -> tuple[CorpusPassage, ...]:
        """A passage near in meaning with different content, as a tuple of one; empty if there is none."""
        similarity = self._index.vectors @ self._index.vectors[self._index.positions[passage.id]]
        order = [int(at) for at in np.argsort(-similarity, kind="stable") if similarity[at] < SAME_TEXT]
        return (self._index.passages[int(self._rng.choice(order[:PARTNERS]))],) if order else ()

    def _text(self, passage: CorpusPassage) -> str:
        return self._index.texts[self._index.positions[passage.id]]


def _prompt(query_type: QueryType) -> Prompt:
    return load_prompt(PROMPTS.get(query_type, ANY_TYPE))


def _is_unanswerable(written: Written) -> bool:
    return any(case.type == "unanswerable" for case in written.candidates)


def _unless_answered(written: Written, reply: Reply, passages: Sequence[str]) -> Written:
    if reply.content is None:
        return Written(problems=(reply.reason or "language model: no answer",))
    if answered_by(reply.content, passages):
        return Written(problems=("language model: a passage answers the query that none should",))
    case: TestCase = written.candidates[0]
    return Written((case,))
