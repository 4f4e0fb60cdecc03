"""Stored documents that quote texts, and the same documents without them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hcat.core.records.json_text import json_value
from hcat.core.types import JsonValue, Sample

LEAST_CHARACTERS = 20
"""Shorter texts are looked for only where a document says of which sample they are: "yes" is in many tables."""
_TEXTS = ("query", "answer", "reference", "contexts")
_REASONS = ("reason", "reason_a_first", "reason_b_first", "unscored")


@dataclass(frozen=True)
class ErasedTexts:
    """The texts of samples that are erased: what takes their place, by sample id, and the texts as words in a row."""

    statements: Mapping[str, str]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, samples: Iterable[Sample], statements: Mapping[str, str], passages: Iterable[str]) -> ErasedTexts:
        """Those of the samples, and of the passages that go with them."""
        found = [*passages]
        for sample in samples:
            found += [sample.query, sample.answer or "", sample.reference or "", *sample.reference_contexts]
            found += _strings(dict(sample.metadata))
        words = (" ".join(text.split()) for text in found)
        return cls(statements, tuple(dict.fromkeys(text for text in words if is_quotable(text))))

    def quoted_in(self, text: str) -> bool:
        """Whether the text holds one of these, or is a longer piece of one."""
        words = " ".join(text.split())
        return is_quotable(words) and any(
            erased in words or words.partition(" … ")[0] in erased for erased in self.texts
        )


def is_quotable(text: str) -> bool:
    """Whether the text is long enough to be recognised wherever it is quoted."""
    return len(text) >= LEAST_CHARACTERS


def without_quotations(document: JsonValue, erased: ErasedTexts) -> JsonValue:
    """A report's document with a statement in place of each text: in the excerpts of these samples all texts, elsewhere
    those that quote one. Excerpts of other samples stay."""
    statement = next(iter(erased.statements.values()))
    if isinstance(document, str):
        return statement if erased.quoted_in(document) else document
    if isinstance(document, list):
        return [without_quotations(item, erased) for item in document]
    if isinstance(document, dict):
        if {"id", "query", "answer"} <= document.keys():
            own = erased.statements.get(str(document["id"]))
            return document if own is None else _excerpt_without(document, own)
        return {name: without_quotations(value, erased) for name, value in document.items()}
    return document


def without_reasons(document: JsonValue, statements: Mapping[str, str]) -> JsonValue:
    """The document of a judge with a statement in place of its reasons on these samples; its scores stay."""
    if isinstance(document, list):
        return [without_reasons(item, statements) for item in document]
    if not isinstance(document, dict):
        return document
    inner = {name: without_reasons(value, statements) for name, value in document.items()}
    verdict = document.get("verdict")
    about = document.get("sample_id") or (verdict.get("pair") if isinstance(verdict, dict) else None)
    statement = statements.get(str(about))
    if statement is None:
        return inner
    return inner | {name: statement for name in _REASONS if inner.get(name)}


def lines_without_reasons(content: str, erased: ErasedTexts, *, wording: bool = False) -> str:
    """The same of JSON Lines, or of a document in one line; `wording` of a rubric loses what quotes a text too."""
    lines = content.split("\n")
    return "\n".join(_line_without(line, erased, wording=wording) if line.strip() else line for line in lines)


def _line_without(line: str, erased: ErasedTexts, *, wording: bool) -> str:
    read = json_value(line)
    changed = without_reasons(read, erased.statements)
    changed = without_quotations(changed, erased) if wording else changed
    return line if changed == read else json.dumps(changed, ensure_ascii=False)


def _excerpt_without(excerpt: Mapping[str, JsonValue], statement: str) -> JsonValue:
    return {name: _all_texts(value, statement) if name in _TEXTS else value for name, value in excerpt.items()}


def _all_texts(value: JsonValue, statement: str) -> JsonValue:
    if isinstance(value, str):
        return statement
    return [statement for _ in value] if isinstance(value, list) else value


def _strings(value: JsonValue) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [text for each in inner for text in _strings(each)]
