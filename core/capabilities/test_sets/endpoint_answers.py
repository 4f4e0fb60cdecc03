"""Conversion of a language model's answer to a test case: its schema, and the checks before it is a candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.capabilities.test_sets.queries.corpus_index import overlap
from hcat.core.capabilities.test_sets.queries.drafts import difficulty
from hcat.core.capabilities.test_sets.selection.support import holds_words, polarity
from hcat.core.claims.words import STOP_WORDS, stems, words
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.query_types import query_type_of
from hcat.core.records.test_case import QueryType, TestCase, case_id
from hcat.core.text import sentences
from hcat.core.types import JsonValue

QUOTED = 90.0
"""Similarity (rapidfuzz's partial ratio, 0 to 100) from which a sentence of the passage is the quoted one."""
WRONG_OPTIONS = 3

_TEXT: JsonValue = {"type": "string", "minLength": 1, "maxLength": 2000}
_FIELDS: Mapping[QueryType, tuple[str, ...]] = {
    "multi-hop": ("first_fact", "second_fact", "question", "answer"),
    "multiple choice": ("fact", "question", "answer", "wrong_options"),
    "unanswerable": ("missing", "question"),
}
_FACT_FIELDS = ("fact", "first_fact", "second_fact")
NO_FACT = "language model: the fact that it names is not in the passage"
OTHER_TYPE = "language model: a query of another type than was asked for, by its wording"
LOOKED_UP = "language model: an inference whose answer the quoted sentence states"
ONE_HOP = "language model: a multi-hop query to which one of the quoted sentences adds nothing"
SHORT_ANSWER = 8
"""Number of words of an answer below which a query for a thing, a person or an amount is not open."""


def schema_of(query_type: QueryType) -> dict[str, JsonValue]:
    """The JSON schema of the answer: texts, all required, in the order in which they are to be written."""
    fields = _FIELDS.get(query_type, ("fact", "question", "answer"))
    properties: dict[str, JsonValue] = dict.fromkeys(fields, _TEXT)
    if "wrong_options" in fields:
        properties["wrong_options"] = {
            "type": "array",
            "items": _TEXT,
            "minItems": WRONG_OPTIONS,
            "maxItems": WRONG_OPTIONS,
        }
    required: list[JsonValue] = [*fields]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def case_of(
    content: Mapping[str, JsonValue],
    *,
    query_type: QueryType,
    passages: Sequence[CorpusPassage],
    style: str,
    generator: str,
) -> TestCase | str:
    """The case from the answer, or the reason why it is invalid."""
    query = " ".join(str(content["question"]).split())
    quoted = [str(content[name]) for name in _FACT_FIELDS if name in content]
    facts = [_quoted(passage, fact) for passage, fact in zip(passages, quoted, strict=False)]
    if any(fact is None for fact in facts):
        return NO_FACT
    answer = " ".join(str(content.get("answer", "")).split())
    if query_type == "yes/no" and polarity(answer) is None:
        return "language model: an answer that begins with neither yes nor no"
    if query_type == "yes/no" and len(words(answer)) == 1:  # nothing that a passage could be seen to say
        return "language model: yes or no, and not what the passage says"
    problem = _type_problem(query_type, query, answer, [fact[0] for fact in facts if fact is not None])
    if problem is not None:
        return problem
    missing = str(content.get("missing", ""))
    if query_type == "unanswerable" and not holds_words(query, missing):
        return "language model: the query lacks what should be missing"
    places = [place for fact in facts if fact is not None for place in [fact[1]]]
    shared = overlap(query, tuple(passages))
    answerable = query_type != "unanswerable"
    options = (answer, *(" ".join(str(option).split()) for option in _options(content)))
    return TestCase(
        id=case_id(query, [passage.id for passage in passages]),
        query=query,
        reference=answer if answerable else None,
        passages=tuple(passage.id for passage in passages) if answerable else (),
        type=query_type,
        difficulty=difficulty(hops=len(passages), overlap=shared, distance=max(places, default=0)),
        style=style,
        options=tuple(sorted(options)) if query_type == "multiple choice" else (),
        generator=generator,
        key_fact=" ".join(fact[0] for fact in facts if fact is not None) if answerable else "",
        metadata={"missing": missing} if missing else {},
    )


def _type_problem(query_type: QueryType, query: str, answer: str, facts: Sequence[str]) -> str | None:
    """The reason why the query is visibly of another type than was asked for, or None. Checks its wording, an inference
    that its fact already states, and a hop that neither query nor answer uses. Undetected differences pass."""
    worded = query_type_of(query)
    wrong: Mapping[QueryType, tuple[str | None, ...]] = {
        "yes/no": ("factual", "open", "comparison", "multiple choice"),
        "simple factual": ("yes/no", "multiple choice"),
        "open": ("yes/no", "multiple choice", *(("factual",) if len(words(answer)) < SHORT_ANSWER else ())),
    }
    if worded in wrong.get(query_type, ()):
        return OTHER_TYPE
    if query_type == "inference" and _content(answer) - _content(query) <= _content(facts[0]):
        applied = worded == "yes/no" and any(word[0].isdigit() for word in _content(query) - _content(facts[0]))
        return None if applied else LOOKED_UP
    if query_type == "multi-hop" and len(facts) > 1:
        said, (first, second) = _content(f"{query} {answer}"), map(_content, facts[:2])
        return None if said & (first - second) and said & (second - first) else ONE_HOP
    return None


def _content(text: str) -> frozenset[str]:
    """Stems of the words that are neither stop words nor yes and no."""
    return stems(" ".join(word for word in words(text) if word not in STOP_WORDS and word != "yes"))


def answered_by(content: Mapping[str, JsonValue], passages: Sequence[str]) -> bool:
    """Whether the model quotes a sentence of these passages as the answer. A quote that is not in them does not
    count."""
    quote = str(content["quote"])
    return bool(content["answered"]) and any(holds_words(text, quote) for text in passages)


def _options(content: Mapping[str, JsonValue]) -> list[JsonValue]:
    options = content.get("wrong_options")
    return options if isinstance(options, list) else []


def _quoted(passage: CorpusPassage, fact: str) -> tuple[str, int] | None:
    """The sentence of the passage that is quoted, and its index from 0; None if no sentence is similar enough."""
    from rapidfuzz.fuzz import partial_ratio

    wanted = " ".join(words(fact))
    texts = [sentence.text for sentence in sentences(passage.text)]
    likeness = [partial_ratio(wanted, " ".join(words(text))) for text in texts]
    best = max(range(len(texts)), key=likeness.__getitem__, default=None)
    if best is None or not wanted or likeness[best] < QUOTED:
        return (fact, 0) if holds_words(passage.text, fact) else None
    return texts[best], best
